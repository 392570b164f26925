#!/usr/bin/env bash
# Whether all that names the project's version names that of the headers.
#   versions.sh REPOSITORY
set -euo pipefail
cd "$1"
version=$(sed -n 's/^#define ROWAN_VERSION_[A-Z]* \([0-9]*\)$/\1/p' lib/include/rowan/version.hpp | paste -sd.)
bad=0
has() { # FILE TEXT
  grep -qF -- "$2" "$1" || { echo "$1: does not have: $2"; bad=1; }
}
has CHANGELOG.md "## $version"
has CITATION.cff "version: $version"
has SECURITY.md "| ${version%.*} | yes |"
has debian/changelog "rowan ($version-"
has packaging/conda/meta.yaml "version = \"$version\""
has packaging/spack/spack_repo/rowan/packages/rowan/package.py "version(\"$version\")"
has packaging/vcpkg/rowan/vcpkg.json "\"version\": \"$version\""
has lib/include/rowan/rowan.h "\"$version\""
exit $bad
