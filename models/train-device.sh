#!/bin/sh
# Trains the model of a kind of devices again: measures what models/device-set.txt names on this machine's first device,
# fits, writes the model and its report, and embeds it. cuda-trained is in force on CUDA's devices then; of hip's NAME
# the model wave64-trained where waves have 64 lanes. Run from the repository's root.
#   models/train-device.sh BACKEND FOLDER [ROWAN]   BACKEND is cuda or hip, FOLDER holds the set's matrix files
#   models/train-device.sh BACKEND - [ROWAN]        fits only, anywhere, what build/BACKEND.measurements.jsonl has
# BUDGET=SECONDS is --budget: what is measured so far is kept, and the rest measured by the next call. What was measured
# is not measured again: take the file away after a change to the kernels or features.
set -eu
backend=${1:?"usage: models/train-device.sh BACKEND FOLDER|- [ROWAN]"}
folder=${2:?"usage: models/train-device.sh BACKEND FOLDER|- [ROWAN]"}
rowan=${3:-build/$backend/tools/rowan/rowan}
times=build/$backend.measurements.jsonl
name=${NAME:-$backend-trained}

if [ "$folder" != - ]; then
  "$rowan" train --backend "$backend" --set models/device-set.txt --in "$folder" --measurements "$times" \
    ${BUDGET:+--budget "$BUDGET"}
fi
"$rowan" train --measurements "$times" --name "$name" -o "models/policies/$name.json" \
  --report "build/$backend-report.html" --report "build/$backend-report.txt" --report "build/$backend-report.json"
models/embed.sh "$rowan"
echo "Build again, and compare: rowan bench --backend $backend --no-peers --policy device-rules --policy $name A.mtx ..."
