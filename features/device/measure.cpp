#include "features/device/measure.hpp"

#include <algorithm>
#include <type_traits>

#include "lib/device/simt/row_groups.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr Column kNoColumn = INT32_MAX;  // of a row without entries: more than any

/// How a row's columns differ from those of the row before.
class Moved {
 public:
  /// `like`: the row before has as many entries, else the row is related to none.
  __device__ explicit Moved(bool like) : not_same_(!like), not_shifted_(!like) {}
  /// A column is `by` further right.
  __device__ void add(Column by) { not_same_ |= by != 0, not_shifted_ |= by != 1; }
  [[nodiscard]] __device__ unsigned flags() const {
    return (not_same_ ? kNotSame : 0U) | (not_shifted_ ? kNotShifted : 0U);
  }
  static constexpr unsigned kNotSame = 1, kNotShifted = 2, kFlags = 2;  // flags: how many bits
  /// Of the flags of all who looked at the row.
  [[nodiscard]] __device__ static std::uint8_t relation(unsigned flags) {
    return (flags & kNotSame) == 0 ? kSameAsPrevious : (flags & kNotShifted) == 0 ? kShiftedFromPrevious : 0;
  }

 private:
  bool not_same_, not_shifted_;
};
/// Whether row `row` of n entries from `begin` on may be the row before's, moved.
__device__ bool is_like_previous(const Pattern& a, std::int64_t row, std::int64_t begin, int n) {
  return row > 0 && n > 0 && n == begin - a.ptr[row - 1];
}

// All kernels here are of the same shape (lib/device/simt/row_groups.hpp: for_rows): kLanes lanes of a wave have a row,
// kRowThreads / kLanes neighbouring rows are a block's, and the grid covers all rows. Rows that are long for their
// lanes are taken by a whole wave or block. Entries count from the row's first, so that 32 bits are enough.

/// Entries of a lane whose loads wait together, and blocks that a multiprocessor has registers for: several lanes a row
/// want more loads on their way, a lane alone more waves.
constexpr int together_for_ranges(int lanes) {
  return lanes == 1 ? 4 : 8;
}
constexpr int blocks_for_ranges(int lanes) {
  return lanes == 1 ? 6 : 4;
}
/// H200: with 48 registers in place of 64, and half the loads on their way, rows of C take 1.1 to 1.5 times as long.
constexpr int kBlocksForRows = 4;

/// Rows of B. A row of A that is one of B's, too, gets its relation here. `zeroed`: for the kernels that follow, which
/// saves them a launch.
template <int kLanes>
__global__ void ROWAN_LAUNCH_BOUNDS(kRowThreads, blocks_for_ranges(kLanes))
    ranges_of_rows(Pattern b, BRow* range, std::uint8_t* relation, WordsToZero zeroed) {
  const auto thread = static_cast<std::int64_t>(blockIdx.x) * kRowThreads + threadIdx.x,
             threads = static_cast<std::int64_t>(gridDim.x) * kRowThreads;
  for (std::int64_t k = thread; k < zeroed.words; k += threads) zeroed.at[k] = 0;
  for_rows<kLanes>(b.rows, b.ptr, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const auto n = static_cast<int>(end - begin);
    const int step = who.size();
    const bool like = relation != nullptr && is_like_previous(b, row, begin, n);
    const Column* const here = b.col + begin;
    Moved moved(like);
    constexpr bool kAlone = std::is_same_v<std::decay_t<decltype(who)>, OneLane>;
    constexpr int kTogether = together_for_ranges(kLanes);
    Column lo = kNoColumn, hi = -1, last = -1;
    bool falls = false;
    for (int k = who.rank(); k < n; k += kTogether * step) {
      const Column *const at = here + k, *const above = at - n;
      const int left = n - k;  // entries from this one on
      Held<Column, kTogether> column, before, over;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        const bool in = left > u * step;
        column[u] = in ? at[u * step] : 0;
        if constexpr (!kAlone) before[u] = in && k + u * step > 0 ? at[u * step - 1] : -1;
        over[u] = in && like ? above[u * step] : 0;
      }
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        if (left <= u * step) continue;
        lo = column[u] < lo ? column[u] : lo;
        hi = column[u] > hi ? column[u] : hi;
        if constexpr (kAlone) {
          falls |= column[u] <= last, last = column[u];
        } else {
          falls |= column[u] <= before[u];
        }
        moved.add(column[u] - over[u]);
      }
    }
    constexpr unsigned kFalls = 1U << Moved::kFlags;
    lo = who.min(lo), hi = who.max(hi);
    const unsigned flags = who.either(moved.flags() | (falls ? kFalls : 0U));
    if (who.rank() != 0) return;
    const std::uint8_t found = like ? Moved::relation(flags) : 0;
    range[row] = {lo, hi, n, found + ((flags & kFalls) != 0 ? BRow::kUnsorted : 0)};
    if (relation != nullptr) relation[row] = found;
  });
}

