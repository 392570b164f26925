#!/usr/bin/env bash
# Everything that wants an NVIDIA GPU: tests, the command line beside the host, compute-sanitizer, the benchmark beside
# cuSPARSE and examples/device.cpp, host or device, and pyrowan beside CuPy and PyTorch. The machine with the GPU needs CUDA's
# libraries and compute-sanitizer, no network; for python g++, Python's headers, pybind11, pytest, scipy, cupy and torch.
#   scripts/gpu.sh --pack                    where nvcc is: builds, and gathers programs and libraries in build/gpu
#   scripts/gpu.sh [STEP...] [-- MATRIX...]  where the GPU is: steps in this order (all: tests cli memcheck racecheck
#                                            initcheck synccheck bench places python papers); bench, places and python
#                                            multiply the matrices by themselves, papers runs bench/papers.sh
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
  cmake --build build/cuda --target rowan_device_tests_cuda rowan_tool peer_rowan peer_cusparse papers_all device_example places \
    rowan_other
  rm -rf "$place"
  mkdir -p "$place"/{bin,lib,libexec/rowan/peers}
  cp build/cuda/tools/rowan/rowan build/cuda/tests/gpu/rowan_device_tests_cuda "$place/bin"
  cp build/cuda/bench/papers* build/cuda/bench/{device_example,places} "$place/bin"
  cp -P build/cuda/librowan.so* "$place/lib"
  strip -g "$place"/lib/librowan.so.?.*
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

# The module is compiled here, for the Python that is here.
python_step() {
  local to=$place/python/pyrowan
  mkdir -p "$to"
  cp python/pyrowan/* "$to"
  read -r suffix includes < <(python3 -c 'import pybind11, sysconfig as s
print(s.get_config_var("EXT_SUFFIX"), "-I" + pybind11.get_include(), "-I" + s.get_path("include"))')
  # shellcheck disable=SC2086 # two options
  g++ -O2 -std=c++20 -fPIC -shared -fvisibility=hidden $includes -Ilib/include python/src/*.cpp -o "$to/_core$suffix" \
    -L"$place/lib" -lrowan "-Wl,-rpath,$PWD/$place/lib"
  export PYTHONPATH=$PWD/$place/python PYTHONDONTWRITEBYTECODE=1
  PYROWAN_TEST_BACKEND=cuda python3 -m pytest -q -p no:cacheprovider python/tests/test_device.py
  python3 bench/python_device.py --seconds "${SECONDS_EACH:-0.5}" "${matrices[@]}" | tee "$out/python.txt"
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
[ ${#steps[@]} -gt 0 ] || steps=(tests cli memcheck racecheck initcheck synccheck bench places python papers)
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
    places) "$place/bin/places" --seconds "${SECONDS_EACH:-0.5}" "${matrices[@]}" | tee "$out/places.txt" ;;
    python) python_step ;;
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
