#!/usr/bin/env bash
# Sees to it that the browser tests have a Chromium, or says that they will be skipped. Never fails the build.
set -uo pipefail
say() { echo "chromium: $*" >&2; }

works() { command -v "$1" >/dev/null && "$1" --version >/dev/null 2>&1; }

for name in ${KINEMA_CHROMIUM:-} chromium chromium-browser google-chrome; do
    if works "$name"; then
        exit 0
    fi
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing the Debian package chromium for the browser tests"
    "$(dirname "$0")/apt.sh" chromium
    if works chromium; then
        exit 0
    fi
    say "could not be installed from this system's packages"
fi
say "none found: the browser tests will be SKIPPED (sudo apt-get install chromium, or set KINEMA_CHROMIUM=/path)"
exit 0
