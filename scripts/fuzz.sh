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

fuzz() { # TARGET
  local target=$1 fuzzer=build/fuzz/tests/fuzz/fuzz_$1
  local kept=tests/fuzz/corpus/$target
  local grown=build/fuzz/corpus/$target # what is found on the way stays here, for the next run
  mkdir -p "$grown" "$kept"
  if [ -n "$keep" ]; then
    "$fuzzer" -set_cover_merge=1 -use_counters=0 -max_len=1200 "$kept" "$grown" 2>/dev/null
    return
  fi
  local words=()
  [ -f "tests/fuzz/$target.dict" ] && words=(-dict="tests/fuzz/$target.dict")
  local status=0
  "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 "${words[@]}" \
    -artifact_prefix="build/fuzz/findings/$target-" "$grown" "$kept" >"build/fuzz/$target.log" 2>&1 || status=$?
  echo "== $target, $seconds s"
  grep -vE '^(#|INFO: |\s*(NEW_|DE: |NEW_FUNC))' "build/fuzz/$target.log" || true
  return $status
}

# one target a core: each fuzzer is one thread
export -f fuzz
export seconds keep
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'
