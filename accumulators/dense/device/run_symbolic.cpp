#include "accumulators/common/device/shape.hpp"
#include "accumulators/dense/device/run.hpp"
#include "accumulators/dense/device/team.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

/// Shared memory of a wave's run.
[[nodiscard]] constexpr std::size_t bitmap_bytes(int words) noexcept {
  return static_cast<std::size_t>(words) * sizeof(unsigned) + kTeamLanes * sizeof(EqualRows);
}
[[nodiscard]] constexpr std::size_t sparse_bitmap_bytes(int above, int words) noexcept {
  return static_cast<std::size_t>(above + words) * sizeof(RankedWord) + kTeamLanes * sizeof(EqualRows);
}

/// Room for `kept` words of a run, from where on; negative: there is none.
__device__ std::int64_t room_for_words(const Lanes& lanes, const SavedBitmaps& keep, int kept) {
  std::int64_t from = 0;
  if (lanes.rank() == 0) from = simt::atomic_add(keep.used, kept);
  from = simt::shuffle(simt::group_mask(kTeamLanes), from, 0, kTeamLanes);
  return from + kept > keep.room ? -1 : from;
}

/// kTeamLanes lanes a run, by its first row; the grid as many blocks as runs need. Shared memory, for each: a batch's
/// groups of rows of B, the bitmap of the row's span. `kLook`: a bit is looked at before it is set.
template <bool kLook>
__global__ void __launch_bounds__(kTeamThreads) symbolic_waves(Pattern a, Pattern b, RowList rows, RunFacts runs,
                                                               const CRow* c_rows, std::int64_t* nnz, int most_words) {
  if (rows.cancelled) return;
  const int teams = static_cast<int>(blockDim.x) / kTeamLanes, mine = static_cast<int>(threadIdx.x) / kTeamLanes;
  const Lanes lanes(kTeamLanes);
  simt::DynamicShared shared;
  EqualRows* const groups = shared.take<EqualRows>(teams * kTeamLanes) + mine * kTeamLanes;
  unsigned* const bits = shared.take<unsigned>(teams * most_words) + mine * most_words;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * teams + mine;
  if (i >= rows.count) return;
  const std::int64_t row = rows[i];
  const int lo = c_rows[row].lo, words = (c_rows[row].hi - lo) / kBits + 1;
  for (int w = lanes.rank(); w < words; w += lanes.size()) bits[w] = 0;
  lanes.sync();
  for_columns(lanes, a, b, runs.b_relation, row, 0, 1, lo, groups, [&](int column) {
    if constexpr (kLook)
      look_and_mark(bits + column / kBits, bit_of(column));
    else
      mark(bits, column);
  });
  int kept = 0, entries = 0;
  for (int w = lanes.rank(); w < words; w += lanes.size()) kept += bits[w] != 0 ? 1 : 0, entries += __popc(bits[w]);
  kept = lanes.sum(kept), entries = lanes.sum(entries);
  if (lanes.rank() == 0) nnz[row] = entries;
  const SavedBitmaps& keep = runs.saved;
  if (keep.of_row == nullptr || entries > SavedWord::kMax) return;
  const std::int64_t from = room_for_words(lanes, keep, kept);
  if (from < 0) return;
  if (lanes.rank() == 0) keep.of_row[row] = {static_cast<std::int32_t>(from), kept};
  for_words(lanes, bits, words, [&](int k, const SavedWord& w) { keep.words[from + k] = w; });
}

