#!/bin/sh
# SPDX-License-Identifier: MIT
# ctypes lays out every public struct as the C compiler does.
#   structs.sh PYTHON INCLUDE_DIRECTORY COMPILER
set -eu
"$1" -B "$(dirname "$0")/headers.py" --check "$2" >check.c
[ "$(grep -c _Static_assert check.c)" -gt 1000 ] || { echo "headers.py found too few members"; exit 1; }
"$3" -std=c17 -fsyntax-only -I"$2" check.c
rm check.c
