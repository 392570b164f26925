#include "lib/binning/device/bins.hpp"

#include <algorithm>

#include "lib/device/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kThreads = 256;
constexpr int kNone = kNoSlot;  // which is no bin either

/// Calls f(value, lanes that have it) once for each different value among the wave's lanes; all lanes come along.
template <class F>
__device__ void for_distinct(int value, const F& f) {
  const Mask all = simt::wave_mask();
  Mask left = simt::ballot(all, value != kNone);
  while (left != 0) {
    const int one = simt::shuffle(all, value, simt::lowest(left));
    const Mask same = simt::ballot(all, value == one);
    f(one, same);
    left &= ~same;
  }
}

struct RowLook {
  BinFacts facts;
  std::int64_t bound = 0, b_max = 0;
  bool along = false;
};

__device__ RowLook look_at(const RowSource& s, std::int64_t i) {
  RowLook row;
  const std::int32_t* f = s.span_facts + 4 * i;
  row.facts.span = std::int64_t{f[1]} - f[0] + 1;
  row.facts.nprod = s.exact ? static_cast<std::int64_t>(static_cast<std::uint32_t>(f[3])) : s.size[i];
  row.bound =
      s.exact ? s.size[i + 1] - s.size[i] : (row.facts.nprod < row.facts.span ? row.facts.nprod : row.facts.span);
  row.facts.size = row.bound;
  row.facts.a_nnz = s.a.length(i);
  row.b_max = f[2];
  if (s.relation != nullptr) {
    const int here = s.relation[i], next = i + 1 < s.a.rows ? s.relation[i + 1] : 0;
    row.facts.in_run = here == kSameAsPrevious || next == kSameAsPrevious;
    row.along = s.team != nullptr ? s.team[i] == 0 : goes_on(s.relation, i);
  }
  if (s.place != nullptr && s.place[i] != 0) row.facts.in_shift = true, row.along = follows(s.place[i]);
  return row;
}

/// Sums and maxima over a wave's rows, those that are `mine`, in words W, to all lanes. Squares apart.
template <class W>
__device__ Tally wave_tally(const RowLook& row, bool mine) {
  const auto sum = [&](std::int64_t v) {
    return static_cast<std::int64_t>(simt::wave_sum(mine ? static_cast<W>(v) : W{0}));
  };
  const auto max = [&](std::int64_t v) {
    return static_cast<std::int64_t>(simt::wave_max(mine ? static_cast<W>(v) : W{0}));
  };
  Tally t;
  t.nprod = sum(row.facts.nprod), t.nprod_max = max(row.facts.nprod);
  t.bound = sum(row.bound), t.bound_max = max(row.bound);
  t.a_nnz = sum(row.facts.a_nnz), t.a_nnz_max = max(row.facts.a_nnz);
  t.span = sum(row.facts.span), t.span_max = max(row.facts.span), t.b_row_max = max(row.b_max);
  return t;
}

/// The wave's rows of one bin are summed up by all lanes and added to the block's tally by a lane a number.
__device__ void add_to(Tally& into, const RowLook& row, bool mine, Mask same) {
  const Mask all = simt::wave_mask();
  // numbers whose sum over a wave fits 32 bits, which is most: half the shuffles, or a single instruction
  constexpr int kSmallBits = 26, kSmallRoot = 13;
  const BinFacts& f = row.facts;
  const bool large = mine && (f.nprod | row.bound | f.a_nnz | f.span | row.b_max) >> kSmallBits != 0;
  Tally t = simt::ballot(all, large) == 0 ? wave_tally<unsigned>(row, mine) : wave_tally<std::int64_t>(row, mine);
  const auto nprod = static_cast<double>(f.nprod);
  if (simt::ballot(all, mine && f.nprod >> kSmallRoot != 0) == 0)
    t.nprod_squares = simt::wave_sum(mine ? static_cast<unsigned>(f.nprod * f.nprod) : 0U);
  else
    t.nprod_squares = simt::wave_sum(mine ? nprod * nprod : 0.0);
  t.rows = simt::popcount(same);
  t.in_runs = simt::popcount(simt::ballot(all, mine && f.in_run));
  t.in_shifts = simt::popcount(simt::ballot(all, mine && f.in_shift));
  const int lane = simt::lane();
  std::int64_t *sum_at = nullptr, *max_at = nullptr, v = 0;
  int number = 0;
  const auto deal = [&](std::int64_t*& at, std::int64_t& of_block, std::int64_t of_wave) {
    if (lane == number++) at = &of_block, v = of_wave;
  };
  deal(sum_at, into.rows, t.rows);
  deal(sum_at, into.nprod, t.nprod);
  deal(sum_at, into.bound, t.bound);
  deal(sum_at, into.a_nnz, t.a_nnz);
  deal(sum_at, into.span, t.span);
  deal(sum_at, into.in_runs, t.in_runs);
  deal(sum_at, into.in_shifts, t.in_shifts);
  deal(max_at, into.nprod_max, t.nprod_max);
  deal(max_at, into.bound_max, t.bound_max);
  deal(max_at, into.a_nnz_max, t.a_nnz_max);
  deal(max_at, into.span_max, t.span_max);
  deal(max_at, into.b_row_max, t.b_row_max);
  if (v != 0 && sum_at != nullptr) simt::atomic_add(sum_at, v);
  if (v != 0 && max_at != nullptr) simt::atomic_max(max_at, v);
  if (lane == number) simt::atomic_add(&into.nprod_squares, t.nprod_squares);
}

