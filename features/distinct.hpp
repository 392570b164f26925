#pragma once
// How many columns of a row's products are distinct: entries of single rows of C.
#include <cstdint>
#include <span>
#include <vector>

#include <rowan/types.hpp>

namespace rowan {

class DistinctColumns {
 public:
  /// `columns` may be left in another order. O(n + span / 64) or O(n log n), whichever is less.
  [[nodiscard]] std::int64_t count(std::span<Column> columns, Column least, Column greatest);

 private:
  std::vector<std::uint64_t> seen_;
};

}  // namespace rowan
