// Queues that follow from decisions on a device.
#include "lib/device/pipeline/decide.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

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
