#pragma once
// Memory for C's entries while they are made.
#include <limits>
#include <optional>

#include "accumulators/candidate.hpp"
#include <rowan/memory.hpp>

namespace rowan {

/// `entries` of C and the slack that kernels may write behind a row.
template <class T>
struct CStorage {
  Array<Column> col;
  Array<T> val;

  /// More than any memory where the number itself would overflow.
  static std::int64_t bytes(std::int64_t entries) {
    constexpr auto kEntry = static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 2;
    return entries > kNever / kEntry - kWriteSlack ? kNever : (entries + kWriteSlack) * kEntry;
  }
  /// Empty where it cannot be had; `entries` is no more than bytes() can tell.
  static std::optional<CStorage> reserve(std::int64_t entries) {
    const auto n = static_cast<std::size_t>(entries + kWriteSlack);
    // the larger first: of what was kept it should get the largest part
    Block val = Block::try_reserve(n * sizeof(T)), col = Block::try_reserve(n * sizeof(Column));
    if (col.data() == nullptr || val.data() == nullptr) return std::nullopt;
    return CStorage{Array<Column>(std::move(col), n), Array<T>(std::move(val), n)};
  }
};

}  // namespace rowan
