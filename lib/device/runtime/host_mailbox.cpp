#include "lib/device/runtime/host_mailbox.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kPostThreads = 256;  // of one block

/// One block copies all words, thread t words t, t + kPostThreads and so on; when all are written it raises `done`.
__global__ void __launch_bounds__(kPostThreads)
    post(const std::uint64_t* from, std::int64_t words, std::uint64_t* to, std::uint32_t* done) {
  for (std::int64_t k = threadIdx.x; k < words; k += kPostThreads) to[k] = from[k];
  simt::fence_to_host();
  __syncthreads();
  if (threadIdx.x == 0) simt::store_release(done, 1U);
}

void rest_a_moment() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

}  // namespace

void post_to_host(const std::uint64_t* from, std::int64_t words, std::uint64_t* to, std::uint32_t* done,
                  hipStream_t stream) {
  launch(post, {.grid = 1, .block = kPostThreads}, stream, from, words, to, done);
}

void wait_for_post(std::uint32_t& done, hipStream_t stream, const char* what) {
  constexpr int kLooks = 50000;  // about 2 ms; then the runtime's few microseconds are little
  const std::atomic_ref<std::uint32_t> flag(done);
  for (int look = 0; look < kLooks; look++) {
    if (flag.load(std::memory_order_acquire) != 0) return;
    rest_a_moment();
  }
  check(hipStreamSynchronize(stream), what);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
