#pragma once
// Sums in the textbook's order, without atomics: products of entries of A in their order, each row of B in its own. All
// threads load products and look up where they belong; what must wait for what came before is the adding alone. Rows of
// B may name a column twice.
#include "accumulators/common/device/staged.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// How the products of a row of C become sums.
enum class Adding : std::uint8_t {
  atomic,      // in any order
  row_by_row,  // of one row of B at a time, whose columns differ: no atomics, and the textbook's order
  in_order,    // the textbook's order, whatever the rows of B
};

/// How lanes of a wave add; `fills`: rows of B have enough entries for all lanes of a row.
template <class T>
[[nodiscard]] Adding adding_of(const NumericLaunch<T>& l, bool fills) {
  if (l.extent.sorted_b && fills) return Adding::row_by_row;
  return l.in_order ? Adding::in_order : Adding::atomic;
}

/// A place that nothing is added to.
inline constexpr int kNoPlace = -1;

/// The lanes of a group that have the same place as this one; none for kNoPlace. All lanes of the group together.
__device__ inline Mask same_place(Mask group, int place) {
  const int alone = kNoPlace - 1 - simt::lane();  // differs from all others
  const Mask same = simt::match(group, place == kNoPlace ? alone : place);
  return place == kNoPlace ? Mask{0} : same;
}
/// Whether this lane is the first of them: it adds for them all.
__device__ inline bool is_first(Mask same) {
  return same != 0 && simt::lowest(same) == simt::lane();
}

/// *sum += product by all `lanes` together, in their order where several have the same place; `sum` of lanes without a
/// place is not used.
template <class T>
__device__ void add_same(Mask lanes, int place, T product, T* sum) {
  const Mask same = same_place(lanes, place);
  const bool adds = is_first(same);
  T total = adds ? *sum + product : T{};
  Mask others = adds ? same & (same - 1) : Mask{0};
  while (simt::ballot(lanes, others != 0) != 0) {
    const T more = simt::shuffle(lanes, product, others != 0 ? simt::lowest(others) : simt::lane());
    if (others != 0) total += more, others &= others - 1;
  }
  if (adds) *sum = total;
}

/// Adds the row's products to sums[place(column)], where that is not kNoPlace. Lanes take as many products at a time as
/// they are; the first of those that have the same place adds all of theirs. Afterwards all have been added.
template <class T, class Place>
__device__ void add_in_order(const Lanes& lanes, const Operand<T>& a, const Operand<T>& b, std::int64_t row, T* sums,
                             const Place& place) {
  const int size = lanes.size(), me = lanes.rank();
  const Mask group = simt::group_mask(size);
  const std::int64_t end = a.ptr[row + 1];
  for (std::int64_t base = a.ptr[row]; base < end; base += size) {
    std::int64_t from = 0, products;
    T scale{};
    std::int64_t n = 0;
    if (base + me < end) {
      const std::int64_t j = a.col[base + me];
      from = b.ptr[j], n = b.ptr[j + 1] - from, scale = a.val[base + me];
    }
    const std::int64_t before = lanes.exclusive_sum(n, products);
    Column column = 0;
    T value{}, factor{};  // multiplied when they are needed: to multiply is to wait
    const auto load = [&](std::int64_t q) {
      int e = 0;  // the last entry with at most q products before it: it has this one
      for (int step = size / 2; step > 0; step /= 2)
        if (simt::shuffle(group, before, e + step, size) <= q) e += step;
      const std::int64_t at = simt::shuffle(group, from - before, e, size) + q;
      factor = simt::shuffle(group, scale, e, size);
      if (q < products) column = b.col[at], value = b.val[at];
    };
    load(me);
    for (std::int64_t done = 0; done < products; done += size) {
      const int to = done + me < products ? place(column) : kNoPlace;
      const T product = factor * value;
      if (done + size < products) load(done + size + me);  // on its way while this is added
      add_same<T>(group, to, product, sums + to);
      lanes.sync();
    }
  }
}

