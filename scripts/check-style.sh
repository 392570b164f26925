#!/usr/bin/env bash
# Formatting and lint of every source file of the project. `--fix` formats in place and stops there.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.cpp' '*.hpp')
if [ "${1:-}" = --fix ]; then
  clang-format -i "${files[@]}"
  exit 0
fi
echo "== clang-format (${#files[@]} files)"
# compared, because clang-format 14's --dry-run finds fault with the end of an inline nested namespace and changes nothing
unformatted() { # FILE...
  local f bad=0
  for f in "$@"; do
    clang-format "$f" | cmp -s - "$f" || { echo "$f is not formatted"; bad=1; }
  done
  return $bad
}
export -f unformatted
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 20 bash -c 'unformatted "$@"' format
echo "== clang-tidy"
# not the device's: they are compiled in several ways, and clang-tidy would go through each
mapfile -t sources < <(git ls-files 'lib/*.cpp' 'features/*.cpp' 'accumulators/*.cpp' 'models/*.cpp' 'training/*.cpp' 'tools/*.cpp' |
                       grep -v /device/)
# Kernels for one instruction set: the others are the same lines once more, but for dense's, which has AVX-512's own.
flags=-DHWY_COMPILE_ONLY_STATIC
[ "$(uname -m)" = x86_64 ] && flags+=" -march=haswell -maes" # AVX2
cmake --preset release >/dev/null
cmake --preset release -B build/lint "-DCMAKE_CXX_FLAGS=$flags" >/dev/null
# What passed with this text, these headers and these rules is not looked at again.
mkdir -p build/lint/passed
rules=$({ clang-tidy --version; cat .clang-tidy CMakePresets.json; git ls-files -z '*.hpp' | xargs -0 cat; } | sha256sum)
lint() { # SOURCE
  local stamp commands=build/lint
  stamp=build/lint/passed/$({ echo "$rules $1"; cat "$1"; } | sha256sum | cut -c1-32)
  [ -e "$stamp" ] && return
  [[ $1 == accumulators/dense/* ]] && commands=build/release
  clang-tidy -p $commands --quiet --warnings-as-errors='*' "$1" 2>/dev/null && touch "$stamp"
}
export -f lint
export rules
# the largest first, so that no core is left with one at the end
ls -S "${sources[@]}" | xargs -P "$(nproc)" -I{} bash -c 'lint {}'
