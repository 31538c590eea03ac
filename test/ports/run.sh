#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the library for another platform and run its tests there, by that platform's emulator.
#   run.sh PRESET       aarch64, wasm or windows; in the source directory, into build/PRESET
set -eu
cd "$(dirname "$0")/../.."
cmake --preset "$1" >/dev/null
cmake --build --preset "$1"
ctest --preset "$1" -j "$(nproc)"
