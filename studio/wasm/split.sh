#!/bin/sh
# SPDX-License-Identifier: MIT
# Split the studio's module in two: what each page loads, and the processes that it loads when one of their functions
# is first called. Both are made smaller. The first scene of the page runs in the first part alone.
#   split.sh BUILD NAME FOLDER       FOLDER/NAME.wasm and FOLDER/NAME-more.wasm
set -eu
build=$1
name=$2
out=$3
work=$build/split
mkdir -p "$work"

# Functions by the file they stand in. Of equal names in both parts the linker's numbers are not known: they stay.
late='/src/CMakeFiles/wadi_(objects|base)\.dir/(processes/(articles|coast|earth|flood|hydraulic|landslide|regulate|riverbed|soil|uplift|wind)|laws/(channels|flow)|laws/slopes/(rupture|slide|stability|storm)[a-z_]*\.c|core/(archive_spread|partition_rows)\.c|process/solver_gather\.c|terrain/gather\.c|scene/scene_(derive|whole|windows)\.c|laws/sand/sand_(coarse|shore_window)\.c|terrain/edit_brush\.c|maps/synthesis/(deposition|fault_classes|faults|hexagon|subdivision)\.c|bodies|window|maps/(amplify|judge|render))'
functions() {
    xargs llvm-nm --defined-only | awk 'NF == 3 && ($2 == "t" || $2 == "T") { print $3 }' | sort -u
}
find "$build" -name '*.obj' | grep -E "$late" | functions >"$work/late"
find "$build" -name '*.obj' | grep -Ev "$late" | functions >"$work/early"
comm -23 "$work/late" "$work/early" >"$work/more"

features='--enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals'
case $name in *threads*) features="$features --enable-threads" ;; esac
# it warns of each function that the linker left out
# shellcheck disable=SC2086
wasm-split $features --split "$build/studio/wasm/$name.wasm" --split-funcs="@$work/more" \
    -o1 "$work/$name.wasm" -o2 "$work/$name-more.wasm" 2>"$work/warnings" || {
    cat "$work/warnings" >&2
    exit 1
}
for part in "$name" "$name-more"; do
    # shellcheck disable=SC2086
    wasm-opt $features --strip-debug --strip-producers -Oz "$work/$part.wasm" -o "$out/$part.wasm"
done
