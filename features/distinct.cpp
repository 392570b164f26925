#include "features/distinct.hpp"

#include <algorithm>

namespace rowan {

// A bit a column of the span: sorting took a tenth of a whole product of finite elements.
std::int64_t DistinctColumns::count(std::span<Column> columns, Column least, Column greatest) {
  constexpr std::int64_t kWide = 64;  // columns of the span for each product
  const std::int64_t span = std::int64_t{greatest} - least + 1;
  if (span > kWide * static_cast<std::int64_t>(columns.size())) {
    std::sort(columns.begin(), columns.end());
    return std::unique(columns.begin(), columns.end()) - columns.begin();
  }
  std::int64_t n = 0;
  seen_.assign(static_cast<std::size_t>(span + 63) / 64, 0);
  for (const Column column : columns) {
    const auto at = static_cast<std::size_t>(column - least);
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    n += (seen_[at / 64] & bit) == 0 ? 1 : 0;
    seen_[at / 64] |= bit;
  }
  return n;
}

}  // namespace rowan
