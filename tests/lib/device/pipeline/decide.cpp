// Queues that follow from decisions on a device.
#include "lib/device/pipeline/decide.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/decided.hpp"

namespace rowan::test {

using namespace device;

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

TEST_CASE("a queue's rows are found in a list by key, in a few pieces, or it has a list of its own") {
  constexpr int kMostPieces = RowList::kPieces;
  for (int pieces = 1; pieces <= kMostPieces + 1; pieces++) {
    CAPTURE(pieces);
    KernelQueues queues;
    std::vector<std::int64_t> rows_of_key(kKeys);
    std::vector<std::int32_t> list, expected;
    std::fill(std::begin(queues.list.of_key), std::end(queues.list.of_key), kNoQueue);
    constexpr int kQueue = 3, kOther = 4, kRowsOfKey = 5;
    for (int place = 0; place < 3 * pieces; place++) {  // two places of the queue, one of another, and so on
      const int key = key_at(place);
      const bool mine = place % 3 != 2;
      rows_of_key[static_cast<std::size_t>(key)] = kRowsOfKey;
      queues.list.of_key[key] = static_cast<std::uint8_t>(mine ? kQueue : kOther);
      for (int row = 0; row < kRowsOfKey; row++) {
        list.push_back(static_cast<std::int32_t>(100 * place + row));
        if (mine) expected.push_back(list.back());
      }
    }
    queues.list.begin[kOther] = static_cast<std::int64_t>(expected.size());
    for (int q = kOther; q < kMaxQueues; q++) queues.list.begin[q + 1] = static_cast<std::int64_t>(list.size());
    queues.find_by_key(rows_of_key.data());
    CHECK_EQ(queues.by_key, pieces <= kMostPieces);
    if (!queues.by_key) continue;
    const RowList rows = queues.of(kQueue, list.data());
    REQUIRE_EQ(rows.count, expected.size());
    for (std::size_t i = 0; i < expected.size(); i++) CHECK_EQ(rows[static_cast<std::int64_t>(i)], expected[i]);
  }
}

}  // namespace rowan::test
