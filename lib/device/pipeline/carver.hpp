#pragma once
// Several arrays in one allocation: each allocation is a call of the runtime.
#include <cstddef>
#include <cstdint>

#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Cuts arrays out of one allocation. The first pass, without memory, only adds up.
class Carver {
 public:
  explicit Carver(std::byte* base = nullptr) : base_(base) {}
  template <class V>
  V* take(std::int64_t n) {
    constexpr std::size_t kAlign = 256;
    std::byte* at = base_ + used_;
    used_ += (static_cast<std::size_t>(n) * sizeof(V) + kAlign - 1) / kAlign * kAlign;
    return base_ == nullptr ? nullptr : reinterpret_cast<V*>(at);
  }
  [[nodiscard]] std::int64_t used() const noexcept { return static_cast<std::int64_t>(used_); }

 private:
  std::byte* base_;
  std::size_t used_ = 0;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
