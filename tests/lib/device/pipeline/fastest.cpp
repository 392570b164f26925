// Products that race: each has the textbook's bits, whichever way it is made.
#include "lib/device/pipeline/fastest.hpp"

#include <doctest/doctest.h>

#include "lib/device/pipeline/one_launch.hpp"
#include "models/embedded.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/lib/device/pipeline/made_by.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {

using namespace device;

TEST_CASE("products of the same sizes are made in one launch, then in two phases, with the same bits") {
  for_schedules(1, [](int wave, int) {
    CAPTURE(wave);
    const Factors<double> f(Shape{"small", scattered(90, 80, 0, 9, 1), scattered(80, 300, 0, 9, 2)}, Values::reals);
    const auto engine =
        std::make_shared<Engine>(0, *embedded_policy("device-rules"), "", true, DeviceAllocator(), true, true);
    const auto expected = textbook(f.a(), f.b());
    for (int product = 0; product < 9; product++) {
      CAPTURE(product);
      const auto c =
          made_by(engine, f, [&](Engine& e, const Resident<double>& a, const Resident<double>& b, hipStream_t stream) {
            // an emulated launch takes longer than two phases on any device
            const Way way = e.races().next(sizes_of(OneLaunch::any, a, b), 1e-9).way;
            if (product < 3) CHECK(way == Way::one_launch);
            if (product >= 3 && product < 7) CHECK(way == Way::two_phases);
            return std::optional(fastest_product(e, a, b, 0, stream, nullptr));
          });
      REQUIRE(c);
      CHECK_EQ(difference(*c, expected), "");
    }
  });
}

TEST_CASE("a product with a memory limit, or one that is looked into, takes no part in a race") {
  const Factors<double> f(Shape{"small", scattered(90, 80, 0, 9, 1), scattered(80, 300, 0, 9, 2)}, Values::reals);
  const auto engine =
      std::make_shared<Engine>(0, *embedded_policy("device-rules"), "", true, DeviceAllocator(), true, true);
  for (int product = 0; product < 9; product++) {
    const auto c =
        made_by(engine, f, [&](Engine& e, const Resident<double>& a, const Resident<double>& b, hipStream_t stream) {
          Stats stats;
          device::Product<double> made = product % 2 == 0 ? fastest_product(e, a, b, 1 << 24, stream, nullptr)
                                                          : fastest_product(e, a, b, 0, stream, &stats);
          CHECK(e.races().next(sizes_of(OneLaunch::any, a, b), 0).way == Way::one_launch);
          CHECK_FALSE(e.races().next(sizes_of(OneLaunch::any, a, b), 0).timed);
          return std::optional(std::move(made));
        });
    REQUIRE(c);
    CHECK_EQ(difference(*c, textbook(f.a(), f.b())), "");
  }
}

}  // namespace rowan::test
