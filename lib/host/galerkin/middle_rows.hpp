#pragma once
// Rows of A·P on their way into rows of C: the last ones made, unsorted, in a ring. Neighbouring rows of C need the
// same rows of A·P; a ring as long as the rows of A·P between the first and the last that a row of C needs is enough to
// make each of them once, and it stays in the cache.
#include <algorithm>
#include <cstdint>

#include "accumulators/candidate.hpp"
#include <rowan/memory.hpp>

namespace rowan::fused {

/// One worker's. A row is found while the ring has room for all that was made after it; a row that is needed later must
/// be made again, and where that is often, the ring doubles.
template <class T>
class MiddleRows {
 public:
  struct Row {
    const Column* col;
    const T* val;
    std::int64_t nnz;
  };
  struct RowPlace {
    Column* col;
    T* val;
  };

  /// `rows` of A·P, of `longest` entries at most. `first` and `most`: entries that the ring has, and may grow to.
  MiddleRows(std::int64_t rows, std::int64_t longest, std::int64_t first, std::int64_t most)
      : begin_(Array<std::uint64_t>::zeroed(static_cast<std::size_t>(rows))),
        longest_(longest),
        capacity_(ring_size(std::min(first, most), longest)),
        most_(ring_size(most, longest)),
        col_(static_cast<std::size_t>(capacity_)),
        val_(static_cast<std::size_t>(capacity_)) {}

  [[nodiscard]] bool has(std::int64_t i) const noexcept {
    return static_cast<std::int64_t>(begin_[i] >> kLengthBits) >= oldest_;
  }
  /// Row i, which is there.
  [[nodiscard]] Row row(std::int64_t i) const noexcept {
    const std::uint64_t word = begin_[i];
    const std::int64_t slot = static_cast<std::int64_t>(word >> kLengthBits) & (capacity_ - 1);
    return {col_.data() + slot, val_.data() + slot, static_cast<std::int64_t>(word & kLength)};
  }

  /// Where a row of up to the longest's entries can be written.
  [[nodiscard]] RowPlace place() {
    if (again_ > (made_ + capacity_) / kAgain && capacity_ < most_) grow();
    std::int64_t slot = next_ & (capacity_ - 1);
    if (slot + longest_ + kSlack > capacity_) next_ += capacity_ - slot, slot = 0;  // rows stay in one piece
    return {col_.data() + slot, val_.data() + slot};
  }
  /// Row i is there, with `nnz` entries.
  void keep(std::int64_t i, std::int64_t nnz) noexcept {
    if (begin_[i] != 0) again_ += nnz;
    made_ += nnz;
    begin_[i] = static_cast<std::uint64_t>(next_) << kLengthBits | static_cast<std::uint64_t>(nnz);
    next_ += nnz;
    oldest_ = std::max(oldest_, next_ - capacity_);
  }

  /// Longer rows, or more entries in all, do not fit a word.
  static constexpr std::int64_t kLongest = (std::int64_t{1} << 24) - 1, kMostEntries = std::int64_t{1} << 38;
  /// Bytes at most.
  [[nodiscard]] static std::int64_t bytes(std::int64_t rows, std::int64_t longest, std::int64_t most) noexcept {
    constexpr auto kEntry = static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
    return rows * std::int64_t{8} + ring_size(most, longest) * kEntry;
  }

 private:
  static constexpr int kLengthBits = 24;
  static constexpr std::uint64_t kLength = (std::uint64_t{1} << kLengthBits) - 1;
  static constexpr std::int64_t kSlack = 1;
  static constexpr std::int64_t kAgain = 8;  // of so many entries one may be made again

  static std::int64_t ring_size(std::int64_t entries, std::int64_t longest) noexcept {
    std::int64_t size = 64;
    while (size < entries + longest + kSlack) size *= 2;
    return size;
  }
  /// To twice the size; what is there stays.
  void grow() {
    const std::int64_t size = 2 * capacity_, lap = next_ / capacity_ * capacity_, in_lap = next_ - lap;
    Array<Column> col(static_cast<std::size_t>(size));
    Array<T> val(static_cast<std::size_t>(size));
    const auto move = [&](std::int64_t from, std::int64_t to,
                          std::int64_t at) {  // slots, and where in all the first is
      std::copy(col_.data() + from, col_.data() + to, col.data() + (at & (size - 1)));
      std::copy(val_.data() + from, val_.data() + to, val.data() + (at & (size - 1)));
    };
    move(0, in_lap, lap);
    if (lap != 0) move(in_lap, capacity_, lap - capacity_ + in_lap);
    col_ = std::move(col), val_ = std::move(val), capacity_ = size;
    again_ = made_ = 0;
  }

  Array<std::uint64_t> begin_;  // of each row: where it begins, counted from the first, and its entries; 0: never made
  std::int64_t longest_, capacity_, most_;
  Array<Column> col_;
  Array<T> val_;
  std::int64_t next_ = 1, oldest_ = 1;
  std::int64_t made_ = 0, again_ = 0;  // entries since the ring grew, and those of rows that had been made before
};

}  // namespace rowan::fused
