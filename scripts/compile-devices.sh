#!/usr/bin/env bash
# Compiles the device library for AMD (hipcc: gfx906, gfx90a) and NVIDIA (nvcc: sm_80, sm_90); no GPU is needed. What
# has no compiler here is said and left out; HIP_ARCHITECTURES and CUDA_ARCHITECTURES name others. --install installs
# AMD's (Debian 12).
set -euo pipefail
cd "$(dirname "$0")/.."
hip=${HIP_ARCHITECTURES:-gfx906;gfx90a} cuda=${CUDA_ARCHITECTURES:-80-real;90-real}
if [ "${1:-}" = --install ]; then
  scripts/install-packages.sh hipcc libamdhip64-dev librocprim-dev rocm-device-libs rocm-cmake
fi
parts=(-DROWAN_BUILD_TESTS=OFF -DROWAN_BUILD_TOOLS=OFF -DROWAN_BUILD_BENCH=OFF)
if command -v hipcc >/dev/null; then
  echo "== HIP: $hip"
  cmake --preset hip -B build/compile-hip "${parts[@]}" "-DCMAKE_HIP_ARCHITECTURES=$hip" \
    -DCMAKE_HIP_FLAGS_RELEASE="-O1 -DNDEBUG" >/dev/null # two thirds of the time, the same errors and warnings
  cmake --build build/compile-hip --target rowan_hip
else
  echo "== HIP: no hipcc here"
fi
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
  echo "== CUDA: $cuda"
  cmake --preset cuda -B build/compile-cuda "${parts[@]}" "-DCMAKE_CUDA_ARCHITECTURES=$cuda" \
    "-DCMAKE_CUDA_FLAGS_RELEASE=-O1 -DNDEBUG -Xcicc -O1 -Xptxas -O1" >/dev/null # five sixths of the time
  cmake --build build/compile-cuda --target rowan_cuda
else
  echo "== CUDA: no nvcc here"
fi
