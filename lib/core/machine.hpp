#pragma once
// The size of the machine.
#include <cstdint>

#include <unistd.h>

namespace rowan {

/// Bytes of physical memory.
[[nodiscard]] inline std::int64_t machine_memory() noexcept {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
}

}  // namespace rowan
