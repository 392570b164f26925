#include "accumulators/sort/device/merge.hpp"

#include "accumulators/common/device/shape.hpp"
#include "accumulators/common/device/walk.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

constexpr int kMergeThreads = kShapes.merge.block;
constexpr int kBehindColumns = INT32_MAX;  // a column behind all others: columns are below how many there are

/// Four rows of B a lane and eight lanes at most: what lanes tell each other costs as much as a lane's own four.
/// RMerge's lane has one.
constexpr int kMostHeld = kShapes.merge.rows_of_b_a_lane;
template <int kRowsOfB>
struct MergeLanes {
  static constexpr int kHeld = kRowsOfB < kMostHeld ? kRowsOfB : kMostHeld;
  static constexpr int kLanes = kRowsOfB / kHeld;
  static constexpr int kRows = kMergeThreads / kLanes;  // of C, a block's
};

/// The rows of B that a lane merges: the next entry of each.
template <class V, int kHeld>
struct Heads {
  static constexpr bool kValues = !std::is_same_v<V, NoValue>;

  Held<std::int64_t, kHeld> at;
  Held<int, kHeld> left, column;
  Held<V, kHeld> scale, value;

  /// The entries of A from `base` on, as many as there are before `end`. What does not wait for each other is loaded at
  /// once.
  __device__ void begin(const Pattern& a, const V* a_val, const Pattern& b, const V* b_val, std::int64_t base,
                        std::int64_t end) {
    Held<std::int32_t, kHeld> row;
    ROWAN_UNROLL
    for (int t = 0; t < kHeld; t++) {
      row[t] = -1, scale[t] = V{};
      if (base + t >= end) continue;
      row[t] = a.col[base + t];
      if constexpr (kValues) scale[t] = a_val[base + t];
    }
    ROWAN_UNROLL
    for (int t = 0; t < kHeld; t++) {
      at[t] = 0, left[t] = 0;
      if (row[t] >= 0) at[t] = b.ptr[row[t]], left[t] = static_cast<int>(b.ptr[row[t] + 1] - at[t]);
    }
    ROWAN_UNROLL
    for (int t = 0; t < kHeld; t++) column[t] = kBehindColumns, value[t] = V{}, load(t, left[t] != 0, b, b_val);
  }
  /// The entry that comes next in row `t`, if it `is` there: few enough instructions to run without a branch.
  __device__ void load(int t, bool is, const Pattern& b, const V* b_val) {
    if (!is) return;
    column[t] = b.col[at[t]];
    if constexpr (kValues) value[t] = b_val[at[t]];
  }
  [[nodiscard]] __device__ int least() const {
    int low = column[0];
    ROWAN_UNROLL
    for (int t = 1; t < kHeld; t++) low = column[t] < low ? column[t] : low;
    return low;
  }
  /// Past the entries in column `low`, which is not behind all others.
  __device__ void pass(int low, const Pattern& b, const V* b_val) {
    ROWAN_UNROLL
    for (int t = 0; t < kHeld; t++) {
      const bool mine = column[t] == low;
      at[t] += mine ? 1 : 0, left[t] -= mine ? 1 : 0;
      column[t] = mine ? kBehindColumns : column[t];
      load(t, mine && left[t] != 0, b, b_val);
    }
  }
};

/// MergeLanes::kLanes lanes a row, the grid as many blocks as rows need; nothing in shared memory.
template <int kRowsOfB>
__global__ void __launch_bounds__(kMergeThreads) symbolic_merge(Pattern a, Pattern b, RowList rows, std::int64_t* nnz) {
  if (rows.cancelled) return;
  using G = MergeLanes<kRowsOfB>;
  const Mask wave = simt::wave_mask();
  const int l = static_cast<int>(threadIdx.x) % G::kLanes;
  const std::int64_t i =
      static_cast<std::int64_t>(blockIdx.x) * G::kRows + static_cast<std::int64_t>(threadIdx.x) / G::kLanes;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  Heads<NoValue, G::kHeld> heads;
  heads.begin(a, nullptr, b, nullptr, row < 0 ? 0 : a.ptr[row] + l * G::kHeld, row < 0 ? 0 : a.ptr[row + 1]);
  std::int64_t entries = 0;
  while (true) {
    const int low = simt::min(wave, heads.least(), G::kLanes);
    const bool more = low != kBehindColumns;
    if (G::kLanes == 1 ? !more : simt::ballot(wave, more) == 0) break;
    if (!more) continue;
    entries++;
    heads.pass(low, b, nullptr);
  }
  if (row >= 0 && l == 0) nnz[row] = entries;
}

