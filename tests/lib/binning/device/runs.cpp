// Bundles of runs and of shift runs on a device, emulated or real, against rows looked at one after another.
#include "lib/binning/device/runs.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

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

}  // namespace

TEST_CASE("a shift mark is a leader's rows, a follower's distance, or none") {
  CHECK_FALSE(ShiftMark().in_bundle());
  CHECK_FALSE(ShiftMark().is_leader());
  CHECK_FALSE(ShiftMark().is_follower());
  for (int n = 1; n < ShiftMark::kMaxRows; n++) {
    const ShiftMark follower = ShiftMark::follower(n), leader = ShiftMark::leader(n + 1);
    CHECK((follower.in_bundle() && follower.is_follower() && !follower.is_leader()));
    CHECK_EQ(follower.behind(), n);
    CHECK((leader.in_bundle() && leader.is_leader() && !leader.is_follower()));
    CHECK_EQ(leader.rows(), n + 1);
  }
}

TEST_CASE("shift bundles are runs of moved rows, cut at 128 and at blocks, short ones are none") {
  constexpr std::size_t kBlock = 1024;
  for (const std::size_t rows : {std::size_t{1}, std::size_t{7}, std::size_t{1024}, std::size_t{2500}})
    for (const unsigned longest : {12U, 400U}) {
      const std::vector<std::uint8_t> moved = stretches(rows, 1, static_cast<unsigned>(rows), longest);
      for_schedules(1, [&](int, int) {
        Pool pool(0);
        // in place, as the pipeline does it
        const Buffer<std::uint8_t> memory = on_device(pool, moved);
        make_shift_bundles(static_cast<std::int64_t>(rows), memory.data(), reinterpret_cast<ShiftMark*>(memory.data()),
                           nullptr);
        const std::vector<std::uint8_t> bytes = on_host(memory);
        const auto* const mark = reinterpret_cast<const ShiftMark*>(bytes.data());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < rows;) {
          std::size_t end = i + 1;
          while (end < rows && end % kBlock != 0 && moved[end] != 0) end++;
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
    make_bundles(kRows, d_relation.data(), nullptr, d_nnz.data(), bundle_rows.data(), d_saved.data(), nullptr);
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
