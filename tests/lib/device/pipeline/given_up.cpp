#include "lib/device/pipeline/given_up.hpp"

#include <doctest/doctest.h>

namespace rowan::device {

TEST_CASE("sizes that were given up are passed over for a while, others never") {
  GivenUp given_up;
  const auto one = GivenUp::name(10, 20, 30), other = GivenUp::name(20, 10, 30);
  CHECK_NE(one, other);
  CHECK_FALSE(given_up.skip(one));
  given_up.note(one);
  for (unsigned i = 0; i < GivenUp::kSkips; i++) {
    CHECK(given_up.skip(one));
    CHECK_FALSE(given_up.skip(other));
  }
  CHECK_FALSE(given_up.skip(one));  // tried once more
  given_up.note(one);
  CHECK(given_up.skip(one));
}

}  // namespace rowan::device
