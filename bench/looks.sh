#!/bin/sh
# SPDX-License-Identifier: MIT
# Does eroded noise look like nature? One row a run, as a Markdown table.
#
#   bench/looks.sh [KIND:SEED ...]     BUILD=folder or WADI=file picks another wadi, SIZE=256x256 another size
#
# Runs seeds 1-10 of fBm and of ridged noise, or those named (fbm:3 ridged:7): 512 x 512 cells of
# 30 m, everything at its default, measured by `wadi judge land`. An entry that misses its gate is in
# bold. Ends with 1 if there is one.
set -eu
[ $# -gt 0 ] || set -- $(for kind in fbm ridged; do seq -f "$kind:%g" 10; done)
cd "$(dirname "$0")/.."
wadi=${WADI:-${BUILD:-build/release}/cli/wadi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# one row of `wadi judge land`: names, gates, or values, of measures that have a gate
row() {
    sed -n 's/^\([a-z_0-9]*\)  *\([-0-9.e+]*\|none\).*  *\(ok\|FAILED\)  *\([<>]= [-0-9.]*\|[-0-9.]* to [-0-9.]*\).*/\1\t\2\t\3\t\4/p' "$work/said" |
        awk -F '\t' -v what="$1" -v head="$2" '
            BEGIN { printf "| %s |", head }
            what == "name" { printf " %s |", $1 }
            what == "gate" { printf " %s |", $4 }
            what == "value" { printf (($3 == "ok") ? " %s |" : " **%s** |"), $2 }
            END { print "" }'
}

status=0
passed=0
for land in "$@"; do
    kind=${land%:*}
    seed=${land#*:}
    "$wadi" synth --kind "$kind" --seed "$seed" --size "${SIZE:-512x512}" -o "$work/before.tif" >/dev/null
    "$wadi" erode hydraulic "$work/before.tif" -o "$work/after.tif" --seed "$seed" --progress none >/dev/null
    "$wadi" judge land "$work/after.tif" --before "$work/before.tif" >"$work/said"
    if [ "$land" = "$1" ]; then
        row name run
        row name '' | sed 's/[^|]\{1,\}/ --- /g'
        row gate gate
    fi
    row value "$kind $seed"
    if grep -q ' FAILED ' "$work/said"; then status=1; else passed=$((passed + 1)); fi
done
printf '\n%d of %d runs meet every gate.\n' "$passed" $#
exit $status
