#!/usr/bin/env bash
# Debian's source and binary packages of what is committed, and lintian's opinion of them.
#   packaging/debian.sh [FOLDER]      into FOLDER (build/debian); needs devscripts, lintian, and debian/control's packages
# DEB_BUILD_OPTIONS=nocheck leaves the tests out.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  exit
fi
to=$(realpath -m "${1:-build/debian}")
version=$(dpkg-parsechangelog -S Version)
upstream=${version%-*}
[ "$upstream" = "$(sed -n 's/^#define ROWAN_VERSION_[A-Z]* \([0-9]*\)$/\1/p' lib/include/rowan/version.hpp | paste -sd.)" ] ||
  { echo "debian/changelog says $upstream, lib/include/rowan/version.hpp another version" >&2; exit 1; }
rm -rf "$to"
mkdir -p "$to/rowan-$upstream"
git archive --prefix="rowan-$upstream/" HEAD -- ':!debian' | gzip -n >"$to/rowan_$upstream.orig.tar.gz"
git archive HEAD | tar -x -C "$to/rowan-$upstream"
cd "$to/rowan-$upstream"
dpkg-buildpackage -us -uc
cd ..
lintian --info --display-info --pedantic --fail-on=error,warning "rowan_${version}"_*.changes
ls -lh ./*.deb
