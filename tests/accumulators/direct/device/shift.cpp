// Shift runs on a device: teams of every size, tiles and passes, neighbours that are no shift run.
#include "accumulators/direct/device/shift.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

using Row = std::vector<std::int32_t>;

Context forced() {
  Options options;
  options.backend = kBackend, options.force = "direct-shift";
  return Context(options);
}

template <class T>
void check_product(const Shape& shape, Values values) {
  CAPTURE(shape.name);
  const Factors<T> f(shape, values);
  CHECK_EQ(difference(forced().multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
}

/// Appends `rows` rows, each `first` moved by one column more.
void move(Rows& list, std::int64_t rows, const Row& first) {
  for (std::int64_t i = 0; i < rows; i++) {
    list.push_back(first);
    for (std::int32_t& c : list.back()) c += static_cast<std::int32_t>(i);
  }
}
Sparsity moving(std::int64_t rows, const Row& first, std::int64_t cols) {
  Rows list;
  move(list, rows, first);
  return from_rows(list, cols);
}
/// `n` columns, `apart` from each other.
Row comb(std::int32_t n, std::int32_t apart) {
  Row row;
  for (std::int32_t k = 0; k < n; k++) row.push_back(k * apart);
  return row;
}

/// Runs of moved rows, of equal rows and single rows, of any length, one behind another.
Sparsity mixed(std::int64_t rows, std::int64_t cols, std::int64_t longest, std::uint64_t seed) {
  Random random(seed);
  Rows list;
  while (static_cast<std::int64_t>(list.size()) < rows) {
    const Row first = some_columns(random, random.between(1, 6), 0, cols - longest);
    const std::int64_t length = random.between(1, longest);
    if (random.below(4) != 0)
      move(list, length, first);
    else
      list.insert(list.end(), static_cast<std::size_t>(length % 5 + 1), first);
    if (random.below(3) == 0) list.push_back(list.back());  // the end of one run is the beginning of another
  }
  list.resize(static_cast<std::size_t>(rows));
  return from_rows(list, cols);
}

/// How many rows from each row on are the one before moved by one column, they and the rows of B that they meet, as
/// entries say; runs shorter than eight rows are none.
std::vector<int> shift_runs(const Shape& shape) {
  const auto row_of = [](const Sparsity& s, std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    return Row(s.col.begin() + s.ptr[at], s.col.begin() + s.ptr[at + 1]);
  };
  const auto moved = [&](const Sparsity& s, std::int64_t i, std::int32_t by) {
    if (i == 0 || i == s.rows) return false;
    Row before = row_of(s, i - 1);
    for (std::int32_t& c : before) c += by;
    return !before.empty() && before == row_of(s, i);
  };
  const Sparsity &a = shape.a, &b = shape.right();
  std::vector<int> runs(static_cast<std::size_t>(a.rows), 1);
  for (std::int64_t i = a.rows; i-- > 0;) {
    const Row row = row_of(a, i);
    bool on = row.size() > 1 && moved(a, i, 1) && !moved(a, i - 1, 0) && !moved(a, i + 1, 0);
    for (const Column j : row) on = on && moved(b, j, 1);
    if (on) runs[static_cast<std::size_t>(i - 1)] = runs[static_cast<std::size_t>(i)] + 1;
  }
  return runs;
}

}  // namespace

TEST_CASE("device shift runs of any length sum in the textbook's order") {
  struct Pair {
    const char* name;
    Row a, b;  // first rows
  };
  const Pair pairs[] = {
      {"overlapping rows of B", {0, 1, 2, 9, 10, 40}, {0, 1, 2, 30, 31}},
      {"rows of B of an even length", {0, 3, 4, 5}, {0, 2, 4, 6}},
      {"falling and repeated columns", {7, 3, 3, 0}, {5, 1, 1, 9}},
      {"two products", {0, 50}, {2}},
      {"more entries of A than lanes, one chunk", comb(45, 1), {0, 1, 2}},
      {"more entries of A than lanes, a chunk each", comb(40, 2), {0, 3}},
      {"several passes", comb(20, 10), comb(20, 10)},
      {"rows of B longer than a wave", {0, 1, 5}, comb(70, 1)},
  };
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    for (const Pair& pair : pairs)
      for (const std::int64_t rows : {seed == 1 ? 8L : 33L, seed == 1 ? 129L : 300L}) {
        CAPTURE(rows);
        const Shape s{pair.name, moving(rows, pair.a, rows + 250), moving(rows + 250, pair.b, rows + 500)};
        check_product<double>(s, Values::reals);
        check_product<float>(s, Values::special);
      }
  });
}

