#include "lib/binning/device/bins.hpp"

#include <algorithm>

#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kTallyThreads = 512, kListThreads = 256;
constexpr int kListRows = 2;  // of a thread
static_assert(kBins <= kTallyThreads && kMostSlots <= kListThreads);

struct RowLook {
  BinFacts facts;
  std::int64_t bound = 0, b_max = 0;
  bool along = false;
};

__device__ RowLook look_at(const RowSource& s, std::int64_t i) {
  RowLook row;
  const CRow f = s.c_rows[i];
  const std::int64_t number = s.number[i];
  row.facts.span = f.span();
  row.facts.nprod = s.says == RowNumber::products ? number : std::int64_t{f.nprod};
  if (s.says == RowNumber::products)
    row.bound = number < row.facts.span ? number : row.facts.span;
  else
    row.bound = s.says == RowNumber::place ? s.number[i + 1] - number : number;
  row.facts.size = row.bound;
  row.facts.a_nnz = s.a.length(i);
  row.b_max = f.b_max;
  if (s.relation != nullptr) {
    const int here = s.relation[i], next = i + 1 < s.a.rows ? s.relation[i + 1] : 0;
    row.facts.in_run = here == kSameAsPrevious || next == kSameAsPrevious;
    row.along = s.team != nullptr ? s.team[i] == 0 : goes_on(s.relation, i);
  }
  if (s.place != nullptr && s.place[i] != 0) row.facts.in_shift = true, row.along = follows(s.place[i]);
  return row;
}

/// What one row is to its bin's sums.
__device__ Tally tally_of(const RowLook& row) {
  const BinFacts& f = row.facts;
  Tally t;
  t.rows = 1;
  t.nprod = t.nprod_max = f.nprod;
  t.bound = t.bound_max = row.bound;
  t.a_nnz = t.a_nnz_max = f.a_nnz;
  t.span = t.span_max = f.span;
  t.b_row_max = row.b_max;
  t.in_runs = f.in_run ? 1 : 0, t.in_shifts = f.in_shift ? 1 : 0;
  t.nprod_squares = static_cast<double>(f.nprod) * static_cast<double>(f.nprod);
  return t;
}

/// Adds to sums in global memory.
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
  if (t.in_runs != 0) simt::atomic_add(&all.in_runs, t.in_runs);
  if (t.in_shifts != 0) simt::atomic_add(&all.in_shifts, t.in_shifts);
  simt::atomic_add(&all.nprod_squares, t.nprod_squares);
}

/// A block's sums and maxima of every bin, in shared memory. Each thread adds its own rows: to reduce over a wave once
/// for each bin that it meets took twice as long. Sums have 32 bits, which shared memory adds by itself: wider ones it
/// adds by comparing and swapping. They are of digits of 16 bits, so that kMostRows of them fit, and a number has as
/// many digits as it needs; upper ones, which few rows have, are added only where they are not zero. There are copies
/// of every sum, so that few threads of a wave meet in one.
class BlockTally {
 public:
  static constexpr int kCopies = 4, kPitch = 15, kMaxima = 5;  // an odd pitch: bins lie in different banks
  static constexpr int kWords = kBins * (kCopies * kPitch + kMaxima);
  static constexpr int kDigit = 16, kWord = 32;                                   // bits
  static constexpr std::int64_t kMostRows = std::int64_t{1} << (kWord - kDigit);  // that may be added

  __device__ explicit BlockTally(unsigned* words) : sums_(words), maxima_(words + kBins * kCopies * kPitch) {}

  /// Whether the row's numbers are words; spans and rows of B always are.
  __device__ static bool fits(const RowLook& row) {
    return (row.facts.nprod | row.bound | row.facts.a_nnz) >> kWord == 0;
  }

  __device__ void add(int bin, const RowLook& row) {
    const BinFacts& f = row.facts;
    const auto nprod = static_cast<unsigned>(f.nprod), bound = static_cast<unsigned>(row.bound),
               a_nnz = static_cast<unsigned>(f.a_nnz), span = static_cast<unsigned>(f.span);
    const std::uint64_t square = std::uint64_t{nprod} * nprod;
    unsigned* const sum = sums_ + (static_cast<int>(threadIdx.x) % kCopies * kBins + bin) * kPitch;
    simt::atomic_add(sum + kRows, 1);
    add_word(sum + kNprod, nprod);
    add_word(sum + kBound, bound);
    add_word(sum + kANnz, a_nnz);
    add_word(sum + kSpan, span);
    add_word(sum + kSquares, static_cast<unsigned>(square));
    if (const auto upper = static_cast<unsigned>(square >> kWord); upper != 0) add_word(sum + kSquaresUpper, upper);
    if (f.in_run) simt::atomic_add(sum + kInRuns, 1);
    if (f.in_shift) simt::atomic_add(sum + kInShifts, 1);
    unsigned* const most = maxima_ + bin * kMaxima;
    raise(most, nprod), raise(most + 1, bound), raise(most + 2, a_nnz), raise(most + 3, span);
    raise(most + 4, static_cast<unsigned>(row.b_max));
  }

