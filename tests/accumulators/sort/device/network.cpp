// Networks in registers: what a lane sorts by itself, and what a group of lanes does.
#include "accumulators/sort/device/network.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr int kThreads = 64;

/// Every thread sorts its words.
template <int kKeys>
__global__ void sort_words_of_lanes(unsigned* words) {
  unsigned* const mine = words + (blockIdx.x * kThreads + threadIdx.x) * kKeys;
  Held<unsigned, kKeys> key;
  for (int t = 0; t < kKeys; t++) key[t] = mine[t];
  device::sort::sort_in_lane<kKeys>(key);
  for (int t = 0; t < kKeys; t++) mine[t] = key[t];
}
/// Every group of lanes sorts its words.
template <int kLanes, int kKeys, bool kRolled>
__global__ void sort_words_of_groups(unsigned* words) {
  unsigned* const mine = words + (blockIdx.x * kThreads + threadIdx.x) * kKeys;
  Held<unsigned, kKeys> key;
  for (int t = 0; t < kKeys; t++) key[t] = mine[t];
  device::sort::sort_in_registers<kLanes, kKeys, kRolled>(key);
  for (int t = 0; t < kKeys; t++) mine[t] = key[t];
}

/// Whether `kernel` sorts each `size` of the words, which are enough for some blocks.
bool sorts(void (*kernel)(unsigned*), std::vector<unsigned> words, std::size_t size, std::size_t of_block) {
  words.resize((words.size() + of_block - 1) / of_block * of_block);
  Pool pool(0);
  const Buffer<unsigned> there = on_device(pool, words);
  launch(kernel, {.grid = static_cast<std::int64_t>(words.size() / of_block), .block = kThreads}, nullptr,
         there.data());
  const std::vector<unsigned> found = on_host(there);
  for (std::size_t k = 0; k < words.size(); k += size)
    std::sort(words.begin() + static_cast<std::ptrdiff_t>(k), words.begin() + static_cast<std::ptrdiff_t>(k + size));
  return found == words;
}

/// A network that sorts all words of zeros and ones sorts everything (Knuth, 5.3.4).
template <int kKeys>
void check_lane() {
  CAPTURE(kKeys);
  std::vector<unsigned> words;
  for (unsigned bits = 0; bits < 1U << kKeys; bits++)
    for (unsigned t = 0; t < kKeys; t++) words.push_back(bits >> t & 1U);
  CHECK(sorts(sort_words_of_lanes<kKeys>, words, kKeys, std::size_t{kThreads} * kKeys));
}

template <int kLanes, int kKeys>
void check_group() {
  CAPTURE(kLanes);
  CAPTURE(kKeys);
  Random random(17);
  std::vector<unsigned> words(std::size_t{2 * kThreads} * kKeys);
  for (unsigned& word : words) word = static_cast<unsigned>(random.below(97));
  for (std::size_t k = 0; k < words.size() / 2; k++) words[k] = static_cast<unsigned>(words.size() - k);
  for (auto* kernel : {sort_words_of_groups<kLanes, kKeys, false>, sort_words_of_groups<kLanes, kKeys, true>})
    CHECK(sorts(kernel, words, std::size_t{kLanes} * kKeys, std::size_t{kThreads} * kKeys));
}

}  // namespace

TEST_CASE("a lane's network sorts every pattern of zeros and ones") {
  for_schedules(1, [](int, int) {
    check_lane<2>();
    check_lane<3>();
    check_lane<4>();
    check_lane<6>();
    check_lane<8>();
    check_lane<12>();
    check_lane<16>();
  });
}

TEST_CASE("groups of lanes sort their words, in loops or written out") {
  for_schedules(1, [](int, int) {
    check_group<4, 4>();
    check_group<4, 6>();
    check_group<8, 3>();
    check_group<8, 12>();
    check_group<16, 8>();
    check_group<32, 6>();
    check_group<32, 12>();
    check_group<32, 16>();
  });
}

TEST_CASE("three quarters of the keys do for sizes that leave a whole number of exchanges") {
  CHECK_EQ(device::sort::fewer_keys(16), 12);
  CHECK_EQ(device::sort::fewer_keys(8), 6);
  CHECK_EQ(device::sort::fewer_keys(4), 4);
}

}  // namespace rowan::test
