#pragma once
// How the dense accumulators divide their scratch.
#include <algorithm>
#include <cstdint>

#include "accumulators/candidate.hpp"
#include "accumulators/common/scratch.hpp"

namespace rowan::dense {

inline constexpr std::size_t kVectorWords = 16;  // bitmap words that are read together, at most
inline constexpr auto kRunRows = static_cast<std::size_t>(kSummedRows);
/// A row of B is dominant if at most one product in this many is not its own (dominant_row-inl.hpp).
inline constexpr std::int64_t kDominantShare = 8;

/// `zeroed`: bitmap words first, then the window, whole words of columns. `plain`: lists words, then the columns of the
/// products that are not the dominant row's, then the columns' positions in that row.
struct WindowLayout {
  std::size_t bits, window, list, remaining;

  WindowLayout(const Extent& e, std::size_t bytes_per_column)
      : bits(aligned((static_cast<std::size_t>(words_of(e.span_max)) + kVectorWords) * sizeof(Word))),
        window(static_cast<std::size_t>(words_of(e.span_max)) * 64 * bytes_per_column),
        list(bits),
        remaining(aligned(static_cast<std::size_t>(std::min(e.nprod_max / kDominantShare, e.span_max) + kWriteSlack) *
                          sizeof(Column))) {}
  [[nodiscard]] ScratchBytes total() const { return {bits + window, list + 2 * remaining}; }
};

/// Entries of the buffer through which a run's rows go around the caches: theirs, and what LineWriter and take_columns
/// may write behind them.
[[nodiscard]] constexpr std::size_t stream_buffer_entries(const Extent& e) {
  return static_cast<std::size_t>(e.bound_max) * kRunRows + static_cast<std::size_t>(kWriteSlack) + 32;
}

}  // namespace rowan::dense
