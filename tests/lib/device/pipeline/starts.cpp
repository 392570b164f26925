// Which launches a phase has, and in which order they are started.
#include "lib/device/pipeline/starts.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/decided.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Every third queue of a phase has rows of one bin, later ones longer rows, but for the last. Which: `with_rows`.
Decided every_third_queue(Phase phase, std::vector<int>& with_rows) {
  Decided d;
  const int classes = static_cast<int>(kBinBorders.size());
  for (int queue = 0, c = 0; queue < queues_of(phase) && c < classes; queue += 3, c++) {
    const int bin = bin_number({c, RowKind::single, false});
    const std::int64_t products = queue + 3 < queues_of(phase) && c + 1 < classes ? 10 * (c + 1) : 5;
    d.tally[bin].add(RowNumbers{.nprod = products, .bound = products, .a_nnz = 2, .span = 5000, .b_max = 9}, 4 + c);
    d.bins[bin].queue = queue, d.bins[bin].threads = 32;
    with_rows.push_back(queue);
  }
  return d;
}

/// The queues of all launches, rising; each start has rows no longer than those before it.
std::vector<int> queues_in(const std::vector<Start>& starts) {
  std::vector<int> queues;
  for (std::size_t s = 0; s < starts.size(); s++) {
    if (s > 0) CHECK_LE(starts[s].longest, starts[s - 1].longest);
    Offset longest = 0;
    for (const QueueLaunch& launch : starts[s].launches) {
      queues.push_back(launch.queue);
      longest = std::max(longest, launch.rows.nprod_max);
    }
    CHECK_EQ(starts[s].longest, longest);
  }
  std::sort(queues.begin(), queues.end());
  return queues;
}

}  // namespace

TEST_CASE("each queue that has rows is in one start, those with the longest rows first, and none that is left out") {
  for (const Phase phase : {Phase::symbolic, Phase::numeric}) {
    std::vector<int> with_rows;
    const Decided d = every_third_queue(phase, with_rows);
    const KernelQueues queues = make_queues(d.tally, d.bins, true);
    REQUIRE_GT(with_rows.size(), 2U);
    constexpr std::int64_t kFew = 12;  // entries of B
    const std::vector<Start> starts = starts_of(phase, queues, d.tally, kFew);
    CHECK(queues_in(starts) == with_rows);
    for (const Start& start : starts)
      for (const QueueLaunch& launch : start.launches) {
        CHECK_EQ(launch.rows.rows, queues.rows(launch.queue));
        CHECK_EQ(launch.with_followers, launch.rows.rows);
        CHECK_LE(launch.rows.bound_max, kFew);
      }
    bool but[kMaxQueues] = {};
    but[with_rows[1]] = true;
    std::vector<int> others = with_rows;
    others.erase(others.begin() + 1);
    CHECK(queues_in(starts_of(phase, queues, d.tally, kFew, but)) == others);
  }
}

}  // namespace rowan::test
