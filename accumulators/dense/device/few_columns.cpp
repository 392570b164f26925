#include "accumulators/dense/device/few_columns.hpp"

#include "lib/core/values.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

constexpr int kFewThreads = 256;
constexpr int kMaskLanes = 8;            // of a row of B, and of a row of A that is counted
constexpr std::int64_t kBlockRow = 512;  // entries of a row of A from which all of a block has it

/// Columns, a bit each.
template <int kWords>
struct Columns {
  Held<unsigned, kWords> word;

  __device__ void clear() {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) word[w] = 0;
  }
  __device__ void add(const Columns& other) {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) word[w] |= other.word[w];
  }
  __device__ void add_all(const std::uint32_t* mask) {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) word[w] |= mask[w];
  }
  // Of column `first` + lane, all of whose lanes' columns are in one word: what is constant once loops are unrolled.
  [[nodiscard]] __device__ bool has(int first, int lane) const {
    return (word[first / 32] >> (first % 32 + lane) & 1) != 0;
  }
  [[nodiscard]] __device__ int before(int first, int lane) const {
    int n = static_cast<int>(__popc(word[first / 32] & ((1U << (first % 32 + lane)) - 1)));
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++)
      if (w < first / 32) n += static_cast<int>(__popc(word[w]));
    return n;
  }
  [[nodiscard]] __device__ bool has(int column) const {
    bool found = false;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++)
      if (column / 32 == w) found = (word[w] >> (column % 32) & 1) != 0;
    return found;
  }
  /// How many of them are less.
  [[nodiscard]] __device__ int before(int column) const {
    int n = 0;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) {
      if (column / 32 == w) n += static_cast<int>(__popc(word[w] & ((1U << (column % 32)) - 1)));
      if (column / 32 > w) n += static_cast<int>(__popc(word[w]));
    }
    return n;
  }
  [[nodiscard]] __device__ int count() const {
    int n = 0;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) n += static_cast<int>(__popc(word[w]));
    return n;
  }
};

/// What a group of lanes has found, to all of them.
template <int kWords>
__device__ void join(Columns<kWords>& columns, int lanes) {
  const Mask group = simt::group_mask(lanes);
  for (int d = lanes / 2; d > 0; d /= 2) {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) columns.word[w] |= simt::shuffle_xor(group, columns.word[w], d, lanes);
  }
}

/// A row of B a group of lanes.
template <int kWords>
__global__ void __launch_bounds__(kFewThreads) make_masks(Pattern b, std::uint32_t* mask, std::uint64_t* falls) {
  const std::int64_t row =
      static_cast<std::int64_t>(blockIdx.x) * (kFewThreads / kMaskLanes) + threadIdx.x / kMaskLanes;
  const int lane = static_cast<int>(threadIdx.x) % kMaskLanes;
  Columns<kWords> found;
  found.clear();
  if (row < b.rows) {
    const std::int64_t begin = b.ptr[row], end = b.ptr[row + 1];
    for (std::int64_t k = begin + lane; k < end; k += kMaskLanes) {
      const Column column = b.col[k];
      if (k > begin && b.col[k - 1] >= column) simt::store_relaxed(falls, std::uint64_t{1});
      ROWAN_UNROLL
      for (int w = 0; w < kWords; w++)
        if (column / 32 == w) found.word[w] |= 1U << (column % 32);
    }
  }
  join(found, kMaskLanes);
  if (row >= b.rows || lane != 0) return;
  ROWAN_UNROLL
  for (int w = 0; w < kWords; w++) mask[row * kWords + w] = found.word[w];
}

/// Calls take(row) for each row of A that all of the block has, all threads together; `row` is this thread's own, of
/// which the thread with `first` speaks. In shared memory those that there are.
template <class Take>
__device__ void for_long_rows(const Pattern& a, std::int64_t row, bool first, const Take& take) {
  ROWAN_SHARED(std::int64_t, rows, kFewThreads / kMaskLanes);
  ROWAN_SHARED(int, count, 1);
  if (threadIdx.x == 0) *count = 0;
  __syncthreads();
  if (first && row < a.rows && a.length(row) >= kBlockRow) rows[simt::atomic_add(count, 1)] = row;
  __syncthreads();
  for (int r = 0; r < *count; r++) {
    __syncthreads();
    take(rows[r]);
  }
}

