#!/bin/sh
# SPDX-License-Identifier: MIT
# Does eroded noise look like nature? One row a run, as a Markdown table.
#
#   bench/looks.sh [KIND:SEED ...]     BUILD=folder or WADI=file picks another wadi
#
# Runs seeds 1-10 of fBm and of ridged noise, or those named (fbm:3 ridged:7): 512 x 512 cells of
# 30 m, everything at its default. An entry outside its target is in bold. Ends with 1 if there is
# one. Needs python3-gdal, python3-scipy and a C compiler.
set -eu
[ $# -gt 0 ] || set -- $(for kind in fbm ridged; do seq -f "$kind:%g" 10; done)
cd "$(dirname "$0")/.."
wadi=${WADI:-${BUILD:-build/release}/cli/wadi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for land in "$@"; do
    kind=${land%:*}
    seed=${land#*:}
    "$wadi" synth --kind "$kind" --seed "$seed" -o "$work/before.tif" >/dev/null
    run=$work/$kind\ $seed
    "$wadi" erode hydraulic "$work/before.tif" -o "$run.tif" --seed "$seed" --progress none >/dev/null
done
"${CC:-cc}" -std=c17 -O2 -shared -fPIC bench/looks.c -o "$work/looks.so" -lm
/usr/bin/python3 bench/looks.py "$work/looks.so" "$work"/*\ *.tif
