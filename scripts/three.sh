#!/usr/bin/env bash
# Sees to it that the tests that hold our files against three.js have it, in .venv/three, or says that they will be
# skipped. Never fails the build.
set -uo pipefail
cd "$(dirname "$0")/.."
say() { echo "three.js: $*" >&2; }

from=tests/oracles/three
into=.venv/three
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    say "no Node here: the tests against three.js will be SKIPPED (sudo apt-get install nodejs npm)"
    exit 0
fi
if [ -d "$into/node_modules/three" ] && cmp -s "$from/package-lock.json" "$into/package-lock.json"; then
    exit 0
fi
mkdir -p "$into"
cp "$from/package.json" "$from/package-lock.json" "$into/"
if ! npm ci --prefix "$into" --ignore-scripts --no-audit --no-fund --silent >&2; then
    rm -rf "$into"
    say "could not be installed from the package registry: the tests against three.js will be SKIPPED"
fi
exit 0
