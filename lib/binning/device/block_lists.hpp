#pragma once
// What blocks do to list rows: a chunk of rows each, kEach rows a thread.
#include "lib/binning/device/lists.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kNowhere = -1;
template <int kEach>
inline constexpr int kListThreads = kChunkRows / kEach;

/// A thread's rows of a chunk, of which the last may not be there: a wave's follow each other, its lanes' are
/// neighbours.
template <int kEach>
__device__ std::int64_t row_of(int u, std::int64_t chunk = blockIdx.x) {
  const int t = static_cast<int>(threadIdx.x), lane = simt::lane(), of_wave = (t - lane) * kEach;
  return chunk * kChunkRows + of_wave + u * simt::wave_width() + lane;
}

/// By a whole wave: adds one to count[place] of each lane that has a place, and returns what was there. Neighbours have
/// mostly the same one: those with the first lane's place add together.
__device__ inline int count_place(int place, int* count) {
  const Mask wave = simt::wave_mask();
  const int first = simt::shuffle(wave, place, 0);
  const Mask same = simt::ballot(wave, place == first);
  int at = 0;
  if (simt::lane() == 0 && first != kNowhere) at = simt::atomic_add(count + first, simt::popcount(same));
  at = simt::shuffle(wave, at, 0);
  if (place == first) return at + simt::popcount(same & simt::below(simt::lane()));
  return place != kNowhere ? simt::atomic_add(count + place, 1) : 0;
}

/// By a block of kListThreads<kEach>: lists its rows by where they belong, of [0, kPlaces), or kNowhere. take(place,
/// n): where in the list n rows of that place begin. end(place): where none is listed any more. In shared memory, for
/// each place, the block's rows and where they begin: one atomic a place.
template <int kPlaces, int kEach, class Take, class End>
__device__ void list_rows(const Held<int, kEach>& place, std::int32_t* list, const Take& take, const End& end,
                          std::int64_t chunk = blockIdx.x) {
  static_assert(kPlaces <= kListThreads<kEach>);
  ROWAN_SHARED(int, count, kPlaces);
  ROWAN_SHARED(std::int64_t, base, kPlaces);
  const int t = static_cast<int>(threadIdx.x);
  if (t < kPlaces) count[t] = 0;
  __syncthreads();
  Held<int, kEach> at;
  ROWAN_UNROLL
  for (int u = 0; u < kEach; u++) at[u] = count_place(place[u], count);
  __syncthreads();
  if (t < kPlaces && count[t] != 0) base[t] = take(t, count[t]);
  __syncthreads();
  ROWAN_UNROLL
  for (int u = 0; u < kEach; u++) {
    if (place[u] == kNowhere) continue;
    const std::int64_t to = base[place[u]] + at[u];
    if (to < end(place[u])) list[to] = static_cast<std::int32_t>(row_of<kEach>(u, chunk));
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
