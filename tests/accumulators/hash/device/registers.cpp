// Counting by hash from registers: rows at the borders of its sizes, and who multiplies.
#include "accumulators/hash/device/registers.hpp"

#include <doctest/doctest.h>

#include "accumulators/candidates.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

/// Rows of C with as many products as a size takes, one less and one more, from rows of B with one entry to 40, in
/// columns that repeat every `period`, within a row of B too.
Shape around_the_sizes(std::string name, std::int32_t period) {
  Rows a, b;
  std::int32_t next = 0;
  for (const int size : device::hash::kInRegisters)
    for (int more = -1; more <= 1; more++) {
      std::vector<std::int32_t> row;
      for (int left = size + more, each = 1; left > 0; each = each % 40 + 7) {
        std::vector<Column> columns;
        for (int k = 0; k < std::min(left, each); k++) columns.push_back(next++ * 7 % period);
        left -= static_cast<int>(columns.size());
        row.push_back(static_cast<std::int32_t>(b.size()));
        b.push_back(columns);
      }
      a.push_back(row);
      a.push_back({});
    }
  const auto b_rows = static_cast<std::int64_t>(b.size());
  return {std::move(name), from_rows(a, b_rows), from_rows(b, 3000)};
}

Options counted_in_registers() {
  Options options;
  options.backend = kBackend, options.force = "hash-registers";
  return options;
}

}  // namespace

TEST_CASE("device hash counts from registers, at the borders of its sizes and in any schedule") {
  const std::vector<Shape> shapes{around_the_sizes("columns seldom meet", 3000),
                                  around_the_sizes("every column repeats", 13), around_the_sizes("one column", 1)};
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    CAPTURE(seed);
    for (const Shape& shape : shapes) {
      CAPTURE(shape.name);
      const Factors<double> f(shape, Values::integers);
      const Context context(counted_in_registers());
      CHECK_EQ(difference(context.multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
    }
  });
}

TEST_CASE("what only counts leaves multiplying to plain hash, and longer rows, the inspection says so") {
  for_schedules(1, [](int, int) {
    const Shape shape = around_the_sizes("around the sizes", 3000);
    const Factors<double> f(shape, Values::integers);
    int counted = 0, longer = 0;
    for (const BinReport& bin : Context(counted_in_registers()).inspect(f.a(), f.b()).bins) {
      CAPTURE(bin.label);
      if (bin.label == "empty" || bin.label == "one entry") continue;
      CHECK_EQ(bin.candidate, "hash");
      CHECK_FALSE(bin.candidates[*candidate_named("hash-registers")].feasible);
      CHECK_EQ(bin.why, std::vector<std::string>{"forced: hash-registers", "hash-registers only counts"});
      const bool fits = bin.label.starts_with("nprod ");
      CHECK_EQ(bin.symbolic_candidate, fits ? "hash-registers" : "hash");
      (fits ? counted : longer)++;
    }
    CHECK_EQ(counted, static_cast<int>(device::hash::kInRegisters.size()));
    CHECK_EQ(longer, 1);
  });
}

}  // namespace rowan::test
