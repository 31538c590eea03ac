#!/bin/sh
# SPDX-License-Identifier: MIT
# Run a command with Node 20.19 or later, which the page's builder needs. An older one, such as that
# of Debian 12, fetches a newer one by npm into build/node.
#   with-node.sh COMMAND...
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

is_new() {
    "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number);
             process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null
}

if ! is_new node; then
    own=$root/build/node/node_modules/node/bin
    is_new "$own/node" || npm install --silent --no-save --prefix "$root/build/node" node@22 >&2
    PATH=$own:$PATH
    export PATH
fi
exec "$@"
