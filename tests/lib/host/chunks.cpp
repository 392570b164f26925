#include "lib/host/chunks.hpp"

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/random.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

std::vector<CRow> rows_of(const std::vector<std::int64_t>& products) {
  std::vector<CRow> rows(products.size());
  for (std::size_t i = 0; i < rows.size(); i++) rows[i].nprod = products[i], rows[i].hi = 9;
  return rows;
}

}  // namespace

TEST_CASE("chunks follow each other over all rows, none longer than asked unless it is one row") {
  Random random(3);
  for (int trial = 0; trial < 50; trial++) {
    std::vector<std::int64_t> products(static_cast<std::size_t>(random.below(200)));
    for (auto& p : products) p = random.below(5) == 0 ? random.below(3000) : random.below(20);
    const auto rows = rows_of(products);
    std::int64_t at = 0;
    for (const Chunk& c : cut(rows.data(), static_cast<std::int64_t>(rows.size()), 1000, Team(1))) {
      CHECK_EQ(c.first, at);
      CHECK_GT(c.last, c.first);
      std::int64_t work = 0, bound = 0;
      for (std::int64_t i = c.first; i < c.last; i++) {
        work += rows[static_cast<std::size_t>(i)].nprod;
        bound += rows[static_cast<std::size_t>(i)].bound();
      }
      CHECK((work <= 1000 || c.last - c.first == 1));
      CHECK_EQ(c.bound, bound);
      at = c.last;
    }
    CHECK_EQ(at, static_cast<std::int64_t>(rows.size()));
  }
}

TEST_CASE("rows that are in no run are cut by eights, which may be multiplied together") {
  const auto rows = rows_of(std::vector<std::int64_t>(1000, 50));
  const auto n = static_cast<std::int64_t>(rows.size());
  for (const auto& chunks : {cut(rows.data(), n, 1000, Team(1)), cut_for_one(rows.data(), n, 50 * n, 1000)}) {
    REQUIRE_GT(chunks.size(), 2U);
    for (const Chunk& c : chunks) CHECK_EQ(c.first % kRowsTogether, 0);
  }
}

TEST_CASE("shift runs are cut where single rows would be, runs of equal rows at multiples of eight rows") {
  Random random(4);
  for (int trial = 0; trial < 50; trial++) {
    std::vector<std::int64_t> products;
    while (products.size() < 1000)
      products.insert(products.end(), static_cast<std::size_t>(random.between(1, 300)),
                      random.below(9) == 0 ? random.below(3000) : random.below(60));
    const auto single = rows_of(products);
    auto runs = single;
    const bool shifts = trial % 2 == 0;
    for (std::size_t i = runs.size() - 1; i-- > 0;)
      if (runs[i].nprod == runs[i + 1].nprod) {
        RowRun &here = runs[i].run, next = runs[i + 1].run;
        (shifts ? here.shifts : here.rows) =
            static_cast<std::uint8_t>(std::min((shifts ? next.shifts : next.rows) + 1, 255));
      }
    const auto n = static_cast<std::int64_t>(single.size());
    if (!shifts) {
      for (const Chunk& c : cut(runs.data(), n, 1000, Team(1))) {
        std::int64_t start = c.last;  // of the run that is cut, if one is, or where the chunk begins in it
        while (start > c.first && runs[static_cast<std::size_t>(start - 1)].run.rows > 1) start--;
        CHECK_EQ((c.last - start) % kSummedRows, 0);
        std::int64_t work = 0;
        for (std::int64_t i = c.first; i < c.last; i++) work += runs[static_cast<std::size_t>(i)].nprod;
        CHECK((work <= 1000 || c.last - c.first <= kSummedRows));
      }
      continue;
    }
    const auto expected = cut(single.data(), n, 1000, Team(1)), found = cut(runs.data(), n, 1000, Team(1));
    REQUIRE_EQ(found.size(), expected.size());
    for (std::size_t c = 0; c < found.size(); c++) {
      CHECK_EQ(found[c].first, expected[c].first);
      CHECK_EQ(found[c].last, expected[c].last);
      CHECK_EQ(found[c].bound, expected[c].bound);
    }
  }
}

