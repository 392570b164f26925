#include "lib/device/pipeline/product_list.hpp"

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

/// Rows of A in groups of lanes: products of every entry, none in rows that are not listed, and whose it is.
__global__ void __launch_bounds__(kRowThreads)
    measure_entries(Pattern a, const std::int64_t* b_ptr, const std::uint8_t* key, ListedBins listed, int lanes,
                    std::int32_t* products, std::int32_t* row_of) {
  if (blockIdx.x == 0 && threadIdx.x == 0) products[a.ptr[a.rows]] = 0;
  for_rows(a.rows, a.ptr, lanes, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const bool mine = listed.of[key[row]];
    for (std::int64_t k = begin + who.rank(); k < end; k += who.size()) {
      const std::int64_t j = a.col[k];
      products[k] = mine ? static_cast<std::int32_t>(b_ptr[j + 1] - b_ptr[j]) : 0;
      row_of[k] = static_cast<std::int32_t>(row);
    }
  });
}

/// What is needed of C's rows to find a column.
struct KnownPattern {
  const std::int64_t* row_ptr;
  const Column* col;
};

/// Calls take(entry of C, entry of A, entry of B) for every product of the block's share.
template <class Take>
__device__ void walk_to_places(const SharedProducts& all, const Pattern& a, const Pattern& b,
                               const std::int32_t* row_of, const KnownPattern& c, const Take& take) {
  struct Entry {
    std::int64_t a, from, first, n;  // in A, in B, in C: the row's first entry, and how many it has
  };
  struct Placed {
    std::int64_t c, a, b;
  };
  walk_share(
      all,
      [&](std::int64_t k) {
        const std::int32_t row = row_of[k];
        return Entry{k, b.ptr[a.col[k]], c.row_ptr[row], c.row_ptr[row + 1] - c.row_ptr[row]};
      },
      [&](const Entry& entry, int i) {
        const Column column = b.col[entry.from + i];
        std::int64_t at = entry.first;
        for (std::int64_t parts = entry.n; parts > 1;) {
          const std::int64_t half = parts / 2;
          if (c.col[at + half] <= column) at += half;
          parts -= half;
        }
        return Placed{at, entry.a, entry.from + i};
      },
      [&](const Placed& p) { take(p.c, p.a, p.b); });
}

/// Blocks of equal shares of products.
__global__ void __launch_bounds__(kShareThreads) count_of_entries(SharedProducts all, Pattern a, Pattern b,
                                                                  const std::int32_t* row_of, KnownPattern c,
                                                                  std::int32_t* count) {
  walk_to_places(all, a, b, row_of, c,
                 [&](std::int64_t to, std::int64_t, std::int64_t) { simt::atomic_add(count + to, 1); });
}

/// The same. `next`: where each entry's products begin; afterwards, where they end.
__global__ void __launch_bounds__(kShareThreads)
    place_products(SharedProducts all, Pattern a, Pattern b, const std::int32_t* row_of, KnownPattern c,
                   std::int32_t* next, ListedProduct* list) {
  walk_to_places(all, a, b, row_of, c, [&](std::int64_t to, std::int64_t of_a, std::int64_t of_b) {
    list[simt::atomic_add(next + to, 1)] =
        static_cast<ListedProduct>(of_a) << 32 | static_cast<ListedProduct>(of_b);
  });
}

constexpr int kThreads = kShapes.product_list.block;

/// An entry's products among all.
struct Segment {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] __device__ std::int64_t size() const { return end - begin; }
};

