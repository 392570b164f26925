#include "lib/device/pipeline/product_list.hpp"

#include <algorithm>

#include "accumulators/common/device/shape.hpp"
#include "accumulators/common/device/shares.hpp"
#include "lib/core/values.hpp"
#include "lib/device/runtime/primitives.hpp"
#include "lib/device/simt/row_groups.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// By bin.
struct ListedBins {
  bool of[kBins];
};

/// Rows of A in groups of lanes: products of every entry, none in rows that are not listed, and whose it is. Entries
/// count from the first row's first: some rows of a matrix do not begin at 0.
template <int kLanes>
__global__ void __launch_bounds__(kRowThreads)
    measure_entries(Pattern a, const std::int64_t* b_ptr, const std::uint8_t* key, ListedBins listed,
                    std::int32_t* products, std::int32_t* row_of) {
  const std::int64_t base = a.ptr[0];
  if (blockIdx.x == 0 && threadIdx.x == 0) products[a.ptr[a.rows] - base] = 0;
  for_rows<kLanes>(a.rows, a.ptr, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    constexpr int kTogether = 4;  // entries that are loaded before any is used: one waited for memory twice
    const bool mine = listed.of[key[row]];
    for (std::int64_t k = begin + who.rank(); k < end; k += kTogether * who.size()) {
      Held<std::int64_t, kTogether> j, n;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) j[u] = mine && k + u * who.size() < end ? a.col[k + u * who.size()] : -1;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) n[u] = j[u] < 0 ? 0 : b_ptr[j[u] + 1] - b_ptr[j[u]];
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        const std::int64_t at = k + u * who.size();
        if (at < end)
          products[at - base] = static_cast<std::int32_t>(n[u]), row_of[at - base] = static_cast<std::int32_t>(row);
      }
    }
  });
}

/// What is needed of C's rows to find a column.
struct KnownPattern {
  const std::int64_t* row_ptr;
  const Column* col;
};

/// Calls take(number of the product, entry of C, entry of A, entry of B) for every product of the block's share.
template <class Take>
__device__ void walk_to_places(const SharedProducts& all, const Pattern& a, const Pattern& b,
                               const std::int32_t* row_of, const KnownPattern& c, const Take& take) {
  struct ListedEntry {
    std::int64_t before, a, from, first, n;  // products; in A, in B, in C: the row's first entry, and how many it has
  };
  struct ListedPlace {
    std::int64_t number, c, a, b;
  };
  walk_share(
      all,
      [&](std::int64_t k) {
        const std::int32_t row = row_of[k];
        const std::int64_t of_a = a.ptr[0] + k;
        return ListedEntry{all.before[k], of_a, b.ptr[a.col[of_a]], c.row_ptr[row],
                           c.row_ptr[row + 1] - c.row_ptr[row]};
      },
      [&](const ListedEntry& entry, int i) {
        const Column column = b.col[entry.from + i];
        std::int64_t at = entry.first;
        for (std::int64_t parts = entry.n; parts > 1;) {
          const std::int64_t half = parts / 2;
          if (c.col[at + half] <= column) at += half;
          parts -= half;
        }
        return ListedPlace{entry.before + i, at, entry.a, entry.from + i};
      },
      [&](const ListedPlace& p) { take(p.number, p.c, p.a, p.b); });
}

/// Where a product goes, found when products are counted: its entry of C, and which of that entry's products it is.
struct FoundPlace {
  std::int32_t entry, rank;
};

__device__ ListedProduct listed(std::int64_t of_a, std::int64_t of_b) {
  return static_cast<ListedProduct>(of_a) << 32 | static_cast<ListedProduct>(of_b);
}

/// Blocks of equal shares of products. `found`: of every product, or null.
__global__ void __launch_bounds__(kShareThreads)
    count_of_entries(SharedProducts all, Pattern a, Pattern b, const std::int32_t* row_of, KnownPattern c,
                     std::int32_t* count, FoundPlace* found) {
  walk_to_places(all, a, b, row_of, c, [&](std::int64_t number, std::int64_t to, std::int64_t, std::int64_t) {
    const std::int32_t rank = simt::atomic_add(count + to, 1);
    if (found != nullptr) found[number] = {static_cast<std::int32_t>(to), rank};
  });
}

