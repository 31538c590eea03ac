#!/bin/sh
# SPDX-License-Identifier: MIT
# Does eroded noise look like nature? One row a run, as a Markdown table.
#
#   bench/looks.sh METRICS.py      BUILD=folder picks another build than build/release
#
# METRICS.py FILE --json prints geomorphometric measures of one elevation file as a JSON object.
# Runs seeds 1-10 of fBm and of ridged noise, 512 x 512 cells of 30 m, everything at its default.
# An entry outside its target is in bold. Ends with 0 however the measures fall: it measures.
# Needs python3-gdal and python3-numpy.
set -eu
[ $# -eq 1 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
metrics=$(realpath "$1")
cd "$(dirname "$0")/.."
wadi=${BUILD:-build/release}/cli/wadi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for kind in fbm ridged; do
    for seed in $(seq 10); do
        "$wadi" synth --kind $kind --seed "$seed" -o "$work/before.tif" >/dev/null
        run=$work/$kind\ $seed
        "$wadi" erode hydraulic "$work/before.tif" -o "$run.tif" --seed "$seed" >/dev/null
        /usr/bin/python3 "$metrics" "$run.tif" --json > "$run.json"
    done
done
/usr/bin/python3 bench/looks.py "$work"/fbm*.tif "$work"/ridged*.tif
