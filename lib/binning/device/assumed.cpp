#include "lib/binning/device/assumed.hpp"

#include "lib/binning/device/block_lists.hpp"
#include "lib/binning/device/row_look.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

static_assert(kShiftRows == kChunkRows);  // a block has whole shift runs

// rows of a thread: to look at one is a long chain of instructions, to make its row pointer is not
constexpr std::int64_t kMany = 1 << 18;  // rows from which on a thread looks at two: they fill the device anyway
constexpr int kPointed = 4, kPointThreads = kListThreads<kPointed>;

/// By all threads of a block: the sum, to its first thread. (WholeBlock gives it to all, and each loads the sums of 32
/// waves.)
template <class I>
__device__ I sum_to_first(I of_thread, I* of_wave) {
  const int lane = simt::lane(), width = simt::wave_width(), t = static_cast<int>(threadIdx.x);
  const I sum = simt::wave_sum(of_thread);
  if (lane == 0) of_wave[t / width] = sum;
  __syncthreads();
  return t >= width ? I{0} : simt::wave_sum(lane < static_cast<int>(blockDim.x) / width ? of_wave[lane] : I{0});
}

/// The grid covers all rows, kLooked a thread.
template <RowNumber kSays, int kLooked>
__global__ void __launch_bounds__(kListThreads<kLooked>)
    list_assumed_rows(RowSource rows, Borders borders, AssumedRows assumed, AssumedList out) {
  constexpr bool kByProducts = kSays == RowNumber::products;
  ROWAN_SHARED(ClassTable::Words, class_words, 1);
  ROWAN_SHARED(unsigned, still, kStillWords);
  ROWAN_SHARED(std::uint64_t, checksums, WholeBlock::kMostWaves);
  ROWAN_SHARED(std::int64_t, entries, WholeBlock::kMostWaves);
  const bool shifts = kByProducts && rows.moved != nullptr;
  const int lane = simt::lane();
  if (shifts && static_cast<int>(threadIdx.x) < kStillWords)
    still[lane] = still_rows(rows.a.rows, rows.moved, std::int64_t{blockIdx.x} * kShiftRows, lane);
  ClassTable classes(class_words[0]);
  classes.make(borders);
  __syncthreads();
  Held<int, kLooked> place;
  std::uint64_t checksum = 0;
  std::int64_t all = 0;
  ROWAN_UNROLL
  for (int u = 0; u < kLooked; u++) {
    const std::int64_t i = row_of<kLooked>(u);
    const bool has_row = i < rows.a.rows;
    ShiftMark mark;
    if (shifts) {
      mark = mark_of_row(lane < kStillWords ? still[lane] : 0, i);
      if (has_row) rows.shift_mark[i] = mark;
    }
    place[u] = kNowhere;
    if (!has_row) continue;
    const RowLook look = kByProducts ? look_by_products(rows, borders, classes, out.heavy_apart, i, mark)
                                     : look_by_entries(rows, borders, classes, i);
    out.key[i] = static_cast<std::uint8_t>(look.key);
    if (out.saved != nullptr) out.saved[i] = SavedRange{};
    place[u] = look.key, checksum += in_checksum(look), all += look.numbers.bound;
  }
  list_rows<kKeys, kLooked>(
      place, out.list,
      [&](int key, int n) { return std::int64_t{assumed.first_of_key[key]} + simt::atomic_add(out.listed + key, n); },
      [&](int key) { return std::int64_t{assumed.behind_key[key]}; });
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    if (out.flag != nullptr) checksum += mix(static_cast<std::uint64_t>(*out.flag));
    if (out.earlier != nullptr) checksum += mix(*out.earlier);
  }
  checksum = sum_to_first(checksum, checksums);
  if (threadIdx.x == 0) simt::atomic_add(out.checksum, checksum);
  if (kByProducts) return;
  all = sum_to_first(all, entries);
  if (threadIdx.x == 0) out.of_chunk[blockIdx.x] = all;
}

/// The grid covers all rows.
__global__ void __launch_bounds__(kPointThreads)
    point_rows(std::int64_t rows, std::int64_t* row_ptr, const std::int64_t* of_chunk, Cancelled cancelled,
               std::uint32_t* answer) {
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  if (row_of<kPointed>(0) == 0)
    simt::publish(answer, static_cast<std::uint32_t>(cancelled ? Assumption::wrong : Assumption::right));
  std::int64_t before = 0;
  for (std::int64_t chunk = block.rank(); chunk < blockIdx.x; chunk += block.size()) before += of_chunk[chunk];
  point_to_rows<kPointed>(block, rows, block.sum(before), row_ptr);
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

void make_row_pointers(std::int64_t rows, std::int64_t* row_ptr, const std::int64_t* of_chunk,
                       const Cancelled& cancelled, std::uint32_t* answer, hipStream_t stream) {
  launch(point_rows, {.grid = chunks_of(rows), .block = kPointThreads}, stream, rows, row_ptr, of_chunk, cancelled,
         answer);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
