#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzz for a few seconds, starting from the committed corpus.
#   smoke.sh HARNESS SECONDS
# The same inputs in the same order each time, so that a commit does not pass one day and fail the
# next; FUZZ_SEED=0 tries others each time.
# A crash leaves the input that caused it in fuzz-artifacts/; add it to the corpus with the fix.
set -eu
harness=$1
seconds=$2
here=$(cd "$(dirname "$0")" && pwd)
name=$(basename "$harness" | sed 's/^fuzz_//')
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
mkdir -p fuzz-artifacts

"$harness" -seed="${FUZZ_SEED:-1}" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix=fuzz-artifacts/ "$found" "$here/corpus/$name" >"$found.log" 2>&1 || {
    tail -40 "$found.log"
    exit 1
}
echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$found.log") inputs"
rm -f "$found.log"
