#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports wadi_* and nothing else; the Release library calls nothing that ends
# the program, prints, or draws random numbers.
#   exports.sh SHARED_LIBRARY STATIC_LIBRARY
set -eu
status=0

exported=$(nm -D --defined-only "$1" | awk '{print $NF}')
if echo "$exported" | grep -v '^wadi_'; then
    echo "$1 exports the names above; mark them static or keep them hidden"
    status=1
fi
echo "$exported" | grep -q '^wadi_context_create$' || { echo "$1 exports no API"; status=1; }

forbidden='^(_?exit|abort|v?f?printf|puts|putchar|perror|s?rand|random|__assert_fail|fopen|open)$'
if nm -u "$2" | awk '{print $NF}' | sort -u | grep -E "$forbidden"; then
    echo "$2 calls the functions above; return an error instead"
    status=1
fi
exit $status
