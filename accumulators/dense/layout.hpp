#pragma once
// Where the dense accumulators keep what in their scratch.
#include <algorithm>
#include <cstdint>

#include "accumulators/candidate.hpp"

namespace rowan::dense {

inline constexpr std::size_t kAlign = 64;        // one cache line, one AVX-512 vector
inline constexpr std::size_t kVectorWords = 16;  // so many bitmap words are looked at together, at most
inline constexpr std::size_t kRunRows = 4;       // rows of a run that are summed together
inline constexpr std::int64_t kHubShare = 8;     // one product of so many, at most, is not its hub's (merge-inl.hpp)

[[nodiscard]] constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlign - 1) / kAlign * kAlign;
}
[[nodiscard]] constexpr std::int64_t words_of(std::int64_t span) {
  return (span + 63) / 64;
}

/// Bitmap words first, then (in `zeroed`) the window, whole words of columns; `plain` lists words, and columns that
/// are not a hub's with their places in it.
struct Layout {
  std::size_t bits, window, list, others;

  Layout(const Extent& e, std::size_t bytes_per_column)
      : bits(aligned((static_cast<std::size_t>(words_of(e.span_max)) + kVectorWords) * sizeof(std::uint64_t))),
        window(static_cast<std::size_t>(words_of(e.span_max)) * 64 * bytes_per_column),
        list(bits),
        others(aligned(static_cast<std::size_t>(std::min(e.nprod_max / kHubShare, e.span_max) + kWriteSlack) *
                       sizeof(std::int32_t))) {}
  [[nodiscard]] ScratchBytes total() const { return {bits + window, list + 2 * others}; }
};

/// Entries of a run's rows on their way around the caches: what LineWriter and take_columns may write behind them, too.
[[nodiscard]] constexpr std::size_t out_room(const Extent& e) {
  return static_cast<std::size_t>(e.bound_max) * kRunRows + static_cast<std::size_t>(kWriteSlack) + 32;
}

}  // namespace rowan::dense
