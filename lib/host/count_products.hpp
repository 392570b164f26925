#pragma once
// How many products rows have, where nothing else of them is measured.
#include <cstdint>

#include "lib/core/pattern.hpp"

namespace rowan {

inline constexpr std::int64_t kCountedTogether = 8;     // rows
inline constexpr std::int64_t kProductsTogether = 512;  // of rows that are counted in one loop, at most

/// Products of rows [first, last), each kCountedTogether of them into of_rows[0], of_rows[1] ... Returns what no row
/// has more of: the longest row's products, or, where it has fewer, kProductsTogether at most. O(entries of A).
[[nodiscard]] std::int64_t count_products(const Pattern& a, const Pattern& b, std::int64_t first, std::int64_t last,
                                          std::int64_t* of_rows);

}  // namespace rowan