template <int kWords>
__global__ void __launch_bounds__(kFewThreads) count_entries(Pattern a, const std::uint32_t* mask, std::int64_t* nnz) {
  constexpr int kRows = kFewThreads / kMaskLanes;
  ROWAN_SHARED(unsigned, found, kWords);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kRows + threadIdx.x / kMaskLanes;
  const int lane = static_cast<int>(threadIdx.x) % kMaskLanes;
  if (row == 0 && lane == 0) nnz[a.rows] = 0;
  const auto walk = [&](std::int64_t of, int from, int step) {
    Columns<kWords> columns;
    columns.clear();
    for (std::int64_t k = a.ptr[of] + from; k < a.ptr[of + 1]; k += step)
      columns.add_all(mask + std::int64_t{a.col[k]} * kWords);
    return columns;
  };
  const bool mine = row < a.rows && a.length(row) < kBlockRow;
  Columns<kWords> columns;
  columns.clear();
  if (mine) columns = walk(row, lane, kMaskLanes);
  join(columns, kMaskLanes);
  if (mine && lane == 0) nnz[row] = columns.count();
  for_long_rows(a, row, lane == 0, [&](std::int64_t of) {
    if (threadIdx.x < kWords) found[threadIdx.x] = 0;
    __syncthreads();
    const Columns<kWords> part = walk(of, static_cast<int>(threadIdx.x), kFewThreads);
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++)
      if (part.word[w] != 0) simt::atomic_or(found + w, part.word[w]);
    __syncthreads();
    if (threadIdx.x == 0) {
      int n = 0;
      for (int w = 0; w < kWords; w++) n += static_cast<int>(__popc(found[w]));
      nnz[of] = n;
    }
  });
}

__global__ void __launch_bounds__(32)
    tell(const std::int64_t* nnz, const std::uint64_t* falls, HostMailbox<FewColumnsTold>::Sender told) {
  if (threadIdx.x == 0) told.post({*nnz, *falls});
}

/// The sums of a group of kLanes: a lane has kEach columns, kLanes apart.
template <class T, int kLanes, int kEach>
struct LaneSums {
  static constexpr int kColumns = kLanes * kEach, kWords = (kColumns + 31) / 32;
  static constexpr int kAhead = kEach > 4 ? 2 : kEach > 1 ? 4 : 8;  // rows of B whose values are on their way

  Held<T, kEach> sum;
  Columns<kWords> met;

  __device__ void clear() {
    met.clear();
    ROWAN_UNROLL
    for (int c = 0; c < kEach; c++) sum[c] = T{0};
  }
  /// Entries [begin, end) of A, each lane loading one of kLanes that follow each other.
  __device__ void add(const Operand<T>& a, const Operand<T>& b, const std::uint32_t* mask, std::int64_t begin,
                      std::int64_t end, int lane) {
    const Mask group = simt::group_mask(kLanes);
    for (std::int64_t base = begin; base < end; base += kLanes) {
      const int n = static_cast<int>(end - base < kLanes ? end - base : kLanes);
      Columns<kWords> mine;
      mine.clear();
      std::int64_t from = 0;
      T x{0};
      if (lane < n) {
        const std::int64_t j = a.col[base + lane];
        x = a.val[base + lane], from = b.ptr[j];
        mine.add_all(mask + j * kWords);
      }
      met.add(mine);
      for (int u = 0; u < n; u += kAhead) {
        Held<Columns<kWords>, kAhead> row;
        Held<T, kAhead> factor;
        Held<T, kAhead * kEach> y;
        ROWAN_UNROLL
        for (int v = 0; v < kAhead; v++) {  // lanes behind the n-th have no columns
          const int source = u + v < kLanes ? u + v : kLanes - 1;
          factor[v] = simt::shuffle(group, x, source, kLanes);
          const T* const values = b.val + simt::shuffle(group, from, source, kLanes);
          ROWAN_UNROLL
          for (int w = 0; w < kWords; w++) {
            const unsigned word = simt::shuffle(group, mine.word[w], source, kLanes);
            row[v].word[w] = u + v < kLanes ? word : 0;
          }
          ROWAN_UNROLL
          for (int c = 0; c < kEach; c++)
            y[v * kEach + c] = row[v].has(c * kLanes, lane) ? values[row[v].before(c * kLanes, lane)] : T{0};
        }
        ROWAN_UNROLL
        for (int v = 0; v < kAhead; v++) {
          ROWAN_UNROLL
          for (int c = 0; c < kEach; c++)
            if (row[v].has(c * kLanes, lane)) sum[c] = sum[c] + factor[v] * y[v * kEach + c];
        }
      }
    }
    join(met, kLanes);
  }
  __device__ void write(std::int64_t begin, int lane, Column* col, T* val) const {
    ROWAN_UNROLL
    for (int c = 0; c < kEach; c++) {
      if (!met.has(c * kLanes, lane)) continue;
      const std::int64_t at = begin + met.before(c * kLanes, lane);
      col[at] = static_cast<Column>(c * kLanes + lane), val[at] = sum[c];
    }
  }
};

