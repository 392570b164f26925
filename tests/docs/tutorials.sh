#!/usr/bin/env bash
# Every diff in docs/ applies to the tree, and the library that it makes builds and multiplies: one copy of the tree, not
# optimised and for one instruction set, built as a part of another project (FetchContent). A diff is taken back before the next: only what it changes is compiled again.
#   tutorials.sh SOURCE WORK CMAKE COMPILER GENERATOR
set -euo pipefail
source=$1 work=$2 cmake=$3 compiler=$4 generator=$5
rm -rf "$work"
mkdir -p "$work"
for page in "$source"/docs/*.md; do
  awk -v word=diff -v stem="$work/$(basename "$page" .md)" -v end=.patch -f "$source/tests/docs/fenced.awk" "$page"
done
# git looks no further up than here: the copy may lie inside of a repository
export GIT_CEILING_DIRECTORIES=$work
count=0 tree=$work/tree
mkdir "$tree"
for part in CMakeLists.txt LICENSE cmake lib accumulators features models; do
  cp -r "$source/$part" "$tree"
done
# readers, writers and the C interface know of no accumulator: they are compiled in the build that this is a test of
rm "$tree"/lib/io/*.cpp "$tree"/lib/c/*.cpp
for patch in "$work"/*.patch; do
  echo "== $(basename "$patch")"
  (cd "$tree" && git apply --verbose "$patch")
  "$cmake" -S "$source/tests/docs/forced" -B "$tree/forced" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS="-O0 -g0 -DHWY_COMPILE_ONLY_STATIC" \
    -DFETCHCONTENT_SOURCE_DIR_ROWAN="$tree" >/dev/null
  "$cmake" --build "$tree/forced" --parallel 2
  # the accumulators whose folders are new, each by its name
  for added in $(sed -n 's,^+++ b/accumulators/\([^/]*\)/candidate.hpp.*,\1,p' "$patch"); do
    "$tree/forced/forced" "$added"
  done
  (cd "$tree" && git apply -R "$patch")
  count=$((count + 1))
done
echo "$count diffs"
[ "$count" -gt 0 ]