/// The same with a block a run: where a bitmap is large, a multiprocessor has room for few of them, and a wave alone
/// waits for memory most of the time. Waves have batches of A's entries in turn, then a part of the words each.
__global__ void __launch_bounds__(kTeamThreads) symbolic_blocks(Pattern a, Pattern b, RowList rows, RunFacts runs,
                                                                const CRow* c_rows, std::int64_t* nnz, int most_words) {
  if (rows.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  const Lanes lanes(kTeamLanes);
  const int teams = static_cast<int>(blockDim.x) / kTeamLanes, mine = static_cast<int>(threadIdx.x) / kTeamLanes;
  simt::DynamicShared shared;
  EqualRows* const groups = shared.take<EqualRows>(teams * kTeamLanes) + mine * kTeamLanes;
  unsigned* const bits = shared.take<unsigned>(most_words);
  const std::int64_t row = rows[blockIdx.x];
  const int lo = c_rows[row].lo, words = (c_rows[row].hi - lo) / kBits + 1;
  for (int w = block.rank(); w < words; w += block.size()) bits[w] = 0;
  block.sync();
  for_columns(lanes, a, b, runs.b_relation, row, mine, teams, lo, groups, [&](int column) { mark(bits, column); });
  block.sync();
  const int part = (words + teams - 1) / teams, first = mine * part, end = first + part < words ? first + part : words;
  int kept = 0, entries = 0, all_kept = 0, all_entries = 0;
  for (int w = first + lanes.rank(); w < end; w += lanes.size())
    kept += bits[w] != 0 ? 1 : 0, entries += __popc(bits[w]);
  const auto before_wave = [&](int of_lane, int& all) {
    return simt::shuffle(simt::group_mask(kTeamLanes), block.exclusive_sum<int>(of_lane, all), 0, kTeamLanes);
  };
  const int kept_before = before_wave(kept, all_kept), entries_before = before_wave(entries, all_entries);
  if (block.rank() == 0) nnz[row] = all_entries;
  const SavedBitmaps& keep = runs.saved;
  if (keep.of_row == nullptr || all_entries > SavedWord::kMax) return;
  const std::int64_t from =
      block.sum(block.rank() == 0 ? simt::atomic_add(keep.used, std::int64_t{all_kept}) : std::int64_t{0});
  if (from + all_kept > keep.room) return;
  if (block.rank() == 0) keep.of_row[row] = {static_cast<std::int32_t>(from), all_kept};
  for_words(lanes, bits + first, end - first, [&](int k, const SavedWord& w) {
    keep.words[from + kept_before + k] = {w.bits, w.packed +
                                                      (static_cast<std::uint32_t>(first) << SavedWord::kBitsBefore) +
                                                      static_cast<std::uint32_t>(entries_before)};
  });
}

/// The same of wide spans, in two walks: the words above, then the words that are not zero, at most `most_words` at
/// once. Shared memory, for each run: the groups, the words above, the words.
__global__ void __launch_bounds__(kTeamThreads)
    symbolic_wide(Pattern a, Pattern b, RowList rows, RunFacts runs, const CRow* c_rows, std::int64_t* nnz,
                  int most_above, int most_words) {
  if (rows.cancelled) return;
  const int teams = static_cast<int>(blockDim.x) / kTeamLanes, mine = static_cast<int>(threadIdx.x) / kTeamLanes;
  const Lanes lanes(kTeamLanes);
  simt::DynamicShared shared;
  EqualRows* const groups = shared.take<EqualRows>(teams * kTeamLanes) + mine * kTeamLanes;
  const SparseBitmap sparse{shared.take<RankedWord>(teams * most_above) + mine * most_above};
  RankedWord* const words = shared.take<RankedWord>(teams * most_words) + mine * most_words;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * teams + mine;
  if (i >= rows.count) return;
  const std::int64_t row = rows[i];
  const int lo = c_rows[row].lo;
  const int of_span = (c_rows[row].hi - lo) / kBits + 1;
  const auto size = static_cast<int>(SparseBitmap::size_above(of_span));
  for (int k = lanes.rank(); k < size; k += lanes.size()) sparse.above[k] = {0, 0};
  lanes.sync();
  const auto for_each_column = [&](const auto& f) {
    for_columns(lanes, a, b, runs.b_relation, row, 0, 1, lo, groups, f);
    lanes.sync();
  };
  for_each_column([&](int column) { sparse.mark_above(column / kBits); });
  const int kept = rank_words(lanes, sparse.above, size);
  lanes.sync();
  int entries = 0;
  for (int first = 0; first < kept; first += most_words) {
    const int n = kept - first < most_words ? kept - first : most_words;
    for (int k = lanes.rank(); k < n; k += lanes.size()) words[k] = {0, 0};
    lanes.sync();
    for_each_column([&](int column) {
      if (const int k = sparse.word_of(column) - first; k >= 0 && k < n) look_and_mark(&words[k].bits, bit_of(column));
    });
    entries += rank_words(lanes, words, n);
    lanes.sync();
  }
  if (lanes.rank() == 0) nnz[row] = entries;
  const SavedBitmaps& keep = runs.saved;
  if (keep.of_row == nullptr || kept > most_words || entries > SavedWord::kMax) return;
  const std::int64_t from = room_for_words(lanes, keep, kept);
  if (from < 0) return;
  if (lanes.rank() == 0) keep.of_row[row] = {static_cast<std::int32_t>(from), kept};
  sparse.for_words(lanes.rank(), lanes.size(), size,
                   [&](int k, int w) { keep.words[from + k] = saved_word(words[k], w, of_span); });
}

/// The most waves that a block of the symbolic phase has room for, `each` bytes a wave; 0: not one.
int waves_that_fit(std::size_t each, std::size_t shared_limit) {
  int waves = kTeamThreads / kTeamLanes;
  while (waves > 0 && static_cast<std::size_t>(waves) * each > shared_limit) waves /= 2;
  return waves;
}

}  // namespace

void run_symbolic(const SymbolicLaunch& l, int kernel) {
  const int words = static_cast<int>((l.extent.span_max + kBits - 1) / kBits + 1);
  const auto above = static_cast<int>(SparseBitmap::size_above(words));
  const bool wide = kernel == DeviceRun::kWide;
  const std::size_t each = wide ? sparse_bitmap_bytes(above, kWideWords) : bitmap_bytes(words);
  const int teams = waves_that_fit(each, l.device.shared_limit);
  if (teams == 0) return symbolic(l, DeviceRank::kWide);  // tens of millions of columns
  const Shape shape{.grid = (l.rows.count + teams - 1) / teams,
                    .block = teams * kTeamLanes,
                    .shared = static_cast<std::size_t>(teams) * each};
  if (wide) {
    allow_shared(symbolic_wide, shape.shared);
    return launch(symbolic_wide, shape, l.stream, l.a, l.b, l.rows, l.runs, l.c_rows, l.nnz, above, kWideWords);
  }
  constexpr std::size_t kMost = kShapes.run.wave_bitmap_bytes;
  if (!wide && each > kMost && l.extent.a_nnz_max > kTeamLanes) {
    const auto batches = static_cast<int>((l.extent.a_nnz_max + kTeamLanes - 1) / kTeamLanes);
    const int waves = std::min(kTeamThreads / kTeamLanes, batches);
    const std::size_t bytes = each + static_cast<std::size_t>(waves - 1) * kTeamLanes * sizeof(EqualRows);
    allow_shared(symbolic_blocks, bytes);
    return launch(symbolic_blocks, {.grid = l.rows.count, .block = waves * kTeamLanes, .shared = bytes}, l.stream, l.a,
                  l.b, l.rows, l.runs, l.c_rows, l.nnz, words);
  }
  const auto chosen = kernel == DeviceRun::kNarrow ? symbolic_waves<true> : symbolic_waves<false>;
  allow_shared(chosen, shape.shared);
  launch(chosen, shape, l.stream, l.a, l.b, l.rows, l.runs, l.c_rows, l.nnz, words);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
