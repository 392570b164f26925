#!/usr/bin/env bash
# A wheel of pyrowan that needs nothing of this machine's: the libraries that the C++ runtime does not bring travel
# inside. It runs where glibc is at least as new as here (manylinux_2_36 on Debian 12), and is tried in a new environment.
#   scripts/wheel.sh [FOLDER]      into FOLDER (dist); needs patchelf, python3-pip, python3-wheel, python3-venv, pybind11-dev
# PYTHON (python3) is the Python that it is for; CMake's variables come from the environment (CXX, CMAKE_PREFIX_PATH).
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
  exit
fi
to=$(realpath -m "${1:-dist}")
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

"$python" -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "$work/plain" .
"$python" -m wheel unpack --dest "$work" "$work"/plain/*.whl
tree=$(echo "$work"/pyrowan-*/)
module=$(echo "$tree"pyrowan/_core*.so)
mkdir "${tree}pyrowan.libs"
# glibc and the C++ runtime are the platform's; all else travels
ldd "$module" | awk '/=> \// { print $3 }' | grep -vE '/(libc|libm|libstdc\+\+|libgcc_s|libpthread|librt|libdl)\.so' |
  xargs -I{} cp -L {} "${tree}pyrowan.libs"
for library in "${tree}"pyrowan.libs/*; do patchelf --set-rpath '$ORIGIN' "$library"; done
strip --strip-unneeded "$module"
patchelf --set-rpath '$ORIGIN/../pyrowan.libs' "$module"
glibc=$(ldd --version | sed -n '1s/.* //p' | tr . _)
sed -i "s/^\(Tag: .*\)-linux_/\1-manylinux_${glibc}_/" "$tree"*.dist-info/WHEEL
mkdir -p "$to"
"$python" -m wheel pack --dest-dir "$to" "$tree"

wheel=$(ls -t "$to"/pyrowan-*.whl | head -1)
"$python" -m venv --system-site-packages "$work/venv"
"$work/venv/bin/pip" install --quiet --no-deps "$wheel"
(cd "$work" && "$work/venv/bin/python" -c '
import pyrowan
A = pyrowan.generate("rmat:scale=10")
assert abs(pyrowan.multiply(A, A) - A @ A).max() < 1e-9, "the product is wrong"
print("pyrowan", pyrowan.__version__, "from", pyrowan.__file__)')
echo "$wheel ($(du -h "$wheel" | cut -f1))"
