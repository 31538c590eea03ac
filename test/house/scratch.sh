#!/bin/sh
# SPDX-License-Identifier: MIT
# Test programs leave nothing where they are started, nor in the folder of temporary files; and
# clean.sh, which watches over the source tree while tests run, fails when something is left.
#   scratch.sh PROGRAM...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/tmp" "$work/cwd"
cd "$work/cwd"
for program in "$@"; do
    TMPDIR=$work/tmp "$program" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
    left=$(find "$work/tmp" "$work/cwd" -mindepth 1)
    [ -z "$left" ] || { echo "$program leaves $left"; exit 1; }
done

git init -q "$work/tree"
"$here/clean.sh" "$work/tree" true
! "$here/clean.sh" "$work/tree" false || exit 1
! "$here/clean.sh" "$work/tree" touch "$work/tree/left" >"$work/said" || exit 1
grep -q '?? left' "$work/said"
