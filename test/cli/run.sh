#!/bin/sh
# SPDX-License-Identifier: MIT
# Run one command-line test in an empty directory of its own.
#
#   test/cli/NAME.test       shell script; $WADI is the command, $WADI_SOURCE_DIR the repository
#   test/cli/NAME.out        when there: the exact standard output
#   test/cli/NAME.err        when there: the exact standard error
# The script's exit status is the test's; WADI_UPDATE=1 writes the expected files anew.
set -eu
script=$1
expected=${script%.test}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export WADI WADI_SOURCE_DIR LC_ALL=C
: "${WADI:?names the command to test}"

mkdir "$work/cwd"
status=0
(cd "$work/cwd" && sh -eu "$script" >"$work/out" 2>"$work/err" </dev/null) || status=$?

for stream in out err; do
    if [ -e "$expected.$stream" ] && [ "${WADI_UPDATE:-0}" = 1 ]; then
        cp "$work/$stream" "$expected.$stream"
    elif [ -e "$expected.$stream" ]; then
        diff -u "$expected.$stream" "$work/$stream" || status=1
    fi
done
if [ "$status" -ne 0 ]; then
    echo "exit $status; standard output:"; cat "$work/out"
    echo "standard error:"; cat "$work/err"
fi
exit "$status"
