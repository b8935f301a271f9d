#!/usr/bin/env bash
# Sees to it that the tests that hold our files against Blender have one, or says that they will be skipped. Never fails
# the build.
set -uo pipefail
say() { echo "blender: $*" >&2; }

for name in ${KINEMA_BLENDER:-} blender; do
    if command -v "$name" >/dev/null && "$name" -b --version >/dev/null 2>&1; then
        exit 0
    fi
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing the Debian packages blender and python3-numpy for the tests against Blender"
    "$(dirname "$0")/apt.sh" blender python3-numpy
    if command -v blender >/dev/null && blender -b --version >/dev/null 2>&1; then
        exit 0
    fi
    say "could not be installed from this system's packages"
fi
say "none found: the tests against Blender will be SKIPPED (sudo apt-get install blender python3-numpy, or set" \
    "KINEMA_BLENDER=/path)"
exit 0
