#!/bin/sh
# SPDX-License-Identifier: MIT
# The same dam of water in Wadi and in LAMMPS, one after the other on one core: particle steps per
# processor second, and their ratio. LAMMPS (GPL) comes from Debian, which leaves its package SPH
# out: that is built from Debian's source against Debian's library, in a temporary folder. It is
# run beside Wadi for the comparison and never linked.
#
#   bench/sph_lammps.sh [STEPS]    default 20: steps of LAMMPS
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build/release}
steps=${1:-20}

sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
# the compiler's wrapper may be there without the headers
if ! command -v lmp >/dev/null || ! echo '#include <mpi.h>' | mpicxx -E -x c++ - >/dev/null 2>&1; then
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -q install lammps libopenmpi-dev g++ >/dev/null
fi
cmake --build "$build" --target wadi >/dev/null
wadi=$PWD/$build/cli/wadi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# ---- LAMMPS with SPH -----------------------------------------------------------------------------

mkdir -p lists/partial cache/archives/partial lammps
echo 'deb-src http://deb.debian.org/debian bookworm main' > sources.list
apt="-q -o Dir::Etc::sourcelist=$work/sources.list -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists=$work/lists -o Dir::Cache=$work/cache -o APT::Sandbox::User=$(id -un)"
# shellcheck disable=SC2086 # several words
{ apt-get $apt update; apt-get $apt source --download-only lammps; } >/dev/null
tar -xJf lammps_*.orig.tar.xz -C lammps --strip-components=1 --wildcards '*/src/*.h' '*/src/SPH/*'
cat > main.cpp <<'END'
#include "atom.h"
#include "atom_vec_sph.h"
#include "fix_sph.h"
#include "force.h"
#include "input.h"
#include "lammps.h"
#include "modify.h"
#include "pair_sph_taitwater.h"
#include <mpi.h>
using namespace LAMMPS_NS;
static AtomVec* new_atoms(LAMMPS* l) { return new AtomVecSPH(l); }
static Pair* new_pair(LAMMPS* l) { return new PairSPHTaitwater(l); }
static Fix* new_fix(LAMMPS* l, int n, char** words) { return new FixSPH(l, n, words); }
int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    {
        LAMMPS lammps(argc, argv, MPI_COMM_WORLD);
        (*lammps.atom->avec_map)["sph"] = new_atoms;
        (*lammps.force->pair_map)["sph/taitwater"] = new_pair;
        (*lammps.modify->fix_map)["sph"] = new_fix;
        lammps.input->file();
    }
    MPI_Finalize();
}
END
sph=lammps/src/SPH
mpicxx -std=c++11 -O3 -march=native -w -Ilammps/src -I$sph main.cpp $sph/atom_vec_sph.cpp $sph/fix_sph.cpp \
    $sph/pair_sph_taitwater.cpp -l:liblammps.so.0 -o lmp_sph

# ---- both ----------------------------------------------------------------------------------------

# NAME SMOOTHING: the dam of `wadi bench sph`, 131 072 particles of 2 cm, in free fall: no walls to pay
lammps() {
    cat > "$1.in" <<END
units si
atom_style sph
boundary s s s
newton on
comm_modify vel yes
lattice sc 0.02 origin 0.5 0.5 0.5
region block block 0 64 0 32 0 64
region world block -4 68 -4 36 -4 68
create_box 1 world
create_atoms 1 region block
mass 1 0.008
set group all sph/rho 1000
pair_style sph/taitwater
pair_coeff * * 1000.0 70.87 0.1 $(awk -v s="$2" 'BEGIN { print 0.04 * s }')
neighbor 0.004 bin
neigh_modify delay 0 every 1 check yes
fix pull all gravity 9.81 vector 0 0 -1
fix move all sph
timestep 5e-5
thermo 1000000
run 2
run $steps
END
    OMP_NUM_THREADS=1 ./lmp_sph -in "$1.in" -log "$1.log" >/dev/null
    awk '/^Loop time/ { loop = $4; steps = $9; atoms = $12 } /CPU use/ { use = $1 + 0 }
         END { printf "%.4g\n", steps * atoms / (loop * use / 100) }' "$1.log"
}

"$wadi" bench sph --json > wadi.json
for case in wide,1.79 narrow,1.2; do
    name=${case%,*}
    here=$(python3 -c "import json, sys
print(*(r['value'] for r in json.load(open('wadi.json'))['rows']
        if (r['case'], r['threads'], r['metric']) == (sys.argv[1], 1, 'steps_per_cpu')))" "$name")
    there=$(lammps "$name" "${case#*,}")
    awk -v n="$name" -v a="$here" -v b="$there" \
        'BEGIN { printf "%s,131072,wadi %.3g,lammps %.3g,ratio %.2f\n", n, a, b, a / b }'
done
