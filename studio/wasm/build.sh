#!/bin/sh
# SPDX-License-Identifier: MIT
# Build both modules of the studio into a folder, each in two parts (split.sh), and print their sizes.
#   studio/wasm/build.sh [FOLDER]       out/studio by default; wants Debian's packages clang-19 lld-19
#                                       llvm wasi-libc libclang-rt-19-dev-wasm32 binaryen
set -eu
cd "$(dirname "$0")/../.."
out=${1:-out/studio}
mkdir -p "$out"
for name in wadi wadi-threads; do
    preset=wasm-studio${name#wadi}
    cmake --preset "$preset" >/dev/null
    cmake --build --preset "$preset"
    studio/wasm/split.sh "build/$preset" "$name" "$out"
done
for module in "$out"/*.wasm; do
    echo "$module: $(wc -c <"$module") bytes, $(gzip -9 -c "$module" | wc -c) by gzip"
done
