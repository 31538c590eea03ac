#!/bin/sh
# SPDX-License-Identifier: MIT
# Lines of shell tests that cannot fail. `set -e` ignores the status of `! a`, and that of `a` in
# `a && b`: write `! a || exit 1`, and `a` and `b` on lines of their own.
#   shell.sh SOURCE_DIRECTORY
set -eu
cd "$1"
blind=$(find test -name '*.test' -o -name '*.sh' | sort |
    xargs grep -nE '^ *(! |([^ ]+\) )?(\[|grep|cmp) .* && )' |
    grep -vE '\|\||then$|&& [a-z_]+=[^ ]*$' || true)
[ -z "$blind" ] || { echo "these lines of tests cannot fail (test/house/shell.sh):"; echo "$blind"; exit 1; }
