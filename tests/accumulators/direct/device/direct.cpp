// Direct rows on a device: short rows of B and long ones side by side, which lanes, waves and blocks copy.
#include "accumulators/direct/device/direct.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

namespace rowan::test {

TEST_CASE("direct copies rows of B of any length, whatever their neighbours' are") {
  for_schedules(2, [](int wave, int) {
    CAPTURE(wave);
    Random random(5);
    Rows a, b;
    for (std::int64_t i = 0; i < 700; i++) a.push_back({static_cast<std::int32_t>(random.below(300))});
    for (std::int64_t j = 0; j < 300; j++) {
      const std::int64_t n = j % 50 == 7 ? 5000 : j % 11 == 3 ? 400 : j % 3 == 0 ? 40 : j % 4;
      b.push_back(some_columns(random, n, 0, 20000));
    }
    const Factors<double> f({"any length", from_rows(a, 300), from_rows(b, 20000)}, Values::reals);
    Options options;
    options.backend = kBackend, options.force = "direct";
    CHECK_EQ(difference(Context(options).multiply(f.a(), f.b()), textbook(f.a(), f.b())), "");
  });
}

}  // namespace rowan::test
