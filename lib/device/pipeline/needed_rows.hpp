#pragma once
// Rows of A with the rows of B that they name: a product by itself, where all of B is more than a device has memory
// for. Columns of A are renumbered in their order, so an entry of C is the same sum in the same order. On the host.
#include <vector>

#include "lib/core/parallel.hpp"
#include "lib/device/pipeline/row_queue.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Operands of some rows of C: B's rows that A's name, or all of B.
template <class T>
struct NeededRows {
  Operand<T> a = {}, b = {};  // of the caller's arrays and of those that follow
  Array<std::int64_t> a_ptr = {}, b_ptr = {};
  Array<Column> a_col = {}, b_col = {};
  Array<T> b_val = {};
};

/// Finds and copies them; one at a time.
template <class T>
class RowGatherer {
 public:
  /// `a`, `b`: valid, and outlive this.
  RowGatherer(const Operand<T>& a, const Operand<T>& b);

  /// The first of `rows`, one at least, and as many more as take so many bytes with the rows of B that they name.
  /// O(their entries), on this thread.
  [[nodiscard]] RowRange fitting(RowRange rows, std::int64_t bytes);
  /// B as it is where that fits in so many bytes, too, and saves little to copy.
  [[nodiscard]] NeededRows<T> gather(RowRange rows, std::int64_t bytes, const Team& team);

 private:
  static constexpr std::int64_t kWord = 64;
  static constexpr std::int64_t kEntry = static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  [[nodiscard]] std::int64_t bytes_of_a(RowRange rows) const {
    return rows.size() * 8 + (a_.ptr[rows.last] - a_.ptr[rows.first]) * kEntry;
  }
  [[nodiscard]] std::int64_t bytes_of_b() const { return b_.rows * 8 + b_.nnz() * kEntry; }
  [[nodiscard]] bool small_b(std::int64_t bytes) const;
  [[nodiscard]] NeededRows<T> with_all_of_b(RowRange rows, const Team& team) const;
  /// Bytes of the rows of B that a row of A names, and that no row before has named.
  std::int64_t mark(std::int64_t row);
  /// The first of `rows` that fit, one at least.
  RowRange mark_all(RowRange rows, std::int64_t bytes);
  [[nodiscard]] static std::size_t word_of(Column j) { return static_cast<std::size_t>(j / kWord); }
  [[nodiscard]] static std::uint64_t bit_of(Column j) { return std::uint64_t{1} << (j % kWord); }

  const Operand<T>&a_, &b_;
  RowRange marked_ = {};              // whose rows of B are named
  std::int64_t named_bytes_ = 0;      // of these
  std::vector<std::uint64_t> named_;  // a bit for each row of B
  std::vector<std::int64_t> before_;  // named rows before each word's
  std::vector<Column> fresh_;         // that the last row of A was the first to name
};

}  // namespace rowan::device::inline ROWAN_BACKEND
