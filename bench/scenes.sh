#!/bin/bash
# SPDX-License-Identifier: MIT
# How long does each scene take? One row a scene: its name and the seconds of processor time of all
# threads, with noise, books, pictures and files.
#
#   bench/scenes.sh [NAME ...] >cli/scene_times.csv     WADI=file picks another wadi
#
# Without names all scenes of scenes/ are run, which takes half an hour. `wadi new --list` shows the
# rows of cli/scene_times.csv, rounded. Half of the rows there are estimates of
# `wadi run --check`, which were within a factor of 2.5 for all but one of the other half.
set -euo pipefail
cd "$(dirname "$0")/.."
wadi=${WADI:-build/release/cli/wadi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

[ $# -gt 0 ] || set -- $(basename -s .yaml scenes/*.yaml)
echo "scene,seconds"
for name in "$@"; do
    spent=$({ time "$wadi" run "scenes/$name.yaml" -o "$work/$name" >"$work/said" 2>&1; } 2>&1)
    awk -v name="$name" -v spent="$spent" 'BEGIN { split(spent, s, " "); printf "%s,%.2g\n", name, s[1] + s[2] }'
    rm -rf "${work:?}/$name"
done
