#include "features/device/measure.hpp"

#include "lib/device/rows.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr std::int32_t kNoColumn = INT32_MAX;
constexpr int kAtOnce = 4;  // loads of a lane that wait together

__global__ void __launch_bounds__(kRowThreads)
    ranges_of_rows(Pattern b, int lanes, RowOfB* range, std::int32_t* falls) {
  for_rows(b.rows, b.ptr, lanes, [&](const auto& who, std::int64_t row) {
    const std::int64_t begin = b.ptr[row], end = b.ptr[row + 1];
    std::int32_t lo = kNoColumn, hi = -1, fell = 0;
    for (std::int64_t k = begin + who.rank(); k < end; k += who.size()) {
      const std::int32_t column = b.col[k];
      lo = column < lo ? column : lo;
      hi = column > hi ? column : hi;
      if (k > begin && column <= b.col[k - 1]) fell = 1;
    }
    lo = who.min(lo);
    hi = who.max(hi);
    if (fell != 0) simt::atomic_max(falls, 1);
    if (who.rank() == 0) range[row] = {begin == end ? 0 : lo, hi, static_cast<std::int32_t>(end - begin), 0};
  });
}

__global__ void __launch_bounds__(kRowThreads)
    facts_of_rows(Pattern a, int lanes, const RowOfB* range, std::int64_t* nprod, RowFacts* facts) {
  for_rows(a.rows, a.ptr, lanes, [&](const auto& who, std::int64_t row) {
    std::int64_t products = 0;
    std::int32_t lo = kNoColumn, hi = -1, longest = 0;
    const std::int64_t end = a.ptr[row + 1], step = who.size();
    for (std::int64_t k = a.ptr[row] + who.rank(); k < end; k += kAtOnce * step) {
      RowOfB met[kAtOnce];
      ROWAN_UNROLL
      for (int u = 0; u < kAtOnce; u++)
        met[u] = k + u * step < end ? range[a.col[k + u * step]] : RowOfB{kNoColumn, -1, 0, 0};
      ROWAN_UNROLL
      for (int u = 0; u < kAtOnce; u++) {
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
    if (who.rank() != 0) return;
    constexpr std::int64_t kMost = UINT32_MAX;
    nprod[row] = products;
    facts[row] = {products == 0 ? 0 : lo, hi, longest, static_cast<std::uint32_t>(products < kMost ? products : kMost)};
  });
}

__global__ void __launch_bounds__(kRowThreads) relations_of_rows(Pattern a, int lanes, std::uint8_t* relation) {
  for_rows(a.rows, a.ptr, lanes, [&](const auto& who, std::int64_t row) {
    const std::int64_t here = a.ptr[row], n = a.ptr[row + 1] - here;
    bool alike = row > 0 && n > 0 && n == here - a.ptr[row - 1];
    std::int32_t move = 0;
    if (alike) {
      move = a.col[here] - a.col[here - n];
      alike = move == 0 || move == 1;
    }
    if (alike) {  // the same for all who look at the row
      int differs = 0;
      for (std::int64_t k = who.rank(); k < n; k += who.size())
        differs |= a.col[here + k] - a.col[here - n + k] != move;
      alike = who.max(differs) == 0;
    }
    if (who.rank() == 0) relation[row] = !alike ? 0 : move == 0 ? kSameAsPrevious : kShiftedFromPrevious;
  });
}

}  // namespace

void measure_ranges(const Pattern& b, std::int64_t nnz, RowOfB* range, std::int32_t* falls, hipStream_t stream) {
  const int lanes = row_lanes(b.rows, nnz);
  launch(ranges_of_rows, {.grid = row_blocks(b.rows, lanes), .block = kRowThreads}, stream, b, lanes, range, falls);
}

void measure_rows(const Pattern& a, std::int64_t nnz, const RowOfB* range, std::int64_t* nprod, RowFacts* facts,
                  hipStream_t stream) {
  const int lanes = row_lanes(a.rows, nnz);
  launch(facts_of_rows, {.grid = row_blocks(a.rows, lanes), .block = kRowThreads}, stream, a, lanes, range, nprod,
         facts);
}

void measure_runs(const Pattern& a, std::int64_t nnz, std::uint8_t* relation, hipStream_t stream) {
  const int lanes = row_lanes(a.rows, nnz);
  launch(relations_of_rows, {.grid = row_blocks(a.rows, lanes), .block = kRowThreads}, stream, a, lanes, relation);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
