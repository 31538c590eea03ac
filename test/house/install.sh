#!/bin/sh
# SPDX-License-Identifier: MIT
# An installed tree serves find_package() and pkg-config, static and shared, from any place.
#   install.sh SOURCE_DIRECTORY BUILD_DIRECTORY C_COMPILER
set -eu
source=$1
build=$2
cc=$3
tree=$PWD/tree
moved=$PWD/moved
rm -rf "$tree" "$moved" consumer

cmake --install "$build" --prefix "$tree" >/dev/null
mv "$tree" "$moved"
test -f "$moved/include/wadi/wadi.h"

cmake -S "$source/test/house/consumer" -B consumer -DCMAKE_PREFIX_PATH="$moved" \
    -DCMAKE_C_COMPILER="$cc" -DEXAMPLE="$source/examples/embed.c" >/dev/null
cmake --build consumer >/dev/null
./consumer/embed_static >by_cmake_static
./consumer/embed_shared >by_cmake_shared

PKG_CONFIG_PATH=$(find "$moved" -name pkgconfig)
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
"$cc" -std=c17 "$source/examples/embed.c" $(pkg-config --cflags --libs wadi) -lm -o embed_shared
./embed_shared >by_pkg_config_shared
"$cc" -std=c17 "$source/examples/embed.c" $(pkg-config --cflags wadi) -Wl,-Bstatic \
    $(pkg-config --libs wadi) -Wl,-Bdynamic $(pkg-config --static --libs wadi | sed 's/-lwadi//') \
    -o embed_static
LD_LIBRARY_PATH= ./embed_static >by_pkg_config_static

test -s by_cmake_static
for output in by_cmake_shared by_pkg_config_shared by_pkg_config_static; do
    cmp by_cmake_static "$output"
done
echo 'four builds of examples/embed.c print the same'