/// The same, of products whose places were not kept. `next`: where each entry's products begin; afterwards, where they
/// end.
__global__ void __launch_bounds__(kShareThreads)
    place_products(SharedProducts all, Pattern a, Pattern b, const std::int32_t* row_of, KnownPattern c,
                   std::int32_t* next, ListedProduct* list) {
  walk_to_places(all, a, b, row_of, c, [&](std::int64_t, std::int64_t to, std::int64_t of_a, std::int64_t of_b) {
    list[simt::atomic_add(next + to, 1)] = listed(of_a, of_b);
  });
}

/// The same, of products whose places were found before. `begin`: of each entry's products.
__global__ void __launch_bounds__(kShareThreads)
    place_found(SharedProducts all, Pattern a, Pattern b, const FoundPlace* found, const std::int32_t* begin,
                ListedProduct* list) {
  struct FoundEntry {
    std::int64_t before, a, from;
  };
  struct Placed {
    std::int64_t to;
    ListedProduct product;
  };
  walk_share(
      all,
      [&](std::int64_t k) {
        const std::int64_t of_a = a.ptr[0] + k;
        return FoundEntry{all.before[k], of_a, b.ptr[a.col[of_a]]};
      },
      [&](const FoundEntry& entry, int i) {
        const FoundPlace place = found[entry.before + i];
        return Placed{begin[place.entry] + place.rank, listed(entry.a, entry.from + i)};
      },
      [&](const Placed& p) { list[p.to] = p.product; });
}

constexpr int kThreads = kShapes.product_list.block, kLongThreads = kShapes.product_list.long_block;

/// An entry's products among all.
struct SumRange {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] __device__ std::int64_t size() const { return end - begin; }
};

/// Of entry `e`, a lane each of the wave's tile of entries, which begins at `first`.
__device__ SumRange segment_of(const std::int32_t* end, std::int64_t entries, std::int64_t first) {
  const std::int64_t e = first + simt::lane();
  const std::int32_t mine = end[e < entries ? e : entries - 1];
  const std::int32_t before = simt::shuffle_up(simt::wave_mask(), mine, 1);
  return {simt::lane() != 0 ? before : first == 0 ? 0 : end[first - 1], mine};
}

/// The wave's first entry.
__device__ std::int64_t first_of_tile() {
  return (static_cast<std::int64_t>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x)) / simt::wave_width() *
         simt::wave_width();
}

/// Steps of a bitonic merge of `size` numbers, over and over up to the n-th, from `step` down to `last`. It begins with
/// a flip, so that all comparisons point the same way and what is behind the end need not be there.
template <class Scope>
__device__ void merge_steps(const Scope& scope, ListedProduct* list, std::int64_t n, std::int64_t size,
                            std::int64_t step, std::int64_t last) {
  for (; step >= last; step /= 2) {
    for (std::int64_t t = scope.rank(); (t - (t & (step - 1))) * 2 < n; t += scope.size()) {
      const std::int64_t in = t & (step - 1), first = (t - in) * 2, i = first + in;
      const std::int64_t j = step == size / 2 ? first + 2 * step - 1 - in : i + step;
      if (j >= n) continue;
      const ListedProduct low = list[i], high = list[j];
      if (low > high) list[i] = high, list[j] = low;
    }
    scope.sync();
  }
}
/// Sorts n numbers.
template <class Scope>
__device__ void sort_by(const Scope& scope, ListedProduct* list, std::int64_t n) {
  for (std::int64_t size = 2; size < 2 * n; size *= 2) merge_steps(scope, list, n, size, size / 2, 1);
}

constexpr int kNear = kShapes.product_list.sorted_near;  // numbers that a block sorts in shared memory
static_assert((kNear & (kNear - 1)) == 0);