TEST_CASE("device shift runs among other rows, in A and in B: counted, multiplied and reported as such") {
  for_schedules(2, [&](int wave, int seed) {
    CAPTURE(wave);
    const auto of = static_cast<std::uint64_t>(seed);
    const Sparsity a = mixed(700, 800, 60, of), b = mixed(800, 900, 300, of + 7);
    for (const Shape& s : {Shape{"A B", a, b}, Shape{"grid", generated("stencil2d:nx=70,ny=20"), {}},
                           Shape{"long runs are cut", moving(1500, {0, 1, 9}, 1600), moving(1600, {0, 4}, 1700)}}) {
      check_product<double>(s, Values::reals);
      check_product<float>(s, Values::integers);
      const Factors<double> f(s, Values::integers);
      const Inspection in = forced().inspect(f.a(), f.b());
      const std::vector<int> runs = shift_runs(s);
      std::int64_t in_teams = 0;
      for (const RowReport& row : in.row) {
        CAPTURE(row.row);
        const auto i = static_cast<std::size_t>(row.row);
        const bool shift = in.bins[static_cast<std::size_t>(row.bin)].label.find("shift") != std::string::npos;
        in_teams += shift ? 1 : 0;
        CHECK_LE(row.shift, runs[i]);  // runs are cut
        if (row.shift > 1) CHECK(shift);
        // within what no cut reaches, all of a run of eight rows is found
        if (runs[i] >= 8 && (i == 0 || runs[i - 1] == 1) && i / 1024 == (i + 7) / 1024) CHECK_GE(row.shift, 8);
      }
      CHECK_GT(in_teams, in.rows / 10);
      for (const BinReport& bin : in.bins)
        CHECK_EQ(bin.candidate == "direct-shift", bin.label.find("shift") != std::string::npos);
    }
  });
}

TEST_CASE("a device's policy gives shift runs to direct-shift") {
  for_schedules(1, [](int, int) {
    const Factors<double> f(Shape{"", generated("stencil2d:nx=60,ny=16"), {}}, Values::integers);
    Options options;
    options.backend = kBackend;
    std::int64_t rows = 0;
    for (const BinReport& bin : Context(options).inspect(f.a(), f.b()).bins) {
      const bool shift = bin.label.find("shift") != std::string::npos;
      CHECK_EQ(bin.candidate == "direct-shift", shift);
      rows += shift ? bin.rows : 0;
    }
    CHECK_EQ(rows, 16 * (60 - 4));
    const Context context(options);
    CHECK_EQ(difference(context.multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
    Csr<double> c;
    context.plan(f.a(), f.b()).execute(f.a(), f.b(), c);
    CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
  });
}

TEST_CASE("device shift runs of too many products, or too wide, are left to others") {
  const std::int32_t far = 1 << 20;
  for_schedules(1, [&](int, int) {
    for (const Shape& s :
         {Shape{"2500 products", moving(9, comb(50, 2), 120), moving(120, comb(50, 2), 240)},
          Shape{"wide", moving(9, {0, 1}, 20), moving(20, {0, far}, far + 90)},
          Shape{"too little shared memory", moving(9, comb(45, 45), 2100), moving(2100, comb(45, 1), 2200)}}) {
      check_product<double>(s, Values::integers);
      const Factors<double> f(s, Values::integers);
      for (const BinReport& bin : forced().inspect(f.a(), f.b()).bins)
        if (bin.nprod > 0) CHECK_NE(bin.candidate, "direct-shift");
    }
  });
}

}  // namespace rowan::test
