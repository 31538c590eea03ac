#!/bin/sh
# SPDX-License-Identifier: MIT
# Print rows.c.
#   rows.sh PRINT_PROGRAM SCENE
set -eu
print=$1
scene=$2
set --
while read -r change; do
    set -- "$@" "$change"
done <"$(dirname "$0")/changes.txt"
exec "$print" "$scene" "$@"