/// Sorts n numbers; steps between numbers that are near each other in `near`, which has kNear.
__device__ void sort_by_block(const WholeBlock& block, ListedProduct* near, ListedProduct* list, std::int64_t n) {
  const auto piece_by_piece = [&](const auto& f) {
    for (std::int64_t first = 0; first < n; first += kNear) {
      const std::int64_t here = n - first < kNear ? n - first : kNear;
      for (std::int64_t k = block.rank(); k < here; k += block.size()) near[k] = list[first + k];
      block.sync();
      f(here);
      for (std::int64_t k = block.rank(); k < here; k += block.size()) list[first + k] = near[k];
      block.sync();
    }
  };
  piece_by_piece([&](std::int64_t here) { sort_by(block, near, here); });
  for (std::int64_t size = 2 * kNear; size < 2 * n; size *= 2) {
    merge_steps(block, list, n, size, size / 2, kNear);
    piece_by_piece([&](std::int64_t here) { merge_steps(block, near, here, size, kNear / 2, 1); });
  }
}

/// Sorts n numbers by a slot for each entry of A from the first of theirs to the last, and says whether it did: not
/// where these are far apart, or one comes twice. With a sum of 15,000 products: 44 us, a bitonic
/// sort 290.
__device__ bool sort_by_entry(const WholeBlock& block, std::int32_t* slot, int slots, ListedProduct* list,
                              std::int64_t n) {
  constexpr std::int32_t kEmpty = -1;
  constexpr std::int64_t kSlotsANumber = 8;
  const auto entry_of = [](ListedProduct p) { return static_cast<std::int32_t>(p >> 32); };
  std::int32_t least = INT32_MAX, most = 0;
  for (std::int64_t k = block.rank(); k < n; k += block.size()) {
    const std::int32_t e = entry_of(list[k]);
    least = e < least ? e : least, most = e > most ? e : most;
  }
  const std::int32_t first = block.min(least), span = block.max(most) - first + 1;
  if (span > slots || span > kSlotsANumber * n) return false;
  for (int k = block.rank(); k < span; k += block.size()) slot[k] = kEmpty;
  block.sync();
  bool twice = false;
  for (std::int64_t k = block.rank(); k < n; k += block.size()) {
    const ListedProduct p = list[k];
    twice |= simt::atomic_cas(slot + (entry_of(p) - first), kEmpty, static_cast<std::int32_t>(p)) != kEmpty;
  }
  if (block.max(twice ? 1 : 0) != 0) return false;
  // each wave writes those of a part of the slots, one after another
  const Mask wave = simt::wave_mask();
  const int width = simt::wave_width(), lane = simt::lane(), waves = block.size() / width;
  const int part = (span + waves - 1) / waves, from = block.rank() / width * part;
  const int end = from + part < span ? from + part : span;
  const auto is_taken = [&](int k) { return k + lane < end && slot[k + lane] != kEmpty; };
  int taken = 0, all;
  for (int k = from; k < end; k += width) taken += simt::popcount(simt::ballot(wave, is_taken(k)));
  int to = simt::shuffle(wave, block.exclusive_sum(lane == 0 ? taken : 0, all), 0);
  for (int k = from; k < end; k += width) {
    const bool mine = is_taken(k);
    const Mask of_wave = simt::ballot(wave, mine);
    if (mine)
      list[to + simt::popcount(of_wave & simt::below(lane))] =
          static_cast<ListedProduct>(first + k + lane) << 32 | static_cast<std::uint32_t>(slot[k + lane]);
    to += simt::popcount(of_wave);
  }
  block.sync();
  return true;
}

/// Of the last product of a sum. An entry of A is less than 2^31.
constexpr ListedProduct kLast = 1ULL << 63;

/// Sums with more products than a wave sorts soon enough.
struct LongSums {
  SumRange* range;
  int* count;  // 0 at first
};
constexpr int kMany = kShapes.product_list.many;

