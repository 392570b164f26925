#!/usr/bin/env bash
# Builds the documentation site: build/site/index.html. Needs python3-sphinx furo python3-myst-parser python3-breathe
# python3-sphinx-copybutton doxygen (Debian 12), scipy for pyrowan's page, and the program, whose --help it shows.
#   scripts/site.sh [ROWAN]         ROWAN: the program (build/release/tools/rowan/rowan)
# Every warning is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
rowan=${1:-build/release/tools/rowan/rowan}
[ -x "$rowan" ] || { echo "there is no program $rowan: build it, or name another" >&2; exit 1; }
work=build/site-work out=build/site
rm -rf "$work" "$out"
mkdir -p "$work"
# doxygen reads the public headers
{
  cat docs/site/Doxyfile
  echo "INPUT = lib/include/rowan"
  echo "OUTPUT_DIRECTORY = $work/doxygen"
} >"$work/Doxyfile"
mkdir -p "$work/doxygen"
doxygen "$work/Doxyfile"
# Debian's Python has Debian's Sphinx
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" docs/site/prepare.py "$work/pages" "$rowan"
ROWAN_TREE=$PWD ROWAN_DOXYGEN_XML=$PWD/$work/doxygen/xml ROWAN_VERSION=$("$rowan" --version | head -1 | sed 's/^rowan //') \
  "$python" -m sphinx -b html -W --keep-going -q -j auto -c docs/site -d "$work/doctrees" "$work/pages" "$out"
echo "$out/index.html"
