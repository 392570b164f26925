#pragma once
// How the dense accumulators divide their scratch.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "accumulators/candidate.hpp"
#include "accumulators/common/dominant.hpp"
#include "accumulators/common/scratch.hpp"
#include "accumulators/dense/candidate.hpp"

namespace rowan::dense {

inline constexpr std::size_t kVectorWords = 16;  // bitmap words that are read together, at most
inline constexpr auto kRunRows = static_cast<std::size_t>(kSummedRows);

/// Whether a row's columns are marked by bytes, which are looked through as its bits would be: eight times as many, but
/// none waits for the one before.
[[nodiscard]] constexpr bool is_marked_by_bytes(const CRow& row) noexcept {
  constexpr std::int64_t kFewProducts = 64;
  return row.nprod >= kFewProducts && row.span() <= row.nprod;
}

/// `zeroed`: bitmap words first, then the window, whole words of columns; where rows are counted, marks of a byte each
/// in its place. `plain`: lists words, then the columns of the products that are not the dominant row's, then the
/// columns' positions in that row.
struct WindowLayout {
  std::size_t bits, window, marks, list, remaining;

  WindowLayout(const Extent& e, std::size_t bytes_per_column)
      : bits(aligned((static_cast<std::size_t>(words_of(e.span_max)) + kVectorWords) * sizeof(Word))),
        window(static_cast<std::size_t>(words_of(e.span_max)) * 64 * bytes_per_column),
        marks(static_cast<std::size_t>(words_of(std::min(e.span_max, e.nprod_max))) * 64),
        list(bits),
        remaining(aligned(static_cast<std::size_t>(std::min(e.nprod_max / kDominantShare, e.span_max) + kWriteSlack) *
                          sizeof(Column))) {}
  [[nodiscard]] ScratchBytes total() const { return {bits + std::max(window, marks), list + 2 * remaining}; }
};

inline constexpr std::int64_t kFewestTogether = 5;   // rows, at the end of a task
inline constexpr std::int64_t kTogetherSpan = 8192;  // columns, at most: sums of 512 KB
inline constexpr std::int64_t kMostTogether = 1024;  // rows of B that are listed for them at a time

/// Scratch of rows that are multiplied together (together-inl.hpp). `plain`: eight sums for each column, eight entries
/// of A for each listed row of B, the eight rows' bitmaps, the list, a byte for each listed row. Rows that are near
/// each other span little more than one of them: twice a row's columns.
struct TogetherLayout {
  std::int64_t columns, row_words;
  std::size_t window, x, bits, list, met;

  TogetherLayout(const Extent& e, std::size_t value_bytes)
      : columns(e.nprod_max * kRowsTogether < kMostTogether ? 0
                                                            : words_of(std::min(2 * e.span_max, kTogetherSpan)) * 64),
        row_words(columns / 64 + static_cast<std::int64_t>(kVectorWords)),
        window(static_cast<std::size_t>(columns * kRowsTogether) * value_bytes),
        x(static_cast<std::size_t>(kMostTogether * kRowsTogether) * value_bytes),
        bits(static_cast<std::size_t>(row_words * kRowsTogether) * sizeof(Word)),
        list(static_cast<std::size_t>(kMostTogether + kWriteSlack) * sizeof(std::uint32_t)),
        met(static_cast<std::size_t>(kMostTogether)) {}
  [[nodiscard]] std::size_t total() const { return columns == 0 ? 0 : window + x + bits + list + met; }
};

/// Persistent scratch of dense-narrow before its masks: not zero where rows of B do not rise.
inline constexpr std::size_t kNarrowHeader = kScratchAlign;

/// Columns whose sums are added at a time.
inline constexpr std::int64_t kDenseBStep = 128;

/// Persistent scratch of dense-b: a header, not zero where a row of B has a column twice, and for each row of B its
/// values, its columns' bits and whether it was met.
struct DenseBLayout {
  static constexpr std::size_t kHeader = kScratchAlign;
  std::int64_t b_rows, stride, words;  // values and words of a row
  std::size_t value_bytes;

  DenseBLayout(const Extent& e, std::size_t bytes_of_value)
      : b_rows(e.b_rows),
        stride(e.columns > kDenseBStep ? kDenseBStep * ((e.columns + kDenseBStep - 1) / kDenseBStep)
                                       : std::max(static_cast<std::int64_t>(64 / bytes_of_value), doubled(e.columns))),
        words(doubled(words_of(e.columns))),
        value_bytes(bytes_of_value) {}
  [[nodiscard]] std::size_t total() const {
    return kHeader + static_cast<std::size_t>(b_rows) * (static_cast<std::size_t>(stride) * value_bytes +
                                                         static_cast<std::size_t>(words) * sizeof(Word) + 1);
  }

 private:
  /// The least power of two that is no less.
  static std::int64_t doubled(std::int64_t n) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  }
};

/// Entries of the buffer through which a run's rows go around the caches: theirs, and what LineWriter and take_columns
/// may write behind them.
[[nodiscard]] constexpr std::size_t stream_buffer_entries(const Extent& e) {
  return static_cast<std::size_t>(e.bound_max) * kRunRows + static_cast<std::size_t>(kWriteSlack) + 32;
}

}  // namespace rowan::dense
