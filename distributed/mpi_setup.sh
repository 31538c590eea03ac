# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154,SC2164
# Sourced by what runs ranks on this machine, with the launcher in $mpiexec: a folder of its own, which is
# deleted at the end, and what Open MPI needs where there are fewer cores than ranks.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# Open MPI polls; on few cores ranks must let others run. Root is allowed, as in containers.
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1

start() { # COUNT program arguments...
    start_count=$1
    shift
    "$mpiexec" -n "$start_count" "$@"
}
same() { # FILE: one line, however often
    test "$(sort -u "$1" | wc -l)" = 1 || { cat "$1"; echo "$1: other bits"; exit 1; }
}
