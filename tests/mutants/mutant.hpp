#pragma once
// Which mistake of tests/mutants/mutants.cmake is turned on.

namespace rowan::test {

/// Not instrumented: kernels ask without the emulator's seeing it.
[[nodiscard]] bool mutant(int number) noexcept;
void turn_on(int number) noexcept;  // 0: none

}  // namespace rowan::test
