#!/bin/sh
# Makes models/generated/policies.hpp again from models/policies/*.json. Run from the repository's root; the argument
# is the rowan executable. host-trained comes first: the first policy is the one in force.
set -eu
export LC_ALL=C  # the order of names
rowan=${1:-build/release/tools/rowan/rowan}
default=models/policies/host-trained.json
header=models/generated/policies.hpp

set -- "$default"
for file in models/policies/*.json; do
  [ "$file" = "$default" ] || set -- "$@" "$file"
done
trap 'rm -f "$header.new"' EXIT
"$rowan" model embed "$@" >"$header.new"
mv "$header.new" "$header"
