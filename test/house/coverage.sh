#!/bin/sh
# SPDX-License-Identifier: MIT
# Lines that tests have run, by file and by folder, after a run of the preset `coverage`.
#   coverage.sh REPOSITORY BUILD [LEAST]     files below LEAST % only; default 101: all
set -eu
repository=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
least=${3:-101}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# a header is counted in every file that includes it: its best count stands for it
# gcov fails on programs that are newer than their run; the rest counts all the same
find "$build" -name '*.gcda' -print0 | xargs -0 gcov -n >gcov.txt 2>/dev/null || true
awk -v root="$repository/" -v least="$least" '
    /^File / { file = substr($0, 7, length($0) - 7) }
    /^Lines executed:/ && index(file, root) == 1 {
        split($0, part, /[:%]| of /)
        name = substr(file, length(root) + 1)
        lines = part[length(part)]
        if (name ~ /^(src|io|cli)\// && part[2] * lines / 100 >= run[name]) {
            run[name] = part[2] * lines / 100
            all[name] = lines
        }
        file = ""
    }
    END {
        for (name in all) {
            folder = substr(name, 1, index(name, "/") - 1)
            folder_run[folder] += run[name]
            folder_all[folder] += all[name]
            if (100 * run[name] / all[name] < least)
                printf "%6.1f %%  %4d  %s\n", 100 * run[name] / all[name], all[name], name
        }
        for (folder in folder_all)
            printf "%6.1f %%  %4d  %s/ in all\n", 100 * folder_run[folder] / folder_all[folder],
                   folder_all[folder], folder | "sort -k4 >&2"
    }' gcov.txt | sort -n
