// direct-shift: runs of any length, cut anywhere, over rows of B that overlap, repeat and fall.
#include <doctest/doctest.h>

#include "accumulators/direct/recipe.hpp"
#include "tests/accumulators/kernels.hpp"

namespace rowan::test {
namespace {

/// `rows` rows, each `first` moved by one column more.
Sparsity moving(std::int64_t rows, const std::vector<std::int32_t>& first, std::int64_t cols) {
  Rows list;
  for (std::int64_t i = 0; i < rows; i++) {
    list.push_back(first);
    for (std::int32_t& c : list.back()) c += static_cast<std::int32_t>(i);
  }
  return from_rows(list, cols);
}

struct Pair {
  const char* name;
  std::vector<std::int32_t> a, b;  // first rows
};
const Pair kPairs[] = {
    {"one product", {0}, {2}},
    {"overlapping rows of B", {0, 1, 2, 9, 10, 40}, {0, 1, 2, 30, 31}},
    {"as far apart as a block of B's rows reaches, and one more", {0, 8, 17, 26}, {3, 4, 5}},
    {"falling and repeated columns", {7, 3, 3, 0}, {5, 1, 1, 9}},
    {"as many entries as vectors and tiles have rows", {0, 1, 2, 3, 4, 5, 6, 7}, {0, 2, 4, 6, 8, 10, 12, 64}},
};

}  // namespace

TEST_CASE_TEMPLATE("shift runs of any length, cut anywhere", T, float, double) {
  for (const Pair& pair : kPairs)
    for (const std::int64_t rows : {8, 9, 31, 32, 33, 64, 67, 300}) {
      CAPTURE(pair.name);
      CAPTURE(rows);
      const Shape s{"", moving(rows, pair.a, rows + 50), moving(rows + 50, pair.b, rows + 200)};
      for (const Values values : {Values::reals, Values::special}) {
        const Problem<T> p(s, values);
        REQUIRE(direct::shift.feasible(p.extent()));
        CHECK_EQ(kernel_fault(direct::shift, p), "");
        for (const std::int64_t cut : {1L, 4L, 7L})
          for (const bool streamed : {false, true})
            CHECK_EQ(kernel_fault(direct::shift, p, {0, cut, cut + 1, rows}, 0xA5A5A5A5, streamed), "");
      }
    }
}

TEST_CASE("direct-shift takes nothing but shift runs of at most 2048 products over 2^20 columns") {
  const auto feasible = [](const Shape& s) {
    return direct::shift.feasible(Problem<double>(s, Values::integers).extent());
  };
  std::vector<std::int32_t> long_row;
  for (int c = 0; c < 64; c++) long_row.push_back(2 * c);
  CHECK(feasible({"", moving(9, {0, 1}, 80), moving(80, {0, 1}, 90)}));
  CHECK(!feasible({"", moving(7, {0, 1}, 80), moving(80, {0, 1}, 90)}));           // too short
  CHECK(!feasible({"", moving(9, {0, 1}, 80), from_rows(Rows(80, {0, 1}), 90)}));  // B does not move
  CHECK(!feasible({"", from_rows(Rows(9, {0, 1}), 80), moving(80, {0, 1}, 90)}));  // A does not move
  CHECK(!feasible({"", moving(9, long_row, 200), moving(200, long_row, 400)}));    // 4096 products
  const std::int32_t far = 1 << 20;
  CHECK(feasible({"", moving(9, {0}, 80), moving(80, {0, far - 1}, far + 90)}));
  CHECK(!feasible({"", moving(9, {0}, 80), moving(80, {0, far}, far + 90)}));
}

TEST_CASE(
    "a recipe lists the factors of each entry in the order of A's entries, overlapping rows of B are transposed once") {
  const Shape s{"", moving(8, {4, 0, 1}, 20), moving(20, {0, 1}, 40)};
  const Problem<double> p(s, Values::integers);
  const direct::ShiftLayout layout(p.extent(), sizeof(double));
  const Memory zeroed(layout.total().zeroed, 0), persistent(layout.total().persistent, 0);
  const direct::Recipe r = direct::make_recipe(p.a, p.b, p.measured.b->run.data(), p.measured.rows[0], 0, layout,
                                               {zeroed.data(), nullptr, persistent.data()});
  const auto list = [](const auto& span) { return std::vector<std::int64_t>(span.begin(), span.end()); };
  CHECK_EQ(list(r.col), std::vector<std::int64_t>{0, 1, 2, 4, 5});
  CHECK_EQ(list(r.end), std::vector<std::int64_t>{1, 3, 4, 5, 6});
  REQUIRE_EQ(r.b_rows.size(), 2U);  // 4 | 0 and 1
  CHECK_EQ(r.b_rows[1].first, 0);
  CHECK_EQ(r.b_rows[1].extra, 1U);
  // column 1: A's entry 1 meets row 0's second entry, then A's entry 2 row 1's first, a row further
  const auto base = r.b_rows[1].base;
  CHECK_EQ(r.products[1].a, static_cast<std::uint32_t>(direct::kTile));
  CHECK_EQ(r.products[1].b, base + static_cast<std::uint32_t>(direct::kStride));
  CHECK_EQ(r.products[2].a, static_cast<std::uint32_t>(2 * direct::kTile));
  CHECK_EQ(r.products[2].b, base + 1);
}

namespace {

/// Three lines of nine rows of A, the last with a gap; rows of B from `other` on are of another pattern.
Shape lines(std::int64_t other) {
  Rows a, b;
  for (std::int32_t i = 0; i < 9; i++) a.push_back({i, i + 1});
  for (std::int32_t i = 0; i < 9; i++) a.push_back({i + 30, i + 31});
  for (std::int32_t i = 0; i < 9; i++) a.push_back({i + 60, i + 62});
  for (std::int32_t i = 0; i < 80; i++) b.push_back({i, i + (i < other ? 1 : 2)});
  return {"", from_rows(a, 80), from_rows(b, 90)};
}

}  // namespace

TEST_CASE("a recipe serves a line of rows behind it whose products are alike, and no other") {
  const auto moved = [](std::int64_t other, std::int64_t i) {
    const Problem<double> p(lines(other), Values::integers);
    const direct::ShiftLayout layout(p.extent(), sizeof(double));
    const Memory zeroed(layout.total().zeroed, 0), persistent(layout.total().persistent, 0);
    const RowRun* const b_run = p.measured.b->run.data();
    const CRow* const rows = p.measured.rows.data();
    const auto r =
        direct::make_recipe(p.a, p.b, b_run, rows[0], 0, layout, {zeroed.data(), nullptr, persistent.data()});
    return direct::shift_to(p.a, p.b, b_run, rows, r, 0, i);
  };
  const auto next = moved(80, 9);
  REQUIRE(next);
  CHECK_EQ(next->rows, 30);
  CHECK_EQ(next->columns, 30);
  CHECK(!moved(80, 18));
  CHECK(!moved(20, 9));
  for (const std::int64_t other : {80, 20}) {
    const Problem<double> p(lines(other), Values::reals);
    CHECK_EQ(kernel_fault(direct::shift, p), "");
    CHECK_EQ(kernel_fault(direct::shift, p, {0, 4, 9, 12, 27}), "");
  }
}

}  // namespace rowan::test
