// Rank on a device: which kernel has which rows, and that each is exact, whatever the span and the products.
#include "accumulators/dense/device/rank.hpp"

#include <doctest/doctest.h>

#include "tests/accumulators/dense/device/saved.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

using device::dense::DeviceRank;

constexpr int kManyRows = 600;  // more than few_rows of the devices that there are

device::SizeQuery rows_of(std::int64_t span, std::int64_t products) {
  return {.bound_max = std::min(span, products), .span_max = span, .nprod_max = products};
}

/// Rows of `met` entries that meet rows of `length` entries in `columns` columns.
Shape rows(std::string name, std::int64_t met, std::int64_t length, std::int64_t columns, std::int64_t rows_of_a = 5) {
  Random random(static_cast<std::uint64_t>(met + length));
  const auto some = [&](std::int64_t count, std::int64_t entries, std::int64_t cols) {
    Rows list;
    for (std::int64_t i = 0; i < count; i++) list.push_back(some_columns(random, entries, 0, cols));
    return from_rows(list, cols);
  };
  return {std::move(name), some(rows_of_a, met, 200), some(200, length, columns)};
}

Shape with_unsorted_b(Shape shape) {
  shape.b = shuffled(*shape.b, 7);
  return shape;
}

void check_rank(const Shape& shape, bool deterministic) {
  CAPTURE(shape.name);
  CAPTURE(deterministic);
  Options options;
  options.backend = kBackend, options.force = "dense-rank", options.deterministic = deterministic;
  const Context context(options);
  const Factors<double> d(shape, Values::integers);
  CHECK_EQ(difference(context.multiply(d.a(), d.b()), textbook(d.a(), d.b())), "");
  if (!deterministic) return;
  const Factors<float> f(shape, Values::reals);
  CHECK_EQ(difference(context.multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
}

}  // namespace

TEST_CASE(
    "rank: a wave for short narrow rows, a small block for those that its window holds, a large one for the rest") {
  using device::dense::kNarrowSpan, device::dense::kNarrowProducts, device::dense::kMiddleBlock,
      device::dense::kMiddleProducts;
  CHECK_EQ(DeviceRank::symbolic_kernel(rows_of(kNarrowSpan, kNarrowProducts)), DeviceRank::kNarrow);
  CHECK_EQ(DeviceRank::symbolic_kernel(rows_of(kNarrowSpan + 1, 10)), DeviceRank::kMiddle);
  CHECK_EQ(DeviceRank::symbolic_kernel(rows_of(10, kNarrowProducts + 1)), DeviceRank::kMiddle);
  CHECK_EQ(DeviceRank::symbolic_kernel(rows_of(kMiddleBlock.window, kMiddleProducts)), DeviceRank::kMiddle);
  CHECK_EQ(DeviceRank::symbolic_kernel(rows_of(kMiddleBlock.window + 1, 10)), DeviceRank::kWide);
  CHECK_EQ(DeviceRank::symbolic_kernel(rows_of(10, kMiddleProducts + 1)), DeviceRank::kWide);
  using device::dense::kWideBlock, device::dense::widest_bytes;
  device::SizeQuery widest = rows_of(kWideBlock.window + 1, 10);
  widest.shared_limit = widest_bytes();
  CHECK_EQ(DeviceRank::symbolic_kernel(widest), DeviceRank::kWidest);
  CHECK_EQ(DeviceRank::numeric_kernel(widest), DeviceRank::kWide);
  widest.shared_limit--;
  CHECK_EQ(DeviceRank::symbolic_kernel(widest), DeviceRank::kWide);
  widest = rows_of(kWideBlock.window, 10), widest.shared_limit = 1 << 20;
  CHECK_EQ(DeviceRank::symbolic_kernel(widest), DeviceRank::kWide);
  CHECK_EQ(DeviceRank::numeric_kernel(rows_of(200, 200)), DeviceRank::kNarrow);
  CHECK_EQ(DeviceRank::numeric_kernel(rows_of(kNarrowSpan, kNarrowProducts)), DeviceRank::kMiddle);  // sums do not fit
}

TEST_CASE("rank: each kernel is exact") {
  const std::vector<Shape> all{rows("a wave", 6, 12, 500, kManyRows),
                               rows("few narrow rows: a small block", 20, 30, 500),
                               rows("many products of few columns", 150, 60, 300),
                               rows("a small window", 40, 40, 30000),
                               rows("several windows", 10, 30, 600000),
                               rows("in order, smaller windows, whose sums are in shared memory", 20, 600, 600000),
                               with_unsorted_b(rows("several windows, B unsorted", 10, 30, 600000)),
                               rows("a large block", 190, 100, 400),
                               rows("two windows, ranks of more than 16 bits", 60, 1500, 300000, 1),
                               rows("many full rows of B: in turns", 4, 1100, 40000, 44)};
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    for (const Shape& shape : all)
      for (const bool deterministic : {false, true}) check_rank(shape, deterministic);
  });
}

TEST_CASE("rank: among rows whose rows of B fill a wave, one that meets short rows of B is exact, too") {
  Random random(5);
  Rows a, b;
  for (int i = 0; i < kManyRows; i++) a.push_back(some_columns(random, 6, 0, 60));
  for (int i = 0; i < 60; i++) b.push_back(some_columns(random, 30, 0, 500));
  std::vector<std::int32_t> meets_short;
  // twenty columns, which lanes that walk rows side by side meet at the same time
  for (std::int32_t j = 60; j < 360; j++) {
    meets_short.push_back(j);
    b.push_back({j * 7 % 20 * 3});
  }
  a.push_back(meets_short);
  const Shape shape{"one row meets short ones", from_rows(a, 360), from_rows(b, 500)};
  for_schedules(2, [&](int wave, int) {
    CAPTURE(wave);
    for (const bool deterministic : {false, true}) check_rank(shape, deterministic);
  });
}

TEST_CASE("rank: blocks that have most of a multiprocessor's memory count right, with one window or several") {
  const std::vector<Shape> all{rows("one window", 10, 30, 600000),
                               rows("one window, saved, ranks of more than 16 bits", 120, 1500, 300000, 1),
                               rows("two windows", 8, 20, 1500000, 3)};
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
#if defined(ROWAN_EMULATED)
    emulator::EmulatorOptions large = emulator::options();
    large.shared_limit = 227 << 10, large.resident = 1;
    const Emulated emulated(large);
#endif
    for (const Shape& shape : all)
      for (const bool deterministic : {false, true}) check_rank(shape, deterministic);
  });
}

TEST_CASE("rank: bitmaps of rows with many products for their columns are saved, others are made again") {
  for_schedules(1, [&](int wave, int) {
    CAPTURE(wave);
    CHECK_EQ(check_saved(rows("a small window", 60, 60, 3001), "dense-rank", Values::integers), 5);
    CHECK_EQ(check_saved(rows("two windows", 180, 1900, 263000, 1), "dense-rank", Values::integers), 1);
    CHECK_EQ(check_saved(rows("a small window", 60, 60, 3001), "dense-rank", Values::integers, true), 0);
    CHECK_EQ(check_saved(rows("few products", 10, 30, 40000), "dense-rank", Values::integers), 0);
  });
}

}  // namespace rowan::test
