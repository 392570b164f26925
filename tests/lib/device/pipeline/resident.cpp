// Operands that stay in device memory.
#include <doctest/doctest.h>

#include "lib/api/on_device.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {

TEST_CASE("matrices that stay on a device are multiplied there again and again") {
  for_schedules(1, [](int, int) {
    Options options;
    options.backend = kBackend;
    const Context::State context(options);
    for (const char* name : {"no rows", "up to 600 products"}) {
      CAPTURE(name);
      const Factors<double> f(shape(name), Values::integers);
      const auto expected = textbook(f.a(), f.b());
      const DeviceResident<double> work =
          on_device(context, f.a(), f.b(), [](const auto& calls, const auto&... in) { return calls.resident(in...); });
      Stats stats;
      work.multiply(&stats);
      CHECK_EQ(stats.nnz, static_cast<std::int64_t>(expected.col.size()));
      CHECK_NE(stats.device, "");
      CHECK_EQ(difference(work.fetch(), expected), "");
      work.again();
      CHECK_EQ(difference(work.fetch(), expected), "");
      work.release();
      work.trim();
      work.multiply(nullptr);
      CHECK_EQ(difference(work.fetch(), expected), "");
    }
  });
}

}  // namespace rowan::test
