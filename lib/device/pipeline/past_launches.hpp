#pragma once
// What launches of whole products told, by the products' sizes: products are mostly repeated.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lib/core/mix.hpp"

namespace rowan::device {

struct PastLaunch {
  std::int64_t entries = 0;  // of C
  int tile_rows = 0;         // of small products: that a block should have the next time
  int most = 0;              // of others: products of a row,
  bool counted = false;      // whether these are counted by a launch of their own
  int skips = 0;             // times that the sizes are still to be passed over, as the launch was given up
};

/// Any number of threads may use it: what one overwrites of another costs a launch, or saves none.
class PastLaunches {
 public:
  /// Names a product's sizes.
  template <class... Sizes>
  [[nodiscard]] static std::uint64_t name(Sizes... sizes) noexcept {
    std::uint64_t h = 0;
    ((h = mix(h + static_cast<std::uint64_t>(sizes))), ...);
    return h | 1;  // a place that has none says 0
  }
  void note(std::uint64_t name, const PastLaunch& past) noexcept {
    Remembered& p = place(name);
    p.name.store(name, std::memory_order_relaxed);
    p.told.store(static_cast<std::uint64_t>(past.entries) << kMostBits | static_cast<std::uint64_t>(past.most) << 16 |
                     static_cast<std::uint64_t>(past.counted ? 1 : 0) << 15 |
                     static_cast<std::uint64_t>(past.tile_rows) << 8 | static_cast<std::uint64_t>(past.skips),
                 std::memory_order_relaxed);
  }
  [[nodiscard]] std::optional<PastLaunch> find(std::uint64_t name) const noexcept {
    const Remembered& p = place(name);
    if (p.name.load(std::memory_order_relaxed) != name) return {};
    const std::uint64_t told = p.told.load(std::memory_order_relaxed);
    return PastLaunch{.entries = static_cast<std::int64_t>(told >> kMostBits),
                      .tile_rows = static_cast<int>(told >> 8 & 0x7f),
                      .most = static_cast<int>(told >> 16 & 0x3ff),
                      .counted = (told >> 15 & 1) != 0,
                      .skips = static_cast<int>(told & 0xff)};
  }

 private:
  static constexpr int kMostBits = 26;  // of all but entries: 10, 1, 7, 8
  struct Remembered {
    std::atomic<std::uint64_t> name{}, told{};
  };
  [[nodiscard]] static std::size_t index(std::uint64_t name) noexcept {
    return static_cast<std::size_t>(name >> 32) % kPlaces;
  }
  [[nodiscard]] Remembered& place(std::uint64_t name) noexcept { return places_[index(name)]; }
  [[nodiscard]] const Remembered& place(std::uint64_t name) const noexcept { return places_[index(name)]; }

  // Two of one product's names in one place would forget each other every time: with 64 places one product of 36 took
  // 1.8 times as long.
  static constexpr std::size_t kPlaces = 1024;
  std::array<Remembered, kPlaces> places_{};
};

}  // namespace rowan::device
