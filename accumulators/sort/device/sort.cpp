#include "accumulators/sort/device/sort.hpp"

#include <bit>

#include "accumulators/device/shape.hpp"
#include "accumulators/device/walk.hpp"
#include "accumulators/sort/device/network.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

constexpr int kThreads = 128;
constexpr unsigned kBehindAll = ~0U;

/// A block's share of rows and shared memory. Groups of one wave go through everything together, those without a row
/// too: shuffles are of whole waves.
template <int kLanes, int kKeys>
struct Groups {
  static constexpr int kProducts = kLanes * kKeys;
  static constexpr int kRows = kThreads / kLanes;
  static constexpr int kPitch = kProducts + kLanes;  // neighbours' products begin in different banks
};

/// Calls f(position, place in B, A's value) for every product of a row, positions rising in the textbook's order.
/// Lanes take an entry of A each and find by its running sum of products whose the next position is, so that every
/// lane has a product whatever the lengths of B's rows. `row` < 0: none.
template <int kLanes, class V, class F>
__device__ void gather(const Pattern& a, const V* a_val, const std::int64_t* b_ptr, std::int64_t row, const F& f) {
  constexpr bool kValues = !std::is_same_v<V, NoValue>;
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  std::int64_t base = 0, end = 0;
  if (row >= 0) base = a.ptr[row], end = a.ptr[row + 1];
  for (int before = 0; simt::ballot(wave, base < end) != 0; base += kLanes) {
    std::int64_t from = 0;
    int n = 0;
    V x{};
    if (const std::int64_t k = base + l; k < end) {
      const std::int64_t j = a.col[k];
      from = b_ptr[j];
      n = static_cast<int>(b_ptr[j + 1] - from);
      if constexpr (kValues) x = a_val[k];
    }
    const int upto = simt::inclusive_sum(wave, n, kLanes), all = simt::shuffle(wave, upto, kLanes - 1, kLanes);
    from -= upto - n;  // where the batch's first product would be if it were of this row of B
    for (int q = l, first = 0; simt::ballot(wave, first < all) != 0; q += kLanes, first += kLanes) {
      int owner = 0;
      ROWAN_UNROLL
      for (int step = kLanes / 2; step > 0; step /= 2)
        if (simt::shuffle(wave, upto, owner + step - 1, kLanes) <= q) owner += step;
      const std::int64_t at = simt::shuffle(wave, from, owner, kLanes) + q;
      V scale{};
      if constexpr (kValues) scale = simt::shuffle(wave, x, owner, kLanes);
      if (q < all) f(before + q, at, scale);
    }
    before += all;
  }
}

/// Bit t: the lane's place t begins a new column. `column(t)` is rising over the group's places; `n` of them count.
template <int kLanes, int kKeys, class F>
__device__ unsigned heads(int n, const F& column) {
  const int l = simt::lane() & (kLanes - 1), first = l * kKeys;
  unsigned left = simt::shuffle_up(simt::wave_mask(), column(kKeys - 1), 1, kLanes), found = 0;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const bool head = first + t < n && (first + t == 0 || column(t) != left);
    left = column(t);
    found |= (head ? 1U : 0U) << t;
  }
  return found;
}

template <int kLanes, int kKeys>
__global__ void __launch_bounds__(kThreads)
    symbolic_rows(Pattern a, Pattern b, RowList rows, const std::int32_t* facts, std::int64_t* nnz) {
  using Block = Groups<kLanes, kKeys>;
  ROWAN_SHARED(unsigned, shared, Block::kRows* Block::kPitch);
  const Mask wave = simt::wave_mask();
  const int mine = static_cast<int>(threadIdx.x) / kLanes, l = static_cast<int>(threadIdx.x) & (kLanes - 1);
  unsigned* const columns = shared + mine * Block::kPitch;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * Block::kRows + mine;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  const int n = row < 0 ? 0 : facts[4 * row + 3];
  gather<kLanes, NoValue>(a, nullptr, b.ptr, row,
                          [&](int p, std::int64_t at, NoValue) { columns[p] = static_cast<unsigned>(b.col[at]); });
  simt::sync_wave(wave);
  Held<unsigned, kKeys> key;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const int p = t * kLanes + l;
    key[t] = p < n ? columns[p] : kBehindAll;
  }
  sort_in_registers<kLanes, kKeys>(key);
  const int found = simt::sum(wave, __popc(heads<kLanes, kKeys>(n, [&](int t) { return key[t]; })), kLanes);
  if (row >= 0 && l == 0) nnz[row] = found;
}

/// A lane's last running sum goes on in the next lane where that does not begin with a new column; a chain of lanes
/// without any takes as many rounds. Returns what the lane's first products are added to. `sums`: the lane's products,
/// `head`: its heads, `n` products in all.
template <int kLanes, int kKeys, class T>
__device__ T carried(const Held<T, kKeys>& product, unsigned head, int n) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  T last{0};
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) last = ((head >> t & 1U) != 0 ? T{0} : last) + product[t];
  bool known = head != 0 || l * kKeys >= n;
  while (true) {
    const T left = simt::shuffle_up(wave, last, 1, kLanes);
    const int left_known = simt::shuffle_up(wave, known ? 1 : 0, 1, kLanes);
    if (simt::ballot(wave, !known) == 0) return left;
    if (known || left_known == 0) continue;
    last = left;
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) last += l * kKeys + t < n ? product[t] : T{0};
    known = true;
  }
}

