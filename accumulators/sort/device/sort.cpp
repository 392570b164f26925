#include "accumulators/sort/device/sort.hpp"

#include <algorithm>
#include <bit>

#include "accumulators/common/device/shape.hpp"
#include "accumulators/sort/device/network.hpp"
#include "accumulators/sort/device/row.hpp"
#include "accumulators/sort/device/shared_network.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

constexpr int kSortThreads = kShapes.sort.block;
constexpr std::size_t kNetworks = kSizes.size();
/// That a multiprocessor has registers for, of the numeric phase.
[[maybe_unused]] constexpr int kBlocksOfFew = kShapes.sort.blocks_of_few, kBlocksOfMany = kShapes.sort.blocks_of_many;
/// The most that of(size) is.
template <class F>
constexpr int most_of_sizes(const F& of) noexcept {
  int most = 0;
  for (const NetworkSize& s : kSizes) most = std::max(most, of(s));
  return most;
}
constexpr int kMostKeys = most_of_sizes([](const NetworkSize& s) { return s.keys; });

constexpr int rows_a_block(const NetworkSize& s) noexcept {
  return kSortThreads / s.lanes;
}
/// Places for a row's products: neighbours' begin in different banks.
constexpr int pitch_of(const NetworkSize& s) noexcept {
  return products_of(s) + s.lanes;
}

/// A block's share of rows and shared memory. Groups of one wave go through everything together, those without a row
/// too: shuffles are of whole waves.
template <int kLanes, int kKeys>
struct Groups {
  static constexpr int kRows = rows_a_block({kLanes, kKeys});
  static constexpr int kPitch = pitch_of({kLanes, kKeys});
};

/// Calls f(keys), a constant: three quarters of kKeys where all rows of the wave, with `n` products each, fit into as
/// many. By all lanes of the wave.
template <int kLanes, int kKeys, class F>
__device__ void with_fitting_keys(int n, const F& f) {
  constexpr int kFewer = fewer_keys(kKeys);
  if constexpr (kFewer != kKeys && !kShapes.sort.in_shared_memory) {
    if (simt::ballot(simt::wave_mask(), n > kLanes * kFewer) == 0) return f(std::integral_constant<int, kFewer>{});
  }
  f(std::integral_constant<int, kKeys>{});
}

/// A block's rows of a size, counted. `shared`: room for the columns of each row's products, and for its table.
template <int kLanes, int kKeys>
__device__ void count_rows(const Pattern& a, const Pattern& b, const RowList& rows, std::int64_t block,
                           const CRow* c_rows, std::int64_t* nnz, unsigned* shared, FourPlaces* tables) {
  using Block = Groups<kLanes, kKeys>;
  const Mask wave = simt::wave_mask();
  const int mine = static_cast<int>(threadIdx.x) / kLanes, l = static_cast<int>(threadIdx.x) & (kLanes - 1);
  unsigned* const columns = shared + mine * Block::kPitch;
  FourPlaces* const table = tables + mine * table_fours(kLanes, kKeys);
  const std::int64_t i = block * Block::kRows + mine;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  const int n = row < 0 ? 0 : static_cast<int>(c_rows[row].nprod);
  const EntriesOfA of_a(a, row);
  with_fitting_keys<kLanes, kKeys>(n, [&](auto keys) {
    const int part = distinct_columns<kLanes, keys>(a, b, of_a.base, of_a.end, n, columns, table);
    const int found = simt::sum(wave, part, kLanes);
    if (row >= 0 && l == 0) nnz[row] = found;
  });
}

