// One phase's sample: how many of the short rows' products fall together, counted on some rows from all over the
// matrix.
#include <algorithm>

#include "accumulators/sort/device/one_phase_tile.hpp"
#include "accumulators/sort/device/row.hpp"
#include "lib/device/simt/last_block.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

// A group of lanes a row and a block a sample: rows that follow each other, blocks all over the matrix.
constexpr int kSampleThreads = kShapes.one_phase.sample_block;
constexpr std::int64_t kLeastSamples = kShapes.one_phase.least_samples, kMostApart = kShapes.one_phase.most_apart;

/// Rows of one kind that are sampled: with more than `above` products, and at most kLanes * kKeys.
template <int kLanes, int kKeys>
struct SampleOf {
  static constexpr int kRows = kSampleThreads / kLanes, kMost = kLanes * kKeys, kPitch = kMost + kLanes;
  static constexpr int kWords = kRows * kPitch;
  static constexpr int kTables = kRows * table_fours(kLanes, kKeys);
  unsigned above;
  std::int64_t blocks, apart;  // a sample every so many blocks' rows

  SampleOf(unsigned more_than, std::int64_t rows) : above(more_than) {
    const std::int64_t groups = (rows + kRows - 1) / kRows;
    apart = std::clamp<std::int64_t>(groups / kLeastSamples, 1, kMostApart);
    blocks = (groups + apart - 1) / apart;
  }

  __device__ void add(const Pattern& a, const Pattern& b, const CRow* c_rows, std::int64_t block, unsigned* all_columns,
                      FourPlaces* tables, ShortSample::Part* sample) const {
    const int mine = static_cast<int>(threadIdx.x) / kLanes, l = simt::lane() & (kLanes - 1);
    const std::int64_t row = block * apart * kRows + mine;
    std::int64_t base = 0, end = 0;
    int n = 0;
    if (row < a.rows) {
      const std::uint32_t products = c_rows[row].nprod;
      base = a.ptr[row], end = a.ptr[row + 1];
      if (products > above && products <= kMost && end - base != 1) n = static_cast<int>(products);
    }
    if (simt::ballot(simt::wave_mask(), n != 0) == 0) return;
    const int found = distinct_columns<kLanes, kKeys>(a, b, base, n == 0 ? base : end, n, all_columns + mine * kPitch,
                                                      tables + mine * table_fours(kLanes, kKeys));
    const auto entries = simt::wave_sum(static_cast<unsigned>(found));
    const auto products = simt::wave_sum(static_cast<unsigned>(l == 0 ? n : 0));
    if (simt::lane() != 0) return;
    simt::atomic_add(&sample->entries, static_cast<unsigned long long>(entries));
    simt::atomic_add(&sample->products, static_cast<unsigned long long>(products));
  }
};
using SampleOfShort = SampleOf<kLanesOfMany, kMostShort / kLanesOfMany>;
using SampleOfWide = SampleOf<kLeastWave, kMostWide / kLeastWave>;

/// kLanes lanes a row, a block a sample of rows that follow each other; the grid has the samples of wide rows, which
/// take longer, before those of short ones. Shared memory: the columns of each row's products. The last block tells the
/// host.
__global__ void __launch_bounds__(kSampleThreads)
    sample_rows(Pattern a, Pattern b, const CRow* c_rows, SampleOfShort of_short, SampleOfWide of_wide,
                ShortSample* sample, std::uint32_t* blocks_done, HostMailbox<ShortSample>::Sender told) {
  ROWAN_SHARED(unsigned, columns, std::max(SampleOfShort::kWords, SampleOfWide::kWords));
  ROWAN_SHARED(FourPlaces, tables, std::max(SampleOfShort::kTables, SampleOfWide::kTables));
  const std::int64_t block = blockIdx.x;
  if (block < of_wide.blocks)
    of_wide.add(a, b, c_rows, block, columns, tables, &sample->part[1]);
  else
    of_short.add(a, b, c_rows, block - of_wide.blocks, columns, tables, &sample->part[0]);
  if (!is_last_block(blocks_done) || threadIdx.x != 0) return;
  ShortSample all;
  for (std::size_t k = 0; k < std::size(all.part); k++)
    all.part[k] = {simt::load_relaxed(&sample->part[k].products), simt::load_relaxed(&sample->part[k].entries)};
  told.post(all);
}

}  // namespace

void sample_short_rows(const Pattern& a, const Pattern& b, const CRow* c_rows, ShortSample* sample,
                       std::uint32_t* blocks_done, const HostMailbox<ShortSample>::Sender& told, hipStream_t stream) {
  const SampleOfShort of_short(0, a.rows);
  const SampleOfWide of_wide(kMostShort, a.rows);
  launch(sample_rows, {.grid = std::max<std::int64_t>(of_short.blocks + of_wide.blocks, 1), .block = kSampleThreads},
         stream, a, b, c_rows, of_short, of_wide, sample, blocks_done, told);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
