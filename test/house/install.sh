#!/bin/sh
# SPDX-License-Identifier: MIT
# An installed tree serves find_package() and pkg-config, static and shared, from any place, and whether
# libraries are in lib, lib64 or a folder for the architecture.
#   install.sh SOURCE_DIRECTORY BUILD_DIRECTORY C_COMPILER
set -eu
source=$1
build=$2
cc=$3
tree=$PWD/tree
moved=$PWD/moved
rm -rf "$tree" "$moved" consumer layout.*

number() {
    sed -n "s/^#define WADI_VERSION_$1 //p" "$source/include/wadi/version.h"
}
version=$(number MAJOR).$(number MINOR).$(number PATCH)

# Build examples/embed.c twice by find_package() against the tree $1, found by the further arguments.
by_cmake() {
    cmake -S "$source/test/house/consumer" -B "$1/consumer" -DCMAKE_C_COMPILER="$cc" \
        -DEXAMPLE="$source/examples/embed.c" -DWANTED="${version%.*}" "$2" >/dev/null
    cmake --build "$1/consumer" >/dev/null
}

# Build examples/embed.c against the shared library by pkg-config and run it.
by_pkg_config() {
    "$cc" -std=c17 "$source/examples/embed.c" $(pkg-config --cflags --libs wadi) -lm -o embed_shared
    ./embed_shared
}

cmake --install "$build" --prefix "$tree" >/dev/null
mv "$tree" "$moved"
test -f "$moved/include/wadi/wadi.h"

by_cmake "$moved" -DCMAKE_PREFIX_PATH="$moved"
"$moved/consumer/embed_static" >by_cmake_static
"$moved/consumer/embed_shared" >by_cmake_shared

PKG_CONFIG_PATH=$(find "$moved" -name pkgconfig)
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
test "$(pkg-config --modversion wadi)" = "$version"
by_pkg_config >by_pkg_config_shared
"$cc" -std=c17 "$source/examples/embed.c" $(pkg-config --cflags wadi) -Wl,-Bstatic \
    $(pkg-config --libs wadi) -Wl,-Bdynamic $(pkg-config --static --libs wadi | sed 's/-lwadi//') \
    -o embed_static
LD_LIBRARY_PATH= ./embed_static >by_pkg_config_static

# the program asks for a name with the minor version, and a library of that name is installed
wanted=$(readelf -d embed_shared | sed -n 's/.*(NEEDED).*\[\(libwadi.*\)\]/\1/p')
test -f "$LD_LIBRARY_PATH/$wanted"

# other folders for libraries: the same binaries, installed by a build that is only configured
for libdir in lib64 lib/x86_64-linux-gnu; do
    layout=$PWD/layout.$(echo "$libdir" | tr / .)
    cmake -S "$source" -B "$layout.build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_INSTALL_LIBDIR="$libdir" \
        -DWADI_TOOLS=OFF -DWADI_TESTS=OFF -DWADI_EXAMPLES=OFF >/dev/null
    cp -P "$build"/src/libwadi.* "$layout.build/src/"
    cmake --install "$layout.build" --prefix "$layout" >/dev/null
    PKG_CONFIG_PATH=$layout/$libdir/pkgconfig
    LD_LIBRARY_PATH=$layout/$libdir
    test "$(cd "$(pkg-config --variable=libdir wadi)" && pwd)" = "$layout/$libdir"
    test "$(cd "$(pkg-config --variable=includedir wadi)" && pwd)" = "$layout/include"
    by_pkg_config >"by_pkg_config_$(basename "$libdir")"
    by_cmake "$layout" -Dwadi_DIR="$layout/$libdir/cmake/wadi"
    "$layout/consumer/embed_static" >"by_cmake_$(basename "$libdir")"
done

test -s by_cmake_static
for output in by_*; do
    cmp by_cmake_static "$output"
done
echo "$(ls by_* | wc -l) builds of examples/embed.c print the same"
