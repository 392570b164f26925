#pragma once
// C's rows in two pieces, columns inside a range and the others, while they are made: each chunk is divided where it is
// still in the cache. To divide a whole C afterwards moves all of it once more (27-point stencil, one process of two:
// 28 ms for the product, 14 for that).
#include <span>
#include <vector>

#include "lib/core/offset.hpp"
#include "lib/host/chunks.hpp"
#include <rowan/divided.hpp>
#include <rowan/memory.hpp>

namespace rowan {

/// Chunks may come from several workers, each once, and in any order.
template <class T>
class Divider {
 public:
  Divider(ColumnRange inside, std::int64_t rows, std::size_t chunks)
      : inside_(inside), outside_ptr_(Array<Offset>::zeroed(rows + 1)), pieces_(chunks) {}

  /// Divides the rows of chunk n, which lie one after another from `col` and `val` on, counts[i] entries of row i: what
  /// is inside stays, moved together, and counts say how much; returns how much. What is outside is kept.
  std::int64_t take(std::size_t n, const Chunk& chunk, Offset* counts, Column* col, T* val);

  /// Row pointers of what is outside, and its entries; nothing is left here.
  struct Outside {
    Array<Offset> row_ptr;
    Array<Column> col;
    Array<T> val;
  };
  [[nodiscard]] Outside outside();

 private:
  struct Piece {
    std::vector<Column> col;
    std::vector<T> val;
  };
  ColumnRange inside_;
  Array<Offset> outside_ptr_;  // [i + 1]: entries of row i
  std::vector<Piece> pieces_;  // of each chunk
};

/// A C that is there already, divided in its own memory.
template <class T>
[[nodiscard]] DividedCsr<T> divide(Csr<T>&& c, ColumnRange inside);

}  // namespace rowan
