#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, as C17 and, where there is a C++ compiler, as C++17.
#   headers.sh INCLUDE_DIRECTORY C_COMPILER
set -eu
include=$1
cc=$2
warnings='-Wall -Wextra -Wpedantic -Werror -fsyntax-only'

for header in "$include"/wadi/*.h; do
    line="#include <wadi/$(basename "$header")>"
    # a header of macros alone would leave nothing to compile
    printf '%s\ntypedef int something;\n' "$line" | "$cc" -std=c17 $warnings -I"$include" -x c -
    for cxx in g++ clang++; do
        if command -v "$cxx" >/dev/null; then
            printf '%s\ntypedef int something;\n' "$line" | "$cxx" -std=c++17 $warnings -I"$include" -x c++ -
        fi
    done
    echo "$line compiles alone"
done
