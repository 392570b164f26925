#!/usr/bin/env bash
# Formatting and lint of every source file of the project. `--fix` formats in place and stops there.
# LINT_SINCE=COMMIT: clang-tidy looks at what changed since then, at a header in one of the sources that include it (what it
# finds in the others, it finds without LINT_SINCE), and at everything where there is no such commit or the rules changed; its
# analyzer, which takes half of the time, looks at sources that changed.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files '*.cpp' '*.hpp')
if [ "${1:-}" = --fix ]; then
  clang-format -i "${files[@]}"
  exit 0
fi
echo "== clang-format (${#files[@]} files)"
# copies, all at once, because clang-format 14's --dry-run finds fault with the end of an inline nested namespace and changes nothing
formatted=$(mktemp -d)
trap 'rm -rf "$formatted"' EXIT
cp --parents .clang-format "${files[@]}" "$formatted"
(cd "$formatted" && printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 100 clang-format -i)
for f in "${files[@]}"; do
  cmp -s "$f" "$formatted/$f" || { echo "$f is not formatted"; bad=1; }
done
[ -z "${bad:-}" ] || exit 1
echo "== clang-tidy"
# not the device's: they are compiled in several ways, and clang-tidy would go through each
mapfile -t sources < <(git ls-files 'lib/*.cpp' 'features/*.cpp' 'accumulators/*.cpp' 'models/*.cpp' 'training/*.cpp' 'tools/*.cpp' |
                       grep -v /device/)
# and what needs libraries that may not be here
with=()
optional() { # OPTION FOLDER FILE
  [ -e "$3" ] || { echo "$2: not looked at, there is no $3"; return 0; }
  mapfile -t -O "${#sources[@]}" sources < <(git ls-files "$2/*.cpp")
  with+=("-D$1=ON")
}
optional ROWAN_MPI mpi "$(command -v mpicc || echo mpicc)"
optional ROWAN_PETSC petsc "$(pkg-config --variable=includedir PETSc 2>/dev/null || echo petsc.h)/petsc.h"
optional ROWAN_HYPRE hypre /usr/include/hypre/_hypre_parcsr_mv.h
# Kernels for one instruction set: the others are the same lines once more, but for dense's, which has AVX-512's own.
flags=-DHWY_COMPILE_ONLY_STATIC
[ "$(uname -m)" = x86_64 ] && flags+=" -march=haswell -maes" # AVX2
cmake --preset release >/dev/null
cmake --preset release -B build/lint -DROWAN_UNITY=OFF "${with[@]}" "-DCMAKE_CXX_FLAGS=$flags" >/dev/null
# What passed with this text, these headers and these rules is not looked at again.
mkdir -p build/lint/passed build/lint/groups
rules=$({ clang-tidy --version; cat .clang-tidy CMakePresets.json "$0"; git ls-files -z '*.hpp' | xargs -0 cat; } | sha256sum)
stamp() { # SOURCE
  echo "build/lint/passed/$1-$({ echo "$rules $2"; cat "$2"; } | sha256sum | cut -c1-32)"
}
tidy() { clang-tidy --quiet --warnings-as-errors='*' "$@" 2>/dev/null; }
commands_of() { # SOURCE
  case $1 in accumulators/dense/*) echo build/release ;; *) echo build/lint ;; esac
}
# Four fifths of the time goes to headers: so everything but the analyzer looks at several sources as one. What two of
# them define both, or a finding, sends each to be looked at by itself.
checks() { # SOURCE...
  local group source
  if [ $# -gt 1 ]; then
    group=build/lint/groups/$(echo "$*" | sha256sum | cut -c1-16).cpp
    printf '#include "%s"\n' "$@" >"$group"
    # shellcheck disable=SC2086
    if tidy --checks='-clang-analyzer-*,-bugprone-suspicious-include' "$group" -- $flags -std=c++20 -I. -Ilib/include \
      -DFMT_SHARED >/dev/null; then
      for source in "$@"; do touch "$(stamp checks "$source")"; done
      return
    fi
  fi
  for source in "$@"; do
    tidy -p "$(commands_of "$source")" --checks='-clang-analyzer-*' "$source" && touch "$(stamp checks "$source")" || return 255
  done
}
# The analyzer follows paths through the functions of one source.
analyze() { # SOURCE
  tidy -p "$(commands_of "$1")" --checks='-*,clang-analyzer-*' "$1" && touch "$(stamp analyzer "$1")" || return 255
}
export -f stamp tidy commands_of checks analyze
export rules flags
waiting() { # KIND SOURCE...
  local kind=$1 source
  shift
  for source in "$@"; do [ -e "$(stamp "$kind" "$source")" ] || echo "$source"; done
}
looked_at=("${sources[@]}") analyzed=("${sources[@]}")
if [ -n "${LINT_SINCE:-}" ] && git rev-parse -q --verify "$LINT_SINCE^{commit}" >/dev/null &&
   git diff --quiet "$LINT_SINCE" -- .clang-tidy; then
  mapfile -t analyzed < <(git diff --name-only --diff-filter=d "$LINT_SINCE" -- "${sources[@]}")
  including() { # HEADER: the source that changed, too, or is named as the header, or any other
    local name own=()
    name=$(sed -E 's,^(lib|mpi|petsc)/include/,,' <<<"$1")
    [ ! -e "${1%.hpp}.cpp" ] || own=("${1%.hpp}.cpp")
    grep -lE "#include [\"<]${name}[\">]" "${analyzed[@]}" "${own[@]}" "${sources[@]}" | sed -n 1p || true
  }
  mapfile -t headers < <(git diff --name-only --diff-filter=d "$LINT_SINCE" -- '*.hpp' ':!*/device/*')
  mapfile -t looked_at < <({ printf '%s\n' "${analyzed[@]}"
                            for header in "${headers[@]}"; do including "$header"; done; } | sed '/^$/d' | sort -u)
  [ ${#looked_at[@]} -gt 0 ] || exit 0
fi
alone='foreach_target|ROWAN_(COMPILER|BUILD)|<mpi.h>|rowan/mpi.hpp|"(mpi|petsc|hypre)/'
mapfile -t by_itself < <(waiting checks $(grep -lE "$alone" "${looked_at[@]}"))
mapfile -t together < <(waiting checks $(grep -LE "$alone" "${looked_at[@]}"))
groups=$(((${#together[@]} + 7) / 8))
{
  # neighbours, which are alike, into different groups
  for ((g = 0; g < groups; g++)); do
    for ((i = g; i < ${#together[@]}; i += groups)); do printf '%s ' "${together[i]}"; done
    echo
  done
  [ ${#by_itself[@]} -eq 0 ] || printf '%s\n' "${by_itself[@]}"
} | xargs -P "$(nproc)" -I{} bash -c 'checks {}'
waiting analyzer "${analyzed[@]}" | xargs -P "$(nproc)" -I{} bash -c 'analyze {}'
