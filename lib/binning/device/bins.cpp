#include "lib/binning/device/bins.hpp"

#include <algorithm>

#include "lib/binning/device/block_tally.hpp"
#include "lib/binning/device/row_look.hpp"
#include "lib/device/simt/last_block.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kTallyThreads = 512, kTallyBlocks = 2;  // of a multiprocessor
static_assert(kKeys <= kTallyThreads && kChunkRows % kTallyThreads == 0);

/// Adds to sums in global memory.
__device__ void merge(Tally& all, const Tally& t) {
  if (t.rows == 0) return;
  simt::atomic_add(&all.rows, t.rows);
#define ROWAN_SUM(field, ...) simt::atomic_add(&all.field, t.field);
#define ROWAN_MAX(field, ...) simt::atomic_max(&all.field, t.field);
#define ROWAN_FLAG(field, ...) \
  if (t.field != 0) simt::atomic_add(&all.field, t.field);
  ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SUM, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_MAX
#undef ROWAN_FLAG
}

/// By all threads of a block, of at least kKeys: the sums of keys [0, keys) to the host. Loads bypass what the block
/// may have read before.
__device__ void tell(const WholeBlock& block, const RowTallies& out, int keys) {
  constexpr int kWords = static_cast<int>(sizeof(Tally) / sizeof(std::uint64_t));
  ROWAN_SHARED(int, listed, kKeys);
  ToldSums* const told = out.told.told;
  const int t = block.rank();
  const bool has = t < keys && simt::load_relaxed(&out.of_key[t].rows) != 0;
  int count = 0;
  const int at = block.exclusive_sum<int>(has ? 1 : 0, count);
  if (has) listed[at] = t, told->key[at] = t;
  if (t == 0) {
    told->count = count, told->flag = out.flag != nullptr ? *out.flag : 0;
    told->checksum = out.checksum != nullptr ? simt::load_relaxed(out.checksum) : 0;
  }
  __syncthreads();
  const auto* const from = reinterpret_cast<const std::uint64_t*>(out.of_key);
  auto* const to = reinterpret_cast<std::uint64_t*>(told->of);
  for (int k = t; k < count * kWords; k += block.size())
    to[k] = simt::load_relaxed(from + listed[k / kWords] * kWords + k % kWords);
  simt::fence_to_host();
  __syncthreads();
  if (t == 0) simt::store_release(out.told.done, 1U);
}

/// By all threads of a block, of at least kKeys: where rows of keys [0, keys) begin in a list by key.
__device__ void begin_keys(const WholeBlock& block, const RowTallies& out, int keys) {
  const int place = block.rank(), key = place < kKeys ? key_at(place) : keys;
  int all = 0;
  const int rows = key < keys ? static_cast<int>(simt::load_relaxed(&out.of_key[key].rows)) : 0;
  const int before = block.exclusive_sum<int>(rows, all);
  if (place < kKeys) out.first_of_key[key] = before;
}

/// By all threads of a block: entries of every chunk become those before it.
__device__ void begin_chunks(const WholeBlock& block, std::int64_t rows, std::int64_t* before_chunk) {
  std::int64_t before = 0;
  for (std::int64_t first = 0; first < chunks_of(rows); first += block.size()) {
    const std::int64_t chunk = first + block.rank();
    std::int64_t all = 0;
    const std::int64_t mine = chunk < chunks_of(rows) ? simt::load_relaxed(before_chunk + chunk) : 0;
    const std::int64_t upto = before + block.exclusive_sum<std::int64_t>(mine, all);
    if (chunk < chunks_of(rows)) before_chunk[chunk] = upto;
    before += all;
  }
}

/// What a wave adds up on its way, of neighbours: it has few keys at a time, in most meshes one. Small rows of one key
/// are added up in registers and go to the block's sums together, after SumsOfLane::kMostRows rows a lane or where few
/// rows have that key any more; other rows go there at once.
class WaveTally {
 public:
  __device__ explicit WaveTally(BlockTally& block) : block_(block) {}

  /// By a whole wave, each lane with a row of its own, or none.
  __device__ void add(const RowLook& look, bool has_row, Tally* of_key) {
    const Mask wave = simt::wave_mask();
    const bool small = has_row && SumsOfLane::is_small(look.numbers);
    bool has_key = small && look.key == key_;
    const int with_key = simt::popcount(simt::ballot(wave, has_key));
    if (with_key * kFew < simt::popcount(simt::ballot(wave, small))) {
      flush();
      key_ = simt::shuffle(wave, look.key, 0);
      has_key = small && look.key == key_;
    }
    if (has_key)
      of_lane_.add(look.numbers);
    else if (has_row)
      add_alone(look, of_key);
    if (++rows_ == SumsOfLane::kMostRows) flush();
  }
  __device__ void flush() {
    if (rows_ != 0) block_.add(key_, of_lane_);
    of_lane_ = {}, rows_ = 0;
  }

 private:
  static constexpr int kFew = 4;  // fewer than every fourth row

  __device__ void add_alone(const RowLook& look, Tally* of_key) {
    if (BlockTally::fits(look.numbers)) return block_.add(look.key, look.numbers);
    Tally alone;
    alone.add(look.numbers);
    merge(of_key[look.key], alone);
  }