/// A lane an entry of C; the wave together where it has more products, in shared memory, and where it has many they are
/// left to blocks. The last of a sum is marked, but for those.
__global__ void __launch_bounds__(kThreads)
    sort_segments(const std::int32_t* end, std::int64_t entries, ListedProduct* list, LongSums long_sums) {
  constexpr std::int64_t kFew = kShapes.product_list.few;
  ROWAN_SHARED(ListedProduct, sorted, kThreads / kLeastWave * kMany);
  const std::int64_t first = first_of_tile();
  if (first >= entries) return;
  const SumRange mine = segment_of(end, entries, first);
  if (mine.size() <= kFew)
    for (std::int64_t i = mine.begin + 1; i < mine.end; i++) {
      const ListedProduct one = list[i];
      std::int64_t to = i;
      for (; to > mine.begin && list[to - 1] > one; to--) list[to] = list[to - 1];
      list[to] = one;
    }
  if (mine.size() > kMany && first + simt::lane() < entries)
    long_sums.range[simt::atomic_add(long_sums.count, 1)] = mine;
  const Mask wave = simt::wave_mask();
  const int width = simt::wave_width(), lane = simt::lane();
  ListedProduct* const near = sorted + static_cast<int>(threadIdx.x) / width * kMany;
  for (Mask more = simt::ballot(wave, mine.size() > kFew && mine.size() <= kMany); more != 0; more &= more - 1) {
    const int owner = simt::lowest(more);
    ListedProduct* const sum = list + simt::shuffle(wave, mine.begin, owner);
    const auto n = static_cast<int>(simt::shuffle(wave, mine.size(), owner));
    for (int k = lane; k < n; k += width) near[k] = sum[k];
    simt::sync_wave(wave);
    sort_by(Lanes(width), near, n);
    for (int k = lane; k < n; k += width) sum[k] = near[k];
    simt::sync_wave(wave);
  }
  if (mine.size() != 0 && mine.size() <= kMany) list[mine.end - 1] |= kLast;
}

/// Shared memory of a block that sorts, for rows of A of up to so many entries: in words that are two slots or a
/// number.
[[nodiscard]] int sort_words(std::int64_t longest, std::size_t limit) {
  constexpr std::size_t kOthers = 1 << 10;  // bytes of the kernel's own
  const auto most = static_cast<std::int64_t>((limit - kOthers) / sizeof(ListedProduct));
  return static_cast<int>(std::max<std::int64_t>(kNear, std::min((longest + 1) / 2, most)));
}

/// Blocks take one long sum after another. A wave alone took 114 ms for one of 32,561 products.
__global__ void __launch_bounds__(kLongThreads) sort_long_sums(LongSums long_sums, ListedProduct* list, int words) {
  simt::DynamicShared shared;
  auto* const near = shared.take<ListedProduct>(words);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  for (int k = static_cast<int>(blockIdx.x); k < *long_sums.count; k += static_cast<int>(gridDim.x)) {
    const SumRange sum = long_sums.range[k];
    if (!sort_by_entry(block, reinterpret_cast<std::int32_t*>(near), 2 * words, list + sum.begin, sum.size()))
      sort_by_block(block, near, list + sum.begin, sum.size());
    if (block.rank() == 0) list[sum.end - 1] |= kLast;
    block.sync();
  }
}

/// A thread an entry of C: whether it is listed.
__global__ void __launch_bounds__(kThreads)
    mark_listed(const std::int32_t* end, std::int64_t entries, std::int32_t* listed) {
  const std::int64_t e = static_cast<std::int64_t>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (e < entries) listed[e] = end[e] != (e == 0 ? 0 : end[e - 1]) ? 1 : 0;
}

/// A thread an entry of C: chunks that begin with it. `rank`: how many entries before are listed; null: all are.
__global__ void __launch_bounds__(kThreads)
    cut_chunks(const std::int32_t* end, std::int64_t entries, const std::int32_t* rank, int chunk, std::int64_t chunks,
               ListedChunk* table, std::int32_t* where) {
  const std::int64_t e = static_cast<std::int64_t>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (e >= entries) return;
  const std::int32_t begin = e == 0 ? 0 : end[e - 1], stop = end[e];
  if (begin == stop) return;
  const auto number = rank == nullptr ? static_cast<std::int32_t>(e) : rank[e];
  if (where != nullptr) where[number] = static_cast<std::int32_t>(e);
  // a chunk that begins among its products begins with the next entry, if not with this one
  for (std::int64_t c = begin / chunk + 1; c < chunks && c * chunk < stop; c++) table[c] = {stop, number + 1};
  if (begin % chunk == 0) table[begin / chunk] = {begin, number};
  if (stop == end[entries - 1]) table[chunks] = {stop, number + 1};
}

