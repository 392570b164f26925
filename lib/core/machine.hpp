#pragma once
// The size of the machine.
#include <cstdint>

#include <unistd.h>

namespace rowan {

/// Bytes of physical memory. The system is asked once: asking takes a tenth of a product of 40,000 products.
[[nodiscard]] inline std::int64_t machine_memory() noexcept {
  static const std::int64_t bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return bytes;
}

}  // namespace rowan
