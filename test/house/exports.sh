#!/bin/sh
# SPDX-License-Identifier: MIT
# The shared library exports each function of the public headers, and nothing but wadi_*. It is loaded by
# a name with the major version, before 1.0 with the minor version too. The Release library calls
# nothing that ends the program, prints, or draws random numbers.
#   exports.sh SHARED_LIBRARY STATIC_LIBRARY INCLUDE_DIRECTORY
#   exports.sh DLL OBJDUMP INCLUDE_DIRECTORY       of Windows: its exports only
set -eu
status=0

case $1 in
*.dll) exported=$("$2" -p "$1" | awk '/^.Ordinal.Name Pointer/ { on = 1; next } NF == 0 { on = 0 } on { print $NF }') ;;
*) exported=$(nm -D --defined-only "$1" | awk '{print $NF}') ;;
esac
if echo "$exported" | grep -v '^wadi_'; then
    echo "$1 exports the names above; mark them static or keep them hidden"
    status=1
fi

# the name before the first bracket of each declaration; one without WADI_API would be hidden
declared=$(cat "$3"/wadi/*.h | sed 's,//.*,,' | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*WADI_API [^(=]*[ *]\(wadi_[a-z0-9_]*\)\(\[\]\)* *\((.*\)*$/\1/p' | sort -u)
[ "$(echo "$declared" | wc -l)" -gt 100 ] || { echo "too few declarations were found"; status=1; }
for name in $declared; do
    echo "$exported" | grep -qx "$name" || { echo "$1 does not export $name"; status=1; }
done

case $1 in
*.dll) exit $status ;;
esac

version() {
    sed -n "s/^#define WADI_VERSION_$1 //p" "$2/wadi/version.h"
}
major=$(version MAJOR "$3")
abi=$major
[ "$major" -gt 0 ] || abi=0.$(version MINOR "$3")
soname=$(readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ "$soname" = "libwadi.so.$abi" ] || { echo "$1 has the SONAME $soname, not libwadi.so.$abi"; status=1; }

forbidden='^(_?exit|abort|v?f?printf|puts|putchar|perror|s?rand|random|__assert_fail|fopen|open)$'
if nm -u "$2" | awk '{print $NF}' | sort -u | grep -E "$forbidden"; then
    echo "$2 calls the functions above; return an error instead"
    status=1
fi
exit $status
