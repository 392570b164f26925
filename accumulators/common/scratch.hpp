#pragma once
// How scratch is divided.
#include <cstddef>
#include <cstdint>

namespace rowan {

inline constexpr std::size_t kScratchAlign = 64;  // one cache line, one AVX-512 vector

[[nodiscard]] constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kScratchAlign - 1) / kScratchAlign * kScratchAlign;
}
using Word = std::uint64_t;  // of a bitmap
/// Words of a bitmap over `span` columns.
[[nodiscard]] constexpr std::int64_t words_of(std::int64_t span) {
  return (span + 63) / 64;
}

}  // namespace rowan
