#pragma once
// beta E, added to rows of A B while they are made: each chunk where it is still in the cache. To multiply
// [alpha A | beta I] by [B; E] instead copies all three, and looks for each of E's columns among products.
#include "lib/core/pattern.hpp"
#include "lib/host/chunks.hpp"
#include <rowan/csr.hpp>

namespace rowan {

/// Columns of every row of E rise strictly.
template <class T>
class Adder {
 public:
  Adder(const Operand<T>& e, T beta) : e_(e), beta_(beta) {}

  /// E's entries in these rows: so many more may the sum have than the product.
  [[nodiscard]] std::int64_t entries(std::int64_t first, std::int64_t last) const {
    return e_.ptr[last] - e_.ptr[first];
  }
  [[nodiscard]] std::int64_t entries() const { return entries(0, e_.rows); }

  /// Adds the chunk's rows of beta E to those of the product, which rise and lie one after another from `col` and `val`
  /// on, counts[i] entries of row i. Afterwards the sum's rows lie there, and counts say of how many entries; returns
  /// how many.
  std::int64_t take(const Chunk& chunk, Offset* counts, Column* col, T* val) const;

 private:
  bool add_to_equal(const Chunk& chunk, const Offset* counts, std::int64_t product, const Column* col, T* val) const;

  const Operand<T>& e_;
  T beta_;
};

/// C + beta E, of a C that is there already. O(nnz).
template <class T>
[[nodiscard]] Csr<T> add(Csr<T>&& c, const Operand<T>& e, T beta);

/// Whether columns of every row rise strictly. O(nnz), parallel.
template <class T>
[[nodiscard]] bool rows_rise(const Operand<T>& m, const Team& team);

}  // namespace rowan
