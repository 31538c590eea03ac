#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the page and both modules of the studio into a folder, a complete static site.
#   build.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$root"

for preset in $(cmake --list-presets | sed -n 's/^ *"\(wasm-studio[a-z-]*\)".*/\1/p'); do
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset" | tail -1
    cp "build/$preset"/studio/wasm/*.wasm "$out/"
done

cd studio/web
# the lock file says what is installed; nothing is when that was so before
if ! cmp -s package-lock.json node_modules/.installed-lock; then
    ../with-node.sh npm ci --no-audit --no-fund
    cp package-lock.json node_modules/.installed-lock
fi
rm -rf "$out/assets"
STUDIO_OUT=$out ../with-node.sh npm run --silent build
for file in "$out"/assets/index-*.js "$out"/*.wasm; do
    [ ! -e "$file" ] || echo "$(gzip -9 <"$file" | wc -c) bytes gzipped: ${file##*/}"
done
