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
unformatted=0
for f in "${files[@]}"; do
  clang-format "$f" | cmp -s - "$f" || { echo "$f is not formatted"; unformatted=1; }
done
[ "$unformatted" -eq 0 ]
echo "== clang-tidy"
# not the device's: they are compiled in several ways, and clang-tidy would go through each
mapfile -t sources < <(git ls-files 'lib/*.cpp' 'features/*.cpp' 'accumulators/*.cpp' 'models/*.cpp' 'training/*.cpp' 'tools/*.cpp' |
                       grep -v /device/)
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy -p build/release --quiet --warnings-as-errors='*' 2>/dev/null
