#!/bin/sh
# SPDX-License-Identifier: MIT
# Build, run the benchmarks, and keep their rows in bench/results/NAME-CPU.csv.
#
#   bench/run.sh [--full]      BUILD=folder picks another build than build/release
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}

if [ ! -f "$build/build.ninja" ]; then
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="-O3 -DNDEBUG" -DWADI_TESTS=ON >/dev/null
fi
cmake --build "$build" --target wadi >/dev/null

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 |
    tr 'A-Z' 'a-z' | tr -cs 'a-z0-9' '-' | sed 's/^-//; s/-$//')
mkdir -p bench/results
for name in hydraulic wind; do
    out=bench/results/$name-${cpu:-unknown}.csv
    "$build/cli/wadi" bench "$name" "$@" > "$out.part"
    mv "$out.part" "$out"
    cat "$out"
done
