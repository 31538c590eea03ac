#!/bin/sh
# SPDX-License-Identifier: MIT
# Put the plugin into a zip, which QGIS installs, and test it in QGIS without a display.
#   package.sh PYTHON BUILD_DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$2" && pwd)
work=$build/qgis
rm -rf "$work"
mkdir -p "$work/home" "$work/plugins"
chmod 700 "$work/home"
cp -R "$here/wadi_qgis" "$work/plugins/"
rm -rf "$work/plugins/wadi_qgis/__pycache__"
cp "$here/../../LICENSE" "$work/plugins/wadi_qgis/"
(cd "$work/plugins" && "$1" -m zipfile -c ../wadi_qgis.zip wadi_qgis)
echo "plugin: $work/wadi_qgis.zip"

export HOME="$work/home" XDG_RUNTIME_DIR="$work/home" QT_QPA_PLATFORM=offscreen PYTHONDONTWRITEBYTECODE=1
export WADI_COMMAND="$build/cli/wadi" WADI_SOURCE="$here/../.."
PYTHONPATH="$work/plugins" "$1" "$here/tests/test_provider.py" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -E '^(Ran|OK)' "$work/log"

# once more by the way of a user without a window: the plugin is found, enabled, and runs
export QGIS_PLUGINPATH="$work/plugins"
"$WADI_COMMAND" synth -o "$work/dem.tif" --size 48x48 --cell 30m >/dev/null
# the wrapper of Debian 12 gives it an option that it does not know
process=$(command -v qgis_process.bin || command -v qgis_process)
{ "$process" plugins enable wadi_qgis && "$process" run wadi:hydraulic -- "INPUT=$work/dem.tif" YEARS=8000 \
    "OUTPUT=$work/out.tif"; } >"$work/log" 2>&1 && [ -s "$work/out.tif" ] || { cat "$work/log"; exit 1; }
echo 'qgis_process: wadi:hydraulic ran'
