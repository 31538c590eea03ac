# SPDX-License-Identifier: MIT
# For the catalogue of bad inputs. Rows on standard input, STATUS|WORDS|ARGUMENTS: the command ends with
# that status and one line with those words, nothing is printed, and kept.tif stays as it was. The lines
# go to standard error, where the test's .err has them word for word.
echo precious >kept.tif
printf 'ncols 8\nnrows 8\nxllcorner 0\nyllcorner 0\ncellsize 10\n' >flat.asc
for _ in 1 2 3 4 5 6 7 8; do echo '5 5 5 5 5 5 5 5'; done >>flat.asc
refuse_rows()
{
    while IFS='|' read -r status words arguments
    do
        code=0
        # shellcheck disable=SC2086  # words are meant to split
        "$WADI" $arguments >out.txt 2>err.txt || code=$?
        if [ "$code" -ne "$status" ] || [ "$(wc -l <err.txt)" -ne 1 ] || ! grep -Fq -e "$words" err.txt ||
            [ -s out.txt ] || [ "$(cat kept.tif)" != precious ]
        then
            echo "wadi $arguments: status $code, expected $status and '$words', got:" >&2
            cat out.txt err.txt >&2
            exit 1
        fi
        cat err.txt >&2
    done
}
# The same for scenes: STATUS|WORDS|TEXT of the scene after its first line, with \n for line breaks.
refuse_scenes()
{
    while IFS='|' read -r status words text
    do
        printf 'wadi: 1\n%b\n' "$text" >scene.yaml
        echo "$status|$words|run scene.yaml -o out" | refuse_rows
    done
}
