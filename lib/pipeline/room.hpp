#pragma once
// Memory for C's entries while they are made.
#include <optional>

#include "accumulators/candidate.hpp"
#include <rowan/memory.hpp>

namespace rowan {

/// Room for C: `entries` of them and the slack that kernels may write behind a row.
template <class T>
struct Room {
  Array<std::int32_t> col;
  Array<T> val;

  static std::int64_t bytes(std::int64_t entries) {
    return (entries + kWriteSlack) * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(T));
  }
  static std::optional<Room> reserve(std::int64_t entries) {
    const auto n = static_cast<std::size_t>(entries + kWriteSlack);
    Block col = Block::try_reserve(n * sizeof(std::int32_t)), val = Block::try_reserve(n * sizeof(T));
    if (col.data() == nullptr || val.data() == nullptr) return std::nullopt;
    return Room{Array<std::int32_t>(std::move(col), n), Array<T>(std::move(val), n)};
  }
};

}  // namespace rowan
