// Words that launches find all zero, emulated or real.
#include "lib/device/runtime/launch_words.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "lib/device/pipeline/transfer.hpp"
#include "lib/device/runtime/memory.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

/// Clears what is to be cleared, writes how many of its words were not zero, and leaves none zero.
__global__ void __launch_bounds__(64) use_words(LaunchWords words, std::int64_t count, int* not_zero) {
  words.clear_used();
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * 64 + threadIdx.x;
  if (k >= count) return;
  if (words.zero[k] != 0) simt::atomic_add(not_zero, 1);
  words.zero[k] = 7;
}

/// How many words a launch did not find zero; `forgotten`: it is never launched.
int use(Pool& pool, std::int64_t count, hipStream_t stream, bool forgotten = false) {
  const Buffer<int> not_zero(pool, 1, stream);
  check(hipMemsetAsync(not_zero.data(), 0, not_zero.bytes(), stream), "clearing");
  {
    ZeroWords words(pool, count, stream);
    if (!forgotten) {
      launch(use_words, {.grid = (count + 63) / 64, .block = 64}, stream, words.words(), count, not_zero.data());
      words.launched();
    }
  }
  int found = -1;
  copy_down(&found, not_zero.data(), 1, stream);
  check(hipStreamSynchronize(stream), "waiting");
  return found;
}

}  // namespace

TEST_CASE("words: every launch finds them zero, of any number, in any stream, in memory that is there") {
  Pool pool(0);
  const OwnStream one, other;
  for (const std::int64_t count : {1, 1000, 3, 5000, 64, 5000, 100000, 1})
    for (const hipStream_t stream : {one.get(), other.get(), one.get()}) {
      CAPTURE(count);
      CHECK_EQ(use(pool, count, stream), 0);
      CHECK_EQ(use(pool, count / 2 + 1, stream, true), 0);
      CHECK_EQ(use(pool, count, stream), 0);
    }
  CHECK_EQ(pool.in_use(), 0);
  pool.trim();
  CHECK_EQ(use(pool, 100, one.get()), 0);
}

TEST_CASE("words: those of a launch are not another's, and are the next one's") {
  Pool pool(0);
  const OwnStream stream;
  const unsigned long long* zero = nullptr;
  {
    ZeroWords words(pool, 10, stream.get());
    const ZeroWords others(pool, 10, stream.get());
    CHECK_NE(words.words().zero, others.words().zero);
    CHECK_EQ(words.words().used_count, 0);
    zero = words.words().zero;
    words.launched();
  }
  const ZeroWords next(pool, 10, stream.get());
  CHECK_EQ(next.words().used, zero);
  CHECK_EQ(next.words().used_count, 10);
}

TEST_CASE("words: a caller's memory is not kept") {
  int blocks = 0;
  const DeviceAllocator own{.allocate =
                                [&](std::size_t bytes, void*) {
                                  blocks++;
                                  void* p = nullptr;
                                  return hipMalloc(&p, bytes) == hipSuccess ? p : nullptr;
                                },
                            .free =
                                [&](void* p, std::size_t, void* stream) {
                                  blocks--;
                                  check(hipStreamSynchronize(static_cast<hipStream_t>(stream)), "waiting");
                                  (void)hipFree(p);
                                }};
  Pool pool(0, own);
  const OwnStream stream;
  for (int k = 0; k < 3; k++) CHECK_EQ(use(pool, 500, stream.get()), 0);
  CHECK_EQ(blocks, 0);
}

}  // namespace rowan::test
