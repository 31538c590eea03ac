#!/bin/sh
# SPDX-License-Identifier: MIT
# Make the examples of docs/engines.md anew: one small range for each engine.
#   make.sh WADI_COMMAND FOLDER
set -eu
cd "$2"
"$1" synth -o ground.tif --size 127x127 --cell 30m --seed 4 --set relief=900m --set wavelength=2km >/dev/null
"$1" erode talus ground.tif -o range.tif --for 20kyr >/dev/null
"$1" convert range.tif range-unreal.r16 --preset unreal
"$1" convert range.tif range-unity.r16 --preset unity
"$1" convert range.tif range-godot.exr --preset godot
rm ground.tif range.tif
