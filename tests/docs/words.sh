#!/usr/bin/env bash
# README, CONTRIBUTING, docs, public headers, and everything that the program prints in its code use the words of
# docs/glossary.md: no retired word (retired_words.txt) stands in them. The glossary has every term once, in order.
#   words.sh SOURCE
set -euo pipefail
source=$1
cd "$source"
bad=0

pattern=$(grep -v '^#' tests/docs/retired_words.txt | cut -f1 | paste -sd'|')
retired() { grep -n -i -w -E "$pattern" "$@"; }
# an empty or broken list would find nothing, and the test would pass
echo "sums by turns, asked ahead" | retired -q || { echo "retired_words.txt finds nothing" && exit 1; }

# docs/glossary.md is read, too; CHANGELOG.md may name old words
if retired README.md CONTRIBUTING.md docs/*.md docs/*/*.md models/*.md bench/*/*.md tests/data/README.md lib/include/rowan/*.h*; then
  bad=1
fi
# what the program prints: string literals, without the names of files that are included
if grep -n -o -E '"([^"\\]|\\.)+"' tools/rowan/*.cpp tools/rowan/*/*.cpp lib/generate/*.cpp training/*.cpp | grep -v -E '\.(hpp|h)"$' | retired; then bad=1; fi
[ "$bad" -eq 0 ] || echo "retired words: tests/docs/retired_words.txt has the words to use"

terms=$(sed -n 's/^| \*\*\(.*\)\*\* |.*/\1/p' docs/glossary.md)
[ "$(wc -l <<<"$terms")" -gt 100 ] || { echo "docs/glossary.md has lost its table" && bad=1; }
if ! tr '[:upper:]' '[:lower:]' <<<"$terms" | LC_ALL=C sort -c -u; then
  echo "docs/glossary.md: terms are not in order, or one stands there twice" && bad=1
fi
exit "$bad"
