// Sort on a device: rows at the borders of its sizes, and sums bit by bit.
#include "accumulators/sort/device/sort.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

constexpr std::int32_t kColumns = 3000;

/// Rows of C with this many products each: rows of B with one entry to 40, in columns that repeat every `period`.
Shape rows_of(std::string name, const std::vector<int>& products, std::int32_t period) {
  Rows a, b;
  std::int32_t next = 0;
  for (const int n : products) {
    std::vector<std::int32_t> row;
    for (int left = n, each = 1; left > 0; each = each % 40 + 7) {
      const int take = std::min(left, each);
      std::vector<Column> columns;
      for (int k = 0; k < take; k++) columns.push_back((next++ * 7) % period);
      row.push_back(static_cast<std::int32_t>(b.size()));
      b.push_back(columns);
      left -= take;
    }
    a.push_back(row);
  }
  const auto b_rows = static_cast<std::int64_t>(b.size());
  return {std::move(name), from_rows(a, b_rows), from_rows(b, kColumns)};
}

std::vector<int> around_the_borders() {
  std::vector<int> products{0, 1, 2, 3};
  for (const auto& size : device::sort::kSizes)
    for (int more = -1; more <= 1; more++) products.push_back(device::sort::products_of(size) + more);
  products.pop_back();  // one more than the last takes
  return products;
}

/// Eight neighbours alike, so that all rows of a wave have at most three quarters of their size's room, or one more.
std::vector<int> around_three_quarters() {
  std::vector<int> products;
  for (const auto& size : device::sort::kSizes)
    for (int more = -1; more <= 1; more++)
      products.insert(products.end(), 8, device::sort::products_of(size) / 4 * 3 + more);
  return products;
}

template <class T>
void check_bits(const Shape& shape, const std::string& force, Values values) {
  CAPTURE(shape.name);
  const Factors<T> f(shape, values);
  Options options;
  options.backend = kBackend, options.force = force;
  CHECK_EQ(difference(Context(options).multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
}

}  // namespace

TEST_CASE("device sort sums in the textbook's order, at the borders of its sizes and in any schedule") {
  const std::vector<int> products = around_the_borders();
  const std::vector<Shape> shapes{rows_of("few columns repeat", products, kColumns),
                                  rows_of("every column repeats", products, 13), rows_of("one column", products, 1),
                                  rows_of("columns that fill a lane", products, 8),
                                  rows_of("three quarters", around_three_quarters(), 700)};
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    CAPTURE(seed);
    for (const Shape& shape : shapes) {
      check_bits<double>(shape, "sort", Values::reals);
      check_bits<float>(shape, "sort", Values::special);
    }
  });
}

TEST_CASE("device sort counts rows of all sizes in one launch, and multiplies those with many keys a lane in another") {
  using device::sort::DeviceSort;
  for (int kernel = 0; kernel < static_cast<int>(device::sort::kSizes.size()); kernel++) {
    const bool many = device::sort::kSizes[static_cast<std::size_t>(kernel)].keys > device::sort::kFewKeys;
    CHECK_EQ(DeviceSort::launch_of(Phase::symbolic, kernel), 0);
    CHECK_EQ(DeviceSort::launch_of(Phase::numeric, kernel), many ? 1 : 0);
  }
}

TEST_CASE("device sort takes every row that it is forced to take, and the policy gives it those with few products") {
  for_schedules(1, [](int, int) {
    const Shape shape = rows_of("around the borders", around_the_borders(), kColumns);
    const Factors<double> f(shape, Values::integers);
    for (const std::string force : {"sort", ""}) {
      CAPTURE(force);
      Options options;
      options.backend = kBackend, options.force = force;
      const Inspection in = Context(options).inspect(f.a(), f.b());
      for (const BinReport& bin : in.bins) {
        CAPTURE(bin.label);
        if (bin.label == "empty" || (force.empty() && !bin.label.starts_with("nprod "))) continue;
        if (bin.label == "one entry" || bin.label == "nprod 129-256" || bin.label == "nprod 257-512") continue;
        CHECK_EQ(bin.candidate, "sort");
        CHECK_EQ(bin.symbolic_candidate, "sort");
      }
    }
  });
}

}  // namespace rowan::test