__device__ void merge(Tally& all, const Tally& t) {
  if (t.rows == 0) return;
  simt::atomic_add(&all.rows, t.rows);
  simt::atomic_add(&all.nprod, t.nprod);
  simt::atomic_max(&all.nprod_max, t.nprod_max);
  simt::atomic_add(&all.bound, t.bound);
  simt::atomic_max(&all.bound_max, t.bound_max);
  simt::atomic_add(&all.a_nnz, t.a_nnz);
  simt::atomic_max(&all.a_nnz_max, t.a_nnz_max);
  simt::atomic_add(&all.span, t.span);
  simt::atomic_max(&all.span_max, t.span_max);
  simt::atomic_max(&all.b_row_max, t.b_row_max);
  simt::atomic_add(&all.in_runs, t.in_runs);
  simt::atomic_add(&all.in_shifts, t.in_shifts);
  simt::atomic_add(&all.nprod_squares, t.nprod_squares);
}

constexpr int kTallyWords = static_cast<int>(kBins * sizeof(Tally) / sizeof(std::int64_t));

__global__ void __launch_bounds__(kThreads)
    first_pass(RowSource rows, Borders borders, Tally* tally, std::uint8_t* key) {
  ROWAN_SHARED(std::int64_t, words, kTallyWords);
  for (int k = static_cast<int>(threadIdx.x); k < kTallyWords; k += kThreads) words[k] = 0;
  __syncthreads();
  auto* const mine = reinterpret_cast<Tally*>(words);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kThreads;
  // whole waves stay together: the last ones look at no row
  for (std::int64_t base = static_cast<std::int64_t>(blockIdx.x) * kThreads; base < rows.a.rows; base += step) {
    const std::int64_t i = base + threadIdx.x;
    RowLook row;
    int bin = kNone;
    if (i < rows.a.rows) {
      row = look_at(rows, i);
      bin = bin_of(borders, row.facts, row.along);
      key[i] = static_cast<std::uint8_t>(bin);
    }
    for_distinct(bin, [&](int one, Mask same) { add_to(mine[one], row, bin == one, same); });
  }
  __syncthreads();
  if (const int bin = static_cast<int>(threadIdx.x); bin < kBins) merge(tally[bin], mine[bin]);
}

__global__ void __launch_bounds__(kThreads) second_pass(std::int64_t rows, const std::uint8_t* key, ListLayout layout,
                                                        std::int64_t* cursor, std::int32_t* list) {
  ROWAN_SHARED(int, count, kThreads);
  ROWAN_SHARED(std::int64_t, base, kThreads);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const int t = static_cast<int>(threadIdx.x);
  count[t] = 0;
  __syncthreads();
  const int slot = i < rows ? layout.of_bin[key[i]] : kNone;
  int at = 0;
  for_distinct(slot, [&](int one, Mask same) {
    const int first = simt::lowest(same);
    const int before = simt::lane() == first ? simt::atomic_add(count + one, simt::popcount(same)) : 0;
    const int from = simt::shuffle(simt::wave_mask(), before, first);
    if (slot == one) at = from + simt::popcount(same & simt::below(simt::lane()));
  });
  __syncthreads();
  if (t < kMostSlots && count[t] != 0)
    base[t] = layout.begin[t] + simt::atomic_add(cursor + t, static_cast<std::int64_t>(count[t]));
  __syncthreads();
  if (slot != kNone) list[base[slot] + at] = static_cast<std::int32_t>(i);
}

}  // namespace

void tally_bins(const RowSource& rows, const Borders& borders, Tally* tally, std::uint8_t* key, hipStream_t stream,
                int multiprocessors) {
  constexpr int kBlocksAMultiprocessor = 8;
  const std::int64_t blocks = std::min<std::int64_t>((rows.a.rows + kThreads - 1) / kThreads,
                                                     std::int64_t{kBlocksAMultiprocessor} * multiprocessors);
  launch(first_pass, {.grid = blocks, .block = kThreads}, stream, rows, borders, tally, key);
}

void list_rows(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
               std::int32_t* list, hipStream_t stream) {
  launch(second_pass, {.grid = (rows + kThreads - 1) / kThreads, .block = kThreads}, stream, rows, key, layout, cursor,
         list);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
