#!/usr/bin/env bash
# Whether a shared library exports the names of a list, and no other. `--update` writes the list.
#   exports.sh LIBRARY LIST [--update]
set -euo pipefail
names() {
  nm -D --defined-only --demangle "$1" | cut -d' ' -f3- | sed 's/std::__cxx11::/std::/g' | LC_ALL=C sort -u
}
if [ "${3:-}" = --update ]; then
  names "$1" >"$2"
  exit
fi
diff "$2" <(names "$1") || {
  echo "other names than $2 says (<: missing, >: new): if that is meant, run tests/exports.sh LIBRARY LIST --update" >&2
  exit 1
}
echo "$(wc -l <"$2") names"
