#!/usr/bin/env bash
# Everything that wants an NVIDIA GPU: tests, the command line beside the host, compute-sanitizer, the benchmark beside
# cuSPARSE and examples/device.cpp. The machine with the GPU needs CUDA's libraries and compute-sanitizer, no compiler and no network.
#   scripts/gpu.sh --pack                    where nvcc is: builds, and gathers programs and libraries in build/gpu
#   scripts/gpu.sh [STEP...] [-- MATRIX...]  where the GPU is: steps in this order (all: tests cli memcheck racecheck
#                                            initcheck synccheck bench papers); bench multiplies the matrices by
#                                            themselves, papers runs bench/papers.sh
#   scripts/gpu.sh train -- FOLDER           measures models/device-set.txt, FOLDER its matrices, for $BUDGET (90) seconds
#                                            into $GPU_OUT/cuda.measurements.jsonl, which models/train-device.sh fits to
# Logs and reports go to $GPU_OUT (build/gpu-out); the last lines say what passed. SECONDS_EACH (0.5) is bench's
# --seconds. CUDAARCHS (90) is what --pack compiles for.
set -euo pipefail
cd "$(dirname "$0")/.."
place=build/gpu

help() { # the comment above
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' scripts/gpu.sh
}

pack() {
  cmake --preset cuda "-DCMAKE_CUDA_ARCHITECTURES=${CUDAARCHS:-90}" >/dev/null
  cmake --build build/cuda --target rowan_device_tests_cuda rowan_tool peer_rowan peer_cusparse papers_all device_example
  rm -rf "$place"
  mkdir -p "$place"/{bin,lib,libexec/rowan/peers}
  cp build/cuda/tools/rowan/rowan build/cuda/tests/gpu/rowan_device_tests_cuda "$place/bin"
  cp build/cuda/bench/papers* build/cuda/bench/device_example "$place/bin"
  cp build/cuda/bench/peers/{rowan,cusparse} "$place/libexec/rowan/peers"
  strip "$place"/bin/* "$place"/libexec/rowan/peers/*
  # what neither the C++ compiler's runtime nor CUDA brings
  ldd "$place"/bin/* "$place"/libexec/rowan/peers/* | awk '/=> \// { print $3 }' | sort -u |
    grep -vE '/(libc|libm|libstdc\+\+|libgcc_s|libpthread|librt|libdl|libcusparse|libnvJitLink)\.so' |
    xargs -I{} cp -L {} "$place/lib"
  du -sh "$place"
}

# The host's product and the device's are the same file: these matrices are patterns, whose sums are exact.
cli() {
  local rowan=$place/bin/rowan t matrix force
  t=$(mktemp -d)
  "$rowan" info
  for matrix in tests/data/{email-Eu-core,nasa4704,web-indochina-2004}.mtx.gz; do
    "$rowan" multiply "$matrix" -o "$t/host.bin" --quiet
    for force in "" direct direct-shift sort sort-merge hash hash-registers dense dense-run; do
      "$rowan" multiply "$matrix" --backend cuda ${force:+--force $force} -o "$t/cuda.bin" --quiet
      cmp "$t/host.bin" "$t/cuda.bin"
    done
    "$rowan" multiply "$matrix" --backend cuda --stats
    "$rowan" inspect "$matrix" --backend cuda --rows 0:3
  done
  rm -r "$t"
}

sanitize() { # TOOL
  compute-sanitizer --tool "$1" --error-exitcode 1 "$place/bin/rowan_device_tests_cuda" -tce="many multiplies*"
}

case ${1:-} in
  --pack)
    pack
    exit
    ;;
  -h | --help)
    help
    exit
    ;;
  --?*)
    echo "there is no option $1; scripts/gpu.sh --help lists the options" >&2
    exit 2
    ;;
esac
steps=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do steps+=("$1") && shift; done
[ $# -gt 0 ] && shift
matrices=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(tests cli memcheck racecheck initcheck synccheck bench papers)
if [ ! -x "$place/bin/rowan" ]; then
  echo "there are no programs in $place: scripts/gpu.sh --pack, where nvcc is, puts them there" >&2
  exit 1
fi
out=${GPU_OUT:-build/gpu-out}
mkdir -p "$out"
export LD_LIBRARY_PATH="$PWD/$place/lib:/usr/local/cuda/lib64:/usr/local/cuda/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
PATH=$PATH:/usr/local/cuda/bin
# without a device the tests would pass
"$place/bin/rowan" info | grep -E '^device +cuda' || { echo "there is no CUDA device here" >&2 && exit 1; }

run() { # STEP
  case $1 in
    tests) "$place/bin/rowan_device_tests_cuda" ;;
    cli) cli ;;
    memcheck | racecheck | initcheck | synccheck) sanitize "$1" ;;
    bench)
      "$place/bin/rowan" bench --backend cuda --reuse --stages --alone 100000000000 --seconds "${SECONDS_EACH:-0.5}" \
        --timeout 60 -o "$out/bench.json" -o "$out/bench.md" "${matrices[@]}"
      "$place/bin/device_example" "${matrices[@]}" | tee "$out/device.txt"
      ;;
    train)
      "$place/bin/rowan" train --backend cuda --set models/device-set.txt --in "${matrices[0]}" --budget "${BUDGET:-90}" \
        --measurements "$out/cuda.measurements.jsonl"
      ;;
    papers) PAPERS_BIN=$place/bin PAPERS_OUT=$out bench/papers.sh cuda ;;
    *) echo "there is no step $1" >&2 && return 2 ;;
  esac
}
failed=0
verdicts=()
for step in "${steps[@]}"; do
  echo "== $step"
  start=$SECONDS
  set +e
  (set -e; run "$step") 2>&1 | tee "$out/$step.log"
  if [ "${PIPESTATUS[0]}" -eq 0 ]; then verdict=passed; else verdict=FAILED failed=1; fi
  set -e
  verdicts+=("$step $verdict in $((SECONDS - start)) s")
done
printf '%s\n' "== Verdicts" "${verdicts[@]}" | tee "$out/verdicts.txt"
exit $failed
