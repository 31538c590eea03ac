#!/bin/sh
# SPDX-License-Identifier: MIT
# Compare what a golden program prints with the committed values.
#   golden.sh GOLDEN_TXT PROGRAM THREADS [EMULATOR...]
# New values (make golden) need a changelog entry that names the physics they change.
set -eu
golden=$1
program=$2
threads=$3
shift 3
carriage_return=$(printf '\r') # ends lines on Windows, before the newline
"$@" "$program" "$threads" | sed "s/$carriage_return\$//" | diff -u "$golden" - &&
    echo "$(wc -l <"$golden") hashes agree on $threads threads"