/// Of entry `e`, a lane each of the wave's tile of entries, which begins at `first`.
__device__ Segment segment_of(const std::int32_t* end, std::int64_t entries, std::int64_t first) {
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

/// Sorts n numbers, all lanes of the wave together. Bitonic, each merge beginning with a flip, so that all comparisons
/// point the same way and what is behind the end need not be there.
__device__ void sort_by_wave(ListedProduct* list, std::int64_t n) {
  const auto order = [&](std::int64_t i, std::int64_t j) {
    if (j >= n) return;
    const ListedProduct low = list[i], high = list[j];
    if (low > high) list[i] = high, list[j] = low;
  };
  const int lane = simt::lane(), width = simt::wave_width();
  for (std::int64_t size = 2; size < 2 * n; size *= 2) {
    for (std::int64_t step = size / 2; step > 0; step /= 2) {
      for (std::int64_t t = lane; t / step * 2 * step < n; t += width) {
        const std::int64_t block = t / step * 2 * step, in = t % step;
        order(block + in, step == size / 2 ? block + 2 * step - 1 - in : block + step + in);
      }
      simt::sync_wave(simt::wave_mask());
    }
  }
}

/// A lane an entry of C; the wave together where it has many products.
__global__ void __launch_bounds__(kThreads)
    sort_segments(const std::int32_t* end, std::int64_t entries, ListedProduct* list) {
  constexpr std::int64_t kFew = kShapes.product_list.few;
  const std::int64_t first = first_of_tile();
  if (first >= entries) return;
  const Segment mine = segment_of(end, entries, first);
  if (mine.size() <= kFew)
    for (std::int64_t i = mine.begin + 1; i < mine.end; i++) {
      const ListedProduct one = list[i];
      std::int64_t to = i;
      for (; to > mine.begin && list[to - 1] > one; to--) list[to] = list[to - 1];
      list[to] = one;
    }
  const Mask wave = simt::wave_mask();
  for (Mask many = simt::ballot(wave, mine.size() > kFew); many != 0; many &= many - 1) {
    const int owner = simt::lowest(many);
    const std::int64_t from = simt::shuffle(wave, mine.begin, owner);
    sort_by_wave(list + from, simt::shuffle(wave, mine.end, owner) - from);
  }
}

template <class T>
__device__ T product_of(ListedProduct p, const T* a_val, const T* b_val) {
  return a_val[p >> 32] * b_val[static_cast<std::uint32_t>(p)];
}

/// A wave has as many entries of C as lanes. Their products, which lie side by side, it loads a chunk at a time,
/// multiplies and puts into shared memory, where each lane adds its entry's own. Entries with many products all lanes
/// add up together, unless the order is the textbook's.
template <class T, bool kInOrder>
__global__ void __launch_bounds__(kThreads) add_listed(const std::int32_t* end, const ListedProduct* list,
                                                       std::int64_t entries, const T* a_val, const T* b_val, T* val) {
  constexpr int kAhead = kShapes.product_list.ahead;
  constexpr std::int64_t kMany = kShapes.product_list.many;
  ROWAN_SHARED(T, staged, kThreads * kAhead);
  const std::int64_t first = first_of_tile();
  if (first >= entries) return;
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), width = simt::wave_width();
  T* const stage = staged + static_cast<int>(threadIdx.x) / width * width * kAhead;
  const Segment mine = segment_of(end, entries, first);
  const std::int64_t stop = simt::shuffle(wave, mine.end, width - 1);
  T sum{0};
  std::int64_t at = mine.begin;  // what is left to add
  const Mask many = kInOrder ? 0 : simt::ballot(wave, mine.size() > kMany);
  for (Mask left = many; left != 0; left &= left - 1) {
    const int owner = simt::lowest(left);
    const std::int64_t to = simt::shuffle(wave, mine.end, owner);
    T part{0};
    for (std::int64_t q = simt::shuffle(wave, mine.begin, owner) + lane; q < to; q += kAhead * width) {
      Held<T, kAhead> product;
      ROWAN_UNROLL
      for (int u = 0; u < kAhead; u++)
        product[u] = q + u * width < to ? product_of(list[q + u * width], a_val, b_val) : T{0};
      ROWAN_UNROLL
      for (int u = 0; u < kAhead; u++) part += product[u];
    }
    part = simt::wave_sum(part);
    if (lane == owner) sum = part, at = mine.end;
  }
  const auto next_chunk = [&](std::int64_t base) {  // passes over what is added already
    if (many == 0) return base;
    const std::int64_t first_left = at < mine.end ? at : stop;
    return simt::min(wave, first_left, width);
  };
  for (std::int64_t base = next_chunk(simt::shuffle(wave, mine.begin, 0)); base < stop;
       base = next_chunk(base + kAhead * width)) {
    Held<ListedProduct, kAhead> one;
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++) {
      const std::int64_t q = base + u * width + lane;
      one[u] = q < stop ? list[q] : 0;
    }
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++)
      if (base + u * width + lane < stop) stage[u * width + lane] = product_of(one[u], a_val, b_val);
    simt::sync_wave(wave);
    const std::int64_t to = mine.end < base + kAhead * width ? mine.end : base + kAhead * width;
    for (; at < to; at++) sum += stage[at - base];
    simt::sync_wave(wave);
  }
  if (first + lane < entries && mine.size() != 0) val[first + lane] = sum;
}

[[nodiscard]] std::int64_t tiles_grid(std::int64_t entries) {
  return (entries + kThreads - 1) / kThreads;
}

