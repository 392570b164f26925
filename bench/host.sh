#!/usr/bin/env bash
# docs/benchmarks.md's tables: rowan beside every peer found, on one thread and on all cores.
#   bench/host.sh [-o NAME] ARGUMENTS...      arguments as `rowan bench` takes them: files, --set, --in, --seconds ...
# Writes NAME-1.json, NAME-1.html and NAME-2 (all cores); without arguments the matrices of tests/data.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
name=host
if [ "${1:-}" = -o ]; then name=$2 && shift 2; fi
[ $# -gt 0 ] || set -- "$here"/tests/data/*.mtx.gz
(cd "$here" && cmake --preset release >/dev/null && cmake --build build/release --target rowan_tool bench/all >/dev/null)
for threads in 1 "$(nproc)"; do
  "$here/build/release/tools/rowan/rowan" bench --threads "$threads" -o "$name-$threads.json" -o "$name-$threads.html" "$@"
done
