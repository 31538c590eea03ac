#!/bin/sh
# SPDX-License-Identifier: MIT
# The committed examples are what the command writes, and docs/engines.md has their numbers.
#   check.sh WADI_COMMAND
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/make.sh" "$(realpath "$1")" "$work"
for file in range-unreal.r16 range-unity.r16
do
    cmp "$here/$file" "$work/$file"
done
"$1" diff "$here/range-godot.exr" "$work/range-godot.exr" >"$work/diff" || { cat "$work/diff"; exit 1; }

# number KEY FILE: what the sidecar says, as the page writes it
number() { sed -n "s/^ *\"$1\": \([-0-9.]*\),*$/\1/p" "$work/$2.json" | head -1; }
while read -r key file words
do
    value=$(printf '%.2f' "$(number "$key" "$file")")
    grep -Fq "| $words | $value" "$here/../../docs/engines.md" ||
        { echo "docs/engines.md has no '| $words | $value', the $key of $file"; exit 1; }
done <<'END'
scale_x range-unreal.r16 Scale X
scale_y range-unreal.r16 Scale Y
scale_z range-unreal.r16 Scale Z
location_z range-unreal.r16 Location Z
terrain_width range-unity.r16 Terrain Width
terrain_length range-unity.r16 Terrain Length
terrain_height range-unity.r16 Terrain Height
vertex_spacing range-godot.exr Vertex spacing
END
