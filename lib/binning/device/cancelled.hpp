#pragma once
#include <cstdint>

#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Whether a launch was decided by sums that are not its rows' (lib/device/pipeline/speculate.hpp): then a kernel does
/// nothing. Null: it was not decided by assumed ones.
struct Cancelled {
  const std::uint64_t* checksum = nullptr;  // of the rows
  std::uint64_t assumed = 0;

  constexpr explicit operator bool() const { return checksum != nullptr && *checksum != assumed; }
};

}  // namespace rowan::device::inline ROWAN_BACKEND
