#!/bin/sh
# Trains the host model again: measures what models/host-set.txt names (eight minutes on a quiet machine; where there is
# AVX-512, as long again without it), fits, writes the model, its report and docs/host-model's plots, and embeds it. Run
# from the repository's root; FOLDER holds the set's matrix files.
# What is measured already is not measured again: take build/host.measurements.jsonl away after a change to the
# accumulators or features.
set -eu
folder=${1:?"usage: models/train-host.sh FOLDER [ROWAN]"}
rowan=${2:-build/release/tools/rowan/rowan}

case $("$rowan" info | grep '^instructions') in
*AVX3*)
  ROWAN_INSTRUCTIONS=AVX2 "$rowan" train --set models/host-set.txt --in "$folder" \
    --measurements build/host.measurements.jsonl ;;
esac
"$rowan" train --set models/host-set.txt --in "$folder" --measurements build/host.measurements.jsonl \
  --name host-trained -o models/policies/host-trained.json --report build/host-report.html \
  --report build/host-report.txt --report build/host-report.json
mkdir -p docs/host-model
models/plots.py build/host-report.html docs/host-model
models/embed.sh "$rowan"
echo "Build again, and compare: rowan bench --set SET --no-peers --policy host-rules --policy host-trained"
