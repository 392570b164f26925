// Streams that kernels are dealt out to, emulated or real.
#include "lib/device/runtime/fork.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "lib/device/pipeline/transfer.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

std::vector<hipStream_t> streams_of(Pool& pool, hipStream_t stream, int kernels) {
  Fork fork(pool, stream, kernels);
  std::vector<hipStream_t> dealt;
  for (int k = 0; k < kernels; k++) dealt.push_back(fork.next());
  fork.join();
  return dealt;
}

}  // namespace

TEST_CASE("fork: the last kernel has the caller's stream, the others streams of their own as far as there are any") {
  Pool pool(0);
  const OwnStream own;
  for (const int kernels : {1, 2, 3, SideStreams::kCount + 1, SideStreams::kCount + 3}) {
    CAPTURE(kernels);
    std::vector<hipStream_t> dealt = streams_of(pool, own.get(), kernels);
    CHECK_EQ(dealt.back(), own.get());
    const auto first = dealt.begin(), end = first + std::min(kernels, SideStreams::kCount + 1);
    std::sort(first, end);
    CHECK(std::adjacent_find(first, end) == end);
  }
}

#if defined(ROWAN_EMULATED)
TEST_CASE("fork: each stream comes before the next, and all of them before the caller's") {
  Pool pool(0);
  const OwnStream own;
  const std::vector<hipStream_t> dealt = streams_of(pool, own.get(), SideStreams::kCount + 1);
  for (std::size_t k = 1; k < dealt.size(); k++) CHECK_LT(dealt[k - 1]->priority, dealt[k]->priority);
}
#endif

}  // namespace rowan::test
