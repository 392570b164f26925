#!/usr/bin/env bash
# Builds the documentation site: build/site/index.html. Every warning is an error.
#   scripts/site.sh [--install] [ROWAN]    ROWAN: the program, whose --help it shows (build/release/tools/rowan/rowan)
# --install installs what it needs (Debian 12).
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --install ]; then
  shift
  scripts/install-packages.sh python3-sphinx furo python3-myst-parser python3-breathe python3-sphinx-copybutton doxygen python3-scipy
fi
rowan=${1:-build/release/tools/rowan/rowan}
[ -x "$rowan" ] || { echo "there is no program $rowan: build it, or name another" >&2; exit 1; }
work=build/site-work out=build/site
rm -rf "$work" "$out"
mkdir -p "$work"
# doxygen reads the public headers
{
  cat docs/site/Doxyfile
  echo "INPUT = lib/include/rowan mpi/include/rowan petsc/include/rowan"
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