/// Whether rows of a bin are listed that have this candidate: those that others multiply together are not.
bool is_listed(CandidateId id) {
  return !kCandidates[id].needs_runs && !kCandidates[id].needs_shifts;
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
                                         const CountedProduct<T>& counted, std::int64_t room, hipStream_t stream) {
  constexpr std::int64_t kLeastShare = kShapes.product_list.least_share;
  const bool one_phase = counted.method.method == Method::one_phase;
  const KernelQueues& queues = counted.record.queues[kNumeric];
  const bool counted_others = !one_phase || counted.method.others != 0;  // else the symbolic phase's bins are the last
  const Tally* const bins = counted.record.bins[counted_others ? kNumeric : kSymbolic];
  ProductList out;
  ListedBins listed{};
  for (int bin = BinKey::kDirect; bin < kBins; bin++) {
    if (bins[bin].rows == 0) continue;
    const bool is_short_row = one_phase && is_short(bin, counted.method.classes);
    if (!is_short_row && !is_listed(queues.choice[bin].chosen)) continue;
    listed.of[bin] = true;
    out.products += bins[bin].nprod;
    if (const int queue = queues.list.of_bin[bin]; counted_others && queue != kNoQueue) out.by_list[queue] = true;
  }
  const Product<T>& c = counted.c;
  if (out.products == 0 || out.products * kLeastShare < c.nnz || out.products > kMostShared || c.nnz > INT32_MAX ||
      a.nnz > INT32_MAX || b.nnz > INT32_MAX)
    return {};
  const auto scan_bytes = static_cast<std::int64_t>(
      std::max(exclusive_sum_bytes<std::int32_t>(a.nnz + 1), exclusive_sum_bytes<std::int32_t>(c.nnz)));
  const std::int64_t kept = out.products * static_cast<std::int64_t>(sizeof(ListedProduct)) + c.nnz * 4,
                     meanwhile = 8 * a.nnz + 4 + scan_bytes;
  if (kept + meanwhile > (room == 0 ? free_bytes() / 2 : room)) return {};
  try {
    out.end = Buffer<std::int32_t>(engine.pool(), c.nnz, stream);
    out.product = Buffer<ListedProduct>(engine.pool(), out.products, stream);
    const Buffer<std::int32_t> before(engine.pool(), a.nnz + 1, stream), row_of(engine.pool(), a.nnz, stream);
    const Buffer<std::byte> scratch(engine.pool(), scan_bytes, stream);
    const int lanes = row_lanes(a.m.rows, a.nnz);
    launch(measure_entries, {.grid = row_blocks(a.m.rows, lanes), .block = kRowThreads}, stream, a.m, b.m.ptr,
           counted.at.key, listed, lanes, before.data(), row_of.data());
    exclusive_sum(scratch.data(), scratch.bytes(), before.data(), a.nnz + 1, stream);
    check(hipMemsetAsync(out.end.data(), 0, out.end.bytes(), stream), "clearing");
    const SharedProducts all{before.data(), a.nnz, out.products};
    const Shape shares{.grid = all.shares(), .block = kShareThreads};
    const KnownPattern pattern{c.row_ptr.data(), c.col.data()};
    launch(count_of_entries, shares, stream, all, a.m, b.m, row_of.data(), pattern, out.end.data());
    exclusive_sum(scratch.data(), scratch.bytes(), out.end.data(), c.nnz, stream);
    launch(place_products, shares, stream, all, a.m, b.m, row_of.data(), pattern, out.end.data(), out.product.data());
    launch(sort_segments, {.grid = tiles_grid(c.nnz), .block = kThreads}, stream, out.end.data(), c.nnz,
           out.product.data());
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    return {};
  }
  return out;
}

template <class T>
void fill_listed(Engine& engine, const ProductList& list, const T* a_val, const T* b_val, const Product<T>& c,
                 hipStream_t stream) {
  launch(engine.deterministic() ? add_listed<T, true> : add_listed<T, false>,
         {.grid = tiles_grid(c.nnz), .block = kThreads}, stream, list.end.data(), list.product.data(), c.nnz, a_val,
         b_val, c.val.data());
}

#define ROWAN_INSTANTIATE(T)                                                                               \
  template std::optional<ProductList> list_products(Engine&, const Resident<T>&, const Resident<T>&,       \
                                                    const CountedProduct<T>&, std::int64_t, hipStream_t);  \
  template void fill_listed(Engine&, const ProductList&, const T*, const T*, const Product<T>&, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
