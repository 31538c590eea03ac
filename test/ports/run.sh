#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the library for another platform and run its tests there, by that platform's emulator.
#   run.sh PRESET       aarch64, wasm or windows; in the source directory, into build/PRESET
set -eu
cd "$(dirname "$0")/../.."
cmake --preset "$1" >/dev/null
cmake --build --preset "$1"
# one program alone first: two at once would both set up Wine's folders, and one of them fails
ctest --preset "$1" -Q -R '^unit\.number$'
ctest --preset "$1" -j "$(nproc)"
