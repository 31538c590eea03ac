#!/bin/sh
# SPDX-License-Identifier: MIT
# The same grains in Wadi and in LAMMPS, one after the other on one core: particle steps per
# processor second, and their ratio. LAMMPS (GPL) comes from Debian, is run beside Wadi for the
# comparison and never linked.
#
#   bench/landslide_lammps.sh [SIDE TILES STEPS]    default 20 4 60: 20^3 grains settle, 4 x 4 beds side by side
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}
side=${1:-20} tiles=${2:-4} steps=${3:-60}

if ! command -v lmp >/dev/null; then
    sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -q install lammps >/dev/null
fi
cmake --build "$build" --target wadi_static >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -Iinclude -I. bench/landslide_lammps.c cli/bench/bench_column.c "$build/src/libwadi.a" \
    -lm -lpthread -o "$work/run"
"$work/run" "$side" "$tiles" "$steps" "$work" > "$work/wadi"

# NAME BOUNDARY PAIR: the laws of bench_column_sand(), damping 1500 /s times the reduced mass
lammps() {
    cat > "$work/$1.in" <<END
units si
atom_style sphere
boundary $2 $2 f
newton off
comm_modify vel yes
read_data $work/${1%_rolling}.data
$3
neighbor 0.005 bin
neigh_modify delay 0 every 1 check yes
fix floor all wall/gran $4 zplane 0.0 NULL
fix pull all gravity 9.81 vector 0 0 -1
fix move all nve/sphere
timestep 5e-5
thermo 1000000
run 20
run $5
END
    OMP_NUM_THREADS=1 lmp -in "$work/$1.in" -log "$work/$1.log" >/dev/null
    awk '/^Loop time/ { loop = $4; steps = $9; atoms = $12 } /CPU use/ { use = $1 + 0 }
         END { printf "%.4g\n", steps * atoms / (loop * use / 100) }' "$work/$1.log"
}

hooke='hooke/history 50000 14285.714 1500 428.57 0.5 1'
rolling='hooke 50000 1500 tangential linear_history 14285.714 0.2857 0.5 rolling sds 14285.714 0.6 0.1 damping mass_velocity'
while read -r name grains _ here; do
    work_steps=$((steps * (side * side * side * tiles * tiles) / grains))
    case $name in settled*) boundary=p ;; *) boundary=s ;; esac
    case $name in
        *_rolling) there=$(lammps "$name" $boundary "pair_style granular
pair_coeff * * $rolling" "granular $rolling" $work_steps) ;;
        *) there=$(lammps "$name" $boundary "pair_style gran/$hooke
pair_coeff * *" "$hooke" $work_steps) ;;
    esac
    awk -v n="$name" -v g="$grains" -v a="$here" -v b="$there" \
        'BEGIN { printf "%s,%d,wadi %.3g,lammps %.3g,ratio %.2f\n", n, g, a, b, a / b }'
done < "$work/wadi"
