#include "lib/core/pattern_checks.hpp"

#include <limits>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/instruction_sets.hpp"

namespace rowan::test {

TEST_CASE_TEMPLATE("a row pointer that falls is found wherever it is", P, std::int32_t, std::int64_t) {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const std::int64_t n : {0, 1, 2, 7, 8, 31, 64, 65, 200}) {
      std::vector<P> ptr(static_cast<std::size_t>(n) + 1);
      for (std::size_t k = 0; k < ptr.size(); k++) ptr[k] = static_cast<P>(k / 2 * 3);  // some are equal
      CHECK_FALSE(any_falls(ptr.data(), n));
      for (std::size_t k = 1; k < ptr.size(); k++)
        for (const P bad : {static_cast<P>(ptr[k - 1] - 1), std::numeric_limits<P>::min()}) {
          std::vector<P> wrong = ptr;
          wrong[k] = bad;
          CHECK(any_falls(wrong.data(), n));
        }
    }
    const P ends[] = {std::numeric_limits<P>::min(), std::numeric_limits<P>::max(), 0};
    CHECK_FALSE(any_falls(ends, 1));
    CHECK(any_falls(ends + 1, 1));
  }
}

TEST_CASE("a column outside is found wherever it is") {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    constexpr std::int32_t kCols = 100, kMost = std::numeric_limits<std::int32_t>::max();
    for (const std::int64_t n : {0, 1, 3, 15, 16, 17, 64, 130}) {
      std::vector<Column> col(static_cast<std::size_t>(n));
      for (std::size_t k = 0; k < col.size(); k++) col[k] = static_cast<Column>(99 - k % 100);
      CHECK_FALSE(any_outside(col.data(), n, kCols));
      CHECK_EQ(any_outside(col.data(), n, 0), n != 0);
      for (std::size_t k = 0; k < col.size(); k++)
        for (const Column bad : {kCols, -1, kMost, std::numeric_limits<std::int32_t>::min()}) {
          std::vector<Column> wrong = col;
          wrong[k] = bad;
          CHECK(any_outside(wrong.data(), n, kCols));
        }
    }
    const Column last = kMost - 1;
    CHECK_FALSE(any_outside(&last, 1, kMost));
    CHECK(any_outside(&kMost, 1, kMost));
  }
}

}  // namespace rowan::test