template <class T>
__device__ T product_of(ListedProduct p, const T* a_val, const T* b_val) {
  return a_val[(p & ~kLast) >> 32] * b_val[static_cast<std::uint32_t>(p)];
}

constexpr int kHeld = kShapes.product_list.products_a_lane;

/// Products of a chunk: some less than a wave's lanes hold, so that most chunks with their last entry's are held at
/// once.
[[nodiscard]] constexpr int chunk_of(int wave) {
  return (kHeld - 1) * wave;
}

/// Whether the sum of the u-th product that a lane loaded ends there, of all lanes.
using Lasts = Held<Mask, kHeld>;

/// A wave's shared memory.
template <class T>
struct WaveShared {
  T* products;          // at_lane()
  std::uint16_t* ends;  // of sums, among the products
};
/// Where a product is: those of a lane side by side, and between lanes one place, so that lanes read different banks.
__device__ constexpr int at_lane(int product) {
  return product + product / kHeld;
}
constexpr unsigned kAllHeld = (1U << kHeld) - 1;

/// `sum` and products `begin` up to `end`, one after another, some of which are read ahead: an addition waits for the
/// one before, not for shared memory, too. (To read the next ones while these are added took 1.7 times as long as
/// this.)
template <class T>
__device__ T sum_of(const WaveShared<T>& shared, int begin, int end, T sum) {
  int q = begin;
  for (; q + kHeld <= end; q += kHeld) {
    Held<T, kHeld> next;
    ROWAN_UNROLL
    for (int u = 0; u < kHeld; u++) next[u] = shared.products[at_lane(q + u)];
    ROWAN_UNROLL
    for (int u = 0; u < kHeld; u++) sum += next[u];
  }
  for (; q < end; q++) sum += shared.products[at_lane(q)];
  return sum;
}

/// The wave's part of a chunk, sum by sum in the textbook's order: a lane a sum. `n` products are in shared memory.
/// `open`: of the sum that has begun before, and afterwards of the one that goes on. store(k, sum) for the k-th sum
/// that ends; returns how many do.
template <class T, class Store>
__device__ int add_in_order(const WaveShared<T>& shared, int n, const Lasts& lasts, T& open, const Store& store) {
  const int lane = simt::lane(), width = simt::wave_width();
  int sums = 0;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    if ((lasts[u] >> lane & 1) != 0)
      shared.ends[sums + simt::popcount(lasts[u] & simt::below(lane))] =
          static_cast<std::uint16_t>(u * width + lane + 1);
    sums += simt::popcount(lasts[u]);
  }
  simt::sync_wave(simt::wave_mask());
  for (int k = lane; k < sums; k += width)
    store(k, sum_of(shared, k == 0 ? 0 : shared.ends[k - 1], shared.ends[k], k == 0 ? open : T{0}));
  open = sum_of(shared, sums == 0 ? 0 : shared.ends[sums - 1], n, sums == 0 ? open : T{0});
  return sums;
}

