#include "lib/device/pipeline/heavy.hpp"

#include <algorithm>

#include "accumulators/dense/device/rank.hpp"
#include "lib/device/pipeline/carver.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr auto kShape = kShapes.heavy;

/// Microseconds with a block a row, a wave for short ones: all together, or the longest row's alone. A row is walked
/// once more for each window. Rows that cannot be heavy take as long as one of them.
double by_block(const Tally& rows, int multiprocessors, bool in_order) noexcept {
  const double lone_rate = in_order ? kShape.lone_rate_in_order : kShape.lone_rate;
  const auto windows = static_cast<double>((rows.span_max + dense::kWideBlock.window - 1) / dense::kWideBlock.window),
             of_wave = static_cast<double>(std::clamp(rows.nprod_max, kHeavyProducts[0], dense::kNarrowProducts));
  const double together = static_cast<double>(rows.nprod) / (kShape.block_rate * multiprocessors),
               longest = static_cast<double>(rows.nprod_max) / lone_rate;
  return std::max(windows * std::max(together, longest), of_wave / kShape.wave_rate);
}

std::int64_t bitmap_bytes(const HeavySizes& size) noexcept {
  return size.rows * size.groups * static_cast<std::int64_t>(sizeof(BitGroup));
}

/// Microseconds over many blocks.
double over_many(const HeavySizes& size, bool in_order) noexcept {
  return kShape.start +
         static_cast<double>(size.products) / (in_order ? kShape.shared_rate_in_order : kShape.shared_rate) +
         static_cast<double>(bitmap_bytes(size)) / kShape.sweep_rate;
}

bool can_be_heavy(const Tally& rows, bool in_order, std::int64_t bytes) noexcept {
  const HeavySizes size = heavy_sizes(rows);
  Carver carver;
  (void)cut_heavy_rows(carver, size);
  return rows.nprod <= kMostShared && rows.b_row_max <= kMostShared / (kShape.block * kShape.entries_a_thread) &&
         (in_order ? bytes == INT64_MAX : carver.used() <= bytes) &&
         bitmap_bytes(size) <= std::max(kShape.least_bytes.value, kShape.bytes_a_product * rows.nprod);
}

}  // namespace

HeavySizes heavy_sizes(const Tally& rows) noexcept {
  return {.rows = rows.rows,
          .entries = rows.a_nnz,
          .products = rows.nprod,
          .groups = (rows.span_max + BitGroup::kColumns - 1) / BitGroup::kColumns};
}

std::int64_t choose_heavy(const HeavyTally& rows, int multiprocessors, bool in_order, std::int64_t bytes) noexcept {
  Tally all;
  for (const Tally& t : rows.of) all.add(t);
  double best = by_block(all, multiprocessors, in_order) / kShape.least_gain;
  std::int64_t chosen = 0;
  Tally heavy;
  for (int c = kHeavyClasses; c-- > 0;) {
    heavy.add(rows.of[c]);
    if (heavy.rows == 0 || !can_be_heavy(heavy, in_order, bytes)) continue;
    Tally others;
    for (int k = 0; k < c; k++) others.add(rows.of[k]);
    const double predicted = over_many(heavy_sizes(heavy), in_order) + by_block(others, multiprocessors, in_order);
    if (predicted < best) best = predicted, chosen = kHeavyProducts[static_cast<std::size_t>(c)];
  }
  return chosen;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
