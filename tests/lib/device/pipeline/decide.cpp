// Queues that follow from decisions on a device.
#include "lib/device/pipeline/decide.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr std::int64_t kFew = kShapes.launch.few_rows;

int sort_queue(Phase phase, std::int64_t nprod) {
  return queue_for(phase, *candidate_named("sort"), {.nprod_max = nprod}).queue;
}

/// Bins of single rows by class, and their decisions.
struct Decided {
  Tally tally[kBins] = {};
  DeviceBinDecision bins[kBins] = {};

  int add(int row_class, std::int64_t rows, int queue) {
    const int bin = bin_number({row_class, RowKind::single, false});
    tally[bin].rows = rows;
    bins[bin].queue = queue;
    return bin;
  }
};

}  // namespace

TEST_CASE("rows of a sort kernel that has few join those of the next larger one that has any") {
  for (const Phase phase : {Phase::symbolic, Phase::numeric}) {
    Decided d;
    const int few = d.add(0, kFew / 2, sort_queue(phase, 16)), more = d.add(1, kFew / 2 - 1, sort_queue(phase, 32)),
              many = d.add(3, kFew, sort_queue(phase, 128)), last = d.add(5, 1, sort_queue(phase, 512));
    join_few_rows(phase, d.tally, d.bins);
    CHECK_EQ(d.bins[few].queue, sort_queue(phase, 128));  // both together are still few
    CHECK_EQ(d.bins[more].queue, sort_queue(phase, 128));
    CHECK_EQ(d.bins[many].queue, sort_queue(phase, 128));
    CHECK_EQ(d.bins[last].queue, sort_queue(phase, 512));  // there is none larger
  }
}

TEST_CASE("rows that have no kernel, or another candidate's, join none") {
  Decided d;
  const int hash = queue_for(Phase::numeric, *candidate_named("hash"), {.bound_max = 10, .room = 200}).queue;
  const int none = d.add(0, 1, kNoQueue), other = d.add(1, 1, hash),
            empty = d.add(2, 0, sort_queue(Phase::numeric, 64)), many = d.add(3, kFew, sort_queue(Phase::numeric, 128));
  join_few_rows(Phase::numeric, d.tally, d.bins);
  CHECK_EQ(d.bins[none].queue, kNoQueue);
  CHECK_EQ(d.bins[other].queue, hash);
  CHECK_EQ(d.bins[empty].queue, sort_queue(Phase::numeric, 64));
  CHECK_EQ(d.bins[many].queue, sort_queue(Phase::numeric, 128));
}

TEST_CASE("the list knows the queue of rows that may be heavy, as it is decided") {
  Decided d;
  const BinParts parts{9, RowKind::single, true};
  const int bin = bin_number(parts), queue = 5, heavy = heavy_queue(Phase::symbolic);
  d.tally[bin].rows = 10, d.bins[bin].queue = queue;
  d.tally[kHeavyBin].rows = 2, d.bins[kHeavyBin].queue = heavy;
  const KernelQueues queues = make_queues(d.tally, d.bins, true, kHeavyProducts[1]);
  CHECK_EQ(queues.list.of_key[heavy_key(0, parts)], queue);
  CHECK_EQ(queues.list.of_key[heavy_key(1, parts)], heavy);
  CHECK_EQ(queues.list.of_key[bin], queue);
}

}  // namespace rowan::test
