#!/usr/bin/env bash
# Installs the Debian packages that rowan is built and tested with; does nothing where they are all there.
set -euo pipefail
packages=(g++ cmake ninja-build libtbb-dev libhwy-dev zlib1g-dev libfast-float-dev nlohmann-json3-dev libcli11-dev
          libfmt-dev libeigen3-dev pkg-config doctest-dev libboost-context-dev libxgboost-dev libzip-dev "$@")
missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "needs root or sudo to install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
