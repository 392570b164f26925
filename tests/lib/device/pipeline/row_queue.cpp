// Chunks of rows: all of them in order, cut by products and by what C turned out to have.
#include "lib/device/pipeline/row_queue.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"

namespace rowan::test {
namespace {

using namespace device;

TEST_CASE("products of entries are summed up by blocks") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("power law with a hub"), Values::integers);
    const Team team(1);
    const Prepared<double> a(f.a(), "A", true, team), b(f.b(), "B", true, team);
    const auto engine = std::make_shared<Engine>(0, *embedded_policy("device-rules"), "");
    const Pair<double> pair(engine, a.operand(), b.operand(), false);
    const Array<std::int64_t> sums = sum_products(engine->pool(), pair.a().m, pair.a().nnz, pair.b().m, pair.stream());
    std::vector<std::int64_t> expected;
    for (std::size_t e = 0; e < f.a().col.size(); e++) {
      if (e % kSummedEntries == 0) expected.push_back(0);
      const auto j = static_cast<std::size_t>(f.a().col[e]);
      expected.back() += f.b().row_ptr[j + 1] - f.b().row_ptr[j];
    }
    CHECK(std::vector<std::int64_t>(sums.begin(), sums.end()) == expected);
  });
}

/// A of rows with `entries` entries each, an entry with `products` products.
struct Uniform {
  Uniform(std::int64_t rows, std::int64_t entries, std::int64_t products) {
    for (std::int64_t i = 0; i <= rows; i++) row_ptr.push_back(i * entries);
    const std::int64_t nnz = rows * entries;
    sums = Array<std::int64_t>((nnz + kSummedEntries - 1) / kSummedEntries);
    for (std::size_t b = 0; b < sums.size(); b++)
      sums[b] = products * std::min(kSummedEntries, nnz - static_cast<std::int64_t>(b) * kSummedEntries);
  }
  std::vector<std::int64_t> row_ptr;
  Array<std::int64_t> sums;
};

TEST_CASE("chunks are all rows in order, the first by products, others by entries of C, the last smaller for several") {
  const Uniform a(320000, 10, 20);  // 200 products a row
  // C has so many entries that chunks are four times as large as asked for
  RowQueue queue(a.row_ptr, a.sums, {.first_products = 200000, .entries = 125000, .least_products = 100000}, 2);
  CHECK_EQ(queue.nprod(), 64'000'000);
  std::vector<RowQueue::RowChunk> chunks;
  while (const auto chunk = queue.take()) {
    chunks.push_back(*chunk);
    queue.count(*chunk, chunk->rows.size() * 50);  // a fourth of the products
  }
  std::int64_t row = 0;
  for (std::size_t k = 0; k < chunks.size(); k++) {
    CHECK_EQ(chunks[k].number, k);
    CHECK_EQ(chunks[k].rows.first, row);
    CHECK_EQ(queue.place_of(k), std::optional(row * 50));
    row = chunks[k].rows.last;
  }
  CHECK_EQ(row, 320000);
  CHECK_EQ(doctest::Approx(static_cast<double>(chunks[0].rows.size())).epsilon(0.01), 1000);
  CHECK_EQ(doctest::Approx(static_cast<double>(chunks[1].rows.size())).epsilon(0.01), 10000);
  CHECK_LE(chunks.back().rows.size(), 1000);
}

TEST_CASE("the host's cores get a part of their share of what is left, until that is little") {
  const Uniform a(320000, 10, 20);
  const RowQueue::Goals goals{.first_products = 200000, .entries = 125000, .least_products = 1'900'000};
  RowQueue unmeasured(a.row_ptr, a.sums, goals, 1), queue(a.row_ptr, a.sums, goals, 1);
  CHECK_EQ(doctest::Approx(unmeasured.products(unmeasured.take_for_host(0.5, false)->rows)).epsilon(0.01), 1.92e6);
  const auto first = queue.take_for_host(0.5, true);
  REQUIRE(first.has_value());
  CHECK_EQ(first->rows.first, 0);
  CHECK_EQ(doctest::Approx(queue.products(first->rows)).epsilon(0.01), 0.3 * 0.5 * 64e6);
  const auto device = queue.take();
  CHECK_EQ(device->rows.first, first->rows.last);
  CHECK_FALSE(queue.take_for_host(0.1, true).has_value());  // 1.6 million products
  int chunks = 1;
  for (; queue.take_for_host(0.5, true); chunks++) CHECK_LT(chunks, 20);
  CHECK_GT(chunks, 5);
  CHECK_FALSE(queue.all_taken());
  while (queue.take()) continue;
  CHECK(queue.all_taken());
  CHECK_FALSE(queue.take_for_host(1, true).has_value());
  RowQueue whole(10);
  CHECK_FALSE(whole.take_for_host(1, true).has_value());  // a small product is one device's
}

TEST_CASE("a place is known when all chunks before are counted") {
  const Uniform a(3, 4096, 10);
  RowQueue queue(a.row_ptr, a.sums, {.first_products = 1, .entries = 1, .least_products = 1}, 1);
  const auto first = queue.take(), second = queue.take(), third = queue.take();
  REQUIRE(third.has_value());
  CHECK_FALSE(queue.take().has_value());
  CHECK_EQ(queue.place_of(0), std::optional<std::int64_t>(0));
  queue.count(*second, 7);
  CHECK_FALSE(queue.place_of(1).has_value());
  CHECK_FALSE(queue.place_of(2).has_value());
  queue.count(*first, 5);
  CHECK_EQ(queue.place_of(1), std::optional<std::int64_t>(5));
  CHECK_EQ(queue.place_of(2), std::optional<std::int64_t>(12));
}

TEST_CASE("matrices without rows or without entries are one chunk") {
  for (const std::int64_t rows : {0, 1000}) {
    RowQueue whole(rows);
    const auto chunk = whole.take();
    REQUIRE(chunk.has_value());
    CHECK_EQ(chunk->rows.last, rows);
    CHECK_FALSE(whole.take().has_value());
    const Uniform a(rows, 0, 1);
    RowQueue cut(a.row_ptr, a.sums, {.first_products = 1, .entries = 1, .least_products = 1}, 2);
    CHECK_EQ(cut.take().value().rows.last, rows);
    CHECK_FALSE(cut.take().has_value());
  }
}

TEST_CASE("a row that is longer than a chunk is one by itself") {
  const Uniform a(4, 3 * 4096, 1000);
  RowQueue queue(a.row_ptr, a.sums, {.first_products = 10, .entries = 10, .least_products = 10}, 3);
  for (std::int64_t i = 0; i < 4; i++) CHECK_EQ(queue.take().value().rows.size(), 1);
  CHECK_FALSE(queue.take().has_value());
}

}  // namespace
}  // namespace rowan::test
