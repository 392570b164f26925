#pragma once
// The tables of all architectures. A new architecture is a file with its table, a name and a line here.
#include <string_view>

#include "accumulators/tuning/gfx906.hpp"
#include "accumulators/tuning/gfx90a.hpp"
#include "accumulators/tuning/sm_80.hpp"
#include "accumulators/tuning/sm_90.hpp"

namespace rowan::tuning {

enum class Architecture : std::uint8_t { sm_80, sm_90, gfx906, gfx90a };
inline constexpr std::array<std::string_view, 4> kArchitectureNames{"sm_80", "sm_90", "gfx906", "gfx90a"};

[[nodiscard]] constexpr std::string_view name_of(Architecture a) noexcept {
  return kArchitectureNames[static_cast<std::size_t>(a)];
}

[[nodiscard]] constexpr const KernelShapes& shapes(Architecture a) noexcept {
  switch (a) {
    case Architecture::sm_80:
      return kSm80;
    case Architecture::gfx906:
      return kGfx906;
    case Architecture::gfx90a:
      return kGfx90a;
    default:
      return kSm90;
  }
}

}  // namespace rowan::tuning