TEST_CASE("one worker's chunks follow each other over all rows, and equal rows that are multiplied together stay so") {
  Random random(5);
  for (int trial = 0; trial < 50; trial++) {
    auto rows = rows_of(std::vector<std::int64_t>(static_cast<std::size_t>(random.below(500)), 30));
    const std::int64_t n = static_cast<std::int64_t>(rows.size()), run = random.between(1, 4);
    for (std::int64_t i = 0; i < n; i++) rows[static_cast<std::size_t>(i)].run.same = i % run != 0;
    std::int64_t at = 0;
    const auto chunks = cut_for_one(rows.data(), n, 30 * n, 1000);
    for (const Chunk& c : chunks) {
      CHECK_EQ(c.first, at);
      CHECK_GT(c.last, c.first);
      CHECK_LE(c.last - c.first, 1000 / 30 + 3);
      CHECK((c.last % run == 0 || c.last == n));
      at = c.last;
    }
    CHECK_EQ(at, n);
  }
  CHECK_GT(cut_for_one(rows_of(std::vector<std::int64_t>(5000, 0)).data(), 5000, 0, 1000).size(), 10U);
}

TEST_CASE("several workers cut as one does, each whole blocks of rows") {
  Random random(6);
  std::vector<std::int64_t> products(static_cast<std::size_t>(2 * kCutRows + 777));
  for (auto& p : products) p = random.below(20);
  const auto rows = rows_of(products);
  const auto n = static_cast<std::int64_t>(rows.size());
  const auto one = cut(rows.data(), n, 1000, Team(1)), three = cut(rows.data(), n, 1000, Team(3));
  REQUIRE_EQ(one.size(), three.size());
  std::int64_t at = 0, borders = 0;
  for (std::size_t c = 0; c < one.size(); c++) {
    CHECK_EQ(one[c].first, at);
    CHECK_EQ(three[c].first, at);
    CHECK_EQ(three[c].last, one[c].last);
    CHECK_EQ(three[c].bound, one[c].bound);
    at = one[c].last;
    borders += at % kCutRows == 0 ? 1 : 0;
  }
  CHECK_EQ(at, n);
  CHECK_EQ(borders, 2);
}

TEST_CASE("empty rows are cut too and no rows are no chunks") {
  const auto rows = rows_of(std::vector<std::int64_t>(5000, 0));
  CHECK_GT(cut(rows.data(), 5000, 1000, Team(1)).size(), 10U);
  CHECK(cut(rows.data(), 0, 1000, Team(1)).empty());
}

TEST_CASE("rows that are not measured are cut by their products, of which the longest is told") {
  const Shape& s = shape("large scattered");
  const Matrix<double> m = filled<double>(s.a, Values::reals, 1), right = filled<double>(s.right(), Values::reals, 1);
  const Pattern a{m.pattern.rows, m.pattern.cols, m.pattern.ptr.data(), m.pattern.col.data()};
  const Pattern b{right.pattern.rows, right.pattern.cols, right.pattern.ptr.data(), right.pattern.col.data()};
  std::int64_t nprod = 0, longest = 0;
  for (std::int64_t i = 0; i < a.rows; i++) {
    std::int64_t n = 0;
    for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) n += b.length(a.col[k]);
    nprod += n, longest = std::max(longest, n);
  }
  for (const int threads : {1, 4}) {
    const UnmeasuredRows rows = cut_unmeasured(a, b, nprod, Team(threads));
    CHECK_EQ(rows.nprod, nprod);
    CHECK_GE(rows.longest, longest);
    CHECK_LE(rows.longest, std::max<std::int64_t>(longest, 512));
    std::int64_t at = 0, bound = 0;
    for (const Chunk& c : rows.chunks) {
      CHECK_EQ(c.first, at);
      CHECK_GT(c.last, c.first);
      at = c.last, bound += c.bound;
    }
    CHECK_EQ(at, a.rows);
    CHECK_EQ(bound, nprod);
  }
}

TEST_CASE("a small product is cut in small chunks, so that candidates can be raced on a few of them") {
  const Csr<double> m = generate("geometric:n=5000,neighbours=3,seed=3");
  const Pattern a{m.rows(), m.cols(), m.row_ptr().data(), m.col().data()};
  const UnmeasuredRows small = cut_unmeasured(a, a, 88'000, Team(1)), large = cut_unmeasured(a, a, 88'000'000, Team(1));
  CHECK_EQ(small.nprod, large.nprod);
  CHECK_GE(small.chunks.size(), 64U);
  CHECK_LE(large.chunks.size(), 16U);
}

}  // namespace rowan::test
