#!/bin/sh
# SPDX-License-Identifier: MIT
# ranks.sh WADI_MPI [TURNS]: processor time of slides on 1, 2 and 4 MPI ranks of this machine, in turns, and
# their overhead over 1. Ranks that wait give their core away, so other work beside them does
# not count; what they poll for meanwhile does.
set -eu
mpi=$1
turns=${2:-5}
mpiexec=mpiexec
# shellcheck source=distributed/mpi_setup.sh
. "$(dirname "$0")/../distributed/mpi_setup.sh"
cat >scene.yaml <<'END'
wadi: 1
seed: 5
terrain:
  size: [2048, 2048]
  cell: 10 m
  noise: {relief: 1500 m, wavelength: 4000 m}
steps:
  - talus: {sweeps: 200, for: 500 yr}
END
seconds() { # of processor time: "0m1.250s" as seconds
    echo "$1" | awk -F'[ms]' '{ print 60 * $1 + $2 }'
}
for turn in $(seq "$turns"); do
    for ranks in 1 2 4; do
        # the second line of `times` is of the children
        # shellcheck disable=SC2046
        set -- $(sh -c 'mpiexec -n "$0" "$1" run scene.yaml -o out --save-every 1000000 >/dev/null; times' \
            "$ranks" "$mpi" | tail -1)
        echo "$ranks $(seconds "$1") $(seconds "$2")"
    done
done | awk '{ n[$1]++; user[$1] += $2; kernel[$1] += $3 }
    END { for (i = 1; i <= 4; i *= 2)
              printf "%d ranks: user %.2f s (%+.1f %%), system %.2f s\n", i, user[i] / n[i],
                     100 * (user[i] / n[i] / (user[1] / n[1]) - 1), kernel[i] / n[i] }'
