#!/bin/sh
# SPDX-License-Identifier: MIT
# Make a wheel of the staged package, install it in a bare virtual environment, and run the tests there:
# with no program in reach but its python, so that no compiler can be. mypy checks the type hints.
#   test.sh PYTHON BUILD_DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$2" && pwd)
work=$build/python
rm -rf "$work/wheel" "$work/run"
mkdir -p "$work/wheel" "$work/run"

quiet() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
quiet "$1" -m pip wheel --no-index --no-deps --no-build-isolation -w "$work/wheel" "$work/stage"
quiet "$1" -m venv --clear --system-site-packages "$work/venv"
quiet env -i PATH="$work/venv/bin" pip install --no-index "$work"/wheel/wadi-*.whl
wheel=$(ls "$work"/wheel/wadi-*.whl)
echo "wheel: $wheel ($(du -k "$wheel" | cut -f1) KiB)"

if command -v mypy >/dev/null; then
    (cd "$work/stage" && quiet mypy --cache-dir "$work/mypy" wadi)
fi

command=
[ ! -x "$build/cli/wadi" ] || command=$build/cli/wadi
cd "$work/run"
exec env -i PATH="$work/venv/bin" HOME="$work/run" LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=agg \
    WADI_COMMAND="$command" WADI_SOURCE="$(dirname "$here")" \
    python -W error::ResourceWarning -m unittest discover -s "$here/tests" -t "$here/tests"
