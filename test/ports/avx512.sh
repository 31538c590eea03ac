#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels for AVX-512 use its registers: a flag that comes after theirs may turn them off unseen.
#   avx512.sh OBJDUMP LIBRARY
set -eu
lines=$("$1" -d --no-show-raw-insn "$2" | grep -c '%zmm') || true
[ "$lines" -gt 5000 ] || {
    echo "$lines lines of $2 use registers of AVX-512: see WADI_AVX512 in cmake/Flags.cmake"
    exit 1
}
echo "$lines lines with registers of AVX-512"
