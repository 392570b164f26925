#include "lib/binning/device/lists.hpp"

#include "lib/binning/device/block_lists.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kEach = 4, kThreads = kListThreads<kEach>;

/// Where a thread's rows belong: place_of(row).
template <class PlaceOf>
__device__ void find_places(std::int64_t rows, Held<int, kEach>& place, const PlaceOf& place_of) {
  ROWAN_UNROLL
  for (int u = 0; u < kEach; u++) place[u] = row_of<kEach>(u) < rows ? place_of(row_of<kEach>(u)) : kNowhere;
}

/// By a block of kThreads: row pointers of its rows, behind `before` entries.
__device__ void point_to_rows(const WholeBlock& block, std::int64_t rows, std::int64_t before, std::int64_t* row_ptr) {
  const int width = simt::wave_width();
  Held<std::int64_t, kEach> entries, upto;  // of a row; of the wave's rows up to this one
  std::int64_t of_wave = 0, all = 0;
  ROWAN_UNROLL
  for (int u = 0; u < kEach; u++) entries[u] = row_of<kEach>(u) < rows ? row_ptr[row_of<kEach>(u)] : 0;
  ROWAN_UNROLL
  for (int u = 0; u < kEach; u++) {
    upto[u] = of_wave + simt::inclusive_sum(simt::wave_mask(), entries[u], width);
    of_wave = simt::shuffle(simt::wave_mask(), upto[u], width - 1);
  }
  before += block.exclusive_sum<std::int64_t>(simt::lane() == width - 1 ? of_wave : 0, all);
  ROWAN_UNROLL
  for (int u = 0; u < kEach; u++) {
    const std::int64_t row = row_of<kEach>(u);
    if (row < rows) row_ptr[row] = before + upto[u] - entries[u];
    if (row + 1 == rows) row_ptr[rows] = before + upto[u];
  }
}

/// The grid covers all rows.
__global__ void __launch_bounds__(kThreads) rows_by_queue(std::int64_t rows, const std::uint8_t* key, ListLayout layout,
                                                          std::int64_t* cursor, std::int32_t* list) {
  Held<int, kEach> place;
  find_places(rows, place, [&](std::int64_t i) {
    const int queue = layout.of_key[key[i]];
    return queue == kNoQueue ? kNowhere : queue;
  });
  list_rows<kMaxQueues, kEach>(
      place, list,
      [&](int queue, int n) { return layout.begin[queue] + simt::atomic_add(cursor + queue, std::int64_t{n}); },
      [&](int) { return rows; });
}

/// The grid covers all rows. `row_ptr`: null where no row pointers are wanted.
__global__ void __launch_bounds__(kThreads) rows_by_key(std::int64_t rows, ListByKey list, SavedRange* saved,
                                                        std::int64_t* row_ptr, const std::int64_t* before_chunk) {
  Held<int, kEach> place;
  find_places(rows, place, [&](std::int64_t i) {
    if (saved != nullptr) saved[i] = SavedRange{};
    return int{list.key[i]};
  });
  list_rows<kKeys, kEach>(
      place, list.list, [&](int key, int n) { return std::int64_t{simt::atomic_add(list.next + key, n)}; },
      [&](int) { return rows; });
  if (row_ptr == nullptr) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  point_to_rows(WholeBlock(scratch), rows, before_chunk[blockIdx.x], row_ptr);
}

}  // namespace

void list_by_queue(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
                   std::int32_t* list, hipStream_t stream) {
  launch(rows_by_queue, {.grid = chunks_of(rows), .block = kThreads}, stream, rows, key, layout, cursor, list);
}

void list_by_key(std::int64_t rows, const ListByKey& list, SavedRange* saved, hipStream_t stream) {
  launch(rows_by_key, {.grid = chunks_of(rows), .block = kThreads}, stream, rows, list, saved, nullptr, nullptr);
}

void list_and_point(std::int64_t rows, const ListByKey& list, std::int64_t* row_ptr, const std::int64_t* before_chunk,
                    hipStream_t stream) {
  launch(rows_by_key, {.grid = chunks_of(rows), .block = kThreads}, stream, rows, list, nullptr, row_ptr, before_chunk);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
