#!/bin/sh
# SPDX-License-Identifier: MIT
# test_mpi.sh PROGRAM MPIEXEC: 1, 2 and 4 ranks give the bits of the whole grid, with open and periodic
# edges, and go on from a state that another number of ranks has saved.
set -eu
program=$1
mpiexec=$2
# shellcheck source=distributed/mpi_setup.sh
. "$(dirname "$0")/mpi_setup.sh"

ranks() { # COUNT arguments...
    count=$1
    shift
    start "$count" "$program" "$@" 2>>said
}
for edge in open periodic; do
    rm -f hashes later
    ranks 1 0 0 $edge new whole.state >>hashes
    ranks 1 1 1 $edge new >>hashes
    ranks 2 2 1 $edge new two.state >>hashes
    ranks 2 1 2 $edge new >>hashes
    ranks 4 2 2 $edge new four.state >>hashes
    same hashes
    cmp whole.state two.state
    cmp whole.state four.state
    ranks 1 0 0 $edge whole.state >>later
    ranks 4 4 1 $edge two.state >>later
    ranks 2 1 2 $edge four.state >>later
    same later
done
# each number of rounds is below 2000
awk '/rounds/ && $1 >= 2000 { exit 1 }' said || { cat said; exit 1; }
# a rank that fails ends the others
if ranks 2 2 1 open missing.state; then exit 1; fi
grep -q 'no missing.state' said
if ranks 2 3 1 open new; then exit 1; fi
grep -q '3 x 1 windows on 2 ranks' said
echo "ranks: the same bits, $(grep -c rounds said) runs"
