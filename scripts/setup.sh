#!/usr/bin/env bash
# Makes the virtual environment VENV and installs this checkout into it with the given extras.
# Usage: scripts/setup.sh VENV EXTRAS      (PYTHON=/path/to/python3 chooses the interpreter)
set -euo pipefail
venv=$1
extras=$2
say() { echo "setup: $*" >&2; }

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

find_python() {
    local name
    for name in ${PYTHON:-python3.11 python3 python3.12 python3.13}; do
        if command -v "$name" >/dev/null && new_enough "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

apt_install() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        say "cannot install $*: run this as root on Debian or Ubuntu, or: sudo apt-get install $*"
        return 1
    fi
    say "installing Debian packages: $*"
    "$(dirname "$0")/apt.sh" "$@"
}

# Debian ships Python without ensurepip unless python3-venv is installed; a host pip can fill an empty environment.
make_venv() {
    local python=$1
    if "$python" -c 'import ensurepip' 2>/dev/null; then
        "$python" -m venv "$venv"
    elif "$python" -m pip --version >/dev/null 2>&1 && "$python" -m venv --without-pip "$venv" 2>/dev/null; then
        say "this Python has no ensurepip; filling $venv with the pip of $python"
        "$python" -m pip --python "$venv/bin/python" install --quiet pip
    else
        say "this Python can make no virtual environment by itself"
        apt_install python3-venv python3-pip
        "$python" -m venv "$venv"
    fi
}

if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    if ! python=$(find_python); then
        say "Python 3.11 or newer was not found"
        apt_install python3 python3-venv python3-pip
        python=$(find_python) || { say "Python 3.11 or newer is needed; set PYTHON=/path/to/python3"; exit 1; }
    fi
    say "making $venv with $("$python" --version)"
    rm -rf "$venv"
    make_venv "$python"
fi

say "installing Kinema ($extras) and what it needs into $venv (a few minutes the first time)"
"$venv/bin/python" -m pip install --quiet --no-compile --editable ".[$extras]"
# What Kinema imports is compiled now, a fifth of all there is, so that not each of the first programs does it.
PYTHONDONTWRITEBYTECODE= "$venv/bin/python" - <<'EOF'
import importlib, pkgutil, kinema

for module in pkgutil.walk_packages(kinema.__path__, "kinema."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except Exception:  # it needs another extra or a library of the system, as is said where it is used
            pass
EOF
say "done"
