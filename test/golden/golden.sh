#!/bin/sh
# SPDX-License-Identifier: MIT
# Compare what a golden program prints with the committed values.
#   golden.sh GOLDEN_TXT PROGRAM THREADS
# New values (make golden) need a changelog entry that names the physics they change.
set -eu
"$2" "$3" >"golden.$3.txt"
diff -u "$1" "golden.$3.txt" && echo "$(wc -l <"$1") hashes agree on $3 threads"