/// A row a group of kLanes. In shared memory the sums that groups have of their parts of a long row.
template <class T, int kLanes, int kEach>
__global__ void __launch_bounds__(kFewThreads)
    fill_rows(Operand<T> a, Operand<T> b, const std::uint32_t* mask, const std::int64_t* row_ptr, bool in_order,
              Column* col, T* val) {
  using Sums = LaneSums<T, kLanes, kEach>;
  constexpr int kRows = kFewThreads / kLanes, kWords = Sums::kWords;
  ROWAN_SHARED(T, part, kFewThreads * kEach);
  ROWAN_SHARED(unsigned, found, kWords);
  const int group = static_cast<int>(threadIdx.x) / kLanes, lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kRows + group;
  Sums sums;
  if (row < a.rows && (in_order || a.length(row) < kBlockRow)) {
    sums.clear();
    sums.add(a, b, mask, a.ptr[row], a.ptr[row + 1], lane);
    sums.write(row_ptr[row], lane, col, val);
  }
  if (in_order) return;
  for_long_rows(a, row, lane == 0, [&](std::int64_t of) {
    const std::int64_t begin = a.ptr[of], end = a.ptr[of + 1], each = (end - begin + kRows - 1) / kRows;
    const std::int64_t from = begin + group * each, to = from + each < end ? from + each : end;
    if (threadIdx.x < kWords) found[threadIdx.x] = 0;
    __syncthreads();
    sums.clear();
    sums.add(a, b, mask, from, to, lane);
    ROWAN_UNROLL
    for (int c = 0; c < kEach; c++) part[group * Sums::kColumns + c * kLanes + lane] = sums.sum[c];
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++)
      if (lane == 0 && sums.met.word[w] != 0) simt::atomic_or(found + w, sums.met.word[w]);
    __syncthreads();
    // not by sums.write(): with two calls of it rows of 64 columns took up to 1.4 times as long, long or not (H100)
    const auto column = static_cast<int>(threadIdx.x);
    if (column >= Sums::kColumns) return;
    Columns<kWords> met;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) met.word[w] = found[w];
    if (!met.has(column)) return;
    T all{0};
    for (int g = 0; g < kRows; g++) all = all + part[g * Sums::kColumns + column];
    const std::int64_t at = row_ptr[of] + met.before(column);
    col[at] = static_cast<Column>(column), val[at] = all;
  });
}

/// Calls start(number of words as a type), which is 1, 2 or 4.
template <class Start>
void with_words(int words, const Start& start) {
  if (words == 1) return start(std::integral_constant<int, 1>());
  if (words == 2) return start(std::integral_constant<int, 2>());
  start(std::integral_constant<int, 4>());
}

[[nodiscard]] Shape groups_for(std::int64_t rows, int lanes) {
  const int each = kFewThreads / lanes;
  return {.grid = (rows + each - 1) / each, .block = kFewThreads};
}

}  // namespace

void mask_rows(const Pattern& b, const FewColumnsMasks& masks, hipStream_t stream) {
  with_words(masks.words, [&](auto words) {
    launch(make_masks<words()>, groups_for(b.rows, kMaskLanes), stream, b, masks.word, masks.falls);
  });
}

void count_few_columns(const Pattern& a, const FewColumnsMasks& masks, std::int64_t* nnz, hipStream_t stream) {
  with_words(masks.words, [&](auto words) {
    launch(count_entries<words()>, groups_for(a.rows, kMaskLanes), stream, a, masks.word, nnz);
  });
}

void tell_few_columns(const std::int64_t* nnz, const FewColumnsMasks& masks,
                      const HostMailbox<FewColumnsTold>::Sender& told, hipStream_t stream) {
  launch(tell, {.grid = 1, .block = 32}, stream, nnz, masks.falls, told);
}

template <class T>
void fill_few_columns(const Operand<T>& a, const Operand<T>& b, const FewColumnsMasks& masks,
                      const std::int64_t* row_ptr, bool in_order, Column* col, T* val, hipStream_t stream) {
  const auto start = [&](auto* kernel, int lanes) {
    launch(kernel, groups_for(a.rows, lanes), stream, a, b, masks.word, row_ptr, in_order, col, val);
  };
  if (b.cols <= 8) return start(&fill_rows<T, 8, 1>, 8);
  if (b.cols <= 16) return start(&fill_rows<T, 8, 2>, 8);
  if (b.cols <= 32) return start(&fill_rows<T, 8, 4>, 8);
  if (b.cols <= 64) return start(&fill_rows<T, 16, 4>, 16);
  start(&fill_rows<T, 32, 4>, 32);
}

#define ROWAN_INSTANTIATE(T)                                                                                        \
  template void fill_few_columns(const Operand<T>&, const Operand<T>&, const FewColumnsMasks&, const std::int64_t*, \
                                 bool, Column*, T*, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
