#include "lib/binning/device/bins.hpp"

#include <algorithm>

#include "lib/binning/device/bundles.hpp"
#include "lib/device/simt/last_block.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kTallyThreads = 512, kTallyBlocks = 3;  // of a multiprocessor
static_assert(kKeys <= kTallyThreads && kChunkRows % kTallyThreads == 0);

struct RowLook {
  RowNumbers numbers;
  int key;
};

/// Row i, by its products.
__device__ RowLook look_by_products(const RowSource& s, const Borders& borders, bool heavy_apart, std::int64_t i,
                                    ShiftMark mark) {
  const CRow c_row = s.c_rows[i];
  const std::int64_t products = s.number[i], span = c_row.span();
  const RowNumbers row{.nprod = products,
                       .bound = products < span ? products : span,
                       .a_nnz = s.a.length(i),
                       .span = span,
                       .b_max = c_row.b_max,
                       .in_run = s.relation != nullptr && in_run(s.a.rows, s.relation, i),
                       .in_shift = mark.in_bundle()};
  const bool follower = mark.in_bundle() ? mark.is_follower() : s.relation != nullptr && goes_on(s.relation, i);
  return {row, heavy_apart ? key_of(borders, row, follower) : bin_of(borders, row, follower)};
}

/// Row i, by its entries. A follower gets its leader's: the leader's thread does not write that.
__device__ RowLook look_by_entries(const RowSource& s, const Borders& borders, std::int64_t i) {
  const ShiftMark mark = s.shift_mark == nullptr ? ShiftMark() : s.shift_mark[i];
  const CRow c_row = s.c_rows[i];
  RowNumbers row{.nprod = std::int64_t{c_row.nprod},
                 .a_nnz = s.a.length(i),
                 .span = c_row.span(),
                 .b_max = c_row.b_max,
                 .in_shift = mark.in_bundle()};
  PlaceInRun place{i, 1};
  if (mark.in_bundle()) {
    if (mark.is_follower()) place.leader = i - mark.behind();
  } else if (s.relation != nullptr) {
    row.in_run = in_run(s.a.rows, s.relation, i);
    place = place_in_run(s.a.rows, s.relation, i);
    if (place.leader != i && s.saved != nullptr) s.saved[i] = s.saved[place.leader];
  }
  if (s.bundle_rows != nullptr) s.bundle_rows[i] = place.bundle_rows;
  row.bound = s.number[place.leader];
  if (place.leader != i) s.number[i] = row.bound;
  return {row, bin_of(borders, row, mark.is_follower() || place.bundle_rows == 0)};
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

/// A block's sums and maxima of every key, in shared memory. Where a wave's rows have one key and small numbers, as
/// most of a mesh have, it reduces them and adds once. Other threads add their own rows: to reduce over a wave once for
/// each bin that it meets takes longer, by shuffles as by one instruction. Sums have 32 bits, which shared memory adds
/// by itself: wider ones it adds by comparing and swapping. They are of digits of 16 bits, so that kMostRows of them
/// fit, and a number has as many digits as it needs; upper ones, which few rows have, are added only where they are not
/// zero.
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
  static constexpr int kPitch = kSums | 1;  // odd: bins lie in different banks
  static constexpr int kAllSums = kKeys * kPitch;
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
  /// Whether a wave's sums of such rows are words.
  __device__ static bool is_small(const RowNumbers& row) {
    constexpr int kSmall = 25, kSmallRoot = 12;  // bits: a wave has up to 64 rows
    std::int64_t bits = 0;
#define ROWAN_NUMBER(field, type, number) bits |= row.number;
#define ROWAN_SQUARES(field, type, number) bits |= row.number << (kSmall - kSmallRoot);
    ROWAN_TALLY_FIELDS(ROWAN_NUMBER, ROWAN_NUMBER, ROWAN_SQUARES, ROWAN_NO_FIELD)
#undef ROWAN_NUMBER
#undef ROWAN_SQUARES
    return bits >> kSmall == 0;
  }

  /// By a whole wave: small rows of one key; a lane that has none has zeros.
  __device__ void add_alike(int key, const RowNumbers& row, bool has_row) {
    const auto rows = static_cast<unsigned>(simt::popcount(simt::ballot(simt::wave_mask(), has_row)));
    const bool adds = simt::lane() == 0;
    unsigned* const sum = sums_of(key);
    if (adds) simt::atomic_add(sum + sum_rows, rows);
#define ROWAN_SUM(field, type, number) \
  if (const unsigned all = simt::wave_sum(static_cast<unsigned>(row.number)); adds) add_word(sum + sum_##field, all);
#define ROWAN_SQUARES(field, type, number)                                                                        \
  if (const unsigned all = simt::wave_sum(static_cast<unsigned>(row.number) * static_cast<unsigned>(row.number)); \
      adds)                                                                                                       \
    add_word(sum + sum_##field, all);
#define ROWAN_FLAG(field, type, flag)                                                 \
  if (const Mask with = simt::ballot(simt::wave_mask(), row.flag); adds && with != 0) \
    simt::atomic_add(sum + sum_##field, static_cast<unsigned>(simt::popcount(with)));
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_NO_FIELD, ROWAN_SQUARES, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_SQUARES
#undef ROWAN_FLAG
    unsigned* const most = maxima_ + key * kMaxima;
#define ROWAN_MAX(field, type, number) \
  if (const unsigned all = simt::wave_max(static_cast<unsigned>(row.number)); adds) raise(most + max_##field, all);
    ROWAN_TALLY_FIELDS(ROWAN_NO_FIELD, ROWAN_MAX, ROWAN_NO_FIELD, ROWAN_NO_FIELD)
#undef ROWAN_MAX
  }
  __device__ void add(int key, const RowNumbers& row) {
    unsigned* const sum = sums_of(key);
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
    const auto sum = [&](int number) { return std::int64_t{sums_of(key)[number]}; };
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
  __device__ unsigned* sums_of(int key) const {
    return sums_ + key * kPitch;
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

/// By all threads of a block, of at least kKeys: the sums of keys [0, keys) to the host, compared with assumed ones
/// where there are any. Loads bypass what the block may have read before.
__device__ void tell(const WholeBlock& block, const RowTallies& out, int keys) {
  constexpr int kWords = static_cast<int>(kWordsOfTally);
  ROWAN_SHARED(int, listed, kKeys);
  ToldSums* const told = out.told.told;
  const int t = block.rank();
  const bool has = t < keys && simt::load_relaxed(&out.of_key[t].rows) != 0;
  int count = 0;
  const int at = block.exclusive_sum<int>(has ? 1 : 0, count);
  const int flag = t == 0 && out.flag != nullptr ? *out.flag : 0;
  std::uint64_t checksum = 0;
  const auto check = [&](std::uint64_t place, std::int64_t word) {
    checksum += in_checksum(place, static_cast<std::uint64_t>(word));
  };
  if (has) {
    listed[at] = t, told->key[at] = t;
    check(kKeysInChecksum + static_cast<std::uint64_t>(at), t);
  }
  if (t == 0) {
    told->count = count, told->flag = flag;
    check(kCountInChecksum, count), check(kFlagInChecksum, flag);
  }
  __syncthreads();
  const auto* const from = reinterpret_cast<const std::uint64_t*>(out.of_key);
  auto* const to = reinterpret_cast<std::uint64_t*>(told->of);
  for (int k = t; k < count * kWords; k += block.size()) {
    to[k] = simt::load_relaxed(from + listed[k / kWords] * kWords + k % kWords);
    checksum += in_checksum(static_cast<std::uint64_t>(k), to[k]);
  }
  simt::fence_to_host();
  __syncthreads();
  if (t == 0) simt::store_release(out.told.done, 1U);
  if (out.assumed.cancelled == nullptr) return;
  checksum = block.sum(checksum);
  if (t == 0 && checksum != out.assumed.checksum) *out.assumed.cancelled = 1;
}

/// By all threads of a block, of at least kKeys: where rows of keys [0, keys) begin in a list by key.
__device__ void begin_keys(const WholeBlock& block, const RowTallies& out, int keys) {
  const int place = block.rank(), key = place < kKeys ? key_at(place) : keys;
  int all = 0;
  const int rows = key < keys ? static_cast<int>(simt::load_relaxed(&out.of_key[key].rows)) : 0;
  const int before = block.exclusive_sum<int>(rows, all);
  if (place < kKeys) out.first_of_key[key] = before;
}

/// By all threads of a block: entries of every chunk become those before it.
__device__ void begin_chunks(const WholeBlock& block, std::int64_t rows, std::int64_t* before_chunk) {
  std::int64_t before = 0;
  for (std::int64_t first = 0; first < chunks_of(rows); first += block.size()) {
    const std::int64_t chunk = first + block.rank();
    std::int64_t all = 0;
    const std::int64_t mine = chunk < chunks_of(rows) ? simt::load_relaxed(before_chunk + chunk) : 0;
    const std::int64_t upto = before + block.exclusive_sum<std::int64_t>(mine, all);
    if (chunk < chunks_of(rows)) before_chunk[chunk] = upto;
    before += all;
  }
}

/// A wave has rows that are a whole grid apart, and meets no barrier before its last: a block has at most
/// BlockTally::kMostRows of them, and the grid is otherwise no larger than what runs together. Blocks are few and
/// large: those of a few keys all add to the same sums. In shared memory the block's BlockTally. Long rows, which do
/// not fit there, go to global memory at once; the block's sums do so at the end, a thread a key. The last block tells
/// the host, and adds up where keys' rows and chunks' entries begin.
template <RowNumber kSays>
__global__ void ROWAN_LAUNCH_BOUNDS(kTallyThreads, kTallyBlocks)
    tally_rows(RowSource rows, Borders borders, RowTallies out) {
  constexpr bool kByProducts = kSays == RowNumber::products;
  ROWAN_SHARED(unsigned, words, BlockTally::kWords);
  for (int k = static_cast<int>(threadIdx.x); k < BlockTally::kWords; k += kTallyThreads) words[k] = 0;
  __syncthreads();
  BlockTally mine(words);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * kTallyThreads;
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kTallyThreads + threadIdx.x;
  for (std::int64_t of_wave = thread - simt::lane(); of_wave < rows.a.rows; of_wave += step) {
    const std::int64_t i = of_wave + simt::lane();
    const bool has_row = i < rows.a.rows;
    ShiftMark mark;
    if (kByProducts && rows.moved != nullptr) {
      mark = mark_of_row(rows.a.rows, rows.moved, i);
      if (has_row) rows.shift_mark[i] = mark;
    }
    RowLook look{};
    if (has_row) {
      look =
          kByProducts ? look_by_products(rows, borders, out.heavy_apart, i, mark) : look_by_entries(rows, borders, i);
      out.key[i] = static_cast<std::uint8_t>(look.key);
    }
    const int key = simt::shuffle(simt::wave_mask(), look.key, 0);
    const bool fits_in = !has_row || (look.key == key && BlockTally::is_small(look.numbers));
    if (simt::ballot(simt::wave_mask(), !fits_in) == 0) {
      mine.add_alike(key, look.numbers, has_row);
    } else if (has_row && BlockTally::fits(look.numbers)) {
      mine.add(look.key, look.numbers);
    } else if (has_row) {
      Tally alone;
      alone.add(look.numbers);
      merge(out.of_key[look.key], alone);
    }
    if (!kByProducts && out.before_chunk != nullptr) {
      const std::int64_t entries = simt::wave_sum(std::int64_t{look.numbers.bound});
      if (simt::lane() == 0) simt::atomic_add(out.before_chunk + of_wave / kChunkRows, entries);
    }
  }
  __syncthreads();
  const int keys = kByProducts && out.heavy_apart ? kKeys : kBins;
  if (const int key = static_cast<int>(threadIdx.x); key < keys) merge(out.of_key[key], mine.of(key));
  if (!is_last_block(out.blocks_done)) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  tell(block, out, keys);
  begin_keys(block, out, keys);
  if (!kByProducts && out.before_chunk != nullptr) begin_chunks(block, rows.a.rows, out.before_chunk);
}

}  // namespace

void tally_bins(const RowSource& rows, const Borders& borders, const RowTallies& out, hipStream_t stream,
                int multiprocessors) {
  const auto blocks_of = [&](std::int64_t each) { return (rows.a.rows + each - 1) / each; };
  const std::int64_t together = std::int64_t{kTallyBlocks} * multiprocessors;
  const Shape shape{.grid = std::max({std::int64_t{1}, blocks_of(BlockTally::kMostRows),
                                      std::min(blocks_of(kTallyThreads), together)}),
                    .block = kTallyThreads};
  if (rows.says == RowNumber::products)
    launch(tally_rows<RowNumber::products>, shape, stream, rows, borders, out);
  else
    launch(tally_rows<RowNumber::entries>, shape, stream, rows, borders, out);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
