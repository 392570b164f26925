#!/usr/bin/env bash
# A process is killed in each stage of each product: the others end, too, with MPI's error and in time.
#   killed.sh PROGRAM MPIRUN...
set -euo pipefail
program=$1
shift
for call in multiply transposed execute; do
  step=1
  [ $call = transposed ] && step=4 # its stages are multiply's, with rows of A besides
  for ((k = 0; ; k += step)); do
    code=0
    timeout 30 "$@" "$program" $call $k >/dev/null 2>&1 || code=$?
    [ $code -eq 0 ] && break # it has no such stage
    if [ $code -eq 124 ] || [ $code -eq 3 ]; then
      echo "$call hangs where a process is killed in stage $k (code $code)"
      exit 1
    fi
    [ $k -lt 100 ] || exit 1
  done
  echo "$call: ended wherever a process was killed, in steps of $step up to stage $k"
  [ $k -gt 1 ] || { echo "no stage was found" && exit 1; }
done
