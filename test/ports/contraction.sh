#!/bin/sh
# SPDX-License-Identifier: MIT
# No instruction of the library rounds a * b + c once: its disassembly holds no fused multiply-add.
#   contraction.sh OBJDUMP LIBRARY [LINES]
# A file with fewer than so many lines of disassembly is not what was meant.
set -eu
"$1" -d --no-show-raw-insn "$2" >contraction.txt
lines=$(wc -l <contraction.txt)
[ "$lines" -gt "${3:-100000}" ] || { echo "only $lines lines of disassembly: not the library"; exit 1; }
# x86: vfmadd231ps and kin; ARM: fmadd, fmsub, fnmadd, fnmsub, fmla, fmls
if grep -m 10 -nwE 'vfn?m(add|sub|addsub|subadd)[0-9]+[ps][sd]|fn?m(add|sub)|fml[as]l?2?' contraction.txt; then
    echo "$2 has fused multiply-adds: see cmake/Flags.cmake for what turns them off"
    exit 1
fi
rm contraction.txt
echo "no fused multiply-add in $lines lines"
