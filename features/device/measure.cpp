#include "features/device/measure.hpp"

#include <algorithm>

#include "lib/device/simt/row_groups.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr std::int32_t kNoColumn = INT32_MAX;
/// How much further right a row's columns are than the row before's.
class Moved {
 public:
  /// `here`: where the row begins, n: its entries. Without an equally long row before, it is related to none.
  __device__ Moved(const Pattern& a, std::int64_t row, std::int64_t here, std::int64_t n)
      : like_(row > 0 && n > 0 && n == here - a.ptr[row - 1]) {}
  __device__ bool like() const { return like_; }
  __device__ void add(std::int32_t by) {
    least_ = by < least_ ? by : least_;
    most_ = by > most_ ? by : most_;
  }
  /// The same for all who looked at the row.
  template <class Scope>
  __device__ std::uint8_t relation(const Scope& who) const {
    if (!like_) return 0;
    const std::int32_t least = who.min(least_), most = who.max(most_);
    if (least != most) return 0;
    return most == 0 ? kSameAsPrevious : most == 1 ? kShiftedFromPrevious : 0;
  }

 private:
  bool like_;
  std::int32_t least_ = INT32_MAX, most_ = INT32_MIN;
};

// All kernels here are of the same shape (lib/device/simt/row_groups.hpp: for_rows): `lanes` lanes of a wave have a
// row, kRowThreads / lanes neighbouring rows are a block's, and the grid covers all rows. Rows that are long for their
// lanes are taken by a whole wave or block, which find them in shared memory.

/// Rows of B. A row of A that is one of B's, too, gets its relation here. `zeroed`: for the kernels that follow, which
/// saves them a launch.
__global__ void __launch_bounds__(kRowThreads)
    ranges_of_rows(Pattern b, int lanes, BRow* range, std::uint8_t* relation, WordsToZero zeroed) {
  constexpr int kTogether = 4;  // entries of a lane whose loads wait together
  const auto thread = static_cast<std::int64_t>(blockIdx.x) * kRowThreads + threadIdx.x,
             threads = static_cast<std::int64_t>(gridDim.x) * kRowThreads;
  for (std::int64_t k = thread; k < zeroed.words; k += threads) zeroed.at[k] = 0;
  for_rows(b.rows, b.ptr, lanes, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const std::int64_t n = end - begin, step = who.size();
    Moved moved(b, relation == nullptr ? 0 : row, begin, n);  // the first row is related to none
    Column lo = kNoColumn, hi = -1;
    bool unsorted = false;
    for (std::int64_t k = begin + who.rank(); k < end; k += kTogether * step) {
      Held<std::int32_t, kTogether> column, left, above;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        const std::int64_t at = k + u * step;
        column[u] = at < end ? b.col[at] : 0;
        left[u] = at < end && at > begin ? b.col[at - 1] : -1;
        above[u] = at < end && moved.like() ? b.col[at - n] : 0;
      }
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        if (k + u * step >= end) continue;
        lo = column[u] < lo ? column[u] : lo;
        hi = column[u] > hi ? column[u] : hi;
        unsorted = unsorted || column[u] <= left[u];
        moved.add(column[u] - above[u]);
      }
    }
    lo = who.min(lo);
    hi = who.max(hi);
    const std::uint8_t found = moved.relation(who);
    const int falls = who.max(unsorted ? 1 : 0);
    if (who.rank() != 0) return;
    range[row] = {n == 0 ? 0 : lo, hi, static_cast<std::int32_t>(n), found + (falls != 0 ? BRow::kUnsorted : 0)};
    if (relation != nullptr) relation[row] = found;
  });
}

/// Whether the row may go on with a shift run of products, as far as A's rows tell.
__device__ bool may_go_on(const Pattern& a, const std::uint8_t* relation, std::int64_t row) {
  return relation[row] == kShiftedFromPrevious && relation[row - 1] != kSameAsPrevious &&
         (row + 1 == a.rows || relation[row + 1] != kSameAsPrevious) && a.length(row) > 1;
}

