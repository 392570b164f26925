// Lists of rows on a device, emulated or real, against rows sorted on the host.
#include "lib/binning/device/lists.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/device/arrays.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Keys of rows, most of them of few.
std::vector<std::uint8_t> some_keys(std::size_t rows) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> keys(rows);
  for (std::uint8_t& key : keys)
    key = static_cast<std::uint8_t>(random() % 3 == 0 ? random() % static_cast<unsigned>(kKeys) : 2 + random() % 4);
  return keys;
}

/// Where a list by key has the rows of every key.
std::vector<std::int32_t> begins(const std::vector<std::uint8_t>& keys) {
  std::vector<std::int32_t> rows(kKeys), begin(kKeys);
  for (const std::uint8_t key : keys) rows[key]++;
  std::int32_t before = 0;
  for (int place = 0; place < kKeys; place++) {
    const auto key = static_cast<std::size_t>(key_at(place));
    begin[key] = before, before += rows[key];
  }
  return begin;
}

/// Whether the list has every row once, rows of a place together, and places in the order that `place` says.
bool is_list(const std::vector<std::int32_t>& list, const std::vector<int>& place) {
  std::vector<std::int32_t> rows(list);
  const bool in_order = std::is_sorted(list.begin(), list.end(), [&](std::int32_t x, std::int32_t y) {
    return place[static_cast<std::size_t>(x)] < place[static_cast<std::size_t>(y)];
  });
  std::sort(rows.begin(), rows.end());
  return in_order && std::adjacent_find(rows.begin(), rows.end()) == rows.end();
}

}  // namespace

TEST_CASE("a list by key has rows in the order of keys, and row pointers are the entries before each row") {
  std::array<int, kKeys> place_of_key{};
  for (int place = 0; place < kKeys; place++) place_of_key[static_cast<std::size_t>(key_at(place))] = place;
  for (const std::size_t rows : {std::size_t{1}, std::size_t{1023}, std::size_t{1024}, std::size_t{5000}}) {
    CAPTURE(rows);
    const std::vector<std::uint8_t> keys = some_keys(rows);
    std::vector<int> place(rows);
    for (std::size_t i = 0; i < rows; i++) place[i] = place_of_key[keys[i]];
    std::vector<std::int64_t> entries(rows + 1);
    for (std::size_t i = 0; i < rows; i++) entries[i] = static_cast<std::int64_t>(i * 977 % 1301);
    std::vector<std::int64_t> row_ptr(rows + 1), before_chunk;
    std::exclusive_scan(entries.begin(), entries.end(), row_ptr.begin(), std::int64_t{0});
    for (std::size_t i = 0; i < rows; i += kChunkRows) before_chunk.push_back(row_ptr[i]);
    for_schedules(2, [&](int, int) {
      Pool pool(0);
      const auto d_keys = on_device(pool, keys);
      const auto next = on_device(pool, begins(keys)), again = on_device(pool, begins(keys));
      const auto d_entries = on_device(pool, entries), d_before = on_device(pool, before_chunk);
      const auto saved = on_device(pool, std::vector<SavedRange>(rows, {5, 5}));
      const Buffer<std::int32_t> list(pool, static_cast<std::int64_t>(rows), nullptr);
      list_by_key(static_cast<std::int64_t>(rows), {d_keys.data(), next.data(), list.data()}, saved.data(), nullptr);
      CHECK(is_list(on_host(list), place));
      for (const SavedRange& s : on_host(saved)) CHECK_EQ(s.n, 0);
      list_and_point(static_cast<std::int64_t>(rows), {d_keys.data(), again.data(), list.data()}, d_entries.data(),
                     d_before.data(), nullptr);
      CHECK(is_list(on_host(list), place));
      CHECK_EQ(on_host(d_entries), row_ptr);
    });
  }
}

TEST_CASE("a list by queue has the queues' rows where the layout says, and no others") {
  constexpr std::size_t kRows = 3000;
  const std::vector<std::uint8_t> keys = some_keys(kRows);
  ListLayout layout{};
  std::vector<std::int64_t> rows_of(kMaxQueues);
  for (int key = 0; key < kKeys; key++)
    layout.of_key[key] = key % 3 == 0 ? kNoQueue : static_cast<std::uint8_t>(key % 5);
  for (const std::uint8_t key : keys)
    if (layout.of_key[key] != kNoQueue) rows_of[layout.of_key[key]]++;
  for (std::size_t q = 0; q < kMaxQueues; q++) layout.begin[q + 1] = layout.begin[q] + rows_of[q];
  for_schedules(2, [&](int, int) {
    Pool pool(0);
    const auto d_keys = on_device(pool, keys);
    const auto cursor = on_device(pool, std::vector<std::int64_t>(kMaxQueues));
    const Buffer<std::int32_t> list(pool, layout.begin[kMaxQueues], nullptr);
    list_by_queue(kRows, d_keys.data(), layout, cursor.data(), list.data(), nullptr);
    std::vector<int> queue(kRows);
    for (std::size_t i = 0; i < kRows; i++) queue[i] = layout.of_key[keys[i]];
    const std::vector<std::int32_t> rows = on_host(list);
    CHECK(is_list(rows, queue));
    for (const std::int32_t row : rows) CHECK_NE(queue[static_cast<std::size_t>(row)], kNoQueue);
  });
}

}  // namespace rowan::test
