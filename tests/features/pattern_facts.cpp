#include "features/pattern_facts.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/measured.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

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
          const BRow of = f.row[i];
          const Column lo = f.first_column(of.lo()), hi = f.last_column(of.hi(), s.cols);
          if (r.empty())
            wrong_ranges += of.lo() == BRow::kNoColumn && of.hi() == 0 ? 0 : 1;
          else if (f.unit == 0)
            wrong_ranges += lo == std::ranges::min(r) && hi == std::ranges::max(r) ? 0 : 1;
          else
            wrong_ranges += lo <= std::ranges::min(r) && hi >= std::ranges::max(r) ? 0 : 1;
          wrong_ranges += of.length() == r.size() ? 0 : 1;
          if (f.scattered) wrong_ranges += f.length[i] == std::min<std::size_t>(r.size(), 255) ? 0 : 1;
          // a run may end early at a block's border, never late
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

TEST_CASE("ranges of more columns than a word tells are wider, never narrower, long rows are told from others") {
  constexpr std::int32_t kCols = INT32_MAX;
  Rows rows = {{0}, {kCols - 1}, {7, 1 << 24, kCols - 2}, {}};
  rows.emplace_back(70000);
  for (std::int32_t k = 0; k < 70000; k++) rows.back()[static_cast<std::size_t>(k)] = 3 * k;
  const Sparsity s = from_rows(rows, kCols);
  const PatternFacts f = facts(s);
  CHECK_GT(f.unit, 0);
  CHECK_EQ(f.longest, 70000);
  CHECK_EQ(f.row[4].length(), BRow::kLong);
  for (std::int64_t i = 0; i < s.rows; i++) {
    const auto r = row(s, i);
    if (r.empty()) continue;
    CHECK_LE(f.first_column(f.row[i].lo()), r.front());
    CHECK_GE(f.last_column(f.row[i].hi(), kCols), r.back());
    CHECK_LT(f.last_column(f.row[i].hi(), kCols), kCols);
    CHECK_LT(r.front() - f.first_column(f.row[i].lo()), 1 << f.unit);
  }
}

TEST_CASE("scattered rows are many, far and not alike") {
  const auto scattered = [](std::int64_t rows, std::int32_t cols, std::int32_t step) {
    Rows list;
    for (std::int64_t i = 0; i < rows; i++) {
      const auto c = static_cast<std::int32_t>(i * step % (cols / 2));
      list.push_back({c, c + cols / 2 - static_cast<std::int32_t>(i % 7)});
    }
    return facts(from_rows(list, cols)).scattered;
  };
  CHECK(scattered(100000, 100000, 7919));
  CHECK(!scattered(1000, 100000, 7919));
  CHECK(!facts(banded(100000, 2)).scattered);
  Rows shifted;
  for (std::int32_t i = 0; i < 100000; i++) shifted.push_back({i, i + 50000});
  CHECK(!facts(from_rows(shifted, 200000)).scattered);
}

TEST_CASE("a row that differs inside a long run ends it, wherever it is, and one that falls is found") {
  for (const std::int32_t at : {1, 8, 9, 15, 16, 17, 100, 199}) {
    for (const std::int32_t move : {0, 1}) {
      CAPTURE(at);
      CAPTURE(move);
      Rows list;
      for (std::int32_t i = 0; i < 200; i++) list.push_back({i * move, i * move + 2, i * move + 4, i * move + 9});
      Rows other = list, falls = list;
      other[static_cast<std::size_t>(at)][1]++;
      std::swap(falls[static_cast<std::size_t>(at)][1], falls[static_cast<std::size_t>(at)][2]);
      const PatternFacts whole = facts(from_rows(list, 300)), cut = facts(from_rows(other, 300));
      const auto linked = [&](const PatternFacts& f, std::int32_t i) {
        return move == 0 ? f.run[i].same : f.run[i].shifted;
      };
      for (std::int32_t i = 1; i < 200; i++) {
        CHECK(linked(whole, i));
        CHECK_EQ(linked(cut, i), i != at && i != at + 1);
      }
      CHECK(cut.sorted);
      CHECK_FALSE(facts(from_rows(falls, 300)).sorted);
    }
    Rows all_fall(200, {4, 2, 0});  // alike, and none rises
    CHECK_FALSE(facts(from_rows(all_fall, 5)).sorted);
  }
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
