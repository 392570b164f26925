#!/usr/bin/env bash
# rowan beside Eigen on one thread, and every accumulator forced.
#   bench/host.sh A...     .mtx, .mtx.gz or binary CSR, or A,B; without arguments the matrices of tests/data
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cmake --preset release -S "$here" >/dev/null
cmake --build "$here/build/release" --target host_vs_eigen >/dev/null
[ $# -gt 0 ] || set -- "$here"/tests/data/*.mtx.gz
exec "$here/build/release/bench/host_vs_eigen" "$@"
