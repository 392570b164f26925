// The pipeline on the emulated device, against the textbook.
#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "lib/pipeline/device/transfer.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// C by the device under a policy, from and to the host.
template <class T>
Csr<T> multiplied(const CsrView<T>& a, const CsrView<T>& b, const std::string& force, Stats& stats,
                  std::int64_t memory_limit = 0) {
  const Team team(1);
  const Prepared<T> left(a, "A", true, team), right(b, "B", true, team);
  Engine engine(0, *embedded_policy("device-rules"), force);
  rowan::Options options;
  options.memory_limit = memory_limit;
  Csr<T> c = multiply_on_host(engine, left.operand(), right.operand(), false, options, stats);
  CHECK_EQ(engine.pool().in_use() > 0, true);  // the policy
  return c;
}

template <class T>
void check_shape(const Shape& shape, const std::string& force) {
  CAPTURE(shape.name);
  CAPTURE(force);
  const Factors<T> f(shape, Values::integers);
  Stats stats;
  CHECK_EQ(difference(multiplied(f.a(), f.b(), force, stats), textbook(f.a(), f.b())), "");
}

}  // namespace

TEST_CASE("the device multiplies every shape exactly, at waves of 32 and 64, in any schedule") {
  for_schedules(3, [](int wave, int seed) {
    CAPTURE(wave);
    CAPTURE(seed);
    for (const Shape& shape : shapes()) {
      check_shape<double>(shape, "");
      if (seed <= 1) check_shape<float>(shape, "");
    }
  });
}

TEST_CASE("every candidate that devices have multiplies every shape exactly, where it is feasible") {
  for (const Candidate& c : kCandidates) {
    if (!on_devices(*candidate_named(c.name))) continue;
    for_schedules(3, [&](int wave, int seed) {
      CAPTURE(wave);
      CAPTURE(seed);
      for (const Shape& shape : shapes()) {
        // the emulator is slow: windows over millions of columns once will do
        constexpr std::int64_t kWide = 1 << 20;
        if (shape.right().cols > kWide && shape.right().cols < INT32_MAX && (wave != 32 || seed > 1)) continue;
        if (seed % 2 == 0)
          check_shape<float>(shape, std::string(c.name));
        else
          check_shape<double>(shape, std::string(c.name));
      }
    });
  }
}

}  // namespace rowan::test
