#include "lib/core/instructions.hpp"

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/rowan.hpp>

namespace rowan::test {
namespace {

/// All instruction sets again.
struct Restore {
  ~Restore() { limit_instructions(""); }
};

}  // namespace

TEST_CASE("every instruction set can be the best that is used, and multiplies") {
  const Restore restore;
  const std::vector<std::string> all = instruction_sets();
  REQUIRE(!all.empty());
  for (std::size_t i = 0; i < all.size(); i++) {
    CAPTURE(all[i]);
    limit_instructions(all[i]);
    CHECK(instruction_sets() == std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(i), all.end()));
    for (const Shape& shape : shapes()) {
      CAPTURE(shape.name);
      const Factors<double> f(shape, Values::reals);
      CHECK_EQ(difference(multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
    }
  }
  limit_instructions("");
  CHECK(instruction_sets() == all);
}

TEST_CASE("an instruction set that is not there is refused with those that are, and nothing changes") {
  const Restore restore;
  limit_instructions(instruction_sets().back());
  const std::vector<std::string> before = instruction_sets();
  CHECK_THROWS_WITH_AS(limit_instructions("MMX"), doctest::Contains("there is no instruction set \"MMX\""), Error);
  CHECK(instruction_sets() == before);
}

}  // namespace rowan::test
