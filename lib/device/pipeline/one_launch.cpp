#include "lib/device/pipeline/one_launch.hpp"

#include "lib/core/values.hpp"
#include "lib/device/pipeline/elements.hpp"
#include "lib/device/pipeline/few_columns.hpp"
#include "lib/device/pipeline/repeated.hpp"
#include "lib/device/pipeline/small.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// A thread an entry of A, the grid covers them: adds the products.
__global__ void __launch_bounds__(kElementThreads)
    add_products(Pattern a, std::int64_t nnz, const std::int64_t* b_ptr, std::int64_t* nprod) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  std::int64_t products = k < nnz ? b_ptr[a.col[k] + 1] - b_ptr[a.col[k]] : 0;
  products = simt::wave_sum(products);
  if (simt::lane() == 0 && products != 0) simt::atomic_add(nprod, products);
}

}  // namespace

template <class T>
std::optional<Product<T>> one_launch(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                     std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  if (auto small = small_product(engine, a, b, memory_limit, stream, stats)) return small;
  if (auto few = few_columns_product(engine, a, b, memory_limit, stream, stats)) return few;
  return repeated_product(engine, a, b, memory_limit, stream, stats);
}

template <class T>
void report_one_launch(Engine& engine, const Resident<T>& a, const Resident<T>& b, const Product<T>& c,
                       std::int64_t temporary, hipStream_t stream, Stats& stats) {
  const Buffer<std::int64_t> nprod(engine.pool(), 1, stream);
  check(hipMemsetAsync(nprod.data(), 0, nprod.bytes(), stream), "clearing");
  launch(add_products, threads_for(a.nnz), stream, a.m, a.nnz, b.m.ptr, nprod.data());
  HostMailbox<std::int64_t> told(engine.pool(), stream);
  told.send(nprod.data());
  stats.nprod += told.wait("waiting for the number of products");
  stats.policy = engine.policy().name, stats.device = engine.info().name;
  stats.method = Method::one_phase, stats.nnz = c.nnz;
  stats.bytes_c = bytes_of(c);
  stats.bytes_temporary = std::max(stats.bytes_temporary, temporary);
}

#define ROWAN_INSTANTIATE(T)                                                                                        \
  template std::optional<Product<T>> one_launch(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t,      \
                                                hipStream_t, Stats*);                                               \
  template void report_one_launch(Engine&, const Resident<T>&, const Resident<T>&, const Product<T>&, std::int64_t, \
                                  hipStream_t, Stats&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
