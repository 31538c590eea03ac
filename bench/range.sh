#!/bin/sh
# SPDX-License-Identifier: MIT
# Does a range that rises under streams look like nature? The measures and gates of each seed.
#
#   bench/range.sh [SEED ...] [-- OPTION ...]     BUILD=folder or WADI=file picks another wadi
#
# An oblique ellipse rises by 0.8 mm/yr, unevenly, for 3 Myr from low fBm: 512 x 512 cells of 30 m,
# steps of 4 kyr, measured by `wadi judge land` with the plains left out. Options go to `wadi run`
# (--set hydraulic.preset=range). Ends with 1 if a gate is missed.
set -eu
seeds=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    seeds="$seeds $1"
    shift
done
[ $# -eq 0 ] || shift
here=$(cd "$(dirname "$0")/.." && pwd)
wadi=${WADI:-${BUILD:-$here/build/release}/cli/wadi}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/range.yaml" <<'SCENE'
wadi: 1
name: range
seed: 11
terrain:
  size: [512, 512]
  cell: 30 m
  edges: open
  noise: {relief: 60 m, wavelength: 3 km, base: 500 m}
timeline:
  tick: 4 kyr
  end: 3 Myr
  run:
    - uplift: {rate: 0 mm/yr, dome_rate: 0.8 mm/yr, dome_x: 7.7 km, dome_y: 7.7 km,
               dome_length: 12 km, dome_width: 7 km, dome_azimuth: 60, noise: 0.35,
               noise_wavelength: 2 km, max_step: 4 kyr}
    - hydraulic: {max_step: 4 kyr}
output:
  - {write: height.tif}
SCENE

status=0
for seed in ${seeds:-11 12 13}; do
    "$wadi" run "$work/range.yaml" --seed "$seed" -o "$work/out" --progress none "$@" >/dev/null
    echo "seed $seed"
    "$wadi" judge land "$work/out/height.tif" --plains mask --gates range >"$work/said" || true
    grep -E ' (ok|FAILED) |gates of' "$work/said" | cut -c1-53
    if grep -q ' FAILED ' "$work/said"; then status=1; fi
done
exit $status
