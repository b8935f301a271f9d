#!/usr/bin/env bash
# Sees to it that the test that holds our exports against Godot has one, or says that it will be skipped. Never fails the
# build.
set -uo pipefail
say() { echo "godot: $*" >&2; }

command -v "${KINEMA_GODOT:-godot3-server}" >/dev/null && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing the Debian package godot3-server for the test against Godot"
    "$(dirname "$0")/apt.sh" godot3-server
    command -v godot3-server >/dev/null && exit 0
    say "could not be installed from this system's packages"
fi
say "none found: the test against Godot will be SKIPPED (sudo apt-get install godot3-server, or set KINEMA_GODOT=/path)"
exit 0
