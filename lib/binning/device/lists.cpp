#include "lib/binning/device/lists.hpp"

#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kListThreads = 256;
constexpr int kListRows = kChunkRows / kListThreads;  // of a thread
constexpr int kNowhere = -1;
static_assert(kKeys <= kListThreads && kMaxQueues <= kListThreads);

/// A thread's rows of the block's chunk: a wave's follow each other, its lanes' are neighbours.
__device__ std::int64_t row_of(int u) {
  const int t = static_cast<int>(threadIdx.x), lane = simt::lane(), of_wave = (t - lane) * kListRows;
  return static_cast<std::int64_t>(blockIdx.x) * kChunkRows + of_wave + u * simt::wave_width() + lane;
}

/// By a block of kListThreads: lists a chunk of rows, each thread kListRows. place_of(row): where the row belongs, of
/// [0, places), or kNowhere. take(place, n): where in the list n rows of that place begin. In shared memory, for each
/// place, the block's rows and where they begin: one atomic a place.
template <int kPlaces, class PlaceOf, class Take>
__device__ void list_rows(std::int64_t rows, std::int32_t* list, const PlaceOf& place_of, const Take& take) {
  ROWAN_SHARED(int, count, kPlaces);
  ROWAN_SHARED(std::int64_t, base, kPlaces);
  const int t = static_cast<int>(threadIdx.x);
  if (t < kPlaces) count[t] = 0;
  __syncthreads();
  Held<int, kListRows> place, at;
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++) place[u] = row_of(u) < rows ? place_of(row_of(u)) : kNowhere;
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++) at[u] = place[u] != kNowhere ? simt::atomic_add(count + place[u], 1) : 0;
  __syncthreads();
  if (t < kPlaces && count[t] != 0) base[t] = take(t, count[t]);
  __syncthreads();
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++)
    if (place[u] != kNowhere) list[base[place[u]] + at[u]] = static_cast<std::int32_t>(row_of(u));
}

/// By a block of kListThreads: row pointers of a chunk, behind `before` entries.
__device__ void point_to_rows(const WholeBlock& block, std::int64_t rows, std::int64_t before, std::int64_t* row_ptr) {
  const int width = simt::wave_width();
  Held<std::int64_t, kListRows> entries, upto;  // of a row; of the wave's rows up to this one
  std::int64_t of_wave = 0, all = 0;
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++) entries[u] = row_of(u) < rows ? row_ptr[row_of(u)] : 0;
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++) {
    upto[u] = of_wave + simt::inclusive_sum(simt::wave_mask(), entries[u], width);
    of_wave = simt::shuffle(simt::wave_mask(), upto[u], width - 1);
  }
  before += block.exclusive_sum<std::int64_t>(simt::lane() == width - 1 ? of_wave : 0, all);
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++) {
    const std::int64_t row = row_of(u);
    if (row < rows) row_ptr[row] = before + upto[u] - entries[u];
    if (row + 1 == rows) row_ptr[rows] = before + upto[u];
  }
}

/// The grid covers all rows.
__global__ void __launch_bounds__(kListThreads)
    rows_by_queue(std::int64_t rows, const std::uint8_t* key, ListLayout layout, std::int64_t* cursor,
                  std::int32_t* list) {
  list_rows<kMaxQueues>(
      rows, list,
      [&](std::int64_t i) {
        const int queue = layout.of_key[key[i]];
        return queue == kNoQueue ? kNowhere : queue;
      },
      [&](int queue, int n) { return layout.begin[queue] + simt::atomic_add(cursor + queue, std::int64_t{n}); });
}

/// The grid covers all rows. `row_ptr`: null where no row pointers are wanted.
__global__ void __launch_bounds__(kListThreads) rows_by_key(std::int64_t rows, ListByKey list, MadeZero zero,
                                                            std::int64_t* row_ptr, const std::int64_t* before_chunk) {
  list_rows<kKeys>(
      rows, list.list,
      [&](std::int64_t i) {
        if (zero.saved != nullptr) zero.saved[i] = SavedRange{};
        return int{list.key[i]};
      },
      [&](int key, int n) { return std::int64_t{simt::atomic_add(list.next + key, n)}; });
  if (zero.chunk != nullptr && threadIdx.x == 0) zero.chunk[blockIdx.x] = 0;
  if (row_ptr == nullptr) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  point_to_rows(WholeBlock(scratch), rows, before_chunk[blockIdx.x], row_ptr);
}

}  // namespace

void list_by_queue(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
                   std::int32_t* list, hipStream_t stream) {
  launch(rows_by_queue, {.grid = chunks_of(rows), .block = kListThreads}, stream, rows, key, layout, cursor, list);
}

void list_by_key(std::int64_t rows, const ListByKey& list, const MadeZero& zero, hipStream_t stream) {
  launch(rows_by_key, {.grid = chunks_of(rows), .block = kListThreads}, stream, rows, list, zero, nullptr, nullptr);
}

void list_and_point(std::int64_t rows, const ListByKey& list, std::int64_t* row_ptr, const std::int64_t* before_chunk,
                    hipStream_t stream) {
  launch(rows_by_key, {.grid = chunks_of(rows), .block = kListThreads}, stream, rows, list, MadeZero{}, row_ptr,
         before_chunk);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
