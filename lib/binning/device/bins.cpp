#include "lib/binning/device/bins.hpp"

#include <algorithm>

#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kTallyThreads = 512, kListThreads = 256;
constexpr int kListRows = 2;  // of a thread
static_assert(kKeys <= kTallyThreads && kMaxQueues <= kListThreads);

struct RowLook {
  RowNumbers numbers;
  int key;
};

__device__ RowLook look_at(const RowSource& s, const Borders& borders, bool heavy_apart, std::int64_t i) {
  const CRow c_row = s.c_rows[i];
  const std::int64_t number = s.number[i];
  RowNumbers row{.span = c_row.span(), .b_max = c_row.b_max};
  row.nprod = s.says == RowNumber::products ? number : std::int64_t{c_row.nprod};
  if (s.says == RowNumber::products)
    row.bound = number < row.span ? number : row.span;
  else
    row.bound = s.says == RowNumber::first_entry ? s.number[i + 1] - number : number;
  row.a_nnz = s.a.length(i);
  bool follower = false;
  if (s.relation != nullptr) {
    const int here = s.relation[i], next = i + 1 < s.a.rows ? s.relation[i + 1] : 0;
    row.in_run = here == kSameAsPrevious || next == kSameAsPrevious;
    follower = s.bundle_rows != nullptr ? s.bundle_rows[i] == 0 : goes_on(s.relation, i);
  }
  if (s.shift_mark != nullptr)
    if (const ShiftMark mark = s.shift_mark[i]; mark.in_bundle()) row.in_shift = true, follower = mark.is_follower();
  return {row, heavy_apart ? key_of(borders, row, follower) : bin_of(borders, row, follower)};
}

/// Adds to sums in global memory.
__device__ void merge(Tally& all, const Tally& t) {
  if (t.rows == 0) return;
  simt::atomic_add(&all.rows, t.rows);
#define ROWAN_SUM(field, ...) simt::atomic_add(&all.field, t.field);
#define ROWAN_MAX(field, ...) simt::atomic_max(&all.field, t.field);
#define ROWAN_FLAG(field, ...) \
  if (t.field != 0) simt::atomic_add(&all.field, t.field);
  ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SUM, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_MAX
#undef ROWAN_FLAG
}

/// A block's sums and maxima of every key, in shared memory. Each thread adds its own rows: to reduce over a wave once
/// for each bin that it meets takes longer, by shuffles as by one instruction. Sums have 32 bits, which shared memory
/// adds by itself: wider ones it adds by comparing and swapping. They are of digits of 16 bits, so that kMostRows of
/// them fit, and a number has as many digits as it needs; upper ones, which few rows have, are added only where they
/// are not zero. There are copies of every bin's sums, so that few threads of a wave meet in one.
class BlockTally {
  /// Where a row's numbers are added; of words the lower digits, and the upper ones behind them. Squares are two words.
  enum Sum {
    sum_rows,
#define ROWAN_SUM(field, ...) sum_##field, upper_of_##field,
#define ROWAN_SQUARES(field, ...) sum_##field, upper_of_##field, high_word_of_##field, upper_of_high_word_of_##field,
#define ROWAN_FLAG(field, ...) sum_##field,
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_NO_FIELD, ROWAN_SQUARES, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_SQUARES
#undef ROWAN_FLAG
        kSums
  };
  enum Maximum {
#define ROWAN_MAX(field, ...) max_##field,
    ROWAN_TALLY_FIELDS(ROWAN_NO_FIELD, ROWAN_MAX, ROWAN_NO_FIELD, ROWAN_NO_FIELD)
#undef ROWAN_MAX
        kMaxima
  };

 public:
  static constexpr int kCopies = 4, kPitch = kSums | 1;  // an odd pitch: bins lie in different banks
  static constexpr int kAllSums = (kCopies * kBins + kHeavyKeys) * kPitch;
  static constexpr int kWords = kAllSums + kKeys * kMaxima;
  static constexpr int kDigit = 16, kWord = 32;                                   // bits
  static constexpr std::int64_t kMostRows = std::int64_t{1} << (kWord - kDigit);  // that may be added

  __device__ explicit BlockTally(unsigned* words) : sums_(words), maxima_(words + kAllSums) {}

  /// Whether the row's numbers are words.
  __device__ static bool fits(const RowNumbers& row) {
    std::int64_t bits = 0;
#define ROWAN_NUMBER(field, type, number) bits |= row.number;
    ROWAN_TALLY_FIELDS(ROWAN_NUMBER, ROWAN_NUMBER, ROWAN_NUMBER, ROWAN_NO_FIELD)
#undef ROWAN_NUMBER
    return bits >> kWord == 0;
  }

