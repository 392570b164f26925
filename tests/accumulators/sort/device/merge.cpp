// Merge on a device: rows of A at the borders of its sizes, and sums bit by bit.
#include "accumulators/sort/device/merge.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

/// Rows of A with 2 entries up to 32, one more and one less than each size; A's columns fall and repeat, one of them in
/// three rows of B has no entries.
Shape around_the_sizes(std::string name, std::int64_t b_row, Column columns) {
  Rows a;
  std::int32_t next = 0;
  for (const int size : device::sort::kMergedRows)
    for (int more = -1; more <= 1 && size + more <= device::sort::kMergedRows.back(); more++) {
      std::vector<std::int32_t> row;
      for (int k = 0; k < size + more; k++) row.push_back(47 - next++ * 5 % 48);
      a.push_back(row);
      a.push_back({});
    }
  return {std::move(name), from_rows(a, 48),
          thinned(scattered(48, columns, b_row / 2, b_row, 70), [](std::int64_t i) { return i % 3 != 0; })};
}

template <class T>
void check_bits(const Shape& shape, Values values) {
  CAPTURE(shape.name);
  const Factors<T> f(shape, values);
  Options options;
  options.backend = kBackend, options.force = "sort-merge";
  CHECK_EQ(difference(Context(options).multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
}

std::vector<BinReport> bins_of(const Shape& shape) {
  const Factors<double> f(shape, Values::integers);
  Options options;
  options.backend = kBackend, options.force = "sort-merge";
  return Context(options).inspect(f.a(), f.b()).bins;
}

}  // namespace

TEST_CASE("device merge sums in the textbook's order, at the borders of its sizes and in any schedule") {
  const std::vector<Shape> shapes{
      around_the_sizes("columns seldom meet", 12, 4000), around_the_sizes("every column repeats", 12, 14),
      around_the_sizes("one column", 1, 1), around_the_sizes("few products of many rows of B", 2, 20)};
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    CAPTURE(seed);
    for (const Shape& shape : shapes) {
      check_bits<double>(shape, Values::reals);
      check_bits<float>(shape, Values::special);
    }
  });
}

TEST_CASE("device merge takes up to 32 rows of B, each of them sorted, sort takes others") {
  for_schedules(1, [](int, int) {
    int merged = 0;
    for (const BinReport& bin : bins_of(around_the_sizes("few products", 12, 4000))) {
      CAPTURE(bin.label);
      if (bin.label == "empty" || bin.label == "one entry") continue;
      CHECK_EQ(bin.candidate, "sort-merge");
      CHECK_EQ(bin.symbolic_candidate, "sort-merge");
      merged++;
    }
    CHECK_GT(merged, 1);
    const Sparsity b = scattered(40, 60, 1, 9, 71);
    const Sparsity rows_of_33 = scattered(5, 40, 33, 33, 72), rows_of_32 = scattered(5, 40, 32, 32, 72);
    for (const auto& [shape, expected] : {std::pair{Shape{"33 rows of B", rows_of_33, b}, "sort"},
                                          {Shape{"32 rows of B", rows_of_32, b}, "sort-merge"},
                                          {Shape{"unsorted", rows_of_32, shuffled(b, 73)}, "sort"}})
      for (const BinReport& bin : bins_of(shape)) {
        CAPTURE(shape.name);
        CHECK_EQ(bin.requested, "sort-merge");
        CHECK_EQ(bin.candidate, expected);
      }
  });
}

TEST_CASE("the policy register-aware counts from registers, merges up to eight rows of B and sorts more") {
  const Sparsity b = scattered(40, 60, 4, 9, 74);
  for_schedules(1, [&](int, int) {
    for (const auto& [entries, expected] : {std::pair{2, "sort-merge"}, {8, "sort-merge"}, {9, "sort"}, {40, "sort"}}) {
      CAPTURE(entries);
      const Shape shape{"", scattered(9, 40, entries, entries, 75), b};
      const Factors<double> f(shape, Values::reals);
      Options options;
      options.backend = kBackend, options.policy = "register-aware", options.deterministic = true;
      CHECK_EQ(difference(Context(options).multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
      for (const BinReport& bin : Context(options).inspect(f.a(), f.b()).bins) {
        CHECK_EQ(bin.candidate, expected);
        CHECK_EQ(bin.symbolic_candidate, "hash-registers");
      }
    }
  });
}

TEST_CASE("the host has no merge: sort stands in, and the inspection says so") {
  const Factors<double> f(shape("up to 40 products"), Values::integers);
  Options options;
  options.force = "sort-merge";
  CHECK_EQ(difference(Context(options).multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
  for (const BinReport& bin : Context(options).inspect(f.a(), f.b()).bins) {
    if (bin.label == "empty") continue;
    CHECK_EQ(bin.candidate, "sort");
    CHECK_EQ(bin.why, std::vector<std::string>{"forced: sort-merge", "sort-merge cannot take these rows"});
  }
}

}  // namespace rowan::test
