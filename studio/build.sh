#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the page and both modules of the studio into a folder, a complete static site.
#   build.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$root"

studio/wasm/build.sh "$out" | tail -2

cd studio/web
# the lock file says what is installed; nothing is when that was so before
if ! cmp -s package-lock.json node_modules/.installed-lock; then
    ../with-node.sh npm ci --no-audit --no-fund
    cp package-lock.json node_modules/.installed-lock
fi
rm -rf "$out/assets"
STUDIO_OUT=$out ../with-node.sh npm run --silent build
echo "the page: $(cat "$out"/assets/index-*.js | gzip -9 | wc -c) by gzip"
