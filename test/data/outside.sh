#!/bin/sh
# SPDX-License-Identifier: MIT
# Find data sets that the repository does not carry; test/data/outside.sha256 lists them.
#   outside.sh FILE...    prints the folder that has all of them
# The folder is $WADI_DATA, by default ../shared/data beside the repository. Exit status 77 and a
# message for each file that is not there; 1 if a file has another checksum than the list.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
data=${WADI_DATA:-$here/../../../shared/data}
status=0
for file
do
    source=$(grep -B 1 "  $file\$" "$here/outside.sha256" | sed -n '1s/^# //p')
    sum=$(sed -n "s,  $file\$,,p" "$here/outside.sha256")
    [ -n "$sum" ] || { echo "$file is not listed in test/data/outside.sha256"; exit 1; }
    if [ ! -f "$data/$file" ]
    then
        echo "skipped: no $file in $data (WADI_DATA names another folder);" \
            "from: $source; sha256 $sum"
        [ $status = 1 ] || status=77
    elif [ "$(sha256sum <"$data/$file" | cut -c 1-64)" != "$sum" ]
    then
        echo "$data/$file has another checksum than test/data/outside.sha256"
        status=1
    fi
done
[ $status != 0 ] || (cd "$data" && pwd)
exit $status