/// Shared memory of a block that adds in order: `part` entries of A, a multiple of the wave's width and less than the
/// block's threads by at least one wave, and twice as many products.
template <class T>
struct OrderedProducts {
  int part;
  std::int64_t *from, *before;  // of an entry: its row of B, and products of the entries before it, one more
  T *scale, *product;
  Mask* others;  // of a wave's products, that have the same place: the first adds them, and they have none
  int* place;

  /// Memory of a part, in words of 8 bytes; 0 of no part.
  [[nodiscard]] static constexpr int words(int part) {
    constexpr std::size_t kOfEntry =
        2 * sizeof(std::int64_t) + sizeof(T) + 2 * (sizeof(T) + sizeof(Mask) + sizeof(int));
    return part == 0 ? 0 : 1 + (part * static_cast<int>(kOfEntry) + 7) / 8;
  }
  [[nodiscard]] static constexpr std::size_t bytes(int part) noexcept {
    return static_cast<std::size_t>(words(part)) * sizeof(std::int64_t);
  }
  /// The largest part of a block of so many threads that fits, at least a wave.
  [[nodiscard]] static constexpr int most(int threads, std::size_t room, int wave) noexcept {
    int part = threads - wave;
    while (part > wave && bytes(part) > room) part -= wave;
    return part < wave ? wave : part;
  }
  __device__ OrderedProducts(std::int64_t* memory, int count)
      : part(count),
        from(memory),
        before(from + count),
        scale(reinterpret_cast<T*>(before + count + 1)),
        product(scale + count),
        others(reinterpret_cast<Mask*>(product + 2 * count)),
        place(reinterpret_cast<int*>(others + 2 * count)) {}
  __device__ OrderedProducts(simt::DynamicShared& shared, int count)
      : OrderedProducts(shared.take<std::int64_t>(words(count)), count) {}
};

/// All products of the part, where rows of B are long and their columns differ: all threads take one row of B after
/// another, and pass a barrier behind each; the next kAhead rows are on their way meanwhile.
template <class T, class Place>
__device__ void add_rows_in_turn(const OrderedProducts<T>& s, int entries, const Operand<T>& b, T* sums,
                                 const Place& place) {
  const int me = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  Held<int, kAhead> n{};
  Held<Column, kAhead> column{};
  Held<T, kAhead> value{};
  // without a branch, so that all loads are on their way together: threads without a product load B's first entry
  const auto load = [&](int e) {
    Held<std::int64_t, kAhead> at{};
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++) {
      const int k = e + u < entries ? e + u : entries - 1;
      n[u] = static_cast<int>(s.before[k + 1] - s.before[k]), at[u] = me < n[u] ? s.from[k] + me : 0;
    }
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++) column[u] = b.col[at[u]], value[u] = b.val[at[u]];
  };
  load(0);
  for (int e = 0; e < entries; e += kAhead) {
    Held<int, kAhead> length{}, to{};
    Held<T, kAhead> product{};
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++) {
      length[u] = e + u < entries ? n[u] : 0;
      to[u] = me < length[u] ? place(column[u]) : kNoPlace;
      product[u] = s.scale[e + u < entries ? e + u : 0] * value[u];
    }
    load(e + kAhead);
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++) {
      if (to[u] != kNoPlace) sums[to[u]] += product[u];
      for (int i = me + threads; i < length[u]; i += threads) {
        const std::int64_t at = s.from[e + u] + i;
        if (const int more = place(b.col[at]); more != kNoPlace) sums[more] += s.scale[e + u] * b.val[at];
      }
      __syncthreads();
    }
  }
}

