#!/bin/sh
# SPDX-License-Identifier: MIT
# labels: slow
# seconds: 100
# Build the golden program with every compiler there is at -O0, -O3 and -O3 -march=native, and
# compare each with the committed values on 1, 2, 3 and 8 threads.
#   matrix.sh SOURCE_DIRECTORY 'COMPILER_ID FLAGS'
# The build that this test belongs to, by that compiler with those flags, is not made again:
# golden.threads_N run it. At -O0, where a run takes ten times as long, each compiler runs on one count
# of threads. Scene wadi runs once in each build, cut into stretches. No library has fused multiply-adds.
set -eu
source=$1
own=$2
launcher=
if command -v ccache >/dev/null; then launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache; fi

# compare COMPILER FLAGS THREADS...
compare()
{
    cc=$1
    flags=$2
    shift 2
    build=$(echo "$cc$flags" | tr -d ' =')
    cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$cc" $launcher \
        -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" \
        -DWADI_TOOLS=OFF -DWADI_EXAMPLES=OFF >/dev/null
    cmake --build "$build" --target golden golden_scene >/dev/null
    for threads in "$@"; do
        echo "$cc $flags:"
        "$source/test/golden/golden.sh" "$source/test/golden/golden.txt" \
            "$build/test/golden/golden" "$threads"
    done
    "$source/test/golden/golden.sh" "$source/test/golden/scene.txt" "$build/test/golden/golden_scene" 2
    "$source/test/ports/contraction.sh" objdump "$build/src/libwadi.a"
}

for cc in gcc clang; do
    command -v "$cc" >/dev/null || { echo "no $cc here: not compared"; continue; }
    case $cc in
        gcc) id=GNU count=2 ;;
        *)   id=Clang count=3 ;;
    esac
    compare $cc -O0 $count
    case $own in
        "$id -O3"|"$id -O3 -DNDEBUG") echo "$cc -O3: see golden.threads_N" ;;
        *) compare $cc -O3 1 2 3 8 ;;
    esac
    compare $cc '-O3 -march=native' 1 2 3 8
done
