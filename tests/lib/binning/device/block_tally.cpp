// Sums by key of a block on a device, emulated or real, against rows added one after another.
#include "lib/binning/device/block_tally.hpp"

#include <cstring>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr int kThreadsOfTally = 128;
constexpr std::int32_t kOnlyKey = 5;  // of rows that waves add up

struct KeyedRow {
  RowNumbers numbers;
  std::int32_t key;
};

/// By one block: all rows, one by one.
__global__ void __launch_bounds__(kThreadsOfTally)
    add_rows_alone(const KeyedRow* rows, std::int64_t n, Tally* of_key, std::int32_t* misfits) {
  ROWAN_SHARED(unsigned, words, BlockTally::kWords);
  for (int k = static_cast<int>(threadIdx.x); k < BlockTally::kWords; k += kThreadsOfTally) words[k] = 0;
  __syncthreads();
  BlockTally tally(words);
  for (std::int64_t i = threadIdx.x; i < n; i += kThreadsOfTally)
    if (BlockTally::fits(rows[i].numbers))
      tally.add(rows[i].key, rows[i].numbers);
    else
      simt::atomic_add(misfits, 1);
  __syncthreads();
  for (int key = static_cast<int>(threadIdx.x); key < kKeys; key += kThreadsOfTally) of_key[key] = tally.of(key);
}

/// By one block: small rows of `key`, added up in registers first.
__global__ void __launch_bounds__(kThreadsOfTally)
    add_rows_by_waves(const KeyedRow* rows, std::int64_t n, std::int32_t key, Tally* of_key, std::int32_t* misfits) {
  ROWAN_SHARED(unsigned, words, BlockTally::kWords);
  for (int k = static_cast<int>(threadIdx.x); k < BlockTally::kWords; k += kThreadsOfTally) words[k] = 0;
  __syncthreads();
  BlockTally tally(words);
  SumsOfLane mine;
  for (std::int64_t i = threadIdx.x; i < n; i += kThreadsOfTally)
    if (SumsOfLane::is_small(rows[i].numbers))
      mine.add(rows[i].numbers);
    else
      simt::atomic_add(misfits, 1);
  tally.add(key, mine);
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < kKeys; k += kThreadsOfTally) of_key[k] = tally.of(k);
}

/// Numbers below 2^bits, and of every other row a few.
std::vector<KeyedRow> some_rows(std::size_t n, int bits, std::int32_t only_key = -1) {
  std::mt19937 random(11);
  const auto number = [&] { return static_cast<std::int64_t>(random()) & ((std::int64_t{1} << bits) - 1); };
  std::vector<KeyedRow> rows(n);
  for (std::size_t i = 0; i < n; i++) {
    const std::int64_t divisor = i % 2 == 0 ? 1 : 1 + number();
    rows[i].numbers = {.nprod = number() / divisor,
                       .bound = number() / divisor,
                       .a_nnz = number(),
                       .span = number(),
                       .b_max = number() / divisor,
                       .in_run = random() % 2 == 0,
                       .in_shift = random() % 3 == 0};
    rows[i].key = only_key >= 0 ? only_key : static_cast<std::int32_t>(random() % static_cast<unsigned>(kKeys));
  }
  return rows;
}

std::vector<Tally> added_up(const std::vector<KeyedRow>& rows) {
  std::vector<Tally> of_key(kKeys);
  for (const KeyedRow& row : rows) of_key[static_cast<std::size_t>(row.key)].add(row.numbers);
  return of_key;
}

struct Added {
  std::int32_t misfits = 0;  // rows that the sums are too small for, and are without
  std::vector<Tally> of_key = {};
};
/// start(rows on the device, how many, sums, misfits) adds them up.
template <class F>
Added added_there(const std::vector<KeyedRow>& rows, const F& start) {
  Pool pool(0);
  const Buffer<KeyedRow> there = on_device(pool, rows);
  const Buffer<Tally> of_key(pool, kKeys, nullptr);
  const Buffer<std::int32_t> misfits = on_device(pool, std::vector<std::int32_t>{0});
  start(there.data(), there.size(), of_key.data(), misfits.data());
  return {on_host(misfits).front(), on_host(of_key)};
}
template <class F>
void check_sums(const std::vector<KeyedRow>& rows, const F& start) {
  const Added found = added_there(rows, start);
  CHECK_EQ(found.misfits, 0);
  const std::vector<Tally> expected = added_up(rows);
  int wrong = 0;
  for (std::size_t key = 0; key < expected.size(); key++)
    wrong += std::memcmp(&found.of_key[key], &expected[key], sizeof(Tally)) != 0 ? 1 : 0;
  CHECK_EQ(wrong, 0);
}

}  // namespace

TEST_CASE("sums of a block: rows of all keys, small ones and as large as sums in floating point are exact for") {
  const auto start = [](const KeyedRow* rows, std::int64_t n, Tally* of_key, std::int32_t* misfits) {
    launch(add_rows_alone, {.grid = 1, .block = kThreadsOfTally}, nullptr, rows, n, of_key, misfits);
  };
  for (const int bits : {3, 16, 20}) check_sums(some_rows(5000, bits), start);
  // one of a key: rounded once, as there
  std::vector<KeyedRow> largest(2);
  for (std::size_t k = 0; k < 2; k++) {
    const std::int64_t most = UINT32_MAX - static_cast<std::int64_t>(k) * 12345;
    largest[k] = {.numbers = {.nprod = most, .bound = most, .a_nnz = most, .span = most, .b_max = most},
                  .key = static_cast<std::int32_t>(k)};
  }
  check_sums(largest, start);
  const KeyedRow too_large = {.numbers = {.nprod = std::int64_t{1} << 32}, .key = 0};
  CHECK_EQ(added_there({too_large}, start).misfits, 1);
}

TEST_CASE("sums of a block: small rows of one key that lanes have added up, as many and as large as there may be") {
  const auto start = [](const KeyedRow* rows, std::int64_t n, Tally* of_key, std::int32_t* misfits) {
    launch(add_rows_by_waves, {.grid = 1, .block = kThreadsOfTally}, nullptr, rows, n, kOnlyKey, of_key, misfits);
  };
  constexpr std::size_t kRowsOfAll = kThreadsOfTally * SumsOfLane::kMostRows;
  for (const std::size_t n : {std::size_t{1}, std::size_t{100}, kRowsOfAll}) {
    CAPTURE(n);
    check_sums(some_rows(n, 11, kOnlyKey), start);
  }
  constexpr std::int64_t kLargest = (1 << 23) - 1, kLargestSquared = (1 << 11) - 1;
  const KeyedRow large = {
      .numbers = {.nprod = kLargestSquared, .bound = kLargest, .a_nnz = kLargest, .span = kLargest, .b_max = kLargest},
      .key = kOnlyKey};
  check_sums(std::vector<KeyedRow>(kRowsOfAll, large), start);
  const KeyedRow many_products = {.numbers = {.nprod = kLargestSquared + 1}, .key = kOnlyKey},
                 wide = {.numbers = {.span = kLargest + 1}, .key = kOnlyKey};
  CHECK_EQ(added_there({many_products, wide}, start).misfits, 2);
}

}  // namespace rowan::test
