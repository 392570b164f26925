#pragma once
// What kernels' shapes depend on of a device.
#include <string>

#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

struct Info {
  std::string name;
  int ordinal = 0;
  int multiprocessors = 1;
  int wave = 32;
  int threads = 2048;            // that a multiprocessor holds at once
  std::size_t shared_limit = 0;  // bytes of shared memory that a block may ask for
  std::int64_t memory = 0;       // bytes
};

/// How many devices this backend can use; 0 where its runtime finds none.
[[nodiscard]] int count() noexcept;
[[nodiscard]] Info info(int ordinal);

}  // namespace rowan::device::inline ROWAN_BACKEND
