#!/usr/bin/env bash
# The experiments of the papers that rowan grew out of, each beside the published figure (docs/papers.md).
#   bench/papers.sh counted     under the emulator: atomics, accesses, probes of the kernels on small matrices (minutes)
#   bench/papers.sh cuda        on a GPU: seconds, matrices of 2 to 40 million products (about a minute)
# Lines of JSON go to $PAPERS_OUT/papers-WHERE.jsonl (build/papers), and from there bench/papers.py prints tables.
# Programs are built first, or taken from $PAPERS_BIN where that is set.
set -euo pipefail
cd "$(dirname "$0")/.."
where=${1:-counted}
out=${PAPERS_OUT:-build/papers}
seconds=${PAPERS_SECONDS:-0.01} # for each way and matrix
variants="multi_access no_counting counting_128 small_first one_stream"
mkdir -p "$out"
lines=$out/papers-$where.jsonl
: >"$lines"

case $where in
  counted)
    if [ -z "${PAPERS_BIN:-}" ]; then
      cmake --preset release >/dev/null && cmake --build build/release --target papers_counted
    fi
    bin=${PAPERS_BIN:-build/release/tests}
    matrices=(generated:random:n=1000,row_length=4 generated:random:n=120,row_length=14
      generated:diagonals:n=250,pairs=6,reach=80,percent=75
      generated:rmat:scale=8,edge_factor=4 generated:hubs:n=900,wires=3,reach=40,far=20,hubs=2,hub_wires=100)
    for program in none multi_access no_counting counting_128; do
      experiments=symbolic-room,numeric-room,dcu,lanes,accumulator,order,policies,table-sort
      [ $program = none ] || experiments=variants
      "$bin/papers_counted_$program" --only "$experiments,variants" "${matrices[@]}" >>"$lines"
    done
    for program in none shared_sort lane_a_row_of_b; do
      "$bin/papers_counted_$program" --only registers "${matrices[@]}" \
        generated:hubs:n=2000,wires=1,reach=30,far=0,hubs=0 >>"$lines"
    done
    ;;
  cuda)
    if [ -z "${PAPERS_BIN:-}" ]; then
      cmake --preset "$where" >/dev/null && cmake --build "build/$where" --target papers_all
    fi
    bin=${PAPERS_BIN:-build/$where/bench}
    t=$(mktemp -d)
    trap 'rm -r "$t"' EXIT
    make() { "$bin/papers" --make "$t/$1.bin" "generated:$2" & }
    # what papers measure on, or like it: cage12, a circuit, m133-b3, conf5, poisson3Da, a mesh, finite elements, a graph
    make diagonals diagonals:n=130000,pairs=12,reach=40000,percent=75
    make circuit hubs:n=170000,wires=3,reach=200,far=20,hubs=6,hub_wires=2000
    make random4 random:n=200000,row_length=4
    make random16 random:n=60000,row_length=16
    make lattice lattice4d:nx=8,ny=8,nz=4,nt=4,spins=4,block=3
    make geometric geometric:n=13500,neighbours=27
    make delaunay delaunay:nx=500,ny=500,shuffle=4096
    make fem fem:nx=9,ny=9,nz=40,unknowns=3
    make rmat rmat:scale=16,edge_factor=4
    make roads hubs:n=1500000,wires=1,reach=30,far=0,hubs=0
    all=(diagonals circuit random4 random16 lattice geometric delaunay fem rmat)
    # compression ratios at 225 products a row; densities of C, rows of a wave's window and of a block's
    for reach in 7 12 25 60 40000; do make "ratio$reach" "diagonals:n=60000,pairs=7,reach=$reach,percent=100"; done
    for length in 8 16 20 25 36 50; do make "narrow$length" "random:n=8000,row_length=$length"; done
    for length in 8 16 24 36 48 64; do make "wide$length" "random:n=16384,row_length=$length"; done
    wait
    files() { for name in "$@"; do echo "$t/$name.bin"; done; }
    run() { # PROGRAM EXPERIMENTS MATRIX...
      local program=$1 experiments=$2
      shift 2
      "$bin/$program" --backend "$where" --seconds "$seconds" --only "$experiments" $(files "$@") >>"$lines"
    }
    run papers binning,dcu,bins,symbolic-room,numeric-room,lanes,order,policies,variants "${all[@]}"
    # rows of about 70, 140, 250, 550, 1,000, 1,900 and 3,600 entries; 2 to 128 rows beyond all tables
    for length in 9 12 16 24 33 46 68; do make "rows$length" "random:n=$((40000 / length * 4)),row_length=$length"; done
    for hubs in 2 8 32 128; do make "hubs$hubs" "hubs:n=100000,wires=2,reach=200,far=20,hubs=$hubs,hub_wires=5000"; done
    wait
    run papers table-sort,variants rows{9,12,16,24,33,46,68}
    for variant in no_counting counting_128; do run "papers_$variant" variants rows{9,12,16,24,33,46,68}; done
    run papers long-rows hubs{2,8,32,128}
    make stencil27 stencil3d:nx=64,ny=64,nz=16,points=27 # columns that lie powers of two apart
    wait
    run papers collisions "${all[@]}" stencil27
    run papers accumulator "${all[@]}" ratio{7,12,25,60,40000} narrow{8,16,20,25,36,50} wide{8,16,24,36,48,64}
    for program in papers papers_shared_sort papers_lane_a_row_of_b; do
      run $program registers "${all[@]}" roads ratio{7,12,25,60,40000}
    done
    for variant in $variants; do run "papers_$variant" variants diagonals circuit random4 random16 lattice rmat; done
    ;;
  *) echo "usage: bench/papers.sh counted|cuda" >&2 && exit 2 ;;
esac
if command -v python3 >/dev/null; then python3 bench/papers.py "$lines"; else echo "python3 bench/papers.py $lines"; fi
