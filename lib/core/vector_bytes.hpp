#pragma once
#include <cstddef>

namespace rowan {

/// Bytes of a vector of the instruction set in use: 64 with AVX-512, 32 with AVX2, 16 with SSE4 and NEON.
[[nodiscard]] std::size_t vector_bytes() noexcept;

}  // namespace rowan
