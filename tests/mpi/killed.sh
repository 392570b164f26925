#!/usr/bin/env bash
# A process is killed in each stage of each product: the others end, too, with MPI's error and in time. The products side by
# side: most of the time MPI waits.
#   killed.sh PROGRAM MPIRUN...
set -euo pipefail
killed() { # CALL PROGRAM MPIRUN...
  local call=$1 program=$2 step=1 code k
  shift 2
  [ "$call" = transposed ] && step=4 # its stages are multiply's, with rows of A besides
  for ((k = 0; ; k += step)); do
    code=0
    timeout 30 "$@" "$program" "$call" "$k" >/dev/null 2>&1 || code=$?
    [ $code -eq 0 ] && break # it has no such stage
    if [ $code -eq 124 ] || [ $code -eq 3 ]; then
      echo "$call hangs where a process is killed in stage $k (code $code)"
      return 1
    fi
    [ $k -lt 100 ] || return 1
  done
  echo "$call: ended wherever a process was killed, in steps of $step up to stage $k"
  [ $k -gt 1 ] || { echo "no stage was found" && return 1; }
}
running=() code=0
for call in multiply transposed execute; do
  killed $call "$@" &
  running+=($!)
done
for one in "${running[@]}"; do
  wait "$one" || code=1
done
exit $code