/// Rows of C, by A's entries. A lane reads the rows of B that some entries meet before it uses any of them.
template <int kLanes>
__global__ void ROWAN_LAUNCH_BOUNDS(kRowThreads, kBlocksForRows)
    measure_c_rows(Pattern a, const BRow* range, const std::uint8_t* relation, std::int64_t* nprod, CRow* c_rows,
                   std::uint8_t* moved, std::int32_t* unsorted_rows) {
  constexpr int kTogether = 8;  // entries of a lane whose loads wait together
  if (blockIdx.x == 0 && threadIdx.x == 0) nprod[a.rows] = 0;
  for_rows<kLanes>(a.rows, a.ptr, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const auto n = static_cast<int>(end - begin);
    const int step = who.size();
    const Column* const here = a.col + begin;
    // whether the row may go on with a shift run, as far as A's rows tell; asked before anything is waited for
    bool may_go_on = moved != nullptr && n > 1 && who.rank() == 0;
    if (may_go_on)
      may_go_on = relation[row] == kShiftedFromPrevious && relation[row - 1] != kSameAsPrevious &&
                  (row + 1 == a.rows || relation[row + 1] != kSameAsPrevious);
    std::int64_t products = 0;
    Column lo = kNoColumn, hi = -1, longest = 0;
    std::int32_t some = 0, all = kShiftedFromPrevious;  // bits of BRow::relation
    for (int k = who.rank(); k < n; k += kTogether * step) {
      Held<Column, kTogether> column;
      Held<BRow, kTogether> met;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) column[u] = n - k > u * step ? here[k + u * step] : -1;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++)
        met[u] = column[u] >= 0 ? range[column[u]] : BRow{kNoColumn, -1, 0, kShiftedFromPrevious};
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        some |= met[u].relation, all &= met[u].relation;
        products += met[u].n;
        longest = met[u].n > longest ? met[u].n : longest;
        lo = met[u].lo < lo ? met[u].lo : lo;
        hi = met[u].hi > hi ? met[u].hi : hi;
      }
    }
    products = who.sum(products);
    longest = who.max(longest);
    lo = who.min(lo), hi = who.max(hi);
    const bool others =
        moved != nullptr && who.either(all ^ kShiftedFromPrevious) != 0;  // rows of B that are not moved
    if ((some & BRow::kUnsorted) != 0) simt::atomic_max(unsorted_rows, 1);
    if (who.rank() != 0) return;
    if (moved != nullptr) moved[row] = may_go_on && !others ? 1 : 0;
    constexpr std::int64_t kMost = UINT32_MAX;
    nprod[row] = products;
    c_rows[row] = {products == 0 ? 0 : lo, hi, longest,
                   static_cast<std::uint32_t>(products < kMost ? products : kMost)};
  });
}

/// Rows of A, where they are not B's.
template <int kLanes>
__global__ void __launch_bounds__(kRowThreads) relations_of_rows(Pattern a, std::uint8_t* relation) {
  for_rows<kLanes>(a.rows, a.ptr, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const auto n = static_cast<int>(end - begin);
    const bool like = is_like_previous(a, row, begin, n);
    const Column* const here = a.col + begin;
    Moved moved(like);
    if (like)
      for (int k = who.rank(); k < n; k += who.size()) moved.add(here[k] - here[k - n]);
    const unsigned flags = who.either(moved.flags());
    if (who.rank() == 0) relation[row] = Moved::relation(flags);
  });
}

/// Products of rows of C, and no more: rows of B are asked for where they begin and end, and not for what is in them.
template <int kLanes>
__global__ void ROWAN_LAUNCH_BOUNDS(kRowThreads, kBlocksForRows)
    count_products_of_rows(Pattern a, const std::int64_t* b_ptr, std::int64_t* nprod) {
  constexpr int kTogether = 8;  // entries of a lane whose loads wait together
  for_rows<kLanes>(a.rows, a.ptr, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const auto n = static_cast<int>(end - begin);
    const int step = who.size();
    const Column* const here = a.col + begin;
    std::int64_t products = 0;
    for (int k = who.rank(); k < n; k += kTogether * step) {
      Held<Column, kTogether> column;
      Held<std::int64_t, kTogether> from, to;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) column[u] = n - k > u * step ? here[k + u * step] : -1;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        from[u] = column[u] < 0 ? 0 : b_ptr[column[u]];
        to[u] = column[u] < 0 ? 0 : b_ptr[column[u] + 1];
      }
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) products += to[u] - from[u];
    }
    products = who.sum(products);
    if (who.rank() == 0) nprod[row] = products;
  });
}

/// Also without rows, as something is made behind or beside them.
Shape shape_of(std::int64_t rows, int lanes) {
  return {.grid = std::max<std::int64_t>(row_blocks(rows, lanes), 1), .block = kRowThreads};
}

}  // namespace

void measure_ranges(const Pattern& b, std::int64_t nnz, BRow* range, std::uint8_t* relation, WordsToZero zeroed,
                    hipStream_t stream) {
  with_lanes(row_lanes(b.rows, nnz), [&](auto lanes) {
    launch(ranges_of_rows<lanes>, shape_of(b.rows, lanes), stream, b, range, relation, zeroed);
  });
}

void measure_rows(const Pattern& a, std::int64_t nnz, const BRow* range, const std::uint8_t* relation,
                  std::int64_t* nprod, CRow* c_rows, std::uint8_t* moved, std::int32_t* unsorted_rows,
                  hipStream_t stream) {
  with_lanes(row_lanes(a.rows, nnz), [&](auto lanes) {
    launch(measure_c_rows<lanes>, shape_of(a.rows, lanes), stream, a, range, relation, nprod, c_rows, moved,
           unsorted_rows);
  });
}

void measure_runs(const Pattern& a, std::int64_t nnz, std::uint8_t* relation, hipStream_t stream) {
  with_lanes(row_lanes(a.rows, nnz),
             [&](auto lanes) { launch(relations_of_rows<lanes>, shape_of(a.rows, lanes), stream, a, relation); });
}

void count_products(const Pattern& a, std::int64_t nnz, const std::int64_t* b_ptr, std::int64_t* nprod,
                    hipStream_t stream) {
  with_lanes(row_lanes(a.rows, nnz), [&](auto lanes) {
    launch(count_products_of_rows<lanes>, shape_of(a.rows, lanes), stream, a, b_ptr, nprod);
  });
}

}  // namespace rowan::device::inline ROWAN_BACKEND
