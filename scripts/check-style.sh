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
clang-format --dry-run -Werror "${files[@]}"
echo "== clang-tidy"
mapfile -t sources < <(git ls-files 'lib/*.cpp' 'features/*.cpp' 'accumulators/*.cpp' 'models/*.cpp' 'tools/*.cpp')
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p build/release --quiet --warnings-as-errors='*' 2>/dev/null