/// A group's row with `n` products, multiplied by so many keys a lane. `keys` and `products`: room for those of the
/// row, and then for its entries.
template <int kLanes, int kKeys, class T>
__device__ void multiply_row(const Operand<T>& a, const Operand<T>& b, std::int64_t row, const EntriesOfA& of_a, int n,
                             Column lo, const std::int64_t* row_ptr, Column* col, T* val, unsigned* keys, T* products) {
  constexpr int kProducts = kLanes * kKeys;
  constexpr unsigned kBits = std::bit_width(kProducts - 1U), kPosition = (1U << kBits) - 1;
  const Mask wave = simt::wave_mask();
  const int l = static_cast<int>(threadIdx.x) & (kLanes - 1);
  const std::int64_t to = row < 0 ? 0 : row_ptr[row];  // on its way while products are gathered
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
    for (int p = n + l; p < kProducts; p += kLanes) keys[p] = kBehindAll;
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
    sort_in_registers<kLanes, kKeys, kRolled>(key);
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
  ROWAN_ROLLED
  for (int k = l; k < entries; k += kLanes) {
    col[to + k] = lo + static_cast<std::int32_t>(keys[k]);
    val[to + k] = products[k];
  }
}

/// A block's rows of a size, multiplied. `all_keys` and `all_products`: room for those of each row, and then for its
/// entries.
template <int kLanes, int kKeys, class T>
__device__ void multiply_rows(const Operand<T>& a, const Operand<T>& b, const RowList& rows, std::int64_t block,
                              const CRow* c_rows, const std::int64_t* row_ptr, Column* col, T* val, unsigned* all_keys,
                              T* all_products) {
  using Block = Groups<kLanes, kKeys>;
  const int mine = static_cast<int>(threadIdx.x) / kLanes;
  const std::int64_t i = block * Block::kRows + mine;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  int n = 0, lo = 0;
  if (row >= 0) n = static_cast<int>(c_rows[row].nprod), lo = c_rows[row].lo;
  const EntriesOfA of_a(a, row);
  with_fitting_keys<kLanes, kKeys>(n, [&](auto keys) {
    multiply_row<kLanes, keys>(a, b, row, of_a, n, lo, row_ptr, col, val, all_keys + mine * Block::kPitch,
                               all_products + mine * Block::kPitch);
  });
}

/// Calls f(its lanes, its keys) as constants for kSizes[size].
template <std::size_t kSize = 0, class F>
__device__ void with_size(int size, const F& f) {
  if constexpr (kSize < kSizes.size()) {
    constexpr auto kAll = kSizes;  // of its own: devices cannot see the host's
    if (size == static_cast<int>(kSize))
      f(std::integral_constant<int, kAll[kSize].lanes>{}, std::integral_constant<int, kAll[kSize].keys>{});
    else
      with_size<kSize + 1>(size, f);
  }
}

/// Rows of several sizes, which one launch has: a block has rows of one, the largest sizes have the first blocks.
struct SizedRows {
  RowList rows[kSizes.size()];
  std::int64_t blocks[kSizes.size()];
};
/// Which of them this block has: its size, and its number among the size's blocks.
struct BlockOfSize {
  int size;
  std::int64_t block;
};
__device__ BlockOfSize block_of_size(const SizedRows& sized) {
  BlockOfSize of{static_cast<int>(kNetworks) - 1, static_cast<std::int64_t>(blockIdx.x)};
  while (of.block >= sized.blocks[of.size]) of.block -= sized.blocks[of.size--];
  return of;
}

/// Room in shared memory for a block's products, of the sizes with at most kMostKeys keys a lane.
template <int kMostKeys>
inline constexpr int kPlaces = most_of_sizes([](const NetworkSize& s) {
  return s.keys <= kMostKeys ? rows_a_block(s) * pitch_of(s) : 0;
});
/// Whether rows of a size are counted by a table.
constexpr bool has_table(const NetworkSize& s) noexcept {
  return table_fours(s.lanes, s.keys) != 0;
}
/// Room in shared memory to count a block's rows: for their products, and for tables, where there are any.
template <bool kTables>
inline constexpr int kCounted = most_of_sizes([](const NetworkSize& s) {
  return kTables || !has_table(s) ? rows_a_block(s) * pitch_of(s) : 0;
});
template <bool kTables>
inline constexpr int kTableFours = most_of_sizes([](const NetworkSize& s) {
  return kTables ? rows_a_block(s) * table_fours(s.lanes, s.keys) : 1;
});

