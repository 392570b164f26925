#!/usr/bin/env bash
# Builds the fuzzers (clang) and runs each for SECONDS (60) from the kept corpus; fails at the first finding, whose
# bytes are left in build/fuzz/findings.
#   scripts/fuzz.sh [SECONDS] [TARGET...]    targets: matrix_market gzip binary policy
#   scripts/fuzz.sh --keep                   takes new corpus files that reach something new into tests/fuzz/corpus
set -euo pipefail
cd "$(dirname "$0")/.."
keep=
[ "${1:-}" = --keep ] && keep=1 && shift
seconds=${1:-60}
[ $# -gt 0 ] && shift
targets=("$@")
[ $# -gt 0 ] || targets=(matrix_market gzip binary policy)
scripts/install-packages.sh clang
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
mkdir -p build/fuzz/findings
for target in "${targets[@]}"; do
  fuzzer=build/fuzz/tests/fuzz/fuzz_$target
  kept=tests/fuzz/corpus/$target
  grown=build/fuzz/corpus/$target # what is found on the way stays here, for the next run
  mkdir -p "$grown" "$kept"
  if [ -n "$keep" ]; then
    "$fuzzer" -set_cover_merge=1 -use_counters=0 -max_len=1200 "$kept" "$grown" 2>/dev/null
    continue
  fi
  echo "== $target, $seconds s"
  words=()
  [ -f "tests/fuzz/$target.dict" ] && words=(-dict="tests/fuzz/$target.dict")
  "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 "${words[@]}" \
    -artifact_prefix="build/fuzz/findings/$target-" "$grown" "$kept" 2>&1 |
    grep -vE '^(#|INFO: |\s*(NEW_|DE: |NEW_FUNC))' || exit 1
done
