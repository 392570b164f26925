#include "lib/core/spelling.hpp"

#include <doctest/doctest.h>

namespace rowan {

TEST_CASE("unknown: what there is, and a guess where one is close") {
  const std::vector<std::string> all{"hash", "dense", "direct"};
  CHECK(unknown("thing", "hsah", all) ==
        "there is no thing \"hsah\", did you mean \"hash\"? There are hash, dense, direct");
  CHECK(unknown("thing", "directly", all) ==
        "there is no thing \"directly\", did you mean \"direct\"? There are hash, dense, direct");
  CHECK(unknown("thing", "bucket", all) == "there is no thing \"bucket\"; there are hash, dense, direct");
  CHECK(unknown("thing", "", all) == "there is no thing \"\"; there are hash, dense, direct");
  CHECK(unknown("thing", "x", {}) == "there is no thing \"x\"; there are ");
}

}  // namespace rowan