  BlockTally& block_;
  int key_ = 0, rows_ = 0;
  SumsOfLane of_lane_;
};

/// A wave has rows that follow each other, `rows_of_wave` where it has kLeastWave lanes, and meets no barrier before
/// its last: a block has at most BlockTally::kMostRows of them, and the grid is otherwise no larger than what runs
/// together. Blocks are few and large: those of a few keys all add to the same sums. In shared memory the block's
/// BlockTally. Long rows, which do not fit there, go to global memory at once; the block's sums do so at the end, a
/// thread a key. The last block tells the host, and adds up where keys' rows and chunks' entries begin.
template <RowNumber kSays>
__global__ void ROWAN_LAUNCH_BOUNDS(kTallyThreads, kTallyBlocks)
    tally_rows(RowSource rows, std::int64_t rows_of_wave, Borders borders, RowTallies out) {
  constexpr bool kByProducts = kSays == RowNumber::products;
  ROWAN_SHARED(unsigned, words, BlockTally::kWords);
  ROWAN_SHARED(ClassTable::Words, class_words, 1);
  for (int k = static_cast<int>(threadIdx.x); k < BlockTally::kWords; k += kTallyThreads) words[k] = 0;
  ROWAN_SHARED(std::uint64_t, checksum_of_block, 1);
  if (threadIdx.x == 0) checksum_of_block[0] = 0;
  ClassTable classes(class_words[0]);
  classes.make(borders);
  __syncthreads();
  BlockTally of_block(words);
  WaveTally mine(of_block);
  const int width = simt::wave_width();
  rows_of_wave *= width / kLeastWave;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kTallyThreads + threadIdx.x,
                     first = thread / width * rows_of_wave, behind = first + rows_of_wave,
                     end = behind < rows.a.rows ? behind : rows.a.rows;
  unsigned still = 0;        // of the cut that rows are in
  std::int64_t entries = 0;  // of the chunk
  std::uint64_t checksum = 0;
  for (std::int64_t of_wave = first; of_wave < end; of_wave += width) {
    const std::int64_t i = of_wave + simt::lane();
    const bool has_row = i < end;
    ShiftMark mark;
    if (kByProducts && rows.moved != nullptr) {
      if (of_wave == first || of_wave % kShiftRows == 0)
        still = simt::lane() < kStillWords
                    ? still_rows(rows.a.rows, rows.moved, of_wave / kShiftRows * kShiftRows, simt::lane())
                    : 0;
      mark = mark_of_row(still, i);
      if (has_row) rows.shift_mark[i] = mark;
    }
    RowLook look{};
    if (has_row) {
      look = kByProducts ? look_by_products(rows, borders, classes, out.heavy_apart, i, mark)
                         : look_by_entries(rows, borders, classes, i);
      out.key[i] = static_cast<std::uint8_t>(look.key);
      checksum += in_checksum(look);
    }
    mine.add(look, has_row, out.of_key);
    if (!kByProducts && out.before_chunk != nullptr) {
      entries += look.numbers.bound;
      const std::int64_t next = of_wave + width;
      if (next < end && next % kChunkRows != 0) continue;
      entries = simt::wave_sum(entries);
      if (simt::lane() == 0) simt::atomic_add(out.before_chunk + of_wave / kChunkRows, entries);
      entries = 0;
    }
  }
  mine.flush();
  checksum = simt::wave_sum(checksum);
  if (simt::lane() == 0) simt::atomic_add(checksum_of_block, checksum);
  __syncthreads();
  if (threadIdx.x == 0 && out.checksum != nullptr) simt::atomic_add(out.checksum, checksum_of_block[0]);
  const int keys = kByProducts && out.heavy_apart ? kKeys : kBins;
  if (const int key = static_cast<int>(threadIdx.x); key < keys) merge(out.of_key[key], of_block.of(key));
  if (!is_last_block(out.blocks_done)) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  tell(block, out, keys);
  begin_keys(block, out, keys);
  if (!kByProducts && out.before_chunk != nullptr) begin_chunks(block, rows.a.rows, out.before_chunk);
}

}  // namespace

void tally_bins(const RowSource& rows, const Borders& borders, const RowTallies& out, hipStream_t stream,
                int multiprocessors) {
  const auto blocks_of = [&](std::int64_t each) { return (rows.a.rows + each - 1) / each; };
  const std::int64_t together = std::int64_t{kTallyBlocks} * multiprocessors;
  const Shape shape{.grid = std::max({std::int64_t{1}, blocks_of(BlockTally::kMostRows),
                                      std::min(blocks_of(kTallyThreads), together)}),
                    .block = kTallyThreads};
  const std::int64_t waves = shape.grid * kTallyThreads / kLeastWave,
                     groups = (rows.a.rows + kLeastWave - 1) / kLeastWave,
                     rows_of_wave = (groups + waves - 1) / waves * kLeastWave;
  if (rows.says == RowNumber::products)
    launch(tally_rows<RowNumber::products>, shape, stream, rows, rows_of_wave, borders, out);
  else
    launch(tally_rows<RowNumber::entries>, shape, stream, rows, rows_of_wave, borders, out);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
