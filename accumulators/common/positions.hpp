#pragma once
// Where in C the sum of each column stands: one number a column, kept from row to row and never cleared. A number below
// the row's first one is an earlier row's, so the column is new (Gilbert, Moler and Schreiber 1992, section 3.1.3; the
// marker that is the position is Gustavson's, 1978).
#include <cstdint>
#include <cstring>
#include <limits>

#include "accumulators/candidate.hpp"

namespace rowan {

/// Columns of the widest span: a column's distance from the first and a position of 5 bits make a key of 32 bits.
inline constexpr std::int64_t kMostPositions = std::int64_t{1} << (32 - 5);

/// In a candidate's persistent scratch, which is all zero at first.
class ColumnPositions {
 public:
  using Position = std::int32_t;

  [[nodiscard]] static std::size_t bytes(std::int64_t columns) noexcept {
    return kHeader + static_cast<std::size_t>(columns) * sizeof(Position);
  }
  ColumnPositions(std::byte* persistent, std::int64_t columns) noexcept
      : next_(reinterpret_cast<std::int64_t*>(persistent)),
        of_column_(reinterpret_cast<Position*>(persistent + kHeader)),
        columns_(columns) {
    if (*next_ == 0) *next_ = 1;
  }

  /// The first position of a row, which may use `most` positions from there on; no column has a position that high yet.
  [[nodiscard]] std::int64_t begin_row(std::int64_t most) noexcept {
    if (*next_ + most > std::numeric_limits<Position>::max()) [[unlikely]] {
      std::memset(of_column_, 0, static_cast<std::size_t>(columns_) * sizeof(Position));
      *next_ = 1;
    }
    return *next_;
  }
  /// The row used `used` positions.
  void end_row(std::int64_t used) noexcept { *next_ += used; }

  [[nodiscard]] Position* of_column() const noexcept { return of_column_; }

 private:
  static constexpr std::size_t kHeader = 64;

  std::int64_t* next_;
  Position* of_column_;
  std::int64_t columns_;
};

}  // namespace rowan
