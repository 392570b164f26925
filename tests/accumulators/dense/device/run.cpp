// Row runs on a device: teams of every size, groups of equal rows of B, a wave or a block a team.
#include "accumulators/dense/device/run.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/accumulators/dense/device/saved.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

template <class T>
Csr<T> multiplied(const Factors<T>& f) {
  Options options;
  options.backend = kBackend, options.force = "dense-run";
  return Context(options).multiply(f.a(), f.b());
}

/// Runs of `shortest` to `longest` equal rows in A, of 1 to `longest` in B; `length` entries a row of B, in `columns`
/// columns.
Shape runs(std::string name, std::int64_t shortest, std::int64_t longest, std::int64_t length, std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(length + columns));
  const auto in_runs = [&](std::int64_t first, std::int64_t rows, std::int64_t most, std::int64_t cols) {
    Rows list;
    for (std::int64_t run = first; static_cast<std::int64_t>(list.size()) < rows;
         run = run < longest ? run + 1 : first) {
      const auto row = some_columns(random, most / 2 + most * run / (2 * longest + 2), 0, cols);
      for (std::int64_t k = 0; k < run; k++) list.push_back(row);
    }
    return list;
  };
  Rows b = in_runs(1, 120, length, columns);
  const auto middle = static_cast<std::int64_t>(b.size());
  return {std::move(name), from_rows(in_runs(shortest, 110, 70, middle), middle), from_rows(b, columns)};
}

/// Runs of three rows, of `most` entries where `often` does not divide the run's number, else of `rare` ones.
Shape runs_of_two_lengths(std::string name, std::int64_t most, std::int64_t rare, std::int64_t often,
                          std::int64_t columns) {
  constexpr std::int64_t kRuns = 12, kEach = 80;  // entries of a row of B
  Rows a, b;
  for (std::int64_t run = 0; run < kRuns; run++) {
    std::vector<Column> row;
    for (std::int64_t left = run % often != 0 ? most : rare; left > 0; left -= kEach) {
      row.push_back(static_cast<Column>(b.size()));
      std::vector<Column> of_b;  // the row of C has columns 0, 1, 2 ...
      for (std::int64_t k = std::max<std::int64_t>(left - kEach, 0); k < left; k++)
        of_b.push_back(static_cast<Column>(k));
      b.push_back(of_b);
    }
    for (int k = 0; k < 3; k++) a.push_back(row);
  }
  const auto middle = static_cast<std::int64_t>(b.size());
  return {std::move(name), from_rows(a, middle), from_rows(b, columns)};
}

}  // namespace

TEST_CASE("a bundle's memory that its words do not need is for sums, of as many rows as fit") {
  using namespace device::dense;
  constexpr int kBound = 4000, kRows = 3;
  BundleCapacity all = bundle_capacity(60000, kBound, 1, sizeof(double), 128);
  all.rows = kRows;
  const auto of = [&](int entries, int words) { return all.of_team(entries, words, sizeof(double)); };
  CHECK_EQ(of(kBound, all.kept).rows, 1);
  CHECK_EQ(of(kBound, all.kept).pairs, all.pairs);
  CHECK_EQ(of(kBound / 2, all.kept).rows, 2);
  CHECK_EQ(of(kBound / 4, all.kept).rows, kRows);
  const BundleCapacity own = of(1500, 300);
  CHECK_EQ(own.kept, 300);
  CHECK_EQ(own.rows, kRows);
  CHECK_LE(bundle_bytes(own, sizeof(double)), bundle_bytes(all, sizeof(double)));
  CHECK_GT(own.pairs, all.pairs);
}

TEST_CASE("device row runs sum in the textbook's order, whatever runs A and B have") {
  const Rows far{{0, 29'999'999}, {7, 8, 15'000'000}, {1, 7, 29'999'998}}, equal{{0, 1, 2}, {0, 1, 2}};
  const std::vector<Shape> all{runs("short runs", 2, 5, 20, 300),
                               runs("long runs", 2, 60, 12, 200),
                               runs("a block a team", 2, 12, 90, 900),
                               runs("wide", 2, 4, 30, 40000),
                               runs("wide enough for a block to count", 2, 4, 30, 90000),
                               runs_of_two_lengths("one too long for all its rows at once", 1100, 4500, 12, 5000),
                               runs_of_two_lengths("some too long, wide", 1100, 4500, 5, 120000),
                               runs("too wide for a wave's bitmap", 2, 3, 20, 150000),
                               runs("more words than a wave has at once", 2, 3, 40, 3000000),
                               {"too wide for the bitmap above", from_rows(equal, 3), from_rows(far, 30'000'000)}};
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    CAPTURE(seed);
    for (const Shape& shape : all) {
      CAPTURE(shape.name);
      const Factors<double> d(shape, Values::reals);
      CHECK_EQ(difference(multiplied(d), textbook(d.a(), d.b())), "");
      const Factors<float> f(shape, Values::special);
      CHECK_EQ(difference(multiplied(f), textbook(f.a(), f.b())), "");
    }
  });
}

TEST_CASE("words that the symbolic phase keeps of runs make the pattern that is else made again") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    for (const Shape& shape :
         {runs("room for all", 2, 12, 60, 500), runs("room for some", 2, 4, 30, 40000),
          runs("room for some, counted by a block", 2, 4, 30, 90000), runs("wide, room for some", 2, 4, 8, 150000)}) {
      const std::int64_t saved = check_saved(shape, "dense-run", Values::reals);
      CHECK_GT(saved, 0);
      CHECK_EQ(saved < shape.a.rows, shape.name != "room for all");
    }
  });
}

TEST_CASE("a device's policy gives runs to dense-run, and each row of a run is reported in its bin") {
  for_schedules(1, [](int, int) {
    const Shape shape = runs("runs of 1 to 4", 1, 4, 40, 500);
    const Factors<double> f(shape, Values::integers);
    Options options;
    options.backend = kBackend;
    const Inspection in = Context(options).inspect(f.a(), f.b());
    std::int64_t rows = 0, run_rows = 0;
    for (const BinReport& bin : in.bins) {
      CAPTURE(bin.label);
      const bool run = bin.label.find("run") != std::string::npos;
      CHECK_EQ(bin.label.find("shift"), std::string::npos);
      CHECK_EQ(bin.candidate == "dense-run", run);
      rows += bin.rows, run_rows += run ? bin.rows : 0;
    }
    CHECK_EQ(rows, in.rows);
    CHECK_GT(run_rows, rows / 2);
    for (const RowReport& row : in.row)
      CHECK_EQ(in.bins[static_cast<std::size_t>(row.bin)].label.find("run") != std::string::npos,
               row.run > 1 || (row.row > 0 && in.row[static_cast<std::size_t>(row.row - 1)].run > 1));
  });
}

TEST_CASE("device row runs leave repeated columns of B to others") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(shape("unsorted runs with duplicates"), Values::integers);
    Options options;
    options.backend = kBackend, options.force = "dense-run";
    for (const BinReport& bin : Context(options).inspect(f.a(), f.b()).bins) CHECK_NE(bin.candidate, "dense-run");
    CHECK_EQ(difference(multiplied(f), textbook(f.a(), f.b())), "");
  });
}

}  // namespace rowan::test
