// Bundles of runs and of shift runs on a device, emulated or real, against rows looked at one after another.
#include "lib/binning/device/bundles.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "lib/binning/device/bins.hpp"
#include "lib/device/pipeline/decide.hpp"
#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Flags in stretches of random lengths.
std::vector<std::uint8_t> stretches(std::size_t rows, std::uint8_t flag, unsigned seed, unsigned longest) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> flags(rows, 0);
  for (std::size_t i = 1; i < rows;) {
    const std::size_t end = std::min(rows, i + random() % longest);
    for (; i < end; i++) flags[i] = flag;
    i++;
  }
  return flags;
}

/// Rows of two entries and some products, as the binning pass wants them.
class SomeRows {
 public:
  SomeRows(Pool& pool, std::size_t rows) : pool_(pool), rows_(static_cast<std::int64_t>(rows)) {
    std::vector<std::int64_t> ptr(rows + 1);
    for (std::size_t i = 0; i <= rows; i++) ptr[i] = 2 * static_cast<std::int64_t>(i);
    ptr_ = on_device(pool, ptr);
    c_rows_ = on_device(pool, std::vector<device::CRow>(rows, {0, 99, 3, 6}));
    key_ = Buffer<std::uint8_t>(pool, rows_, nullptr);
    of_key_ = on_device(pool, std::vector<Tally>(kKeys));
    blocks_done_ = on_device(pool, std::vector<std::uint32_t>(1));
    first_of_key_ = Buffer<std::int32_t>(pool, kKeys, nullptr);
  }
  /// Bins them; `source` has what they are related by, and numbers.
  void bin(RowSource source) {
    source.a = {.rows = rows_, .cols = 1, .ptr = ptr_.data(), .col = nullptr};
    source.c_rows = c_rows_.data();
    HostMailbox<ToldSums> told(pool_, nullptr);
    tally_bins(source, make_borders(Phase::numeric, Rules{.short_rows = true, .room = {200, 200}}),
               {.of_key = of_key_.data(),
                .key = key_.data(),
                .told = told.sender(),
                .blocks_done = blocks_done_.data(),
                .first_of_key = first_of_key_.data()},
               nullptr, 2);
    (void)told.wait("waiting");
  }

 private:
  Pool& pool_;
  std::int64_t rows_;
  Buffer<std::int64_t> ptr_;
  Buffer<device::CRow> c_rows_;
  Buffer<std::uint8_t> key_;
  Buffer<Tally> of_key_;
  Buffer<std::uint32_t> blocks_done_;
  Buffer<std::int32_t> first_of_key_;
};

}  // namespace

TEST_CASE("shift bundles are runs of moved rows, cut at 128 and every 1024 rows, short ones are none") {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{7}, std::size_t{1024}, std::size_t{2500}})
    for (const unsigned longest : {12U, 400U}) {
      const std::vector<std::uint8_t> moved = stretches(rows, 1, static_cast<unsigned>(rows), longest);
      for_schedules(1, [&](int, int) {
        Pool pool(0);
        const Buffer<std::uint8_t> d_moved = on_device(pool, moved);
        const Buffer<ShiftMark> marks(pool, static_cast<std::int64_t>(rows), nullptr);
        const Buffer<std::int64_t> products = on_device(pool, std::vector<std::int64_t>(rows, 6));
        SomeRows(pool, rows)
            .bin({.a = {},
                  .number = products.data(),
                  .says = RowNumber::products,
                  .c_rows = nullptr,
                  .relation = nullptr,
                  .moved = d_moved.data(),
                  .shift_mark = marks.data(),
                  .bundle_rows = nullptr,
                  .saved = nullptr});
        const std::vector<ShiftMark> mark = on_host(marks);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < rows;) {
          std::size_t end = i + 1;
          while (end < rows && end % kShiftRows != 0 && moved[end] != 0) end++;
          for (std::size_t leader = i; leader < end; leader += ShiftMark::kMaxRows) {
            const std::size_t n = std::min<std::size_t>(end - leader, ShiftMark::kMaxRows);
            const bool bundle = n >= static_cast<std::size_t>(ShiftMark::kMinRows);
            wrong += mark[leader].is_leader() != bundle || (bundle && mark[leader].rows() != static_cast<int>(n));
            for (std::size_t k = 1; k < n; k++)
              wrong += mark[leader + k].is_follower() != bundle ||
                       (bundle && mark[leader + k].behind() != static_cast<int>(k));
          }
          i = end;
        }
        CHECK_EQ(wrong, 0);
      });
    }
}

TEST_CASE("bundles of a run are of almost one size, and followers have their leader's count and saved words") {
  constexpr std::size_t kRows = 700;
  const std::vector<std::uint8_t> relation = stretches(kRows, kSameAsPrevious, 3, 90);
  std::vector<std::int64_t> nnz(kRows);
  std::vector<SavedRange> saved(kRows);
  for (std::size_t i = 0; i < kRows; i++)
    nnz[i] = static_cast<std::int64_t>(i), saved[i] = {static_cast<std::int32_t>(2 * i), 1};
  for_schedules(2, [&](int, int) {
    Pool pool(0);
    const Buffer<std::uint8_t> d_relation = on_device(pool, relation), bundle_rows(pool, kRows, nullptr);
    const Buffer<std::int64_t> d_nnz = on_device(pool, nnz);
    const Buffer<SavedRange> d_saved = on_device(pool, saved);
    SomeRows(pool, kRows)
        .bin({.a = {},
              .number = d_nnz.data(),
              .says = RowNumber::entries,
              .c_rows = nullptr,
              .relation = d_relation.data(),
              .moved = nullptr,
              .shift_mark = nullptr,
              .bundle_rows = bundle_rows.data(),
              .saved = d_saved.data()});
    const auto counts = on_host(d_nnz);
    const auto bundles = on_host(bundle_rows);
    const auto ranges = on_host(d_saved);
    std::size_t wrong = 0;
    for (std::size_t first = 0; first < kRows;) {
      std::size_t end = first + 1;
      while (end < kRows && goes_on(relation.data(), static_cast<std::int64_t>(end))) end++;
      int least = kMaxBundleRows, most = 1;
      for (std::size_t i = first; i < end;) {
        const int n = bundles[i];
        least = std::min(least, n), most = std::max(most, n);
        wrong += n < 1 || n > kMaxBundleRows || i + static_cast<std::size_t>(n) > end;
        for (std::size_t k = i + 1; k < std::min(end, i + static_cast<std::size_t>(n)); k++) wrong += bundles[k] != 0;
        i += static_cast<std::size_t>(std::max(n, 1));
      }
      wrong += most - least > 1;
      for (std::size_t i = first; i < end; i++)
        wrong +=
            counts[i] != static_cast<std::int64_t>(first) || ranges[i].from != static_cast<std::int32_t>(2 * first);
      first = end;
    }
    CHECK_EQ(wrong, 0);
  });
}

}  // namespace rowan::test
