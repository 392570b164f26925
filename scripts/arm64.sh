#!/usr/bin/env bash
# The library and its tests for 64-bit ARM, built on another machine and run under qemu: the kernels for NEON.
#   scripts/arm64.sh [ARGS]      ARGS go to ctest: scripts/arm64.sh -R accumulators
# Needs g++-aarch64-linux-gnu, qemu-user-static, mmdebstrap. The command line's tests are left out: they start the program
# through a shell, which cannot start one for another machine.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  exit
fi
sysroot=${SYSROOT:-$PWD/build/arm64-sysroot}
jobs=${JOBS:-$(nproc)}
if [ ! -d "$sysroot/usr/include" ]; then
  echo "== Debian's libraries for arm64 ($sysroot)"
  mkdir -p "$(dirname "$sysroot")"
  mmdebstrap --quiet --architectures=arm64 --variant=extract bookworm "$sysroot" \
    --include=libc6-dev,libstdc++-12-dev,libtbb-dev,libhwy-dev,zlib1g-dev,libzip-dev,libfast-float-dev,nlohmann-json3-dev,libeigen3-dev,doctest-dev
fi
echo "== Build (build/arm64)"
cmake -S . -B build/arm64 -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/arm64.cmake -DROWAN_SYSROOT="$sysroot" -DCMAKE_BUILD_TYPE=Release \
  -DROWAN_WERROR=ON -DROWAN_BUILD_TOOLS=OFF -DROWAN_BUILD_BENCH=OFF -DROWAN_BOTH=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON \
  ${CMAKE_CXX_COMPILER_LAUNCHER:+-DCMAKE_CXX_COMPILER_LAUNCHER=$CMAKE_CXX_COMPILER_LAUNCHER} >/dev/null
cmake --build build/arm64 --parallel "$jobs"
echo "== Tests"
ctest --test-dir build/arm64 -j "$jobs" --output-on-failure -E '^(docs_|gpu_|installed_package)' "$@"
