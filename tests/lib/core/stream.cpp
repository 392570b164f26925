#include "lib/core/stream.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/support/instruction_sets.hpp"

namespace rowan::test {
namespace {

template <class V>
void check_copies() {
  constexpr std::int64_t kRoom = 160;
  alignas(64) V from[kRoom], to[kRoom];
  for (std::int64_t k = 0; k < kRoom; k++) from[k] = static_cast<V>(k + 1);
  for (std::int64_t at = 0; at < 17; at++)
    for (std::int64_t n = 0; n + 17 <= kRoom; n++) {
      std::fill_n(to, kRoom, V{-1});
      copy_around(from + n % 5, n, to + at);
      bool right = true;
      for (std::int64_t k = 0; k < kRoom; k++)
        right = right && to[k] == (k >= at && k < at + n ? from[n % 5 + k - at] : V{-1});
      REQUIRE(right);
    }
}

}  // namespace

TEST_CASE("a copy around the caches writes what it should, from anywhere to anywhere, and nothing else") {
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    check_copies<std::int32_t>(), check_copies<float>(), check_copies<double>();
  }
}

}  // namespace rowan::test