template <class T, int kLanes, int kKeys>
__global__ void __launch_bounds__(kThreads)
    numeric_rows(Operand<T> a, Operand<T> b, RowList rows, const std::int32_t* facts, const std::int64_t* row_ptr,
                 std::int32_t* col, T* val) {
  using Block = Groups<kLanes, kKeys>;
  constexpr unsigned kBits = std::countr_zero(static_cast<unsigned>(Block::kProducts)), kPosition = (1U << kBits) - 1;
  ROWAN_SHARED(unsigned, all_keys, Block::kRows* Block::kPitch);
  ROWAN_SHARED(T, all_products, Block::kRows * Block::kPitch);
  const Mask wave = simt::wave_mask();
  const int mine = static_cast<int>(threadIdx.x) / kLanes, l = static_cast<int>(threadIdx.x) & (kLanes - 1);
  unsigned* const keys = all_keys + mine * Block::kPitch;
  T* const products = all_products + mine * Block::kPitch;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * Block::kRows + mine;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  int n = 0, lo = 0;
  if (row >= 0) n = facts[4 * row + 3], lo = facts[4 * row];
  gather<kLanes>(a, a.val, b.ptr, row, [&](int p, std::int64_t at, T scale) {
    keys[p] = static_cast<unsigned>(b.col[at] - lo) << kBits | static_cast<unsigned>(p);
    products[p] = scale * b.val[at];
  });
  simt::sync_wave(wave);
  Held<unsigned, kKeys> key;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const int p = t * kLanes + l;
    key[t] = p < n ? keys[p] : kBehindAll;
  }
  sort_in_registers<kLanes, kKeys>(key);
  Held<T, kKeys> product;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    product[t] = l * kKeys + t < n ? products[key[t] & kPosition] : T{0};
    key[t] >>= kBits;
  }
  const unsigned head = heads<kLanes, kKeys>(n, [&](int t) { return key[t]; });
  const int count = __popc(head), upto = simt::inclusive_sum(wave, count, kLanes);
  const int entries = simt::shuffle(wave, upto, kLanes - 1, kLanes);
  T sum = carried<kLanes, kKeys>(product, head, n);
  // places behind the row's products begin nothing, but end what is before them
  const int first = l * kKeys;
  const int next = simt::shuffle_down(wave, static_cast<int>(head & 1U), 1, kLanes);
  simt::sync_wave(wave);  // all have read keys and products: entries take their place
  int at = upto - count - 1;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const bool begins = (head >> t & 1U) != 0;
    sum = (begins ? T{0} : sum) + product[t];
    at += begins ? 1 : 0;
    const bool goes_on = t + 1 < kKeys ? (head >> (t + 1) & 1U) == 0 : next == 0;
    if (first + t < n && (first + t + 1 == n || !goes_on)) {
      keys[at] = key[t];
      products[at] = sum;
    }
  }
  simt::sync_wave(wave);
  if (row < 0) return;
  const std::int64_t to = row_ptr[row];
  for (int k = l; k < entries; k += kLanes) {
    col[to + k] = lo + static_cast<std::int32_t>(keys[k]);
    val[to + k] = products[k];
  }
}

/// Calls f(its lanes, its keys) as constants for kSizes[kernel].
template <std::size_t kSize = 0, class F>
void with_size(int kernel, const F& f) {
  if constexpr (kSize < kSizes.size()) {
    if (kernel == static_cast<int>(kSize))
      f(std::integral_constant<int, kSizes[kSize].lanes>{}, std::integral_constant<int, kSizes[kSize].keys>{});
    else
      with_size<kSize + 1>(kernel, f);
  }
}

}  // namespace

void symbolic(const SymbolicLaunch& l, int kernel) {
  with_size(kernel, [&](auto lanes, auto keys) {
    constexpr std::int64_t kRows = Groups<lanes, keys>::kRows;
    launch(symbolic_rows<lanes, keys>, {.grid = (l.rows.count + kRows - 1) / kRows, .block = kThreads}, l.stream, l.a,
           l.b, l.rows, l.facts, l.nnz);
  });
}

template <class T>
void numeric(const NumericLaunch<T>& l, int kernel) {
  with_size(kernel, [&](auto lanes, auto keys) {
    constexpr std::int64_t kRows = Groups<lanes, keys>::kRows;
    launch(numeric_rows<T, lanes, keys>, {.grid = (l.rows.count + kRows - 1) / kRows, .block = kThreads}, l.stream, l.a,
           l.b, l.rows, l.facts, l.row_ptr, l.col, l.val);
  });
}

template void numeric(const NumericLaunch<float>&, int);
template void numeric(const NumericLaunch<double>&, int);

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
