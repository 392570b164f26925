#include "lib/pipeline/chunks.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

namespace rowan::test {
namespace {

std::vector<RowWork> rows_of(const std::vector<std::int64_t>& products) {
  std::vector<RowWork> rows(products.size());
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
    for (const Chunk& c : cut(rows.data(), static_cast<std::int64_t>(rows.size()), 1000)) {
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

TEST_CASE("runs of rows with the same products are cut where single rows would be") {
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
    const auto expected = cut(single.data(), n, 1000), found = cut(runs.data(), n, 1000);
    REQUIRE_EQ(found.size(), expected.size());
    for (std::size_t c = 0; c < found.size(); c++) {
      CHECK_EQ(found[c].first, expected[c].first);
      CHECK_EQ(found[c].last, expected[c].last);
      CHECK_EQ(found[c].bound, expected[c].bound);
    }
  }
}

TEST_CASE("empty rows are cut too and no rows are no chunks") {
  const auto rows = rows_of(std::vector<std::int64_t>(5000, 0));
  CHECK_GT(cut(rows.data(), 5000, 1000).size(), 10U);
  CHECK(cut(rows.data(), 0, 1000).empty());
}

}  // namespace rowan::test
