#!/usr/bin/env bash
# A process is killed in each stage of each product: the others end, too, with MPI's error and in time.
#   killed.sh PROGRAM MPIRUN...
set -euo pipefail
program=$1
shift
for call in multiply transposed execute; do
  for ((k = 0; ; k++)); do
    code=0
    timeout 30 "$@" "$program" $call $k >/dev/null 2>&1 || code=$?
    [ $code -eq 0 ] && break # it has no such stage
    if [ $code -eq 124 ] || [ $code -eq 3 ]; then
      echo "$call hangs where a process is killed in stage $k (code $code)"
      exit 1
    fi
    [ $k -lt 100 ] || exit 1
  done
  echo "$call: ended in all $k stages"
  [ $k -gt 1 ] || { echo "no stage was found" && exit 1; }
done
