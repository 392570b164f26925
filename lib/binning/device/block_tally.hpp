#pragma once
// Sums and maxima by key while a block goes through rows: of a lane in registers, of the block in shared memory.
#include "lib/binning/device/bins.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// What a lane has added up of small rows with one key (is_small): words, as many rows as kMostRows.
struct SumsOfLane {
  static constexpr int kMostRows = 8;
  unsigned rows = 0;
#define ROWAN_FIELD(field, ...) unsigned field = 0;
  ROWAN_TALLY_FIELDS(ROWAN_FIELD, ROWAN_FIELD, ROWAN_FIELD, ROWAN_FIELD)
#undef ROWAN_FIELD

  /// Whether the sums of a wave's lanes are words, of so many such rows each.
  __device__ static bool is_small(const RowNumbers& row) {
    constexpr int kSmall = 23, kSmallRoot = 11;  // bits: a wave has up to 64 lanes
    static_assert((std::int64_t{64} * kMostRows << kSmall) <= std::int64_t{1} << 32 && 2 * kSmallRoot <= kSmall);
    std::int64_t bits = 0;
#define ROWAN_NUMBER(field, type, number) bits |= row.number;
#define ROWAN_SQUARES(field, type, number) bits |= row.number << (kSmall - kSmallRoot);
    ROWAN_TALLY_FIELDS(ROWAN_NUMBER, ROWAN_NUMBER, ROWAN_SQUARES, ROWAN_NO_FIELD)
#undef ROWAN_NUMBER
#undef ROWAN_SQUARES
    return bits >> kSmall == 0;
  }
  __device__ void add(const RowNumbers& row) {
    rows++;
#define ROWAN_SUM(field, type, number) field += static_cast<unsigned>(row.number);
#define ROWAN_MAX(field, type, number) \
  field = field < static_cast<unsigned>(row.number) ? static_cast<unsigned>(row.number) : field;
#define ROWAN_SQUARES(field, type, number) \
  field += static_cast<unsigned>(row.number) * static_cast<unsigned>(row.number);
#define ROWAN_FLAG(field, type, flag) field += row.flag ? 1 : 0;
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SQUARES, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_MAX
#undef ROWAN_SQUARES
#undef ROWAN_FLAG
  }
};

/// Of every key. Sums have 32 bits, which shared memory adds by itself: wider ones it adds by comparing and swapping.
/// They are of digits of 16 bits, so that kMostRows of them fit, and a number has as many digits as it needs; upper
/// ones, which few rows have, are added only where they are not zero.
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
  /// Which lane adds what a wave has summed up.
  enum LaneOfSum {
    lane_of_rows,
#define ROWAN_SUM(field, ...) lane_of_##field,
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_NO_FIELD, ROWAN_SUM, ROWAN_SUM)
#undef ROWAN_SUM
        kLanesOfSums
  };
  enum Maximum {
#define ROWAN_MAX(field, ...) max_##field,
    ROWAN_TALLY_FIELDS(ROWAN_NO_FIELD, ROWAN_MAX, ROWAN_NO_FIELD, ROWAN_NO_FIELD)
#undef ROWAN_MAX
        kMaxima
  };

 public:
  static constexpr int kPitch = kSums | 1;  // odd: keys lie in different banks
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
  /// A row that fits.
  __device__ void add(int key, const RowNumbers& row) {
    unsigned* const sum = sums_of(key);
    simt::atomic_add(sum + sum_rows, 1U);
#define ROWAN_SUM(field, type, number) add_word(sum + sum_##field, static_cast<unsigned>(row.number));
#define ROWAN_SQUARES(field, type, number) add_square(sum + sum_##field, static_cast<unsigned>(row.number));
#define ROWAN_FLAG(field, type, flag) \
  if (row.flag) simt::atomic_add(sum + sum_##field, 1U);
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_NO_FIELD, ROWAN_SQUARES, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_SQUARES
#undef ROWAN_FLAG
    unsigned* const most = maxima_ + key * kMaxima;
#define ROWAN_MAX(field, type, number) raise(most + max_##field, static_cast<unsigned>(row.number));
    ROWAN_TALLY_FIELDS(ROWAN_NO_FIELD, ROWAN_MAX, ROWAN_NO_FIELD, ROWAN_NO_FIELD)
#undef ROWAN_MAX
  }
  /// By a whole wave: what its lanes have added up of one key, a lane for each number.
  __device__ void add(int key, const SumsOfLane& of_lane) {
    static_assert(kLanesOfSums <= kLeastWave && kMaxima <= kLeastWave);
    const int l = simt::lane();
    unsigned sum = 0, most = 0;
    int at = sum_rows;
    const auto keep = [&](int its_lane, int its_place, unsigned all) {
      if (l == its_lane) sum = all, at = its_place;
    };
    keep(lane_of_rows, sum_rows, simt::wave_sum(of_lane.rows));
#define ROWAN_SUM(field, ...) keep(lane_of_##field, sum_##field, simt::wave_sum(of_lane.field));
#define ROWAN_MAX(field, ...) \
  if (const unsigned all = simt::wave_max(of_lane.field); l == max_##field) most = all;
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SUM, ROWAN_SUM)
#undef ROWAN_SUM
#undef ROWAN_MAX
    if (sum != 0) add_word(sums_of(key) + at, sum);
    if (most != 0) raise(maxima_ + key * kMaxima + l, most);
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

}  // namespace rowan::device::inline ROWAN_BACKEND
