#include "features/device/measure.hpp"

#include <algorithm>

#include "lib/device/rows.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr std::int32_t kNoColumn = INT32_MAX;
constexpr int kAtOnce = 4;  // loads of a lane that wait together

/// By how much all of a row's columns are the row before's moved, as far as first columns and lengths tell: 0, 1, or
/// kNoMove. The same for all who look at the row.
constexpr std::int32_t kNoMove = 2;
__device__ std::int32_t likely_move(const Pattern& a, std::int64_t row, std::int64_t begin, std::int64_t n) {
  if (row == 0 || n == 0 || n != begin - a.ptr[row - 1]) return kNoMove;
  const std::int32_t move = a.col[begin] - a.col[begin - n];
  return move == 0 || move == 1 ? move : kNoMove;
}
__device__ std::uint8_t relation_of(std::int32_t move, bool differs) {
  return move == kNoMove || differs ? 0 : move == 0 ? kSameAsPrevious : kShiftedFromPrevious;
}

__global__ void __launch_bounds__(kRowThreads)
    ranges_of_rows(Pattern b, int lanes, RowOfB* range, std::int32_t* falls, std::uint8_t* relation) {
  for_rows(b.rows, b.ptr, lanes, [&](const auto& who, std::int64_t row) {
    const std::int64_t begin = b.ptr[row], end = b.ptr[row + 1], n = end - begin;
    const std::int32_t move = relation == nullptr ? kNoMove : likely_move(b, row, begin, n);
    std::int32_t lo = kNoColumn, hi = -1, fell = 0, differs = 0;
    for (std::int64_t k = begin + who.rank(); k < end; k += who.size()) {
      const std::int32_t column = b.col[k];
      lo = column < lo ? column : lo;
      hi = column > hi ? column : hi;
      if (k > begin && column <= b.col[k - 1]) fell = 1;
      if (move != kNoMove) differs |= column - b.col[k - n] != move;
    }
    lo = who.min(lo);
    hi = who.max(hi);
    if (move != kNoMove) differs = who.max(differs);
    if (fell != 0) simt::atomic_max(falls, 1);
    if (who.rank() != 0) return;
    const std::uint8_t found = relation_of(move, differs != 0);
    range[row] = {n == 0 ? 0 : lo, hi, static_cast<std::int32_t>(n), found};
    if (relation != nullptr) relation[row] = found;
  });
}

/// Whether the row may go on with a shift run of products, as far as A's rows tell.
__device__ bool may_go_on(const Pattern& a, const std::uint8_t* relation, std::int64_t row) {
  return relation[row] == kShiftedFromPrevious && relation[row - 1] != kSameAsPrevious &&
         (row + 1 == a.rows || relation[row + 1] != kSameAsPrevious) && a.length(row) > 1;
}

__global__ void __launch_bounds__(kRowThreads)
    facts_of_rows(Pattern a, int lanes, const RowOfB* range, const std::uint8_t* relation, std::int64_t* nprod,
                  RowFacts* facts, std::uint8_t* moved) {
  if (blockIdx.x == 0 && threadIdx.x == 0) nprod[a.rows] = 0;
  for_rows(a.rows, a.ptr, lanes, [&](const auto& who, std::int64_t row) {
    std::int64_t products = 0;
    std::int32_t lo = kNoColumn, hi = -1, longest = 0, others = 0;  // others: rows of B that are not moved
    const bool may = moved != nullptr && may_go_on(a, relation, row);
    const std::int64_t end = a.ptr[row + 1], step = who.size();
    for (std::int64_t k = a.ptr[row] + who.rank(); k < end; k += kAtOnce * step) {
      RowOfB met[kAtOnce];
      ROWAN_UNROLL
      for (int u = 0; u < kAtOnce; u++)
        met[u] = k + u * step < end ? range[a.col[k + u * step]] : RowOfB{kNoColumn, -1, 0, kShiftedFromPrevious};
      ROWAN_UNROLL
      for (int u = 0; u < kAtOnce; u++) {
        others |= met[u].relation != kShiftedFromPrevious ? 1 : 0;
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
    if (may) others = who.max(others);
    if (who.rank() != 0) return;
    if (moved != nullptr) moved[row] = may && others == 0 ? 1 : 0;
    constexpr std::int64_t kMost = UINT32_MAX;
    nprod[row] = products;
    facts[row] = {products == 0 ? 0 : lo, hi, longest, static_cast<std::uint32_t>(products < kMost ? products : kMost)};
  });
}

__global__ void __launch_bounds__(kRowThreads) relations_of_rows(Pattern a, int lanes, std::uint8_t* relation) {
  for_rows(a.rows, a.ptr, lanes, [&](const auto& who, std::int64_t row) {
    const std::int64_t here = a.ptr[row], n = a.ptr[row + 1] - here;
    const std::int32_t move = likely_move(a, row, here, n);
    int differs = 0;
    if (move != kNoMove) {
      for (std::int64_t k = who.rank(); k < n; k += who.size())
        differs |= a.col[here + k] - a.col[here - n + k] != move;
      differs = who.max(differs);
    }
    if (who.rank() == 0) relation[row] = relation_of(move, differs != 0);
  });
}

}  // namespace

void measure_ranges(const Pattern& b, std::int64_t nnz, RowOfB* range, std::int32_t* falls, std::uint8_t* relation,
                    hipStream_t stream) {
  const int lanes = row_lanes(b.rows, nnz);
  launch(ranges_of_rows, {.grid = row_blocks(b.rows, lanes), .block = kRowThreads}, stream, b, lanes, range, falls,
         relation);
}

void measure_rows(const Pattern& a, std::int64_t nnz, const RowOfB* range, const std::uint8_t* relation,
                  std::int64_t* nprod, RowFacts* facts, std::uint8_t* moved, hipStream_t stream) {
  const int lanes = row_lanes(a.rows, nnz);
  launch(facts_of_rows, {.grid = std::max<std::int64_t>(row_blocks(a.rows, lanes), 1), .block = kRowThreads}, stream, a,
         lanes, range, relation, nprod, facts, moved);
}

void measure_runs(const Pattern& a, std::int64_t nnz, std::uint8_t* relation, hipStream_t stream) {
  const int lanes = row_lanes(a.rows, nnz);
  launch(relations_of_rows, {.grid = row_blocks(a.rows, lanes), .block = kRowThreads}, stream, a, lanes, relation);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
