#pragma once
// The tables of a build's backends as the host sees them, without their headers (lib/device/runtime/shapes.hpp), by the
// backend's name.
#include <string>
#include <vector>

#include "accumulators/tuning/select.hpp"

#if !defined(ROWAN_CUDA_TUNED_FOR)
#define ROWAN_CUDA_TUNED_FOR sm_90
#endif
#if !defined(ROWAN_HIP_TUNED_FOR)
#define ROWAN_HIP_TUNED_FOR gfx90a
#endif

namespace rowan::tuning {

[[nodiscard]] constexpr Architecture compiled_for(std::string_view backend) noexcept {
  if (backend == "cuda") return Architecture::ROWAN_CUDA_TUNED_FOR;
  if (backend == "hip") return Architecture::ROWAN_HIP_TUNED_FOR;
  return Architecture::sm_90;
}

struct Compiled {
  std::string backend;  // empty: the build has none
  Architecture architecture;
  const KernelShapes& shapes;
};

/// One for each of the backends, or the default where there is no backend.
[[nodiscard]] inline std::vector<Compiled> compiled_tables(const std::vector<std::string>& backends) {
  std::vector<Compiled> tables;
  const auto add = [&](const std::string& backend) {
    const Architecture a = compiled_for(backend);
    tables.push_back({backend, a, shapes(a)});
  };
  for (const std::string& backend : backends) add(backend);
  if (tables.empty()) add("");
  return tables;
}

}  // namespace rowan::tuning