/// The grid is as many blocks as the rows of all sizes need. kTables: of all sizes, else of those without a table, more
/// of whose blocks have room.
template <bool kTables>
__global__ void __launch_bounds__(kSortThreads)
    symbolic_rows(Pattern a, Pattern b, SizedRows sized, const CRow* c_rows, std::int64_t* nnz) {
  ROWAN_SHARED(unsigned, columns, kCounted<kTables>);
  ROWAN_SHARED(FourPlaces, tables, kTableFours<kTables>);
  const BlockOfSize of = block_of_size(sized);
  if (sized.rows[of.size].cancelled) return;
  with_size(of.size, [&](auto lanes, auto keys) {
    if constexpr (kTables || !has_table({lanes, keys}))
      count_rows<lanes, keys>(a, b, sized.rows[of.size], of.block, c_rows, nnz, columns, tables);
  });
}

/// The same. kFew: of the sizes with few keys a lane, else of the others: keys and products of sixteen leave registers
/// for half as many waves.
template <class T, bool kFew>
__global__ void ROWAN_LAUNCH_BOUNDS(kSortThreads, kFew ? kBlocksOfFew : kBlocksOfMany)
    numeric_rows(Operand<T> a, Operand<T> b, SizedRows sized, const CRow* c_rows, const std::int64_t* row_ptr,
                 Column* col, T* val) {
  constexpr int kMost = kFew ? kFewKeys : kMostKeys;
  ROWAN_SHARED(unsigned, all_keys, kPlaces<kMost>);
  ROWAN_SHARED(T, all_products, kPlaces<kMost>);
  const BlockOfSize of = block_of_size(sized);
  if (sized.rows[of.size].cancelled) return;
  with_size(of.size, [&](auto lanes, auto keys) {
    if constexpr (kFew == (keys <= kFewKeys))
      multiply_rows<lanes, keys>(a, b, sized.rows[of.size], of.block, c_rows, row_ptr, col, val, all_keys,
                                 all_products);
  });
}

/// The rows as the kernels want them, and the shape of their launch.
struct Launched {
  SizedRows sized = {};
  Shape shape = {.grid = 0, .block = kSortThreads};

  explicit Launched(std::span<const RowsOfKernel> all) {
    for (const auto& [kernel, rows] : all) {
      const auto at = static_cast<std::size_t>(kernel);
      const std::int64_t each = rows_a_block(kSizes[at]);
      sized.rows[at] = rows, sized.blocks[at] = (rows.count + each - 1) / each;
      shape.grid += sized.blocks[at];
    }
  }
};

}  // namespace

void symbolic(const SymbolicLaunch& l, std::span<const RowsOfKernel> all) {
  const Launched it(all);
  const bool tables = std::any_of(all.begin(), all.end(), [](const RowsOfKernel& of) {
    return has_table(kSizes[static_cast<std::size_t>(of.kernel)]);
  });
  launch(tables ? symbolic_rows<true> : symbolic_rows<false>, it.shape, l.stream, l.a, l.b, it.sized, l.c_rows, l.nnz);
}

template <class T>
void numeric(const NumericLaunch<T>& l, std::span<const RowsOfKernel> all) {
  const Launched it(all);
  const bool few = kSizes[static_cast<std::size_t>(all.front().kernel)].keys <= kFewKeys;
  launch(few ? numeric_rows<T, true> : numeric_rows<T, false>, it.shape, l.stream, l.a, l.b, it.sized, l.c_rows,
         l.row_ptr, l.col, l.val);
}

#define ROWAN_INSTANTIATE(T) template void numeric(const NumericLaunch<T>&, std::span<const RowsOfKernel>);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
