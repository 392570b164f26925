#!/usr/bin/env bash
# Every block of C++ in README.md, CONTRIBUTING.md and docs/ compiles against the public headers.
#   code_blocks.sh SOURCE WORK COMPILER FLAG...
# A block is the body of a function that has what the text around speaks of: A and B, C for their product, E for a matrix
# of Eigen's. Its lines of #include stand before. Fragments of rowan's own sources are fenced with c++, not cpp: they are
# left out.
set -euo pipefail
source=$1 work=$2
shift 2
rm -rf "$work"
mkdir -p "$work"
for page in "$source"/*.md "$source"/docs/*.md; do
  awk -v word=cpp -v stem="$work/$(basename "$page" .md)" -v end=.block -f "$source/tests/docs/fenced.awk" "$page"
done
bad=0 count=0
for block in "$work"/*.block; do
  unit=${block%.block}.cpp
  {
    printf '#include <rowan/eigen.hpp>\n#include <rowan/rowan.hpp>\n'
    grep '^#include' "$block" || true
    printf 'using namespace rowan::literals;\n'
    printf 'void block(const rowan::Csr<double>& A, const rowan::Csr<double>& B, rowan::Csr<double>& C,\n'
    printf '           const Eigen::SparseMatrix<double>& E);\n'
    printf 'void block([[maybe_unused]] const rowan::Csr<double>& A, [[maybe_unused]] const rowan::Csr<double>& B,\n'
    printf '           [[maybe_unused]] rowan::Csr<double>& C, [[maybe_unused]] const Eigen::SparseMatrix<double>& E) {\n{\n'
    grep -v '^#include' "$block"
    printf '}\n}\n'
  } >"$unit"
  count=$((count + 1))
  "$@" -std=c++20 -fsyntax-only "$unit" || { echo "does not compile: $(basename "$block" .block) (page and line)" && bad=1; }
done
echo "$count blocks of C++"
[ "$count" -gt 0 ] && exit "$bad"
