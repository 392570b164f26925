#pragma once
// Sizes of products whose one launch was given up: products are mostly repeated.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lib/core/mix.hpp"

namespace rowan::device {

/// Any number of threads may use it: what one overwrites of another costs a launch, or saves none.
class GivenUp {
 public:
  static constexpr unsigned kSkips = 31;  // times that sizes are passed over, until they are tried once more

  /// Names a product's sizes.
  template <class... Sizes>
  [[nodiscard]] static std::uint64_t name(Sizes... sizes) noexcept {
    std::uint64_t h = 0;
    ((h = mix(h + static_cast<std::uint64_t>(sizes))), ...);
    return h | kSkips;
  }
  void note(std::uint64_t name) noexcept { place(name).store(name, std::memory_order_relaxed); }
  /// Whether the sizes were given up lately: then one less of their skips is left.
  [[nodiscard]] bool skip(std::uint64_t name) noexcept {
    std::atomic<std::uint64_t>& at = place(name);
    const std::uint64_t found = at.load(std::memory_order_relaxed);
    if ((found | kSkips) != name || (found & kSkips) == 0) return false;
    at.store(found - 1, std::memory_order_relaxed);
    return true;
  }

 private:
  [[nodiscard]] std::atomic<std::uint64_t>& place(std::uint64_t name) noexcept {
    return places_[static_cast<std::size_t>(name >> 32) % places_.size()];
  }
  std::array<std::atomic<std::uint64_t>, 64> places_{};
};

}  // namespace rowan::device
