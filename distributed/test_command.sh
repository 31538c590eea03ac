#!/bin/sh
# SPDX-License-Identifier: MIT
# test_command.sh WADI WADI_MPI MPIEXEC: whole scenes on 1, 2 and 4 ranks have the state and the maps of
# wadi run, with open and periodic edges; states go on with any number of ranks, in files and on
# the whole grid; a rank that dies, a full disk and a cut state are told, and the last state stays.
set -eu
wadi=$1
mpi=$2
mpiexec=$3
source=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=distributed/mpi_setup.sh
. "$(dirname "$0")/mpi_setup.sh"

ranks() { # COUNT arguments...
    count=$1
    shift
    start "$count" "$mpi" run "$@"
}
state() {
    sed -n '/^state /p'
}
maps() { # FOLDER: the maps of the plain run
    for map in plain/*.tif; do
        "$wadi" diff "$map" "$1/${map##*/}" >/dev/null || { echo "$1: another ${map##*/}"; exit 1; }
    done
}
expect() { # COMMAND...: fails with $text
    if "$@" >said 2>&1; then echo "should fail: $*"; exit 1; fi
    grep -q -e "$text" said || { cat said; echo "lacks: $text"; exit 1; }
}

# ---- the same bits ------------------------------------------------------------------------------
# uplift, water, sea, slides, soil on a timeline; then an edit, slabs, a storm, waves, wind and dunes
# by fluxes
cat >land.txt <<'END'
wadi: 1
seed: 11
terrain:
  size: [250, 187]
  cell: 20 m
  sea_level: 60 m
  edges: {west: EDGE, east: EDGE}
  noise: {relief: 500 m, wavelength: 1500 m}
layers:
  sediment: {noise: {base: 0 m, relief: 3 m, wavelength: 400 m}}
timeline:
  tick: 100 yr
  end: 200 yr
  run:
    - uplift: {rate: 2 mm/yr}
    - hydraulic: {}
    - talus: {}
    - soil: {}
output:
  - {write: h.tif}
  - {write: d.tif, map: hydraulic.discharge}
END
cat >storm.txt <<'END'
wadi: 1
seed: 3
terrain:
  size: [187, 130]
  cell: 4 m
  sea_level: 10 m
  edges: {west: EDGE, east: EDGE}
  noise: {kind: fbm, relief: 30 m, wavelength: 300 m, octaves: 3}
layers:
  sediment: 3 m
  vegetation: 0.1
steps:
  - raise: {height: 8 m, circle: {x: 240 m, y: 300 m, radius: 100 m}, soft: 40 m}
  - dunes: {model: slab, direction: 300, slab_hop: 60 m, coarse_depth: 0.1, plant_growth: 3, plant_spread: 20 m/yr, shore_supply: 5, for: 0.5 yr}
  - hydraulic: {for: 20 yr}
  - flood: {model: inertial, rain: 40 mm/h, rain_duration: 0.05 h, for: 0.05 h}
  - coast: {for: 20 yr}
  - wind: {for: 0.2 yr}
  - dunes: {model: flux, direction: 250, for: 0.5 yr}
output:
  - {write: h.tif}
  - {write: w.tif, layer: water}
  - {write: f.tif, map: dunes.flux_x}
END
for scene in land storm; do
    for edge in open periodic; do
        sed "s/EDGE/$edge/g" $scene.txt >scene.yaml
        rm -rf plain
        "$wadi" run scene.yaml -o plain | state >hashes
        "$wadi" run scene.yaml -o parts --tiles 2x2 | state >>hashes
        for count in 1 2 4; do
            ranks $count scene.yaml -o ranks | state >>hashes
            maps ranks
        done
        test "$(wc -l <hashes)" = 5
        same hashes
    done
done

# masks and outputs of derived maps, the erosion index, reports and frames of grains: rank 0 gathers
# the whole grid
cat >maps.yaml <<'END'
wadi: 1
seed: 11
terrain:
  size: [250, 187]
  cell: 20 m
  sea_level: 60 m
  noise: {relief: 500 m, wavelength: 1500 m}
steps:
  - talus: {for: 200 yr, mask: {slope: {from: 20 deg, fade: 5 deg}}}
  - lower: {depth: 2 m, mask: {d8_area: {from: 20000}}}
  - report: way.json
  - hydraulic: {for: 40 kyr, until: 0.45, max_step: 500 yr}
output:
  - {write: h.tif}
  - {write: s.tif, map: slope}
  - {write: a.tif, map: d8_area}
END
rm -rf plain ranks
"$wadi" run maps.yaml -o plain --report plain/end.json >/dev/null
ranks 4 maps.yaml -o ranks --report ranks/end.json >said
grep -q '^  until          0.45: met after' said
maps ranks
for report in way end; do
    grep '"state_hash"' plain/$report.json >hashes
    grep '"state_hash"' ranks/$report.json | cmp hashes -
done
cp "$source/scenes/meshes/soil.obj" .
cat >grains.yaml <<'END'
wadi: 1
seed: 21
terrain: {size: [130, 125], cell: 0.1 m, noise: {relief: 1 m, wavelength: 6 m}}
steps:
  - earth: {for: 0.01 s, most: 300, soil: [{mesh: soil.obj}], series: [{render: a.png, every: 0.01 s, width: 160, height: 120}]}
END
rm -rf plain ranks
"$wadi" run grains.yaml -o plain >/dev/null
ranks 4 grains.yaml -o ranks >/dev/null
for frame in plain/*.png; do
    cmp "$frame" "ranks/${frame##*/}"
done
test "$(find ranks -name '*.png' | wc -l)" = 2

