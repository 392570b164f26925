#include "lib/core/rises.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {

TEST_CASE("columns rise strictly, or one is as great as the next") {
  const auto of = [](const std::vector<Column>& row) { return rises(row.data(), row.data() + row.size()); };
  CHECK(of({}));
  CHECK(of({5}));
  CHECK(of({0, 1, 7}));
  CHECK(!of({0, 0}));
  CHECK(!of({3, 9, 8}));
  CHECK(!of({1, 2, 3, 3}));
}

}  // namespace rowan::test