/// All products of the part: the first wave adds, a wave's width in a step, while the others look up where the next
/// `part` of them belong. A barrier of the block for each row of B, of few entries, took most of the time.
template <class T, class Place>
__device__ void add_by_one_wave(const OrderedProducts<T>& s, int entries, const Operand<T>& b, T* sums,
                                const Place& place) {
  const int width = simt::wave_width(), me = static_cast<int>(threadIdx.x) - width, lane = simt::lane();
  const Mask wave = simt::wave_mask();
  const std::int64_t products = s.before[entries];
  if (products == 0) return;
  Column column = 0;
  T value{}, factor{};
  const auto load = [&](std::int64_t q) {
    if (q >= products) q = products - 1;
    int e = 0, behind = entries;  // the last entry with at most q products before it: it has this one
    while (behind - e > 1) {
      const int middle = (e + behind) / 2;
      (s.before[middle] <= q ? e : behind) = middle;
    }
    const std::int64_t at = s.from[e] + q - s.before[e];
    column = b.col[at], value = b.val[at], factor = s.scale[e];
  };
  const bool looks_up = me >= 0 && me < s.part;  // whole waves
  if (looks_up) load(me);
  int half = 0;  // of the products' memory
  for (std::int64_t done = 0; done < products + s.part; done += s.part, half = s.part - half) {
    if (looks_up && done < products) {
      const int at = half + me, to = done + me < products ? place(column) : kNoPlace;
      const T summand = factor * value;
      load(done + s.part + me);  // on its way while this is sorted out
      const Mask same = same_place(wave, to);
      s.place[at] = is_first(same) ? to : kNoPlace, s.others[at] = same & (same - 1), s.product[at] = summand;
    }
    if (me < 0 && done > 0) {
      const int first = s.part - half;  // what was looked up before
      const std::int64_t left = products - (done - s.part);
      const int end = first + (left < s.part ? static_cast<int>(left) : s.part);
      int to = s.place[first + lane];
      Mask others = s.others[first + lane];
      T summand = s.product[first + lane];
      for (int k = first; k < end; k += width) {
        const int now = to;
        Mask more = others;
        const T product = summand;
        if (const int next = k + width; next < end)
          to = s.place[next + lane], others = s.others[next + lane], summand = s.product[next + lane];
        if (now != kNoPlace) {
          T sum = sums[now] + product;
          for (; more != 0; more &= more - 1) sum += s.product[k + simt::lowest(more)];
          sums[now] = sum;
        }
        simt::sync_wave(wave);
      }
    }
    __syncthreads();
  }
}

/// The same as for lanes, by a block. `distinct`: columns of a row of B differ. Products outside `columns`, which have
/// no place, are not looked at, unless the block is one wave.
template <class T, class Place>
__device__ void add_in_order(const WholeBlock& block, const OrderedProducts<T>& s, const Operand<T>& a,
                             const Operand<T>& b, const ColumnsOfB& columns, std::int64_t row, bool distinct, T* sums,
                             const Place& place) {
  constexpr int kShort = kShapes.walk.short_turn;
  const int me = block.rank();
  if (block.size() == simt::wave_width()) return add_in_order(Lanes(block.size()), a, b, row, sums, place);
  const std::int64_t end = a.ptr[row + 1];
  for (std::int64_t base = a.ptr[row]; base < end; base += s.part) {
    const int entries = end - base < s.part ? static_cast<int>(end - base) : s.part;
    std::int64_t n = 0, products;
    if (me < entries) {
      const std::int64_t j = a.col[base + me];
      std::int64_t from = b.ptr[j];
      n = b.ptr[j + 1] - from;
      columns.cut(from, n);
      s.from[me] = from, s.scale[me] = a.val[base + me];
    }
    const std::int64_t before = block.exclusive_sum(n, products);
    if (me < entries) s.before[me] = before;
    if (me == 0) s.before[entries] = products;
    block.sync();
    if (distinct && products * kShort >= std::int64_t{block.size()} * entries)
      add_rows_in_turn(s, entries, b, sums, place);
    else
      add_by_one_wave(s, entries, b, sums, place);
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