/// The same with every lane adding as many products, those that follow each other, whosesoever sums they are: long sums
/// are put together by a scan over the lanes, in an order that is always the same.
template <class T, class Store>
__device__ int add_by_scan(const WaveShared<T>& shared, const Lasts& lasts, T& open, const Store& store) {
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), width = simt::wave_width();
  const int word = lane * kHeld / width, bit = lane * kHeld % width;
  int sums = 0, before = 0;  // that end in the part, before this lane's products
  unsigned mine = 0;         // of this lane's products those with which a sum ends
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    if (u == word)
      before = sums + simt::popcount(lasts[u] & simt::below(bit)),
      mine = static_cast<unsigned>(lasts[u] >> bit) & kAllHeld;
    sums += simt::popcount(lasts[u]);
  }
  Held<T, kHeld> sum;  // behind each product, of the lane's own
  T run{0};
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    run += shared.products[lane * (kHeld + 1) + u];
    sum[u] = run;
    if ((mine >> u & 1) != 0) run = T{0};
  }
  T upto = run;  // of the sum that is open behind the lane
  bool ended = mine != 0;
  for (int d = 1; d < width; d *= 2) {
    const T left = simt::shuffle_up(wave, upto, d);
    const bool left_ended = simt::shuffle_up(wave, static_cast<int>(ended), d) != 0;
    if (lane >= d && !ended) upto = left + upto, ended = left_ended;
  }
  T from_left = simt::shuffle_up(wave, upto, 1);
  const bool any_left = simt::shuffle_up(wave, static_cast<int>(ended), 1) != 0;
  if (lane == 0)
    from_left = open;
  else if (!any_left)
    from_left = open + from_left;
  const T last = simt::shuffle(wave, upto, width - 1);
  open = sums == 0 ? open + last : last;
  simt::sync_wave(wave);  // all have read
  int k = before;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++)
    if ((mine >> u & 1) != 0) {
      shared.products[k] = k == before ? from_left + sum[u] : sum[u];
      k++;
    }
  simt::sync_wave(wave);
  for (int j = lane; j < sums; j += width) store(j, shared.products[j]);
  return sums;
}

/// A wave a chunk. Its products, which lie side by side, lanes load and multiply together and put into shared memory,
/// where they are added.
template <class T, bool kInOrder>
__global__ void __launch_bounds__(kThreads)
    add_listed(const ListedChunk* table, std::int64_t chunks, const ListedProduct* list, const std::int32_t* where,
               const T* a_val, const T* b_val, T* val) {
  ROWAN_SHARED(T, all_products, kThreads * (kHeld + 1));
  ROWAN_SHARED(std::uint16_t, all_ends, kInOrder ? kThreads * kHeld : 1);
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), width = simt::wave_width(), mine = static_cast<int>(threadIdx.x) / width;
  const std::int64_t c = static_cast<std::int64_t>(blockIdx.x) * (kThreads / width) + mine;
  if (c >= chunks) return;
  const WaveShared<T> shared{all_products + mine * width * (kHeld + 1),
                             all_ends + (kInOrder ? mine * width * kHeld : 0)};
  const int stop = table[c + 1].product;
  int entry = table[c].entry;
  T open{0};
  Held<ListedProduct, kHeld> one;
  Held<T, kHeld> product;
  const auto load = [&](int base) {
    ROWAN_UNROLL
    for (int u = 0; u < kHeld; u++) one[u] = base + u * width + lane < stop ? list[base + u * width + lane] : 0;
    ROWAN_UNROLL
    for (int u = 0; u < kHeld; u++)
      product[u] = base + u * width + lane < stop ? product_of(one[u], a_val, b_val) : T{0};
  };
  const int start = table[c].product;
  load(start);
  for (int base = start; base < stop; base += kHeld * width) {
    const int n = stop - base < kHeld * width ? stop - base : kHeld * width;
    Lasts lasts;
    ROWAN_UNROLL
    for (int u = 0; u < kHeld; u++) {
      lasts[u] = simt::ballot(wave, (one[u] & kLast) != 0);
      shared.products[at_lane(u * width + lane)] = product[u];
    }
    simt::sync_wave(wave);
    if (base + kHeld * width < stop) load(base + kHeld * width);  // on its way while these are added
    const auto store = [&](int k, T sum) {
      const int e = entry + k;
      val[where == nullptr ? e : where[e]] = sum;
    };
    if constexpr (kInOrder)
      entry += add_in_order(shared, n, lasts, open, store);
    else
      entry += add_by_scan(shared, lasts, open, store);
    simt::sync_wave(wave);
  }
}

[[nodiscard]] std::int64_t blocks_of(std::int64_t entries) {
  return (entries + kThreads - 1) / kThreads;
}

/// Bytes that a device has left, half of which a list may take.
std::int64_t free_bytes() {
  std::size_t free = 0, total = 0;
  check(hipMemGetInfo(&free, &total), "asking for memory");
  return static_cast<std::int64_t>(free);
}

}  // namespace

