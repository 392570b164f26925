#pragma once
// Host to host: operands go up, the product comes down, over the links of all devices. Each device copies its part of A
// and B from the host and sends it to the others, which is several times as fast; rows are taken in chunks
// (row_queue.hpp), and a chunk of C comes down while the next one is computed. The host's cores may take chunks, too: a
// device counts such a chunk's entries, which costs it a tenth of what bringing them home would, so that the cores fill
// them into their place and nobody waits for them.
#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/transfer.hpp"
#include <rowan/csr.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// How rows are cut. A chunk of C of 64 MB takes a link above a millisecond, and choosing for it a tenth of that. The
/// first chunk's computing is hidden behind nothing, so it is small.
struct Chunking {
  double from_bytes = 32e6;                     // of A, B and C's bound; below, one device multiplies all rows at once
  std::int64_t bytes = std::int64_t{64} << 20;  // of C in a chunk
  std::int64_t first_products = 10'000'000, least_products = 2'000'000;
};

/// C = A B from and to the host's memory. `same`: A and B are one matrix. The limit is each device's; where there is
/// one, the host's cores take no rows.
template <class T>
[[nodiscard]] Csr<T> multiply_on_host(const Engines& engines, const Operand<T>& a, const Operand<T>& b, bool same,
                                      const rowan::Options& options, Stats& stats, const HostWork<T>& meanwhile = {},
                                      const Chunking& chunking = {});

}  // namespace rowan::device::inline ROWAN_BACKEND