/// Rows of C, by A's entries. A lane reads the rows of B that some entries meet before it uses any of them.
__global__ void __launch_bounds__(kRowThreads)
    measure_c_rows(Pattern a, int lanes, const BRow* range, const std::uint8_t* relation, std::int64_t* nprod,
                   CRow* c_rows, std::uint8_t* moved, std::int32_t* unsorted_rows) {
  constexpr int kTogether = 8;  // entries of a lane whose loads wait together
  if (blockIdx.x == 0 && threadIdx.x == 0) nprod[a.rows] = 0;
  for_rows(a.rows, a.ptr, lanes, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    std::int64_t products = 0;
    Column lo = kNoColumn, hi = -1, longest = 0, others = 0;  // others: rows of B that are not moved
    bool unsorted = false;
    const std::int64_t step = who.size();
    for (std::int64_t k = begin + who.rank(); k < end; k += kTogether * step) {
      Held<std::int32_t, kTogether> column;
      Held<BRow, kTogether> met;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) column[u] = k + u * step < end ? a.col[k + u * step] : -1;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++)
        met[u] = column[u] >= 0 ? range[column[u]] : BRow{kNoColumn, -1, 0, kShiftedFromPrevious};
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        others |= (met[u].relation & ~BRow::kUnsorted) != kShiftedFromPrevious ? 1 : 0;
        unsorted = unsorted || (met[u].relation & BRow::kUnsorted) != 0;
        if (met[u].n == 0) continue;
        products += met[u].n;
        longest = met[u].n > longest ? met[u].n : longest;
        lo = met[u].lo < lo ? met[u].lo : lo;
        hi = met[u].hi > hi ? met[u].hi : hi;
      }
    }
    products = who.sum(products);
    longest = who.max(longest);
    lo = who.min(lo);
    hi = who.max(hi);
    if (moved != nullptr) others = who.max(others);
    if (unsorted) simt::atomic_max(unsorted_rows, 1);
    if (who.rank() != 0) return;
    if (moved != nullptr) moved[row] = others == 0 && may_go_on(a, relation, row) ? 1 : 0;
    constexpr std::int64_t kMost = UINT32_MAX;
    nprod[row] = products;
    c_rows[row] = {products == 0 ? 0 : lo, hi, longest,
                   static_cast<std::uint32_t>(products < kMost ? products : kMost)};
  });
}

/// Rows of A, where they are not B's.
__global__ void __launch_bounds__(kRowThreads) relations_of_rows(Pattern a, int lanes, std::uint8_t* relation) {
  for_rows(a.rows, a.ptr, lanes, [&](const auto& who, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const std::int64_t n = end - begin;
    Moved moved(a, row, begin, n);
    if (moved.like())
      for (std::int64_t k = begin + who.rank(); k < end; k += who.size()) moved.add(a.col[k] - a.col[k - n]);
    const std::uint8_t found = moved.relation(who);
    if (who.rank() == 0) relation[row] = found;
  });
}

}  // namespace

void measure_ranges(const Pattern& b, std::int64_t nnz, BRow* range, std::uint8_t* relation, WordsToZero zeroed,
                    hipStream_t stream) {
  const int lanes = row_lanes(b.rows, nnz);
  launch(ranges_of_rows, {.grid = std::max<std::int64_t>(row_blocks(b.rows, lanes), 1), .block = kRowThreads}, stream,
         b, lanes, range, relation, zeroed);
}

void measure_rows(const Pattern& a, std::int64_t nnz, const BRow* range, const std::uint8_t* relation,
                  std::int64_t* nprod, CRow* c_rows, std::uint8_t* moved, std::int32_t* unsorted_rows,
                  hipStream_t stream) {
  const int lanes = row_lanes(a.rows, nnz);
  launch(measure_c_rows, {.grid = std::max<std::int64_t>(row_blocks(a.rows, lanes), 1), .block = kRowThreads}, stream,
         a, lanes, range, relation, nprod, c_rows, moved, unsorted_rows);
}

void measure_runs(const Pattern& a, std::int64_t nnz, std::uint8_t* relation, hipStream_t stream) {
  const int lanes = row_lanes(a.rows, nnz);
  launch(relations_of_rows, {.grid = row_blocks(a.rows, lanes), .block = kRowThreads}, stream, a, lanes, relation);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
