#!/bin/sh
# SPDX-License-Identifier: MIT
# Put the add-on and the package of a wheel into one zip, which Blender installs, and test it in Blender without a display.
#   package.sh BUILD_DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$build/blender
wheel=$(ls "$build"/python/wheel/wadi-*.whl)
version=$(basename "$wheel" | cut -d- -f2)
rm -rf "$work"
mkdir -p "$work/home"
cp -R "$here/wadi_blender" "$work/wadi_blender"
rm -rf "$work/wadi_blender/__pycache__"
python3 -m zipfile -e "$wheel" "$work/wheel"
mv "$work/wheel/wadi" "$work/wadi_blender/wadi"
cp "$here/../../LICENSE" "$work/wadi_blender/"
(cd "$work" && python3 -m zipfile -c "wadi_blender-$version.zip" wadi_blender)
rm -rf "$work/wheel"
echo "add-on: $work/wadi_blender-$version.zip"

command=
[ ! -x "$build/cli/wadi" ] || command=$build/cli/wadi
WADI_ADDON="$work/wadi_blender-$version.zip" WADI_COMMAND="$command" HOME="$work/home" BLENDER_USER_RESOURCES="$work/home" \
    PYTHONDONTWRITEBYTECODE=1 \
    blender --background --factory-startup --python-exit-code 1 --python "$here/tests/test_addon.py" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
grep -E '^(Ran|OK)' "$work/log"
