#include "lib/device/pipeline/heavy.hpp"

#include <algorithm>

#include "accumulators/device/candidates.hpp"
#include "lib/device/pipeline/carver.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr auto kShape = kShapes.heavy;

constexpr int kBlocksInOrder = 2;  // of a multiprocessor

/// Microseconds that a block takes to list so many entries of A, once for each window, where sums are in order.
double listing(const Tally& rows, std::int64_t entries) noexcept {
  constexpr std::int64_t kColumns = dense::kWideBlock.window / 2;  // of windows as they mostly are then
  const auto windows = static_cast<double>((rows.span_max + kColumns - 1) / kColumns);
  return windows * static_cast<double>(entries) * kShape.listing_time;
}

/// Whether rows are added in shared memory where they are heavy (dense/device/heavy_narrow.hpp).
bool is_narrow(const Tally& rows, const HeavyMeans& means) noexcept {
  return !means.in_order && means.sorted_b && dense::is_narrow(rows.span_max, means.shared_limit);
}

/// The kernel that has such rows if they are not heavy.
int rank_kernel(const Tally& rows) noexcept {
  return dense::DeviceRank::symbolic_kernel({.span_max = rows.span_max, .nprod_max = rows.nprod_max});
}

/// Microseconds of a class's longest row, were it alone. A wave has it or a block, as dense-rank says. A block's waves
/// share A's entries out and walk their rows of B one after another; where sums are in order, the block lists entries,
/// all threads take long rows of B in turn, and one wave adds short ones.
double alone(const Tally& rows, const HeavyMeans& means) noexcept {
  const int kernel = rank_kernel(rows);
  const auto products = static_cast<double>(rows.nprod_max), entries = static_cast<double>(rows.a_nnz_max);
  if (means.in_order)
    return listing(rows, rows.a_nnz_max) + std::min(products / kShape.ordered_rate, entries * kShape.turn_time);
  const double waves = static_cast<double>(dense::DeviceRank::symbolic_threads(kernel)) / dense::kLanes;
  const double walked = kernel == dense::DeviceRank::kNarrow ? 0 : entries * kShape.entry_time;
  const double time = (products / kShape.wave_rate + walked) / waves;
  if (!is_narrow(rows, means)) return time;
  const bool wide = kernel == dense::DeviceRank::kWide;
  return time * (wide ? kShape.narrow_share_of_longest : kShape.narrow_share_of_middle);
}

/// Products a us of a multiprocessor whose blocks have a row each.
double block_rate(const Tally& rows, const HeavyMeans& means) noexcept {
  if (means.in_order) return kShape.ordered_block_rate;
  if (!is_narrow(rows, means)) return kShape.block_rate;
  const bool wide = rank_kernel(rows) == dense::DeviceRank::kWide;
  const double b_row_avg = static_cast<double>(rows.nprod) / static_cast<double>(rows.a_nnz);
  if (!dense::fill_turns(wide, b_row_avg, rows.nprod, rows.a_nnz_max)) return kShape.narrow_block_rate;
  return wide ? kShape.narrow_turn_rate : kShape.narrow_middle_turn_rate;
}

/// Microseconds with a block a row, or a wave, by classes: all together, or the longest row alone. Where rows of B are
/// not sorted, a row is walked once more for each window.
double by_block(const HeavyTally& classes, int upto, const HeavyMeans& means) noexcept {
  double together = 0, longest = 0;
  for (int c = 0; c < upto; c++) {
    const Tally& rows = classes.of[c];
    if (rows.rows == 0) continue;
    const std::int64_t windows =
        means.sorted_b ? 1 : (rows.span_max + dense::kWideBlock.window - 1) / dense::kWideBlock.window;
    const auto walks = static_cast<double>(windows);
    together += walks * static_cast<double>(rows.nprod) / (block_rate(rows, means) * means.multiprocessors);
    if (means.in_order) together += listing(rows, rows.a_nnz) / (kBlocksInOrder * means.multiprocessors);
    longest = std::max(longest, walks * alone(rows, means));
  }
  return std::max(together, longest);
}

std::int64_t bitmap_bytes(const HeavySizes& size) noexcept {
  return size.rows * size.groups * static_cast<std::int64_t>(sizeof(BitGroup));
}

/// Microseconds over many blocks. Of narrow rows the last lanes of each row of B are idle.
double over_many(const HeavySizes& size, const Tally& rows, const HeavyMeans& means) noexcept {
  const auto products = static_cast<double>(size.products);
  const double swept = static_cast<double>(bitmap_bytes(size)) / kShape.sweep_rate;
  if (means.in_order) return kShape.start_in_order + products / kShape.shared_rate_in_order + swept;
  if (!is_narrow(rows, means)) return kShape.start + products / kShape.shared_rate + swept;
  constexpr double kIdleLanes = dense::kMostGroupLanes / 2;
  return kShape.narrow_start + (products + kIdleLanes * static_cast<double>(size.entries)) / kShape.narrow_rate;
}

bool can_be_heavy(const Tally& rows, bool in_order, std::int64_t bytes) noexcept {
  const HeavySizes size = heavy_sizes(rows);
  Carver carver;
  const HeavyRows heavy = cut_heavy_rows(carver, size);
  const std::int64_t all = carver.used() + heavy.bytes_of_words();
  return rows.nprod <= kMostShared && rows.b_row_max <= kMostShared / (kShape.block * kShape.entries_a_thread) &&
         (in_order ? bytes == INT64_MAX : all <= bytes) &&
         bitmap_bytes(size) <= std::max(kShape.least_bytes.value, kShape.bytes_a_product * rows.nprod);
}

}  // namespace

HeavyTally heavy_tally(const ToldSums& sums) noexcept {
  HeavyTally t;
  for (int i = 0; i < sums.count; i++)
    if (sums.key[i] >= kBins) t.of[heavy_class_of(sums.key[i])].add(sums.of[i]);
  return t;
}

HeavySizes heavy_sizes(const Tally& rows) noexcept {
  return {.rows = rows.rows,
          .entries = rows.a_nnz,
          .products = rows.nprod,
          .groups = (rows.span_max + BitGroup::kColumns - 1) / BitGroup::kColumns};
}

std::int64_t choose_heavy(const HeavyTally& rows, const HeavyMeans& means) noexcept {
  const double by_blocks = by_block(rows, kHeavyClasses, means);
  double best = by_blocks;
  std::int64_t chosen = 0;
  Tally heavy;
  for (int c = kHeavyClasses; c-- > 0;) {
    heavy.add(rows.of[c]);
    if (heavy.rows == 0 || !can_be_heavy(heavy, means.in_order, means.bytes)) continue;
    const double predicted = over_many(heavy_sizes(heavy), heavy, means) + by_block(rows, c, means);
    const double gain = is_narrow(heavy, means) ? kShape.least_narrow_gain : kShape.least_gain;
    if (predicted < best && gain * predicted < by_blocks)
      best = predicted, chosen = kHeavyProducts[static_cast<std::size_t>(c)];
  }
  return chosen;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