  __device__ Tally of(int bin) const {
    const auto sum = [&](int number) {
      std::int64_t all = 0;
      for (int c = 0; c < kCopies; c++) all += sums_[(c * kBins + bin) * kPitch + number];
      return all;
    };
    const auto sum_of_words = [&](int number) { return (sum(number + 1) << kDigit) + sum(number); };
    constexpr auto kUpper = static_cast<double>(std::int64_t{1} << kWord);
    Tally t;
    t.rows = sum(kRows);
    if (t.rows == 0) return t;
    t.nprod = sum_of_words(kNprod), t.bound = sum_of_words(kBound), t.a_nnz = sum_of_words(kANnz);
    t.span = sum_of_words(kSpan);
    t.nprod_squares = static_cast<double>(sum_of_words(kSquares)) +
                      kUpper * static_cast<double>(sum_of_words(kSquaresUpper));  // each exact
    t.in_runs = sum(kInRuns), t.in_shifts = sum(kInShifts);
    const unsigned* const most = maxima_ + bin * kMaxima;
    t.nprod_max = most[0], t.bound_max = most[1], t.a_nnz_max = most[2], t.span_max = most[3], t.b_row_max = most[4];
    return t;
  }

 private:
  /// Where a row's numbers are added; of words the lower digits, and the upper ones behind them.
  enum Number {
    kRows,
    kInRuns,
    kInShifts,
    kNprod,
    kBound = kNprod + 2,
    kANnz = kBound + 2,
    kSpan = kANnz + 2,
    kSquares = kSpan + 2,  // two words
    kSquaresUpper = kSquares + 2,
    kNumbers = kSquaresUpper + 2
  };
  static_assert(kNumbers == kPitch);

  /// Adds to the sums of a word's digits.
  __device__ static void add_word(unsigned* sum, unsigned x) {
    simt::atomic_add(sum, x & ((1U << kDigit) - 1));
    if (x >> kDigit != 0) simt::atomic_add(sum + 1, x >> kDigit);
  }
  __device__ static void raise(unsigned* most, unsigned x) {
    if (simt::load_relaxed(most) < x) simt::atomic_max(most, x);
  }

  unsigned *sums_, *maxima_;
};

__global__ void __launch_bounds__(kTallyThreads)
    first_pass(RowSource rows, Borders borders, Tally* tally, std::uint8_t* key) {
  ROWAN_SHARED(unsigned, words, BlockTally::kWords);
  for (int k = static_cast<int>(threadIdx.x); k < BlockTally::kWords; k += kTallyThreads) words[k] = 0;
  __syncthreads();
  BlockTally mine(words);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kTallyThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kTallyThreads + threadIdx.x; i < rows.a.rows;
       i += step) {
    const RowLook row = look_at(rows, i);
    const int bin = bin_of(borders, row.facts, row.along);
    key[i] = static_cast<std::uint8_t>(bin);
    if (BlockTally::fits(row))
      mine.add(bin, row);
    else
      merge(tally[bin], tally_of(row));
  }
  __syncthreads();
  if (const int bin = static_cast<int>(threadIdx.x); bin < kBins) merge(tally[bin], mine.of(bin));
}

/// Each thread has rows kListThreads apart.
__global__ void __launch_bounds__(kListThreads)
    second_pass(std::int64_t rows, const std::uint8_t* key, ListLayout layout, std::int64_t* cursor,
                std::int32_t* list) {
  ROWAN_SHARED(int, count, kMostSlots);
  ROWAN_SHARED(std::int64_t, base, kMostSlots);
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kListThreads * kListRows + t;
  if (t < kMostSlots) count[t] = 0;
  __syncthreads();
  Held<int, kListRows> slot, at;
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++) {
    const std::int64_t i = first + u * kListThreads;
    slot[u] = i < rows ? layout.of_bin[key[i]] : kNoSlot;
    at[u] = slot[u] != kNoSlot ? simt::atomic_add(count + slot[u], 1) : 0;
  }
  __syncthreads();
  if (t < kMostSlots && count[t] != 0)
    base[t] = layout.begin[t] + simt::atomic_add(cursor + t, static_cast<std::int64_t>(count[t]));
  __syncthreads();
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++)
    if (slot[u] != kNoSlot) list[base[slot[u]] + at[u]] = static_cast<std::int32_t>(first + u * kListThreads);
}

}  // namespace

void tally_bins(const RowSource& rows, const Borders& borders, Tally* tally, std::uint8_t* key, hipStream_t stream,
                int multiprocessors) {
  constexpr int kBlocksAMultiprocessor = 4;
  const auto blocks_of = [&](std::int64_t each) { return (rows.a.rows + each - 1) / each; };
  const std::int64_t blocks = std::max(
      blocks_of(BlockTally::kMostRows),
      std::min<std::int64_t>(blocks_of(kTallyThreads), std::int64_t{kBlocksAMultiprocessor} * multiprocessors));
  launch(first_pass, {.grid = blocks, .block = kTallyThreads}, stream, rows, borders, tally, key);
}

void list_rows(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
               std::int32_t* list, hipStream_t stream) {
  constexpr std::int64_t kRows = std::int64_t{kListThreads} * kListRows;
  launch(second_pass, {.grid = (rows + kRows - 1) / kRows, .block = kListThreads}, stream, rows, key, layout, cursor,
         list);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
