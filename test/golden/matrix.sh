#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the golden program with every compiler there is at -O0, -O3 and -O3 -march=native, and
# compare each with the committed values on 1, 2, 3 and 8 threads.
#   matrix.sh SOURCE_DIRECTORY
set -eu
source=$1
launcher=
if command -v ccache >/dev/null; then launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache; fi

for cc in gcc clang; do
    command -v "$cc" >/dev/null || { echo "no $cc here: not compared"; continue; }
    for flags in '-O0' '-O3' '-O3 -march=native'; do
        build=$(echo "$cc$flags" | tr -d ' =')
        cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$cc" $launcher \
            -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" \
            -DWADI_TOOLS=OFF -DWADI_EXAMPLES=OFF >/dev/null
        cmake --build "$build" --target golden >/dev/null
        for threads in 1 2 3 8; do
            echo "$cc $flags:"
            "$source/test/golden/golden.sh" "$source/test/golden/golden.txt" \
                "$build/test/golden/golden" "$threads"
        done
    done
done