  __device__ void add(int key, const RowNumbers& row) {
    unsigned* const sum = sums_of(key, static_cast<int>(threadIdx.x) % kCopies);
    simt::atomic_add(sum + sum_rows, 1);
#define ROWAN_SUM(field, type, number) add_word(sum + sum_##field, static_cast<unsigned>(row.number));
#define ROWAN_SQUARES(field, type, number) add_square(sum + sum_##field, static_cast<unsigned>(row.number));
#define ROWAN_FLAG(field, type, flag) \
  if (row.flag) simt::atomic_add(sum + sum_##field, 1);
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_NO_FIELD, ROWAN_SQUARES, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_SQUARES
#undef ROWAN_FLAG
    unsigned* const most = maxima_ + key * kMaxima;
#define ROWAN_MAX(field, type, number) raise(most + max_##field, static_cast<unsigned>(row.number));
    ROWAN_TALLY_FIELDS(ROWAN_NO_FIELD, ROWAN_MAX, ROWAN_NO_FIELD, ROWAN_NO_FIELD)
#undef ROWAN_MAX
  }

  __device__ Tally of(int key) const {
    const auto sum = [&](int number) {
      std::int64_t all = 0;
      for (int c = 0; c < (key < kBins ? kCopies : 1); c++) all += sums_of(key, c)[number];
      return all;
    };
    const auto sum_of_words = [&](int number) { return (sum(number + 1) << kDigit) + sum(number); };
    constexpr auto kHighWord = static_cast<double>(std::int64_t{1} << kWord);
    Tally t;
    t.rows = sum(sum_rows);
    if (t.rows == 0) return t;
    const unsigned* const most = maxima_ + key * kMaxima;
#define ROWAN_SUM(field, ...) t.field = sum_of_words(sum_##field);
#define ROWAN_MAX(field, ...) t.field = most[max_##field];
#define ROWAN_SQUARES(field, ...)                            \
  t.field = static_cast<double>(sum_of_words(sum_##field)) + \
            kHighWord * static_cast<double>(sum_of_words(high_word_of_##field)); /* each exact */
#define ROWAN_FLAG(field, ...) t.field = sum(sum_##field);
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SQUARES, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_MAX
#undef ROWAN_SQUARES
#undef ROWAN_FLAG
    return t;
  }

 private:
  /// Of keys behind the bins, which few rows have, there is one copy.
  __device__ unsigned* sums_of(int key, int copy) const {
    return sums_ + (key < kBins ? copy * kBins + key : (kCopies - 1) * kBins + key) * kPitch;
  }
  /// Adds to the sums of a word's digits.
  __device__ static void add_word(unsigned* sum, unsigned x) {
    simt::atomic_add(sum, x & ((1U << kDigit) - 1));
    if (x >> kDigit != 0) simt::atomic_add(sum + 1, x >> kDigit);
  }
  __device__ static void add_square(unsigned* sum, unsigned x) {
    const std::uint64_t square = std::uint64_t{x} * x;
    add_word(sum, static_cast<unsigned>(square));
    if (const auto high = static_cast<unsigned>(square >> kWord); high != 0) add_word(sum + 2, high);
  }
  __device__ static void raise(unsigned* most, unsigned x) {
    if (simt::load_relaxed(most) < x) simt::atomic_max(most, x);
  }

  unsigned *sums_, *maxima_;
};

/// By all threads of a block, of at least kKeys: the sums of keys [0, keys) to the host. Loads bypass what the block
/// may have read before.
__device__ void tell(const Tally* of_key, int keys, const std::uint64_t* more,
                     const HostMailbox<ToldSums>::Sender& told) {
  constexpr int kWords = sizeof(Tally) / sizeof(std::uint64_t);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  ROWAN_SHARED(int, listed, kKeys);
  const WholeBlock block(scratch);
  const int t = block.rank();
  const bool has = t < keys && simt::load_relaxed(&of_key[t].rows) != 0;
  int count = 0;
  const int at = block.exclusive_sum<int>(has ? 1 : 0, count);
  if (has) listed[at] = t, told.told->key[at] = t;
  if (t == 0) told.told->count = count;
  if (more != nullptr && t < ToldSums::kMoreWords) told.told->more[t] = more[t];
  __syncthreads();
  const auto* const from = reinterpret_cast<const std::uint64_t*>(of_key);
  auto* const to = reinterpret_cast<std::uint64_t*>(told.told->of);
  for (int k = t; k < count * kWords; k += block.size())
    to[k] = simt::load_relaxed(from + listed[k / kWords] * kWords + k % kWords);
  simt::fence_to_host();
  __syncthreads();
  if (t == 0) simt::store_release(told.done, 1U);
}

__global__ void __launch_bounds__(kTallyThreads)
    tell_alone(const Tally* of_key, int keys, const std::uint64_t* more, HostMailbox<ToldSums>::Sender told) {
  tell(of_key, keys, more, told);
}

/// A thread has rows that are a whole grid apart: a block has at most BlockTally::kMostRows of them, and the grid is
/// otherwise no larger than what runs together. In shared memory the block's BlockTally. Long rows, which do not fit
/// there, go to global memory at once; the block's sums do so at the end, a thread a key.
/// The last block tells the host.
__global__ void ROWAN_LAUNCH_BOUNDS(kTallyThreads, 3) first_pass(RowSource rows, Borders borders, RowTallies out) {
  ROWAN_SHARED(unsigned, words, BlockTally::kWords);
  for (int k = static_cast<int>(threadIdx.x); k < BlockTally::kWords; k += kTallyThreads) words[k] = 0;
  __syncthreads();
  BlockTally mine(words);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kTallyThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kTallyThreads + threadIdx.x; i < rows.a.rows;
       i += step) {
    const auto [row, key] = look_at(rows, borders, out.heavy_apart, i);
    out.key[i] = static_cast<std::uint8_t>(key);
    if (BlockTally::fits(row)) {
      mine.add(key, row);
    } else {
      Tally alone;
      alone.add(row);
      merge(out.of_key[key], alone);
    }
  }
  __syncthreads();
  const int keys = out.heavy_apart ? kKeys : kBins;
  if (const int key = static_cast<int>(threadIdx.x); key < keys) merge(out.of_key[key], mine.of(key));
  if (out.told.done == nullptr) return;
  ROWAN_SHARED(int, last, 1);
  simt::fence_device();  // this thread's sums are there before the block counts as done
  __syncthreads();
  if (threadIdx.x == 0) last[0] = simt::atomic_add(out.blocks_done, 1) + 1 == gridDim.x ? 1 : 0;
  __syncthreads();
  if (last[0] != 0) tell(out.of_key, keys, nullptr, out.told);
}

/// A block has kListThreads * kListRows neighbouring rows, each thread kListRows of them, kListThreads apart; the grid
/// covers all rows. In shared memory, for each queue, the block's rows in it and where in the list they begin, which
/// the block takes from `cursor` with one atomic a queue.
__global__ void __launch_bounds__(kListThreads)
    second_pass(std::int64_t rows, const std::uint8_t* key, ListLayout layout, std::int64_t* cursor, std::int32_t* list,
                SavedRange* saved) {
  ROWAN_SHARED(int, count, kMaxQueues);
  ROWAN_SHARED(std::int64_t, base, kMaxQueues);
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kListThreads * kListRows + t;
  if (t < kMaxQueues) count[t] = 0;
  __syncthreads();
  Held<int, kListRows> queue, at;
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++) {
    const std::int64_t i = first + u * kListThreads;
    if (saved != nullptr && i < rows) saved[i] = SavedRange{};
    queue[u] = i < rows ? layout.of_key[key[i]] : kNoQueue;
    at[u] = queue[u] != kNoQueue ? simt::atomic_add(count + queue[u], 1) : 0;
  }
  __syncthreads();
  if (t < kMaxQueues && count[t] != 0)
    base[t] = layout.begin[t] + simt::atomic_add(cursor + t, static_cast<std::int64_t>(count[t]));
  __syncthreads();
  ROWAN_UNROLL
  for (int u = 0; u < kListRows; u++)
    if (queue[u] != kNoQueue) list[base[queue[u]] + at[u]] = static_cast<std::int32_t>(first + u * kListThreads);
}

}  // namespace

void tally_bins(const RowSource& rows, const Borders& borders, const RowTallies& out, hipStream_t stream,
                int multiprocessors) {
  constexpr int kBlocksAMultiprocessor = 4;
  const auto blocks_of = [&](std::int64_t each) { return (rows.a.rows + each - 1) / each; };
  const std::int64_t blocks = std::max(
      blocks_of(BlockTally::kMostRows),
      std::min<std::int64_t>(blocks_of(kTallyThreads), std::int64_t{kBlocksAMultiprocessor} * multiprocessors));
  if (blocks == 0 && out.told.done != nullptr)  // nobody else would
    tell_sums(out.of_key, out.heavy_apart ? kKeys : kBins, nullptr, out.told, stream);
  launch(first_pass, {.grid = blocks, .block = kTallyThreads}, stream, rows, borders, out);
}

void tell_sums(const Tally* of_key, int keys, const std::uint64_t* more, const HostMailbox<ToldSums>::Sender& told,
               hipStream_t stream) {
  launch(tell_alone, {.grid = 1, .block = kTallyThreads}, stream, of_key, keys, more, told);
}

void list_rows(std::int64_t rows, const std::uint8_t* key, const ListLayout& layout, std::int64_t* cursor,
               std::int32_t* list, SavedRange* saved, hipStream_t stream) {
  constexpr std::int64_t kRows = std::int64_t{kListThreads} * kListRows;
  launch(second_pass, {.grid = (rows + kRows - 1) / kRows, .block = kListThreads}, stream, rows, key, layout, cursor,
         list, saved);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
