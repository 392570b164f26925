#pragma once
// Handles of streams are used again for others; numbers are not.
#include <cstdint>

#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A stream's number; 0 where streams have none.
[[nodiscard]] inline std::uint64_t number_of([[maybe_unused]] hipStream_t stream) {
#if defined(ROWAN_EMULATED) || defined(__HIPCC__)
  return 0;
#else
  unsigned long long id = 0;
  check(cudaStreamGetId(stream, &id), "asking for a stream's number");
  return id + 1;  // not 0
#endif
}

/// Whether what was put into the stream of that number is done before what is put into this one now.
[[nodiscard]] inline bool is_in_order(std::uint64_t number, hipStream_t stream) {
  return number != 0 && number == number_of(stream);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
