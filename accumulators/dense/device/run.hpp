#pragma once
// Row runs on a device: rank (rank.hpp) for a team of rows of one pattern. Bits are marked once a run and ranked once a
// team; consecutive rows of B of one pattern are walked as one, so that a column and its rank are looked up once for up
// to four times as many products as the team has rows. All lanes walk one group of B's rows at a time: its columns
// differ, sums need no atomics and follow A's order. A wave a team, or a block where the team's sums are many.
#include "accumulators/dense/device/rank.hpp"
#include "accumulators/dense/device/team.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/binning/tally.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

inline constexpr int kTeamThreads = kShapes.run.most_block;                       // of a block, at most
inline constexpr int kWaveTeams = kShapes.run.bundles_a_block;                    // of a block with a team a wave
inline constexpr int kEqualRows = kShapes.run.equal_rows;                         // of B that a lane adds together
inline constexpr int kColumns = kShapes.run.columns;                              // of those, at most
inline constexpr std::size_t kTeamAlone = kShapes.run.wave_bytes;                 // above, waves share a team
inline constexpr std::size_t kTeamBlockShared = kShapes.run.block_bytes;          // of a team of more than one row
inline constexpr std::size_t kTeamOwnShared = kShapes.run.reserved_shared_bytes;  // static
inline constexpr std::int64_t kWaveSpan = kShapes.run.wave_span;                  // wider ones have a SparseBitmap
inline constexpr int kSlotWords = static_cast<int>(kWaveSpan) / kBits + 1;
inline constexpr int kWideWords = kShapes.run.wide_words;  // of wider spans, that a symbolic wave has at once
inline constexpr std::int64_t kLeastClass = kShapes.run.least_class;

/// A word as it is saved, and back: which of the span's `words` it is.
[[nodiscard]] __device__ constexpr SavedWord saved_word(const RankedWord& word, int at, int words) {
  const auto of_span = static_cast<std::uint32_t>(at);
  return {word.bits, words > kSlotWords ? of_span : of_span << SavedWord::kBitsBefore | word.before};
}
[[nodiscard]] __device__ constexpr int word_of_span(const SavedWord& word, int words) {
  return words > kSlotWords ? static_cast<int>(word.packed) : word.at();
}

/// How much of what a team's shared memory has room for; rows beyond `rows` are multiplied after the others. `above`:
/// words above (SparseBitmap), 0 where each word of the span has one of `slots`.
struct BundleCapacity {
  int rows, scales, pairs, groups, kept, slots, above;

  /// The same memory for a team with `entries` a row and at most `words` that are not zero: what it does not need of
  /// these is for sums, of as many rows as fit.
  [[nodiscard]] constexpr BundleCapacity of_team(int entries, int words, std::size_t value_bytes) const noexcept {
    BundleCapacity own = *this;
    const int pair = 2 * static_cast<int>(value_bytes), spare = (kept - words) * static_cast<int>(sizeof(SavedWord));
    own.kept = words;
    own.pairs += spare / pair;
    const int fit = 2 * own.pairs / entries;
    if (fit < own.rows) own.rows = fit;
    return own;
  }
};
[[nodiscard]] constexpr BundleCapacity bundle_capacity(std::int64_t span, std::int64_t bound, int rows,
                                                       std::size_t value_bytes, int groups) noexcept {
  const std::int64_t words = (span + kBits - 1) / kBits + 1, pair = 2 * static_cast<std::int64_t>(value_bytes);
  const bool wide = span > kWaveSpan;
  const std::int64_t sums = (bound * rows + 1) / 2, bitmap = wide ? 0 : (words * 4 + pair - 1) / pair,
                     columns = (bound * 4 + pair - 1) / pair;
  return {.rows = rows,
          .scales = kTeamLanes * ((rows + 1) / 2),
          .pairs = static_cast<int>(sums > bitmap      ? (sums > columns ? sums : columns)
                                    : bitmap > columns ? bitmap
                                                       : columns),
          .groups = groups,
          .kept = static_cast<int>(words < bound ? words : bound),
          .slots = wide ? 0 : static_cast<int>(words),
          .above = wide ? static_cast<int>(SparseBitmap::size_above(words)) : 0};
}
[[nodiscard]] constexpr std::size_t bundle_bytes(const BundleCapacity& s, std::size_t value_bytes) noexcept {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return size(s.scales + s.pairs) * 2 * value_bytes + size(s.groups) * sizeof(EqualRows) +
         size(s.kept) * sizeof(SavedWord) + size(s.above) * sizeof(RankedWord) + sizeof(int) +
         size((s.slots + 7) / 2 * 2) * sizeof(std::uint16_t);
}

void run_symbolic(const SymbolicLaunch& launch, int kernel);
template <class T>
void run_numeric(const NumericLaunch<T>& launch);

struct DeviceRun {
  static constexpr std::string_view kName = rowan::dense::run.name;
  static constexpr int kNarrow = 0, kMedium = 1, kWide = 2;
  static constexpr int kSymbolicKernels = 3;
  /// Kernels differ in the shared memory of a team, which rows of several sizes would all get.
  static constexpr int kNumericKernels = 4;
  static constexpr int symbolic_kernel(const SizeQuery& q) {
    return q.span_max <= kNarrowSpan ? kNarrow : q.span_max <= kWaveSpan ? kMedium : kWide;
  }
  static constexpr int numeric_kernel(const SizeQuery& q) {
    int k = 0;
    for (std::int64_t upto = kLeastClass; k + 1 < kNumericKernels && q.bound_max > upto; upto *= 2) k++;
    return k;
  }
  /// Sums without atomics want rows of B without repeated columns; a team's are in shared memory.
  static constexpr bool takes(Phase phase, const SizeQuery& q) {
    if (phase == Phase::symbolic) return true;
    return q.sorted_b && q.bound_max < SavedWord::kMax &&
           bundle_bytes(bundle_capacity(q.span_max, q.bound_max, 1, q.value_bytes, kTeamThreads), q.value_bytes) +
                   kTeamLanes * kMaxBundleRows * q.value_bytes + kTeamOwnShared <=
               q.shared_limit;
  }
  static constexpr int symbolic_threads(int) { return kTeamLanes; }
  static constexpr int numeric_threads(int) { return kTeamLanes; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  /// Words of bitmaps that a kernel of the symbolic phase keeps of such rows, about: matrices that it is for kept one
  /// word in forty to two hundred products.
  static constexpr std::int64_t words_to_save(int kernel, const Tally& rows) {
    constexpr std::int64_t kProductsAWord = 16, kProductsAWideWord = 64;
    if (kernel == kWide) return rows.nprod / kProductsAWideWord + rows.rows;
    const std::int64_t by_span = rows.span / kBits + 2 * rows.rows,
                       by_products = rows.nprod / kProductsAWord + rows.rows;
    return by_span < by_products ? by_span : by_products;
  }
  static void symbolic(const SymbolicLaunch& l, int kernel) { run_symbolic(l, kernel); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int) {
    run_numeric(l);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
