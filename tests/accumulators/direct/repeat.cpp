// direct-repeat: rows of a few kinds, moved, in every order; kinds that are not kept, and some that look alike but are
// not.
#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// n columns from `first` on, `step` apart.
std::vector<std::int32_t> apart(std::int32_t first, std::int32_t n, std::int32_t step) {
  std::vector<std::int32_t> columns;
  for (std::int32_t k = 0; k < n; k++) columns.push_back(first + k * step);
  return columns;
}

/// The rows of B that a row of A meets, for the first row of each kind.
const std::vector<Rows> kKinds = {
    {{0, 1, 5}, {}, {5, 9}},
    {{0, 2, 5}, {}, {5, 9}},  // as long, and with the same first columns, as the one before
    {{0, 1, 5}, {}, {5, 8}},
    {{3}},
    {apart(0, 8, 1), apart(2, 8, 1), apart(1, 4, 2)},
    {apart(0, 16, 1), apart(8, 9, 2), {1}, {2}},
    {apart(0, 17, 2), apart(1, 15, 3)},
    {apart(0, 33, 1), apart(0, 48, 1), apart(31, 33, 1)},  // 64 columns
    {apart(0, 65, 1), {3, 4}},                             // too many
    {{}, {4, 5}},                                          // begins with nothing
    {{9, 4, 4}, {5}},                                      // falls
    {},
    std::vector<std::vector<std::int32_t>>(300, {7, 8}),
};

/// Each row of the kind that is named for it, moved by one column more, with rows of B of its own.
Shape moved_rows(const std::vector<std::int64_t>& kinds) {
  Rows a, b;
  std::int32_t by = 0;
  for (const std::int64_t kind : kinds) {
    a.emplace_back();
    for (const std::vector<std::int32_t>& met : kKinds[static_cast<std::size_t>(kind)]) {
      a.back().push_back(static_cast<std::int32_t>(b.size()));
      b.push_back(met);
      for (std::int32_t& column : b.back()) column += by;
    }
    by++;
  }
  return {"", from_rows(a, static_cast<std::int64_t>(b.size())), from_rows(b, by + 80)};
}

template <class T>
void check_rows(const Shape& shape) {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const Values values : {Values::reals, Values::special}) {
      const Problem<T> p(shape, values);
      CHECK_EQ(kernel_fault(direct::repeat, p, {0, 5, 6, p.a.rows}), "");
      CHECK_EQ(kernel_fault(direct::repeat, p, {0, p.a.rows}, 0xA5A5A5A5, false, false), "");
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("rows of a few kinds, moved, are the textbook's", T, float, double) {
  Random random(3);
  std::vector<std::int64_t> mixed, few, lines;
  for (int i = 0; i < 400; i++) {
    mixed.push_back(random.below(std::ssize(kKinds)));
    few.push_back(random.below(3));  // that are nearly alike
    lines.push_back(i % 40 == 0 ? 3 : i % 40 == 39 ? 6 : 4 + i % 3);
  }
  check_rows<T>(moved_rows(mixed));
  check_rows<T>(moved_rows(few));
  check_rows<T>(moved_rows(lines));
  for (std::int64_t kind = 0; kind < std::ssize(kKinds); kind++) {
    CAPTURE(kind);
    check_rows<T>(moved_rows(std::vector<std::int64_t>(30, kind)));  // ends with B
  }
}

TEST_CASE_TEMPLATE("products of multigrid are the textbook's", T, float, double) {
  for (const std::string grid : {"aggregation:nx=20,ny=15,nz=1,corners=1", "aggregation:nx=9,ny=8,nz=9",
                                 "classical:nx=19,ny=14,nz=1", "classical:nx=8,ny=9,nz=8,corners=1"}) {
    CAPTURE(grid);
    const auto part = [&](int n) { return generated(grid + ",part=" + std::to_string(n)); };
    check_rows<T>({"", part(0), part(1)});
    check_rows<T>({"", part(2), part(3)});
  }
}

TEST_CASE_TEMPLATE("more kinds than there is room for, and rows that are never alike, are the textbook's", T, float,
                   double) {
  Random random(5);
  Rows a, b;
  for (int i = 0; i < 3000; i++) {
    a.emplace_back();
    for (int e = 0; e < 12; e++) {
      a.back().push_back(static_cast<std::int32_t>(b.size()));
      b.push_back(some_columns(random, random.between(1, 3), 0, 40));
    }
  }
  const Problem<T> p({"", from_rows(a, static_cast<std::int64_t>(b.size())), from_rows(b, 40)}, Values::reals);
  CHECK_EQ(kernel_fault(direct::repeat, p), "");
}

}  // namespace rowan::test
