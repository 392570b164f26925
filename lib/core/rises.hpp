#pragma once
// Whether the columns of a row rise strictly.
#include <algorithm>
#include <functional>

#include <rowan/types.hpp>

namespace rowan {

/// O(last - first).
[[nodiscard]] inline bool rises(const Column* first, const Column* last) {
  return std::adjacent_find(first, last, std::greater_equal<>()) == last;
}

}  // namespace rowan
