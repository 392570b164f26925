// One deliberate mistake a kernel, one for each thing that the emulator must report; and what must not be reported.
#include <doctest/doctest.h>

#include "lib/device/runtime/memory.hpp"
#include "lib/device/simt/simt.hpp"
#include "tests/lib/device/emulator.hpp"
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace rowan::device::inline ROWAN_BACKEND::wrong {

constexpr int kThreads = 64;

__global__ void shared_bounds(int* out, int n) {
  ROWAN_SHARED(int, s, kThreads);
  s[static_cast<int>(threadIdx.x) + n] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void dynamic_bounds(int* out, int n) {
  simt::DynamicShared shared;
  int* const first = shared.take<int>(kThreads);
  int* const second = shared.take<int>(kThreads);
  first[threadIdx.x] = second[threadIdx.x] = 0;
  if (threadIdx.x == kThreads - 1) first[kThreads - 1 + n] = 1;
  out[threadIdx.x] = 1;
}
__global__ void global_bounds(int* out, int n) {
  out[static_cast<int>(threadIdx.x) + n] = 1;
}
__global__ void before_the_beginning(int* out, int) {
  out[static_cast<int>(threadIdx.x) - 1] = 1;
}
__global__ void unwritten_shared(int* out, int) {
  ROWAN_SHARED(int, s, kThreads);
  if (threadIdx.x < 63) s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void unwritten_global(int* out, int n) {
  const int last = out[n + 62];
  out[threadIdx.x] = last;
}
__global__ void barrier_after_exit(int* out, int) {
  if (threadIdx.x == 5) return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void barriers_in_branches(int* out, int) {
  if (threadIdx.x < 32) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    __syncthreads();
    out[threadIdx.x] = 2;
  }
}
__global__ void divergent_shuffle(int* out, int) {
  if (simt::lane() < 8) out[threadIdx.x] = simt::shuffle(simt::wave_mask(), 1, 0);
}
__global__ void divergent_ballot(int* out, int) {
  if (simt::lane() % 2 == 0) out[threadIdx.x] = simt::popcount(simt::ballot(simt::wave_mask(), true));
}
__global__ void shuffle_outside_mask(int* out, int) {
  if (simt::lane() < 8) out[threadIdx.x] = simt::shuffle(simt::group_mask(8), 1, 9);
}
__global__ void missing_barrier(int* out, int) {
  ROWAN_SHARED(int, s, kThreads);
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void shuffle_is_no_fence(int* out, int) {
  ROWAN_SHARED(int, s, kThreads);
  s[threadIdx.x] = 0;
  __syncthreads();
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  (void)simt::ballot(simt::wave_mask(), true);
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void plain_and_atomic(int* out, int) {
  ROWAN_SHARED(int, s, 1);
  if (threadIdx.x == 0) s[0] = 0;
  __syncthreads();
  if (threadIdx.x == 7)
    s[0] = 1;
  else
    simt::atomic_add(s, 1);
  __syncthreads();
  out[threadIdx.x] = s[0];
}
__global__ void blocks_share_a_word(int* out, int) {
  if (threadIdx.x == 0) out[0] = static_cast<int>(blockIdx.x);
}
__global__ void too_much_dynamic(int* out, int) {
  simt::DynamicShared shared;
  shared.take<int>(3 * kThreads)[threadIdx.x] = 1;
  out[threadIdx.x] = 1;
}
__global__ void assumes_block_order(int* out, int) {  // spins on a block that may not be running
  if (threadIdx.x == 0) {
    while (blockIdx.x + 1 < gridDim.x && simt::load_acquire(out + blockIdx.x + 1) == 0) {
    }
    simt::store_release(out + blockIdx.x, 1);
  }
}
#if defined(__SANITIZE_ADDRESS__)
const char* abandoned = nullptr;
__global__ void leaves_an_array(int* out, int n) {
  char some[64] = {};
  if (threadIdx.x == 0) abandoned = some + n - 1;
  if (threadIdx.x != 5) __syncthreads();  // waits for ever
  out[threadIdx.x] = some[n];
}
#endif

// --- right ones
__global__ void sync_wave_orders(int* out, int) {
  ROWAN_SHARED(int, s, kThreads);
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  simt::sync_wave(simt::wave_mask());
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void look_back(int* out, int) {  // each block waits for the one with the ticket before its own
  ROWAN_SHARED(int, ticket, 1);
  if (threadIdx.x == 0) ticket[0] = simt::atomic_add(out, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  int before = 0;
  while (ticket[0] > 0 && before == 0) before = simt::load_acquire(out + ticket[0]);
  simt::store_release(out + ticket[0] + 1, before + 1);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::wrong

namespace rowan::test {
namespace {

using namespace device;

struct Wrong {
  const char* name;
  void (*kernel)(int*, int);
  const char* report;
  unsigned blocks = 1;
};

/// Runs the kernel on `words` numbers, all zero or unwritten; what is reported.
std::string run(void (*kernel)(int*, int), std::int64_t blocks, bool zero, std::int64_t words = 64) {
  Pool pool(0);
  const Buffer<int> out(pool, words, nullptr);
  if (zero) check(hipMemsetAsync(out.data(), 0, out.bytes(), nullptr), "clearing");
  return fault_of([&] {
    launch(kernel, {.grid = blocks, .block = wrong::kThreads, .shared = 2 * 4 * 64}, nullptr, out.data(), 1);
  });
}

}  // namespace

#if defined(ROWAN_CHECKED)
TEST_CASE("the emulator reports every kind of mistake, with its place") {
  constexpr Wrong kWrong[] = {
      {"shared_bounds", wrong::shared_bounds, "shared memory: out of bounds"},
      {"dynamic_bounds", wrong::dynamic_bounds, "shared memory: out of bounds"},
      {"global_bounds", wrong::global_bounds, "global memory: out of bounds"},
      {"before_the_beginning", wrong::before_the_beginning, "global memory: out of bounds"},
      {"unwritten_shared", wrong::unwritten_shared, "shared memory: read of what was never written"},
      {"unwritten_global", wrong::unwritten_global, "global memory: read of what was never written"},
      {"barrier_after_exit", wrong::barrier_after_exit, "barrier not reached by all"},
      {"barriers_in_branches", wrong::barriers_in_branches, "barrier not reached by all"},
      {"divergent_shuffle", wrong::divergent_shuffle, "wave operation in divergent flow"},
      {"divergent_ballot", wrong::divergent_ballot, "wave operation in divergent flow"},
      {"shuffle_outside_mask", wrong::shuffle_outside_mask, "shuffle from a lane outside the mask"},
      {"missing_barrier", wrong::missing_barrier, "shared memory: race"},
      {"shuffle_is_no_fence", wrong::shuffle_is_no_fence, "shared memory: race"},
      {"plain_and_atomic", wrong::plain_and_atomic, "shared memory: race"},
      {"blocks_share_a_word", wrong::blocks_share_a_word, "global memory: race", 2},
      {"too_much_dynamic", wrong::too_much_dynamic, "more dynamic shared memory taken than launched with"},
  };
  for_schedules(3, [&](int wave, int seed) {
    for (const Wrong& w : kWrong) {
      CAPTURE(wave);
      CAPTURE(seed);
      CAPTURE(w.name);
      const std::string report = run(w.kernel, w.blocks, false);
      CHECK_MESSAGE(report.starts_with(w.report), report);
    }
  });
  // the instruction's source line, where binutils are there to tell
  const std::string report = run(wrong::global_bounds, 1, false);
  CHECK_MESSAGE((report.find("emulated.cpp:") != std::string::npos || report.ends_with("?")), report);
}
#endif

TEST_CASE("a kernel that waits for a block that may not have begun is a livelock") {
  emulator::EmulatorOptions options;
  options.resident = 2, options.spin_limit = 20000;
  int stuck = 0;
  for (std::uint64_t seed = 1; seed <= 4; seed++) {
    options.seed = seed;
    const Emulated emulated(options);
    stuck += run(wrong::assumes_block_order, 12, true).starts_with("livelock") ? 1 : 0;
  }
  CHECK_GT(stuck, 0);
}

#if defined(__SANITIZE_ADDRESS__)
TEST_CASE("stacks that are given back leave no red zones behind") {
  emulator::EmulatorOptions options;
  const Emulated emulated(options);
  const auto red_zone = [] { return __asan_region_is_poisoned(const_cast<char*>(wrong::abandoned), 128) != nullptr; };
  CHECK_EQ(run(wrong::leaves_an_array, 1, true).substr(0, 7), "barrier");  // abandoned, its array on the stack
  CHECK(red_zone());
  options.stack *= 2;
  emulator::set(options);
  CHECK_FALSE(red_zone());
}
#endif

TEST_CASE("blocks that wait for earlier tickets make progress, in any order") {
  for_schedules(5, [&](int, int) { CHECK_EQ(run(wrong::look_back, 30, true), ""); });
}

TEST_CASE("sync_wave orders what lanes write") {
  for_schedules(5, [&](int, int) { CHECK_EQ(run(wrong::sync_wave_orders, 1, true), ""); });
}

TEST_CASE("device memory is counted and runs out") {
  emulator::EmulatorOptions options;
  options.memory = 1 << 20;
  const Emulated emulated(options);
  Pool pool(0);
  {
    const Buffer<int> some(pool, 1000, nullptr);
    CHECK_EQ(pool.in_use(), 4000);
    CHECK_THROWS_AS(Buffer<int>(pool, 1 << 20, nullptr), Error);
  }
  CHECK_EQ(pool.in_use(), 0);
  CHECK_EQ(pool.peak(), 4000);
}

}  // namespace rowan::test
