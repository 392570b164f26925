#include "accumulators/common/device/shape.hpp"
#include "accumulators/dense/device/run.hpp"
#include "accumulators/dense/device/team.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

/// Shared memory of a wave's run.
[[nodiscard]] constexpr std::size_t bitmap_bytes(int words) noexcept {
  return static_cast<std::size_t>(words) * sizeof(unsigned) + kTeamLanes * sizeof(EqualRows);
}

/// kTeamLanes lanes a run, by its first row; the grid as many blocks as runs need. Shared memory, for each: a batch's
/// groups of rows of B, the bitmap of the row's span. `kLook`: a bit is looked at before it is set.
template <bool kLook>
__global__ void __launch_bounds__(kTeamThreads) symbolic_waves(Pattern a, Pattern b, RowList rows, RunFacts runs,
                                                               const CRow* c_rows, std::int64_t* nnz, int most_words) {
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
  mark_products<kLook>(lanes, a, b, runs.b_relation, row, 0, 1, lo, bits, groups);
  int kept = 0, entries = 0;
  for (int w = lanes.rank(); w < words; w += lanes.size()) kept += bits[w] != 0 ? 1 : 0, entries += __popc(bits[w]);
  kept = lanes.sum(kept), entries = lanes.sum(entries);
  if (lanes.rank() == 0) nnz[row] = entries;
  const SavedBitmaps& keep = runs.saved;
  if (keep.of_row == nullptr || entries > SavedWord::kMax) return;
  std::int64_t from = 0;
  if (lanes.rank() == 0) from = simt::atomic_add(keep.used, kept);
  from = simt::shuffle(simt::group_mask(kTeamLanes), from, 0, kTeamLanes);
  if (from + kept > keep.room) return;
  if (lanes.rank() == 0) keep.of_row[row] = {static_cast<std::int32_t>(from), kept};
  for_words(lanes, bits, words, [&](int k, const SavedWord& w) { keep.words[from + k] = w; });
}

}  // namespace

void run_symbolic(const SymbolicLaunch& l, int kernel) {
  if (kernel == DeviceRun::kWide) return symbolic(l, DeviceRank::kWide);
  const int words = static_cast<int>((l.extent.span_max + kBits - 1) / kBits + 1);
  int teams = kTeamThreads / kTeamLanes;
  while (teams > 1 && static_cast<std::size_t>(teams) * bitmap_bytes(words) > l.device.shared_limit) teams /= 2;
  const std::size_t shared = static_cast<std::size_t>(teams) * bitmap_bytes(words);
  const auto chosen = kernel == DeviceRun::kNarrow ? symbolic_waves<true> : symbolic_waves<false>;
  allow_shared(chosen, shared);
  launch(chosen, {.grid = (l.rows.count + teams - 1) / teams, .block = teams * kTeamLanes, .shared = shared}, l.stream,
         l.a, l.b, l.rows, l.runs, l.c_rows, l.nnz, words);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
