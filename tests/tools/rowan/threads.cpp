// More threads than the machine has.
#include "tests/tools/rowan/run.hpp"

namespace rowan::test {

TEST_CASE("threads: standard error stays empty, however many are asked for") {
  Shell shell;
  for (const char* threads : {"1", "3", "1000"}) {
    CAPTURE(threads);
    const Ran ran = shell.rowan(std::string("multiply generated:rmat:scale=9 -o c.rowan --quiet --threads ") + threads);
    CHECK(ran.code == 0);
    CHECK(ran.err == "");
  }
}

}  // namespace rowan::test
