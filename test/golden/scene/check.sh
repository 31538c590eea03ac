#!/bin/sh
# SPDX-License-Identifier: MIT
# rows.c is scene wadi with the changes of changes.txt, and `wadi run` of that prints the same hash as
# golden_scene.
#   check.sh SOURCE_DIRECTORY PRINT_PROGRAM WADI
set -eu
source=$1
print=$2
wadi=$3
here=$source/test/golden/scene
scene=$source/scenes/wadi.yaml
expected=$(cat "$source/test/golden/scene.txt")
"$here/rows.sh" "$print" "$scene" | diff "$here/rows.c" - || {
    echo "rows.c is not scenes/wadi.yaml any more: run make golden"
    exit 1
}
set --
while read -r change; do
    set -- "$@" --set "$change"
done <"$here/changes.txt"
rm -rf out
set -- "$@" --set render.width=16 --set render.samples=1 --threads 2
"$wadi" run "$scene" -o out "$@" >said
grep -q "^state *$expected\$" said || { grep ^state said; echo "wadi run: not $expected"; exit 1; }

rm -rf out said
