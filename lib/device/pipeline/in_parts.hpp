#pragma once
// Products whose operands are more than a device has memory for: rows of A in chunks, each with the rows of B that it
// names (needed_rows.hpp), which devices take in turn. Two chunks are at work for a device: one's rows are gathered on
// the host while the other's are multiplied.
#include <functional>

#include "lib/core/too_large.hpp"
#include "lib/device/pipeline/needed_rows.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// One chunk.
template <class T>
struct PartOfProduct {
  const Operand<T>&a, &b;  // rows of A from 0, and of B those that they name
  RowRange rows;           // of C
  std::size_t device;      // of the engines
  int worker;              // one chunk at a time; two of each device
  std::int64_t limit;      // bytes of device memory for operands, C and temporaries; 0: what there is
  int threads;             // of the host
};

/// Workers of in_parts().
[[nodiscard]] inline int part_workers(std::size_t devices) {
  return 2 * static_cast<int>(devices);
}

/// Calls multiply(part) for all rows of C, once with success, on several threads, for one chunk of a device at a time.
/// Where that throws too_large(), the chunk is tried again in halves. Reports progress, and stops where that is asked
/// for. Returns how many chunks there were. Throws where a single row does not fit, by its number.
///
/// Rows that are gathered on the host take as many bytes as A and B at most, but for single rows.
template <class T>
std::size_t in_parts(const Engines& engines, const Operand<T>& a, const Operand<T>& b, const rowan::Options& options,
                     const std::function<void(const PartOfProduct<T>&)>& multiply);

}  // namespace rowan::device::inline ROWAN_BACKEND
