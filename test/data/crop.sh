#!/bin/sh
# SPDX-License-Identifier: MIT
# Make every file of test/data and scenes/data that comes from a public data set again.
#   crop.sh FOLDER           write them to FOLDER
#   crop.sh --check FOLDER   and compare each with the file in the repository, to the byte
# Reads the whole data sets from $WADI_DATA, by default ../shared/data beside the repository. The
# committed files were made with gdal_translate of GDAL 3.6.2; other versions may compress otherwise.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
data=${WADI_DATA:-$here/../../../shared/data}
check=
[ "${1:-}" != --check ] || { check=yes; shift; }
[ $# = 1 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
to=$(cd "$1" && pwd)
cd "$data"

# crop PREDICTOR COLUMN,ROW,WIDTH,HEIGHT FROM TO: a window as GeoTIFF, cell values as they are
crop()
{
    # shellcheck disable=SC2046  # the window is four words
    GDAL_PAM_ENABLED=NO gdal_translate -q -co COMPRESS=DEFLATE -co PREDICTOR="$1" \
        -srcwin $(echo "$2" | tr , ' ') "$3" "$to/$4"
}

# the same of ESRI ASCII whose header lines are six, left as text
crop_text()
{
    awk -v window="$1" '
        BEGIN { split(window, w, ",") }
        NR == 1 { print $1, w[3]; next }
        NR == 2 { rows = $2; print $1, w[4]; next }
        NR == 5 { print x, corner_x + w[1] * $2; print y, corner_y + (rows - w[2] - w[4]) * $2 }
        NR == 3 { x = $1; corner_x = $2; next }
        NR == 4 { y = $1; corner_y = $2; next }
        NR < 7 { print; next }
        NR > 6 + w[2] && NR <= 6 + w[2] + w[4] {
            for (i = 1; i <= w[3]; ++i) printf "%s%s", $(w[1] + i), i < w[3] ? " " : "\n"
        }' "$2" >"$to/$3"
}

crop 2 640,704,256,256 dem/bernese-alps-srtm3-voids.tif bernese-alps-256.tif
crop 2 1024,1984,256,256 dem/taal-volcano-luzon-srtm3-2401.tif taal-256.tif
crop 2 800,1264,224,224 dem/taal-volcano-luzon-srtm3-2401.tif taal-coast-224.tif
crop 2 704,896,256,256 dem/pyrenees-srtm3/N42E001.hgt pyrenees-256.tif
crop 3 440,600,192,160 dem/new-zealand-1km-ocean-nan.tif new-zealand-192x160.tif
crop 3 80,150,128,128 dem/st-helens-crater-2004-10-04-10m-utm10.tif st-helens-128.tif
crop 3 48,178,160,208 dem/st-helens-crater-2004-10-04-10m-utm10.tif st-helens-dome-2004.tif
crop 3 48,178,160,208 dem/st-helens-crater-2007-07-05-10m-utm10.tif st-helens-dome-2007.tif
crop 3 200,200,192,192 dem/eno-river-10m-latlon.tif eno-river-192.tif
crop_text 100,240,150,120 dem/tidal-marsh-channel-2m.asc tidal-marsh-150x120.asc
GDAL_PAM_ENABLED=NO gdal_translate -q -of PNG -srcwin 384 512 257 257 \
    dem/puget-sound-heightmap16-160m.png "$to/puget-sound-257.png"
cp dem/bijou-gullies-5m.asc dem/rub-al-khali-star-dunes-30m.tif \
    landslide/washington-2021-pre-dem-10m.asc landslide/washington-2021-source-depth-10m.asc \
    landslide/washington-2021-observed-dod-10m.asc wind/taklamakan-era5land-2020-2021.csv \
    reference/saturated-sand-flux-wind-tunnel.csv reference/dam-break-front-position.csv "$to"

[ -n "$check" ] || exit 0
status=0
for file in "$to"/*
do
    name=${file##*/}
    [ -f "$here/$name" ] && kept=$here/$name || kept=$here/../../scenes/data/$name
    cmp "$file" "$kept" || status=1
done
exit $status
