#!/bin/sh
# SPDX-License-Identifier: MIT
# Run a command that must leave the source tree as it found it.
#   clean.sh SOURCE_DIRECTORY COMMAND...
set -u
source=$1
shift
if ! before=$(git -C "$source" status --porcelain 2>&1); then
    echo "no check for files left behind: git says $before"
    exec "$@"
fi
status=0
"$@" || status=$?
after=$(git -C "$source" status --porcelain)
if [ "$before" != "$after" ]; then
    echo "the source tree changed while '$1' ran; git status before and after:"
    printf '%s\n-- after:\n%s\n' "$before" "$after"
    [ "$status" -ne 0 ] || status=1
fi
exit "$status"
