// Products shared out evenly (accumulators/common/device/shares.hpp).
#include "accumulators/common/device/shares.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "lib/device/runtime/memory.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Counts every product of an entry, at its place in the entry's row.
__global__ void count_products(SharedProducts all, int* count) {
  struct Place {
    std::int64_t first;
  };
  walk_share(
      all, [&](std::int64_t e) { return Place{all.before[e]}; },
      [](const Place& entry, int i) { return entry.first + i; },
      [&](std::int64_t product) { simt::atomic_add(count + product, 1); });
}

/// How often each product of entries of such lengths is met.
std::vector<int> met(const std::vector<std::int32_t>& lengths) {
  std::vector<std::int32_t> before{0};
  for (const std::int32_t n : lengths) before.push_back(before.back() + n);
  const auto products = static_cast<std::int64_t>(before.back());
  Pool pool(0);
  const Buffer<std::int32_t> there(pool, static_cast<std::int64_t>(before.size()), nullptr);
  const Buffer<int> count(pool, products, nullptr);
  check(hipMemcpyAsync(there.data(), before.data(), there.bytes(), hipMemcpyHostToDevice, nullptr), "copying");
  check(hipMemsetAsync(count.data(), 0, count.bytes(), nullptr), "clearing");
  const SharedProducts all{there.data(), static_cast<std::int64_t>(lengths.size()), products};
  launch(count_products, {.grid = all.shares(), .block = kShareThreads}, nullptr, all, count.data());
  std::vector<int> found(static_cast<std::size_t>(products));
  check(hipMemcpyAsync(found.data(), count.data(), count.bytes(), hipMemcpyDeviceToHost, nullptr), "copying");
  check(hipStreamSynchronize(nullptr), "waiting");
  return found;
}

}  // namespace

TEST_CASE("every product is in one share, whatever the lengths of the entries' rows of B") {
  Random random(5);
  std::vector<std::int32_t> some, empty_ones(5 * kShare, 0), ones(2 * kShare + 3, 1);
  for (int i = 0; i < 400; i++) some.push_back(static_cast<std::int32_t>(random.below(40)));
  empty_ones.front() = empty_ones.back() = 3, empty_ones[kShare] = 2 * kShare;  // more entries than a block stages
  const std::vector<std::vector<std::int32_t>> all{
      {1}, {kShare}, {kShare + 1}, {0, 0, 7, 0}, {3 * kShare + 5, 1, 0, 2 * kShare}, some, empty_ones, ones};
  for_schedules(2, [&](int wave, int) {
    CAPTURE(wave);
    for (const auto& lengths : all) {
      const std::vector<int> found = met(lengths);
      CHECK_EQ(found, std::vector<int>(found.size(), 1));
    }
  });
}

}  // namespace rowan::test
