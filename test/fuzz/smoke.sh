#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzz for a few seconds, starting from the committed corpus.
#   smoke.sh HARNESS SECONDS
# The same inputs in the same order each time, and no more of them on a quicker machine (inputs.csv),
# so that a commit does not pass here and fail there; FUZZ_SEED=0 tries others each time, for all of
# the seconds.
# A crash leaves the input that caused it in fuzz-artifacts/; add it to the corpus with the fix.
set -eu
harness=$1
seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$harness" | sed 's/^fuzz_//')
found=$(mktemp -d)
seed=${FUZZ_SEED:-1}
inputs=$(sed -n "s/^$name,//p" "$here/inputs.csv")
[ "$seed" != 0 ] || inputs=-1
trap 'rm -rf "$found"' EXIT
mkdir -p fuzz-artifacts

"$harness" -seed="$seed" -runs="${inputs:?no line of $name in $here/inputs.csv}" -max_total_time="$seconds" \
    -timeout=30 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix=fuzz-artifacts/ "$found" "$here/corpus/$name" >"$found.log" 2>&1 || {
    tail -40 "$found.log"
    exit 1
}
echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log") inputs"
rm -f "$found.log"