# ---- states -------------------------------------------------------------------------------------
cat >scene.yaml <<'END'
wadi: 1
seed: 5
terrain:
  size: [260, 250]
  cell: 10 m
  noise: {relief: 500 m, wavelength: 900 m}
timeline:
  tick: 50 yr
  end: 250 yr
  run:
    - talus: {}
    - uplift: {rate: 2 mm/yr}
    - soil: {}
output:
  - {checkpoint: state.nc, every: 100 yr}
  - {write: h.tif}
END
rm -rf plain hashes
"$wadi" run scene.yaml -o plain >/dev/null
"$wadi" run scene.yaml -o half --set timeline.end=100yr >/dev/null
ranks 2 scene.yaml -o ranks --resume half/state.nc | state >hashes
ranks 4 scene.yaml -o ranks --resume half/state.nc --windows 1x4 --threads 2 | state >>hashes
maps ranks

# a rank that dies while it runs ends all; the last state is whole, and goes on in every way
rank_of() { # FOLDER: a rank that runs into it
    ps -eo pid=,args= | awk -v what="$mpi run scene.yaml -o $folder/$1" \
        'index($0, what) && !/mpiexec|awk/ { print $1; exit }'
}
ranks 2 scene.yaml -o "$folder/killed" >said 2>&1 &
all=$!
while test ! -e killed/windows.state; do sleep 0.02; done
kill -9 "$(rank_of killed)"
if wait "$all"; then echo "a run without one of its ranks should fail"; exit 1; fi
# the launcher may be gone before the last rank is
while test -n "$(rank_of killed)"; do sleep 0.05; done
cp killed/windows.state kept.state
! grep -q '^state ' said || { echo "the run ended before its rank was killed"; exit 1; }
ranks 4 scene.yaml -o killed --resume kept.state | state >>hashes
maps killed
ranks 1 scene.yaml -o killed --resume kept.state | state >>hashes
"$wadi" run scene.yaml -o killed --tiles 2x2 --resume kept.state | state >>hashes
test "$(wc -l <hashes)" = 5
same hashes
"$wadi" run scene.yaml -o late --resume kept.state >/dev/null
maps late

# a signal to one rank stops all between two steps, with a state
ranks 2 scene.yaml -o "$folder/stopped" >said 2>&1 &
all=$!
while test ! -e stopped/windows.state; do sleep 0.02; done
kill -TERM "$(rank_of stopped)"
if wait "$all"; then echo "a stopped run should say so"; exit 1; fi
grep -q 'interrupted; the state is kept' said || { cat said; exit 1; }
ranks 4 scene.yaml -o stopped --resume stopped/windows.state | state >>hashes
same hashes
maps stopped

# ---- errors -------------------------------------------------------------------------------------
# files that cannot grow, as on a full disk: ranks must not need files of their own for messages
cp kept.state killed/windows.state
text='File too large'
expect env OMPI_MCA_btl=tcp,self "$mpiexec" -n 2 \
    sh -c 'ulimit -f 1000; exec "$0" run scene.yaml -o killed' "$mpi"
cmp kept.state killed/windows.state
text='the saved state ends too early'
head -c 500000 kept.state >cut.state
expect ranks 4 scene.yaml -o killed --resume cut.state
text='is damaged in block'
{ head -c 300000 kept.state; printf x; tail -c +300002 kept.state; } >wrong.state
expect ranks 4 scene.yaml -o killed --resume wrong.state
cmp kept.state killed/windows.state

once() { # what all ranks see is told once, and nothing is written
    expect ranks "$@"
    test "$(grep -c '^wadi: ' said)" = 1 || { cat said; echo "told more than once"; exit 1; }
    test ! -e no
}
text='the state of another scene'
expect ranks 2 scene.yaml -o other --set seed=6 --resume kept.state
text='cannot open scene .none.yaml'
once 2 none.yaml -o no
text='step 1, hydraulic, does not run in windows: it matures on coarser cells of the whole grid'
cat >whole.yaml <<'END'
wadi: 1
terrain: {size: [260, 250], cell: 10 m, noise: {}}
steps:
  - hydraulic: {mature: 4 kyr}
END
once 2 whole.yaml -o no
# a value that one rank alone finds ends all before the first step
{
    printf 'ncols 130\nnrows 130\nxllcorner 0\nyllcorner 0\ncellsize 10\n'
    awk 'BEGIN { for (i = 0; i < 16900; ++i) print i == 16899 ? 1e6 : 0.5 }'
} >bad.asc
"$wadi" convert bad.asc bad.tif >/dev/null
cat >late.yaml <<'END'
wadi: 1
terrain: {size: 130, cell: 10 m, noise: {}}
steps:
  - talus: {for: 100 yr}
  - uplift: {for: 1 yr, rate_map: bad.tif}
END
text='late.yaml:5:5: uplift: the map of uplift.rate is 1e+06 at column 129, row 129 but must lie in'
expect ranks 4 late.yaml -o early
test ! -e early/windows.state
text='--windows 2x2 on 3 ranks: each rank has one window'
once 3 scene.yaml -o no --windows 2x2
text='100 x 90 cells cannot be cut in 2 windows of 62 x 62 cells or more; use another number of ranks'
once 2 scene.yaml -o no --set 'terrain.size=[100, 90]'
text='run has no option .--tiles'
once 2 scene.yaml -o no --tiles 2x2
text='run: an argument is missing: wadi-mpi run SCENE'
once 2
ranks 4 scene.yaml --check >said
grep -q '^windows          2 x 2, [0-9]* MB each' said
"$mpi" --help | grep -q 'mpiexec -n 4 wadi-mpi run land.yaml -o out'
echo "scenes on ranks: the same bits"
