#include "features/pattern_facts.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

Pattern pattern(const Sparsity& s) {
  return {.rows = s.rows, .cols = s.cols, .ptr = s.ptr.data(), .col = s.col.data()};
}

std::vector<std::int32_t> row(const Sparsity& s, std::int64_t i) {
  return {s.col.begin() + s.ptr[static_cast<std::size_t>(i)], s.col.begin() + s.ptr[static_cast<std::size_t>(i) + 1]};
}

/// Row i is row i - 1 moved right by `move`.
bool moved(const Sparsity& s, std::int64_t i, std::int32_t move) {
  auto before = row(s, i - 1);
  for (auto& c : before) c += move;
  return !before.empty() && before == row(s, i);
}

PatternFacts facts(const Sparsity& s) {
  return pattern_facts(pattern(s), Team(1));
}

}  // namespace

TEST_CASE("facts agree with a recount of every row, by any number of workers") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list)
      for (const int threads : {1, 3}) {
        const Sparsity& s = shape.right();
        CAPTURE(shape.name);
        const PatternFacts f = pattern_facts(pattern(s), Team(threads));
        std::int64_t longest = 0, wrong_ranges = 0, wrong_runs = 0;
        bool sorted = true;
        for (std::int64_t i = 0; i < s.rows; i++) {
          const auto r = row(s, i);
          longest = std::max(longest, static_cast<std::int64_t>(r.size()));
          sorted = sorted && std::ranges::is_sorted(r, std::less_equal<>());
          if (r.empty())
            wrong_ranges += f.row[i].hi < f.row[i].lo ? 0 : 1;
          else
            wrong_ranges += f.row[i].lo == std::ranges::min(r) && f.row[i].hi == std::ranges::max(r) ? 0 : 1;
          // a run may end early at a block's border, never late
          wrong_ranges += f.row[i].length == static_cast<std::int64_t>(r.size()) ? 0 : 1;
          const RowRun& run = f.run[i];
          if (run.same && !moved(s, i, 0)) wrong_runs++;
          if (run.shifted && !moved(s, i, 1)) wrong_runs++;
          for (std::int64_t n = 1; n < run.rows; n++) wrong_runs += f.run[i + n].same ? 0 : 1;
          for (std::int64_t n = 1; n < run.shifts; n++) wrong_runs += f.run[i + n].shifted ? 0 : 1;
          if (i % (1 << 11) != 0 && run.same != moved(s, i, 0)) wrong_runs++;
        }
        CHECK_EQ(f.longest, longest);
        CHECK_EQ(f.sorted, sorted);
        CHECK_EQ(wrong_ranges, 0);
        CHECK_EQ(wrong_runs, 0);
      }
}

TEST_CASE("a falling or repeated column anywhere is found, also beside empty rows") {
  CHECK(facts(from_rows({{}, {0, 5}, {}, {}, {1}, {0, 1, 2}, {}}, 6)).sorted);
  CHECK(!facts(from_rows({{}, {5, 0}, {}}, 6)).sorted);
  CHECK(!facts(from_rows({{0, 5}, {}, {1, 1}}, 6)).sorted);
  CHECK(!facts(from_rows({{}, {}, {0, 2, 1}}, 6)).sorted);
  CHECK(facts(from_rows({{}, {}}, 6)).sorted);
  // as many rows that begin lower as places that fall, but not the same places
  CHECK(!facts(from_rows({{0, 5, 3}, {4}}, 6)).sorted);
}

TEST_CASE("runs and shift runs are counted from each of their rows and saturate at 255") {
  const PatternFacts runs = facts(from_rows(Rows(300, {2, 4}), 5));
  CHECK_EQ(runs.run[0].rows, 255);
  CHECK_EQ(runs.run[45].rows, 255);
  CHECK_EQ(runs.run[46].rows, 254);
  CHECK_EQ(runs.run[299].rows, 1);
  CHECK(runs.run[299].in_run());
  const PatternFacts shifts = facts(banded(400, 0));
  CHECK_EQ(shifts.run[0].shifts, 255);
  CHECK_EQ(shifts.run[399].shifts, 1);
  CHECK(shifts.run[399].in_shift_run());
}

TEST_CASE("rows without entries are in no run") {
  const PatternFacts f = facts(from_rows(Rows(4), 5));
  for (std::int64_t i = 0; i < 4; i++) CHECK(!f.run[i].in_run());
}

TEST_CASE("rows that differ only inside are not a run") {
  const PatternFacts f = facts(from_rows({{0, 2, 9}, {0, 3, 9}, {1, 3, 10}}, 11));
  CHECK(!f.run[1].same);
  CHECK(!f.run[2].shifted);
}

}  // namespace rowan::test
