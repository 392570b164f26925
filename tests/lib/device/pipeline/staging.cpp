// Copies by pinned pieces: whole at every size, from and to memory that is not pinned.
#include "lib/device/pipeline/staging.hpp"

#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "lib/device/pipeline/transfer.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

TEST_CASE("what is sent through pinned pieces comes back the same, at sizes around a piece's") {
  constexpr std::int64_t kPiece = Staging::kPiece / 4, kFrom = Staging::kFrom / 4;  // in elements
  const CurrentDevice chosen(0);
  Pool pool(0);
  const OwnStream stream;
  for (const int threads : {1, 3}) {
    Staging staging(pool, threads);
    std::vector<std::int64_t> sizes{kFrom, 6 * kPiece - 5};  // more pieces than there is pinned memory for
    if (threads == 1) sizes.insert(sizes.end(), {0, 1, kFrom - 1, 3 * kPiece + 1, 5 * kPiece});
    for (const std::int64_t n : sizes) {
      CAPTURE(n);
      std::vector<std::int32_t> there(static_cast<std::size_t>(n)), back(static_cast<std::size_t>(n));
      std::iota(there.begin(), there.end(), 7);
      const std::vector<std::int32_t> expected = there;
      const Buffer<std::int32_t> memory(pool, n, stream.get());
      staging.up(memory.data(), there.data(), n, stream.get());
      std::fill(there.begin(), there.end(), 0);  // it may change now
      staging.down(back.data(), memory.data(), n, stream.get());
      check(hipStreamSynchronize(stream.get()), "waiting");
      CHECK(back == expected);
    }
  }
  CHECK_EQ(pool.in_use(), 0);
}

}  // namespace
}  // namespace rowan::test
