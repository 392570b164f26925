#!/usr/bin/env bash
# Every block of C++ in README.md, CONTRIBUTING.md and docs/ compiles against the public headers (other languages: blocks.py).
#   code_blocks.sh SOURCE WORK COMPILER FLAG...
# A block is the body of a function that has what the text around speaks of: A and B, C for their product, E for a matrix
# of Eigen's. One fenced with "cpp mpi" has functions of its own, and is compiled where the flags lead to MPI. Lines
# of #include are left out: all public headers are included. Fragments of rowan's own sources are fenced with c++, not cpp: they
# are left out. All blocks are one file, whose errors name page and line.
set -euo pipefail
source=$1 work=$2
shift 2
rm -rf "$work"
mkdir -p "$work"
unit=$work/blocks.cpp
printf '%s\n' '#include <rowan/eigen.hpp>' '#include <rowan/rowan.hpp>' \
  '#if __has_include(<mpi.h>)' '#include <rowan/mpi.hpp>' '#endif' 'using namespace rowan::literals;' >"$unit"
for page in "$source"/*.md "$source"/docs/*.md "$source"/docs/*/*.md; do
  awk -v page="${page#"$source"/}" '
    /^ *```/ {
      if (inside) { if (out) print whole ? "#endif" : "}\n}" } else {
        out = $1 == "```cpp"
        whole = $2 == "mpi"
        if (out && whole) {
          print "#if __has_include(<mpi.h>)\n#line " NR + 1 " \"" page "\""
        } else if (out) {
          name = "block_" ++count "_" page
          gsub(/[^A-Za-z0-9]/, "_", name)
          print "void " name "(const rowan::Csr<double>& A, const rowan::Csr<double>& B, rowan::Csr<double>& C, const Eigen::SparseMatrix<double>& E);"
          print "void " name "([[maybe_unused]] const rowan::Csr<double>& A, [[maybe_unused]] const rowan::Csr<double>& B,"
          print "  [[maybe_unused]] rowan::Csr<double>& C, [[maybe_unused]] const Eigen::SparseMatrix<double>& E) {\n{"
          print "#line " NR + 1 " \"" page "\""
        }
      }
      inside = !inside
      next
    }
    inside && out { print /^#include/ ? "" : $0 }' "$page" >>"$unit"
done
count=$(grep -c '^#line' "$unit")
echo "$count blocks of C++"
[ "$count" -gt 10 ]
exec "$@" -std=c++20 -fsyntax-only "$unit"
