#!/usr/bin/env bash
# Sees to it that pictures can be drawn and windows be opened without a display, or says what will be skipped. Never
# fails the build.
set -uo pipefail
say() { echo "display: $*" >&2; }

has_library() { ldconfig -p 2>/dev/null | grep -q "$1" || compgen -G "/usr/lib/*/$1*" >/dev/null; }

missing=()
command -v Xvfb >/dev/null || missing+=(xvfb)
command -v xdotool >/dev/null || missing+=(xdotool)
has_library libEGL.so.1 || missing+=(libegl1)
has_library libGL.so.1 || missing+=(libgl1)
compgen -G "/usr/lib/*/dri/swrast_dri.so" >/dev/null || has_library libgallium || missing+=(libgl1-mesa-dri)

if [ "${#missing[@]}" = 0 ]; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing the Debian packages ${missing[*]} for tests of pictures and windows"
    "$(dirname "$0")/apt.sh" "${missing[@]}" && exit 0
    say "could not be installed from this system's packages"
fi
say "missing: ${missing[*]}: tests of pictures and windows will be SKIPPED (sudo apt-get install ${missing[*]})"
exit 0
