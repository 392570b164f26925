#include "accumulators/sort/device/sort.hpp"

#include <bit>

#include "accumulators/common/device/shape.hpp"
#include "accumulators/sort/device/network.hpp"
#include "accumulators/sort/device/row.hpp"
#include "accumulators/sort/device/shared_network.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

constexpr int kSortThreads = kShapes.sort.block;

/// A block's share of rows and shared memory. Groups of one wave go through everything together, those without a row
/// too: shuffles are of whole waves.
template <int kLanes, int kKeys>
struct Groups {
  static constexpr int kProducts = kLanes * kKeys;
  static constexpr int kRows = kSortThreads / kLanes;
  static constexpr int kPitch = kProducts + kLanes;  // neighbours' products begin in different banks
};

/// kLanes lanes a row, the grid as many blocks as rows need. Shared memory: the columns of each row's products.
template <int kLanes, int kKeys>
__global__ void __launch_bounds__(kSortThreads)
    symbolic_rows(Pattern a, Pattern b, RowList rows, const CRow* c_rows, std::int64_t* nnz) {
  using Block = Groups<kLanes, kKeys>;
  ROWAN_SHARED(unsigned, shared, Block::kRows* Block::kPitch);
  const Mask wave = simt::wave_mask();
  const int mine = static_cast<int>(threadIdx.x) / kLanes, l = static_cast<int>(threadIdx.x) & (kLanes - 1);
  unsigned* const columns = shared + mine * Block::kPitch;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * Block::kRows + mine;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  const int n = row < 0 ? 0 : static_cast<int>(c_rows[row].nprod);
  const EntriesOfA of_a(a, row);
  const int found = simt::sum(wave, distinct_columns<kLanes, kKeys>(a, b, of_a.base, of_a.end, n, columns), kLanes);
  if (row >= 0 && l == 0) nnz[row] = found;
}

/// kLanes lanes a row, the grid as many blocks as rows need. Shared memory: keys and products of each row, and then its
/// entries.
template <class T, int kLanes, int kKeys>
__global__ void __launch_bounds__(kSortThreads)
    numeric_rows(Operand<T> a, Operand<T> b, RowList rows, const CRow* c_rows, const std::int64_t* row_ptr, Column* col,
                 T* val) {
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
  if (row >= 0) n = static_cast<int>(c_rows[row].nprod), lo = c_rows[row].lo;
  const EntriesOfA of_a(a, row);
  gather<kLanes, kShapes.sort.ahead>(
      a.col, a.val, b.ptr, of_a.base, of_a.end,
      [&](std::int64_t at, T scale) {
        return ColumnAndProduct<T>{static_cast<unsigned>(b.col[at] - lo), scale * b.val[at]};
      },
      [&](int p, const ColumnAndProduct<T>& of) {
        keys[p] = of.column << kBits | static_cast<unsigned>(p);
        products[p] = of.product;
      });
  Held<unsigned, kKeys> key;
  if constexpr (kShapes.sort.in_shared_memory) {
    for (int p = n + l; p < Block::kProducts; p += kLanes) keys[p] = kBehindAll;
    sort_in_shared<kLanes, kKeys>(keys);
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) key[t] = keys[l * kKeys + t];
  } else {
    simt::sync_wave(wave);
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) {
      const int p = t * kLanes + l;
      key[t] = p < n ? keys[p] : kBehindAll;
    }
    sort_in_registers<kLanes, kKeys>(key);
  }
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
    launch(symbolic_rows<lanes, keys>, {.grid = (l.rows.count + kRows - 1) / kRows, .block = kSortThreads}, l.stream,
           l.a, l.b, l.rows, l.c_rows, l.nnz);
  });
}

template <class T>
void numeric(const NumericLaunch<T>& l, int kernel) {
  with_size(kernel, [&](auto lanes, auto keys) {
    constexpr std::int64_t kRows = Groups<lanes, keys>::kRows;
    launch(numeric_rows<T, lanes, keys>, {.grid = (l.rows.count + kRows - 1) / kRows, .block = kSortThreads}, l.stream,
           l.a, l.b, l.rows, l.c_rows, l.row_ptr, l.col, l.val);
  });
}

#define ROWAN_INSTANTIATE(T) template void numeric(const NumericLaunch<T>&, int);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
