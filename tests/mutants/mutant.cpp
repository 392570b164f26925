#include "tests/mutants/mutant.hpp"

namespace rowan::test {
namespace {
int on = 0;
}  // namespace

bool mutant(int number) noexcept {
  return number == on;
}
void turn_on(int number) noexcept {
  on = number;
}

}  // namespace rowan::test
