#pragma once
// AMD's gfx90a (MI210, MI250): nothing was measured there. A measured number replaces sm_90's in the lambda:
// s.sort.block = {64, "what was measured"};
#include "accumulators/tuning/not_measured.hpp"

namespace rowan::tuning {

inline constexpr KernelShapes kGfx90a = [] {
  const KernelShapes s = not_measured();
  return s;
}();

}  // namespace rowan::tuning