template <class T>
std::optional<ProductList> list_products(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                         const CountedProduct<T>& counted, Listed rows, std::int64_t room,
                                         hipStream_t stream) {
  constexpr std::int64_t kLeastShare = kShapes.product_list.least_share;
  constexpr std::int64_t kFewInRuns = kShapes.product_list.few_in_runs;
  constexpr std::int64_t kBlocks = kShapes.product_list.blocks_for_long;
  const bool one_phase = counted.method.method == Method::one_phase;
  const KernelQueues& queues = counted.record->queues[kNumeric];
  const bool counted_others = !one_phase || counted.method.others != 0;  // else the symbolic phase's bins are the last
  const Tally* const bins = counted.record->bins[counted_others ? kNumeric : kSymbolic];
  const Product<T>& c = counted.c;
  ProductList out;
  ListedBins listed{};
  std::int64_t listed_entries = rows == Listed::heavy ? bins[kHeavyBin].bound : c.nnz;
  const auto is_in_runs = [&](int bin) {
    const Candidate& chosen = kCandidates[queues.choice[bin].chosen];
    return !(one_phase && is_short(bin, counted.method.classes)) && (chosen.needs_runs || chosen.needs_shifts);
  };
  std::int64_t all_products = 0, in_runs = 0, longest = 0;
  for (int bin = BinKey::kDirect; bin < kBins; bin++) {
    if (bins[bin].rows == 0) continue;
    all_products += bins[bin].nprod, in_runs += is_in_runs(bin) ? bins[bin].nprod : 0;
  }
  const bool few_in_runs = in_runs * kFewInRuns < all_products;
  for (int bin = BinKey::kDirect; bin < kBins; bin++) {
    if (bins[bin].rows == 0) continue;
    if (rows == Listed::heavy ? bin != kHeavyBin : is_in_runs(bin) && !few_in_runs) {
      if (rows == Listed::alone) listed_entries -= bins[bin].bound;
      continue;
    }
    listed.of[bin] = true, longest = std::max<std::int64_t>(longest, bins[bin].a_nnz_max);
    out.products += bins[bin].nprod;
    if (const int queue = queues.list.of_key[bin]; counted_others && queue != kNoQueue) out.by_list[queue] = true;
  }
  const bool must = rows == Listed::heavy;
  if (c.nnz > INT32_MAX || a.nnz > INT32_MAX || b.nnz > INT32_MAX) {
    if (must)
      throw Error(ErrorCode::overflow, "entries of A, B or C do not fit 32 bits, which sums of heavy rows want");
    return {};
  }
  if (!must && (out.products == 0 || out.products * kLeastShare < c.nnz || out.products > kMostShared)) return {};
  const int chunk = chunk_of(engine.info().wave);
  out.chunks = (out.products + chunk - 1) / chunk;
  const bool all_listed = listed_entries == c.nnz;
  out.all = all_listed;
  const auto scan_bytes = static_cast<std::int64_t>(
      std::max(exclusive_sum_bytes<std::int32_t>(a.nnz + 1), exclusive_sum_bytes<std::int32_t>(c.nnz + 1)));
  const std::int64_t ranks = all_listed ? 0 : c.nnz,
                     kept = out.products * static_cast<std::int64_t>(sizeof(ListedProduct)) + out.chunks * 8 +
                            (all_listed ? 0 : listed_entries * 4),
                     most_long = out.products / (kMany + 1),
                     meanwhile = 4 * (2 * a.nnz + 2 + c.nnz + ranks) + scan_bytes +
                                 most_long * static_cast<std::int64_t>(sizeof(SumRange)),
                     places = out.products * static_cast<std::int64_t>(sizeof(FoundPlace)),
                     most = room == 0 ? free_bytes() / 2 : room;
  if (!must && kept + meanwhile > most) return {};
  const bool keep_places = kept + meanwhile + places <= most;
  try {
    Pool& pool = engine.pool();
    out.product = Buffer<ListedProduct>(pool, out.products, stream);
    out.chunk = Buffer<ListedChunk>(pool, out.chunks + 1, stream);
    out.where = Buffer<std::int32_t>(pool, all_listed ? 0 : listed_entries, stream);
    const Buffer<std::int32_t> before(pool, a.nnz + 1, stream), row_of(pool, a.nnz, stream),
        borders(pool, c.nnz + 1, stream), rank(pool, ranks, stream);
    std::int32_t* const end = borders.data() + 1;  // of each entry's products; they begin where those before end
    const Buffer<FoundPlace> found(pool, keep_places ? out.products : 0, stream);
    const Buffer<SumRange> range(pool, most_long, stream);
    const Buffer<int> long_count(pool, 1, stream);
    check(hipMemsetAsync(long_count.data(), 0, long_count.bytes(), stream), "clearing");
    const LongSums long_sums{range.data(), long_count.data()};
    const Buffer<std::byte> scratch(pool, scan_bytes, stream);
    const auto sum_up = [&](std::int32_t* numbers, std::int64_t n) {
      exclusive_sum(scratch.data(), scratch.bytes(), numbers, n, stream);
    };
    with_lanes(row_lanes(a.m.rows, a.nnz), [&](auto lanes) {
      launch(measure_entries<lanes>, {.grid = row_blocks(a.m.rows, lanes), .block = kRowThreads}, stream, a.m, b.m.ptr,
             counted.at.key, listed, before.data(), row_of.data());
    });
    sum_up(before.data(), before.size());
    check(hipMemsetAsync(borders.data(), 0, borders.bytes(), stream), "clearing");
    const SharedProducts all{before.data(), a.nnz, out.products};
    const Shape shares{.grid = all.shares(), .block = kShareThreads},
        entries{.grid = blocks_of(c.nnz), .block = kThreads};
    const KnownPattern pattern{c.row_ptr.data(), c.col.data()};
    if (keep_places) {
      launch(count_of_entries, shares, stream, all, a.m, b.m, row_of.data(), pattern, borders.data(), found.data());
      sum_up(borders.data(), borders.size());
      launch(place_found, shares, stream, all, a.m, b.m, found.data(), borders.data(), out.product.data());
    } else {
      launch(count_of_entries, shares, stream, all, a.m, b.m, row_of.data(), pattern, end, nullptr);
      sum_up(end, c.nnz);
      launch(place_products, shares, stream, all, a.m, b.m, row_of.data(), pattern, end, out.product.data());
    }
    launch(sort_segments, entries, stream, end, c.nnz, out.product.data(), long_sums);
    if (most_long != 0) {
      const int words = sort_words(longest, engine.info().shared_limit);
      const std::size_t shared = static_cast<std::size_t>(words) * sizeof(ListedProduct);
      allow_shared(sort_long_sums, shared);
      launch(sort_long_sums,
             {.grid = std::min<std::int64_t>(most_long, kBlocks * engine.info().multiprocessors),
              .block = kLongThreads,
              .shared = shared},
             stream, long_sums, out.product.data(), words);
    }
    if (!all_listed) {
      launch(mark_listed, entries, stream, end, c.nnz, rank.data());
      sum_up(rank.data(), rank.size());
    }
    launch(cut_chunks, entries, stream, end, c.nnz, rank.data(), chunk, out.chunks, out.chunk.data(), out.where.data());
  } catch (const Error& e) {
    if (must || e.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
  return out;
}

template <class T>
void fill_listed(Engine& engine, const ProductList& list, const T* a_val, const T* b_val, T* val, hipStream_t stream) {
  const int waves = kThreads / engine.info().wave;
  launch(engine.deterministic() ? add_listed<T, true> : add_listed<T, false>,
         {.grid = (list.chunks + waves - 1) / waves, .block = kThreads}, stream, list.chunk.data(), list.chunks,
         list.product.data(), list.where.data(), a_val, b_val, val);
}

#define ROWAN_INSTANTIATE(T)                                                                                      \
  template std::optional<ProductList> list_products(Engine&, const Resident<T>&, const Resident<T>&,              \
                                                    const CountedProduct<T>&, Listed, std::int64_t, hipStream_t); \
  template void fill_listed(Engine&, const ProductList&, const T*, const T*, T*, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
