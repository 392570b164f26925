#include "lib/binning/device/assumed.hpp"

#include "lib/binning/device/block_lists.hpp"
#include "lib/binning/device/row_look.hpp"
#include "lib/device/simt/look_back.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

static_assert(kShiftRows == kChunkRows);  // a block has whole shift runs

constexpr std::int64_t kMany = 1 << 17;  // rows from which on a thread looks at two (H200: a million rows 28 -> 23 us)

/// By a whole wave: the sum of what the block's first `waves` waves have, to all lanes.
template <class I>
__device__ I sum_of_waves(const I* of_wave, int waves) {
  return simt::wave_sum(simt::lane() < waves ? of_wave[simt::lane()] : I{0});
}

/// What a block says of its chunk's checksum: all bits but the highest, behind them that it is there.
__device__ std::uint64_t said_of(std::uint64_t checksum) {
  return checksum << 1 | 1;
}

/// By the block that has the last chunk: waits for all chunks' checksums, and answers.
template <int kLooked>
__device__ void answer(const AssumedList& out, std::uint64_t assumed, std::uint64_t* of_wave) {
  const int t = static_cast<int>(threadIdx.x), lane = simt::lane(), width = simt::wave_width();
  std::uint64_t twice = 0;
  for (std::int64_t k = t; k < std::int64_t{gridDim.x}; k += kListThreads<kLooked>) {
    std::uint64_t said = 0;
    while (said == 0) said = simt::load_published(out.chunk_checksum + k);
    twice += said - 1;
  }
  twice = simt::wave_sum(twice);
  if (lane == 0) of_wave[t / width] = twice;
  __syncthreads();
  if (t >= width) return;
  twice = sum_of_waves(of_wave, kListThreads<kLooked> / width);
  if (t != 0) return;
  const bool right = twice == assumed << 1;
  *out.checksum = right ? assumed : ~assumed;
  simt::publish(out.answer, static_cast<std::uint32_t>(right ? Assumption::right : Assumption::wrong));
}

