#include "lib/core/stream.hpp"

#include <vector>

#include <doctest/doctest.h>
#include <hwy/cache_control.h>

#include "lib/core/stream-inl.hpp"
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

/// Pieces of 0, 1, .. entries and then of `piece`, from every place of a line on, by the instruction set of this file.
template <class V>
void check_pieces(std::int64_t piece) {
  constexpr std::int64_t kRoom = 900, kMost = 100;
  alignas(64) V to[kRoom];
  V room[kMost + HWY_NAMESPACE::LineWriter<V>::kMore];
  for (std::int64_t at = 0; at < 17; at++)
    for (std::int64_t pieces = 0; pieces < 8; pieces++) {
      std::fill_n(to, kRoom, V{-1});
      HWY_NAMESPACE::LineWriter<V> writer(to + at, room);
      std::int64_t n = 0;
      for (std::int64_t p = 0; p < 2 * pieces; p++) {
        const std::int64_t more = p < pieces ? p : piece;
        V* const next = writer.next();
        for (std::int64_t k = 0; k < more; k++) next[k] = static_cast<V>(n + k + 1);
        writer.wrote(more), n += more;
      }
      writer.finish();
      hwy::FlushStream();
      bool right = true;
      for (std::int64_t k = 0; k < kRoom; k++)
        right = right && to[k] == (k >= at && k < at + n ? static_cast<V>(k - at + 1) : V{-1});
      REQUIRE(right);
    }
}

}  // namespace

TEST_CASE("pieces that are written around the caches follow one another, and nothing else is written") {
  for (const std::int64_t piece : {1, 7, 8, 15, 16, 17, 33, 100})
    check_pieces<std::int32_t>(piece), check_pieces<float>(piece), check_pieces<double>(piece);
}

TEST_CASE("a copy around the caches writes what it should, from anywhere to anywhere, and nothing else") {
  for (const std::int64_t target : instruction_sets()) {
    const OnlyTarget only(target);
    check_copies<std::int32_t>(), check_copies<float>(), check_copies<double>();
  }
}

}  // namespace rowan::test
