// Placing (lib/api/place.cpp) with a device that there is: the reason names both times, large products go there, and
// they have the host's bits.
#include <doctest/doctest.h>

#include "lib/api/place.hpp"
#include "lib/device/pipeline/transfer.hpp"
#include "tests/lib/device/emulator.hpp"
#include "tests/support/matrices.hpp"
#include <rowan/generate.hpp>

namespace rowan::test {

TEST_CASE("a large product of few entries is predicted sooner on a device, a small one not thought of") {
  Placing placing({kBackend});
  const Csr<double> small = generate("stencil2d:nx=20,ny=20"), large = generate("blocks:n=1200,least=150,most=200");
  const Placement nowhere = placing.place<double>(small, small, {});
  CHECK(nowhere.device == nullptr);
  CHECK_EQ(nowhere.reason, "");
  const Placement place = placing.place<double>(large, large, {});
  CHECK_NE(place.reason.find("on the host "), std::string::npos);
  CHECK_NE(place.reason.find(", copies included"), std::string::npos);
}

TEST_CASE("the speed of copies is measured") {
  const Policy policy = default_policy(kBackend);
  Options options;
  options.backend = kBackend;
  const TransferSpeed speed = open_devices(policy, options)->transfer_speed();
  CHECK_GT(speed.up, 1e6);
  CHECK_GT(speed.down, 1e6);
}

}  // namespace rowan::test
