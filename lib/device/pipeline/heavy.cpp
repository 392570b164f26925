#include "lib/device/pipeline/heavy.hpp"

#include <algorithm>

#include "accumulators/dense/device/rank.hpp"
#include "lib/device/pipeline/carver.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr auto kShape = kShapes.heavy;

/// Microseconds with a block a row, a wave for short ones: all together, or the longest row's alone. A row is walked
/// once more for each window.
double by_block(const Tally& rows, int multiprocessors) noexcept {
  if (rows.rows == 0) return 0;
  const auto windows = static_cast<double>((rows.span_max + dense::kWideBlock.window - 1) / dense::kWideBlock.window);
  const double together = static_cast<double>(rows.nprod) / (kShape.block_rate * multiprocessors),
               longest = static_cast<double>(rows.nprod_max) / kShape.lone_rate,
               of_wave = static_cast<double>(std::min(rows.nprod_max, dense::kNarrowProducts)) / kShape.wave_rate;
  return std::max(windows * std::max(together, longest), of_wave);
}

std::int64_t bitmap_bytes(const HeavySizes& size) noexcept {
  return size.rows * size.groups * static_cast<std::int64_t>(sizeof(BitGroup));
}

/// Microseconds over many blocks.
double over_many(const HeavySizes& size) noexcept {
  return kShape.start + static_cast<double>(size.products) / kShape.shared_rate +
         static_cast<double>(bitmap_bytes(size)) / kShape.sweep_rate;
}

bool can_be_heavy(const Tally& rows, std::int64_t bytes) noexcept {
  const HeavySizes size = heavy_sizes(rows);
  Carver carver;
  (void)cut_heavy_rows(carver, size);
  return rows.nprod <= kMostShared && rows.b_row_max <= kMostShared / (kShape.block * kShape.entries_a_thread) && carver.used() <= bytes &&
         bitmap_bytes(size) <= std::max(kShape.least_bytes.value, kShape.bytes_a_product * rows.nprod);
}

}  // namespace

HeavySizes heavy_sizes(const Tally& rows) noexcept {
  return {.rows = rows.rows,
          .entries = rows.a_nnz,
          .products = rows.nprod,
          .groups = (rows.span_max + BitGroup::kColumns - 1) / BitGroup::kColumns};
}

std::int64_t choose_heavy(const HeavyTally& rows, int multiprocessors, std::int64_t bytes) noexcept {
  Tally all;
  for (const Tally& t : rows.of) all.add(t);
  double best = by_block(all, multiprocessors) / kShape.least_gain;
  std::int64_t chosen = 0;
  Tally heavy;
  for (int c = kHeavyClasses; c-- > 0;) {
    heavy.add(rows.of[c]);
    if (heavy.rows == 0 || !can_be_heavy(heavy, bytes)) continue;
    Tally others;
    for (int k = 0; k < c; k++) others.add(rows.of[k]);
    const double predicted = over_many(heavy_sizes(heavy)) + by_block(others, multiprocessors);
    if (predicted < best) best = predicted, chosen = kHeavyProducts[static_cast<std::size_t>(c)];
  }
  return chosen;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
