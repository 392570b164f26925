#!/usr/bin/env bash
# What a number of the table of kernel shapes is worth (accumulators/tuning, `rowan info --kernels`): builds the device
# library with each value in place of the table's, runs the same products, prints ratios.
#   bench/sweep_kernels.sh counted hash.most_counting_lanes 0 8 32    under the emulator: what kernels do, no time
#   bench/sweep_kernels.sh cuda sort.block 64 256                     on a GPU: seconds
# MATRICES="generated:... FILE ..." replaces the matrices, SECONDS_EACH (cuda) the time for each way and matrix. A value
# that a kernel cannot be compiled with ends the sweep with the compiler's message. Each value compiles the device files
# anew: minutes, with ccache only those that the number changes. Needs: counted: Boost.Context; cuda: nvcc and a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 3 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
where=$1 number=$2
shift 2
out=build/sweep
case $where in
  counted) preset=release target=papers_counted_swept base=papers_counted_none bin=tests more=() ;;
  cuda) preset=cuda target=papers_swept base=papers bin=bench more=(--backend cuda --seconds "${SECONDS_EACH:-0.05}") ;;
  *) echo "sweep_kernels.sh: \"$where\" is not counted or cuda" >&2 && exit 2 ;;
esac
if [ "$where" = cuda ] && ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  echo "sweep_kernels.sh: cuda needs nvcc, and a GPU to run on; counted runs anywhere" >&2 && exit 1
fi
if [ -n "${MATRICES:-}" ]; then
  read -ra matrices <<<"$MATRICES"
elif [ "$where" = counted ]; then
  matrices=(generated:random:n=1000,row_length=4 generated:random:n=120,row_length=14
    generated:rmat:scale=8,edge_factor=4 generated:hubs:n=900,wires=3,reach=40,far=20,hubs=2,hub_wires=100)
else
  matrices=(generated:diagonals:n=130000,pairs=12,reach=40000,percent=75 generated:random:n=200000,row_length=4
    generated:random:n=60000,row_length=16 generated:lattice4d:nx=8,ny=8,nz=4,nt=4,spins=4,block=3
    generated:delaunay:nx=500,ny=500,shuffle=4096 generated:rmat:scale=16,edge_factor=4)
fi
mkdir -p "$out"
build() { # SWEPT TARGET
  cmake --preset "$preset" "-DROWAN_PAPERS_SWEPT=$1" >/dev/null && cmake --build "build/$preset" --target "$2" >"$out/log" ||
    { tail -30 "$out/log" >&2 && exit 1; }
}
trap 'cmake --preset "$preset" -DROWAN_PAPERS_SWEPT= >/dev/null' EXIT
run() { "build/$preset/$bin/$1" "${more[@]}" --only variants,registers "${matrices[@]}" >"$2"; }
build "" "$base"
run "$base" "$out/table.jsonl"
files=()
for value in "$@"; do
  build "s.$number=$value" "$target"
  run "$target" "$out/$value.jsonl"
  files+=("$value=$out/$value.jsonl")
done
python3 bench/sweep_kernels.py "$number" "$out/table.jsonl" "${files[@]}"
