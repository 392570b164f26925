#include "lib/core/vector_bytes.hpp"

#include <doctest/doctest.h>

#include "tests/support/instruction_sets.hpp"

namespace rowan::test {

TEST_CASE("vectors are those of the instruction set in use, no narrower with a better one") {
  std::size_t widest = 0;
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    CHECK((vector_bytes() >= 1 && vector_bytes() <= 2048));
    widest = std::max(widest, vector_bytes());
  }
  CHECK_EQ(vector_bytes(), widest);
}

}  // namespace rowan::test