/// The same lanes a row and grid. Shared memory: kStaged entries of each row, which are written together.
template <class T, int kRowsOfB>
__global__ void __launch_bounds__(kMergeThreads)
    numeric_merge(Operand<T> a, Operand<T> b, RowList rows, const std::int64_t* row_ptr, Column* col, T* val) {
  if (rows.cancelled) return;
  using G = MergeLanes<kRowsOfB>;
  constexpr int kLeastStaged = kShapes.merge.staged;
  constexpr int kStaged =
      G::kLanes < kLeastStaged ? kLeastStaged : G::kLanes;  // entries of a row that are written together
  // of a wave, a row's entries stand `pitch` apart: lanes that store one each, or copy some of a row, meet other banks
  constexpr int kApart = 2, kWaves = kMergeThreads / kLeastWave;
  ROWAN_SHARED(std::int32_t, all_columns, kStaged * (G::kRows + kApart * kWaves));
  ROWAN_SHARED(T, all_sums, kStaged * (G::kRows + kApart * kWaves));
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), l = lane % G::kLanes, mine = lane / G::kLanes;
  const int pitch = simt::wave_width() / G::kLanes + kApart;
  const int area = static_cast<int>(threadIdx.x) / simt::wave_width() * pitch * kStaged;
  Column* const columns = all_columns + area;
  T* const sums = all_sums + area;
  const std::int64_t i =
      static_cast<std::int64_t>(blockIdx.x) * G::kRows + static_cast<std::int64_t>(threadIdx.x) / G::kLanes;
  const std::int64_t row = i < rows.count ? rows[i] : -1;
  std::int64_t to = 0;
  int entries = 0;
  if (row >= 0) to = row_ptr[row], entries = static_cast<int>(row_ptr[row + 1] - to);
  Heads<T, G::kHeld> heads;
  heads.begin(a, a.val, b, b.val, row < 0 ? 0 : a.ptr[row] + l * G::kHeld, row < 0 ? 0 : a.ptr[row + 1]);

  const int most = static_cast<int>(simt::wave_max(static_cast<unsigned>(entries)));
  for (int done = 0; done < most; done += kStaged) {
    const int steps = most - done < kStaged ? most - done : kStaged;
    for (int step = 0; step < steps; step++) {
      const int low = simt::min(wave, heads.least(), G::kLanes);
      T sum{0};
      const auto add = [&] {
        ROWAN_UNROLL
        for (int t = 0; t < G::kHeld; t++)
          if (heads.column[t] == low) sum += heads.scale[t] * heads.value[t];
      };
      if constexpr (G::kLanes == 1) {
        add();
      } else {  // lanes that have the column add their products by turns, in A's order
        const bool has = low != kBehindColumns && heads.least() == low;
        Mask turns = simt::ballot(wave, has) & simt::group_mask(G::kLanes);
        while (simt::ballot(wave, turns != 0) != 0) {
          const int turn = turns == 0 ? lane : simt::lowest(turns);
          if (turns != 0 && turn == lane) add();
          sum = simt::shuffle(wave, sum, turn);
          turns &= turns - 1;
        }
      }
      if (l == 0) columns[step * pitch + mine] = low, sums[step * pitch + mine] = sum;
      if (low != kBehindColumns) heads.pass(low, b, b.val);
    }
    simt::sync_wave(wave);
    ROWAN_ROLLED
    for (int s = 0; s < kStaged / G::kLanes; s++) {
      const int k = s * simt::wave_width() + lane, of = k / kStaged, step = k % kStaged;
      const std::int64_t place = simt::shuffle(wave, to, of * G::kLanes) + done + step;
      if (done + step < simt::shuffle(wave, entries, of * G::kLanes)) {
        col[place] = columns[step * pitch + of];
        val[place] = sums[step * pitch + of];
      }
    }
    simt::sync_wave(wave);
  }
}

/// Calls f(rows of B that are merged, as a constant).
template <std::size_t kSize = 0, class F>
void with_rows_of_b(int kernel, const F& f) {
  constexpr auto kSizes = static_cast<int>(kMergedRows.size());
  if constexpr (kSize < kMergedRows.size()) {
    if (kernel % kSizes == static_cast<int>(kSize))
      f(std::integral_constant<int, kMergedRows[kSize]>{});
    else
      with_rows_of_b<kSize + 1>(kernel, f);
  }
}

}  // namespace

void DeviceMerge::symbolic(const SymbolicLaunch& l, int kernel) {
  with_rows_of_b(kernel, [&](auto rows_of_b) {
    constexpr std::int64_t kRows = MergeLanes<rows_of_b>::kRows;
    launch(symbolic_merge<rows_of_b>, {.grid = (l.rows.count + kRows - 1) / kRows, .block = kMergeThreads}, l.stream,
           l.a, l.b, l.rows, l.nnz);
  });
}

template <class T>
void DeviceMerge::numeric(const NumericLaunch<T>& l, int kernel) {
  with_rows_of_b(kernel, [&](auto rows_of_b) {
    constexpr std::int64_t kRows = MergeLanes<rows_of_b>::kRows;
    launch(numeric_merge<T, rows_of_b>, {.grid = (l.rows.count + kRows - 1) / kRows, .block = kMergeThreads}, l.stream,
           l.a, l.b, l.rows, l.row_ptr, l.col, l.val);
  });
}

#define ROWAN_INSTANTIATE(T) template void DeviceMerge::numeric(const NumericLaunch<T>&, int);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
