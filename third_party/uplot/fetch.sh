#!/usr/bin/env bash
# Gets the files of this folder again: the npm package of VERSION, its hash checked. To go to another version, change
# VERSION and the hash.
set -euo pipefail
cd "$(dirname "$0")"
read -r name version <VERSION
hash=KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw== # SHA-512, base64
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm pack --silent --pack-destination "$folder" "$name@$version" >/dev/null
package=$folder/$name-$version.tgz
got=$(openssl dgst -sha512 -binary "$package" | base64 -w0)
[ "$got" = "$hash" ] || { echo "$name $version: the package's hash is $got, not $hash" >&2; exit 1; }
tar -xzf "$package" -C "$folder"
cp "$folder/package/LICENSE" "$folder"/package/dist/uPlot.{iife.js,iife.min.js,min.css} .
