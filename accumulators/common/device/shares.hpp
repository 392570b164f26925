#pragma once
// Products shared out evenly, whatever rows they are of: a block has kShare of them, which follow each other. A row of
// many thousands that one block walked alone is what the rest of a device would wait for.
#include "lib/device/runtime/runtime.hpp"
#include "lib/device/runtime/shapes.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kShareThreads = kShapes.shares.block;
inline constexpr int kProductsAThread = kShapes.shares.products_a_thread;
inline constexpr int kShare = kShareThreads * kProductsAThread;
/// Products that can be shared out: places among them have 32 bits.
inline constexpr std::int64_t kMostShared = INT32_MAX - kShare;

/// Some entries of A, one after another, and how many products are before each.
struct SharedProducts {
  const std::int32_t* before;  // of every entry, and all of them behind the last
  std::int64_t entries = 0, products = 0;

  [[nodiscard]] constexpr std::int64_t shares() const noexcept { return (products + kShare - 1) / kShare; }
};

/// The last of `n` parts that is(part), which is true of the first one and of no part behind one of which it is not;
/// all lanes of the wave together. A step leaves one share of as many as there are lanes.
template <class Is>
__device__ std::int64_t last_part(std::int64_t n, const Is& is) {
  const Mask wave = simt::wave_mask();
  const int width = simt::wave_width();
  std::int64_t first = 0;
  while (n > 1) {
    const std::int64_t step = (n + width - 1) / width, at = step * simt::lane();
    const int shares = simt::popcount(simt::ballot(wave, at < n && is(first + at)));
    const std::int64_t passed = (shares - 1) * step;
    first += passed;
    n = n - passed < step ? n - passed : step;
  }
  return first;
}

/// The entry that has a product.
__device__ inline std::int64_t entry_with(const SharedProducts& all, std::int64_t product) {
  return last_part(all.entries, [&](std::int64_t e) { return all.before[e] <= product; });
}

/// Calls, for every product of the block's share, load(enter(its entry), its place in the entry's row of B) and then
/// take(what that gave). A thread has products that follow each other, and loads all of them before it takes any. The
/// grid is of shares() blocks of kShareThreads. In shared memory where the entries' products begin.
template <class Enter, class Load, class Take>
__device__ void walk_share(const SharedProducts& all, const Enter& enter, const Load& load, const Take& take) {
  ROWAN_SHARED(std::int64_t, ends, 2);
  ROWAN_SHARED(int, staged, kShare + 2);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kShare;
  const int n = static_cast<int>(all.products - first < kShare ? all.products - first : kShare);
  if (const int wave = static_cast<int>(threadIdx.x) / simt::wave_width(); wave < 2) {
    const std::int64_t found = entry_with(all, wave == 0 ? first : first + n - 1);
    if (simt::lane() == 0) ends[wave] = found;
  }
  __syncthreads();
  const std::int64_t entry0 = ends[0], count = ends[1] - entry0 + 1;
  const bool fits = count <= kShare + 1;  // always, but for empty rows of B
  if (fits)
    for (int k = static_cast<int>(threadIdx.x); k <= count; k += kShareThreads)
      staged[k] = static_cast<int>(all.before[entry0 + k] - first);
  __syncthreads();
  const auto begin = [&](std::int64_t k) {
    return fits ? staged[k] : static_cast<int>(all.before[entry0 + k] - first);
  };
  const int i = static_cast<int>(threadIdx.x) * kProductsAThread;
  if (i >= n) return;
  const auto last_at = [&](std::int64_t from, int product) {  // the last entry that begins there or before
    for (std::int64_t parts = count - from; parts > 1;) {
      const std::int64_t half = parts / 2;
      if (begin(from + half) <= product) from += half;
      parts -= half;
    }
    return from;
  };
  std::int64_t k = last_at(0, i);
  auto entry = enter(entry0 + k);
  Held<decltype(load(entry, 0)), kProductsAThread> loaded;
  ROWAN_UNROLL
  for (int u = 0; u < kProductsAThread; u++) {
    if (i + u >= n) continue;
    if (begin(k + 1) <= i + u) {
      k++;
      if (begin(k + 1) <= i + u) k = last_at(k, i + u);  // there may be thousands of entries without products
      entry = enter(entry0 + k);
    }
    loaded[u] = load(entry, i + u - begin(k));
  }
  ROWAN_UNROLL
  for (int u = 0; u < kProductsAThread; u++)
    if (i + u < n) take(loaded[u]);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