/// The grid covers all rows, kLooked a thread. By entries, chunks are taken by number, not by block: those whose
/// entries one waits for have begun.
template <RowNumber kSays, int kLooked>
__global__ void ROWAN_LAUNCH_BOUNDS(kListThreads<kLooked>, 2 * kLooked - 1)
    list_assumed_rows(RowSource rows, Borders borders, AssumedRows assumed, AssumedList out) {
  constexpr bool kByProducts = kSays == RowNumber::products;
  ROWAN_SHARED(ClassTable::Words, class_words, 1);
  ROWAN_SHARED(unsigned, still, kStillWords);
  ROWAN_SHARED(std::uint64_t, checksums, WholeBlock::kMostWaves);
  ROWAN_SHARED(std::int64_t, entries, WholeBlock::kMostWaves);
  ROWAN_SHARED(std::int64_t, shared_chunk, 1);
  ROWAN_SHARED(std::int64_t, shared_before, 1);
  const bool shifts = kByProducts && rows.moved != nullptr;
  const int lane = simt::lane(), width = simt::wave_width(), w = static_cast<int>(threadIdx.x) / width,
            waves = kListThreads<kLooked> / width;
  if (shifts && static_cast<int>(threadIdx.x) < kStillWords)
    still[lane] = still_rows(rows.a.rows, rows.moved, std::int64_t{blockIdx.x} * kShiftRows, lane);
  if (!kByProducts && threadIdx.x == 0) shared_chunk[0] = simt::atomic_add(out.next_chunk, 1);
  ClassTable classes(class_words[0]);
  classes.make(borders);
  __syncthreads();
  const std::int64_t chunk = kByProducts ? std::int64_t{blockIdx.x} : shared_chunk[0];
  Held<int, kLooked> place;
  Held<std::int64_t, kLooked> in_wave;  // entries of the wave's rows before this one
  std::int64_t of_wave = 0;
  std::uint64_t checksum = 0;
  ROWAN_UNROLL
  for (int u = 0; u < kLooked; u++) {
    const std::int64_t i = row_of<kLooked>(u, chunk);
    const bool has_row = i < rows.a.rows;
    ShiftMark mark;
    if (shifts) {
      mark = mark_of_row(lane < kStillWords ? still[lane] : 0, i);
      if (has_row) rows.shift_mark[i] = mark;
    }
    place[u] = kNowhere;
    std::int64_t of_row = 0;
    if (has_row) {
      const RowLook look = kByProducts ? look_by_products(rows, borders, classes, out.heavy_apart, i, mark)
                                       : look_by_entries(rows, borders, classes, i);
      out.key[i] = static_cast<std::uint8_t>(look.key);
      if (out.saved != nullptr) out.saved[i] = SavedRange{};
      place[u] = look.key, of_row = look.numbers.bound, checksum += in_checksum(look);
    }
    if (kByProducts) continue;
    const std::int64_t upto = of_wave + simt::inclusive_sum(simt::wave_mask(), of_row, width);
    in_wave[u] = upto - of_row;
    of_wave = simt::shuffle(simt::wave_mask(), upto, width - 1);
  }
  if (chunk == 0 && threadIdx.x == 0) {
    if (out.flag != nullptr) checksum += mix(static_cast<std::uint64_t>(*out.flag));
    if (out.earlier != nullptr) checksum += mix(*out.earlier);
  }
  checksum = simt::wave_sum(checksum);
  if (lane == 0) checksums[w] = checksum, entries[w] = of_wave;
  __syncthreads();
  std::int64_t all = 0;  // of the chunk, in the first wave
  if (w == 0) {
    checksum = sum_of_waves(checksums, waves);
    if (kByProducts) {
      if (lane == 0) simt::atomic_add(out.checksum, checksum);
    } else {
      all = sum_of_waves(entries, waves);
      if (lane == 0) {
        count_tile(out.chunk_state, chunk, all);
        simt::publish(out.chunk_checksum + chunk, said_of(checksum));
      }
    }
  }
  list_rows<kKeys, kLooked>(
      place, out.list,
      [&](int key, int n) { return std::int64_t{assumed.first_of_key[key]} + simt::atomic_add(out.listed + key, n); },
      [&](int key) { return std::int64_t{assumed.behind_key[key]}; }, chunk);
  if (kByProducts) return;
  if (w == 0) {
    const std::int64_t before = entries_before(out.chunk_state, chunk, all);
    if (lane == 0) shared_before[0] = before;
    if (lane == 0 && chunk + 1 == std::int64_t{gridDim.x}) out.row_ptr[rows.a.rows] = before + all;
  }
  __syncthreads();
  const std::int64_t before = shared_before[0] + sum_of_waves(entries, w);
  ROWAN_UNROLL
  for (int u = 0; u < kLooked; u++)
    if (const std::int64_t i = row_of<kLooked>(u, chunk); i < rows.a.rows) out.row_ptr[i] = before + in_wave[u];
  if (chunk + 1 == std::int64_t{gridDim.x}) answer<kLooked>(out, assumed.checksum, checksums);
}

}  // namespace

void list_assumed(const RowSource& rows, const Borders& borders, const AssumedRows& assumed, const AssumedList& out,
                  hipStream_t stream) {
  const auto start = [&](auto looked) {
    const Shape shape{.grid = chunks_of(rows.a.rows), .block = kListThreads<looked>};
    if (rows.says == RowNumber::products)
      launch(list_assumed_rows<RowNumber::products, looked>, shape, stream, rows, borders, assumed, out);
    else
      launch(list_assumed_rows<RowNumber::entries, looked>, shape, stream, rows, borders, assumed, out);
  };
  if (rows.a.rows < kMany)
    start(std::integral_constant<int, 1>());
  else
    start(std::integral_constant<int, 2>());
}

}  // namespace rowan::device::inline ROWAN_BACKEND
