#!/bin/sh
# SPDX-License-Identifier: MIT
# No function over 70 lines, no file over 800, the licence in every first line; and how long
# functions are: half of the library's at most 12 lines, and 95 % at most 27. Those of tests may be
# longer, as many prepare, run and check something in turn.
#   layout.sh SOURCE_DIRECTORY       needs universal-ctags
set -eu
cd "$1"
status=0

functions=$(git ls-files 'src/*.[ch]' 'io/*.[ch]' 'cli/*.[ch]' 'test/*.[ch]' 'examples/*.c' 'studio/*.[ch]' |
    ctags -L - -f - --c-kinds=f --fields=+ne --excmd=number |
    awk -F'\t' '{ for (i = 4; i <= NF; ++i) { if ($i ~ /^line:/) b = substr($i, 6);
                                             if ($i ~ /^end:/) e = substr($i, 5) }
                  print e - b + 1, $2 ":" $1 }' | sort -n)
long=$(echo "$functions" | awk '$1 > 70')
[ -z "$long" ] || { echo "functions over 70 lines:"; echo "$long"; status=1; }

for file in $(git ls-files '*.c' '*.h' '*.cpp'); do
    [ "$(wc -l <"$file")" -le 800 ] || { echo "$file has more than 800 lines"; status=1; }
    head -1 "$file" | grep -q '^// SPDX-License-Identifier: MIT$' ||
        { echo "$file does not begin with its licence"; status=1; }
done

# NAME PATTERN: median and 95 % of the functions whose place has the pattern
lengths() {
    echo "$functions" | grep "$2" | awk -v name="$1" '{ n[NR] = $1 }
        END { printf "%d functions %s: median %d lines, 95 %% <= %d\n",
              NR, name, n[int((NR + 1) / 2)], n[int(0.95 * NR)] }'
}
lengths "in src" " src/"
lengths "in io, cli, studio and examples" " \(io\|cli\|studio\|examples\)/"
lengths "in test" " test/"
lengths "in all" "."
echo "$functions" | grep " src/" | awk '{ n[NR] = $1 }
    END { exit n[int((NR + 1) / 2)] > 12 || n[int(0.95 * NR)] > 27 }' ||
    { echo "functions in src have become longer: split those that do two things"; status=1; }
exit $status
