#include "features/distinct.hpp"

#include <set>

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

namespace rowan::test {

TEST_CASE("distinct columns are counted in narrow and wide spans") {
  Random random(4);
  DistinctColumns distinct;
  for (const std::int64_t width : {1, 5, 100, 64 * 64, 1 << 20}) {
    for (const std::int64_t n : {1, 2, 63, 64, 500}) {
      std::vector<Column> columns(static_cast<std::size_t>(n));
      for (Column& c : columns) c = static_cast<Column>(7 + random.below(width));
      const std::set<Column> expected(columns.begin(), columns.end());
      CHECK_EQ(distinct.count(columns, *expected.begin(), *expected.rbegin()),
               static_cast<std::int64_t>(expected.size()));
    }
  }
}

}  // namespace rowan::test
