#!/bin/sh
# SPDX-License-Identifier: MIT
# Does eroded noise look like nature? One row a run, as a Markdown table.
#
#   bench/looks.sh METRICS.py [KIND:SEED ...]     BUILD=folder or WADI=file picks another wadi
#
# METRICS.py FILE --json prints geomorphometric measures of one elevation file as a JSON object.
# Runs seeds 1-10 of fBm and of ridged noise, or those named (fbm:3 ridged:7): 512 x 512 cells of
# 30 m, everything at its default. An entry outside its target is in bold. Ends with 1 if there is
# one. Needs python3-gdal and python3-numpy.
set -eu
[ $# -ge 1 ] || { sed -n '3,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
metrics=$(realpath "$1")
shift
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
    /usr/bin/python3 "$metrics" "$run.tif" --json > "$run.json"
done
/usr/bin/python3 bench/looks.py "$work"/*\ *.tif
