#!/usr/bin/env bash
# Installs Debian packages, one caller after the other: `make test` sets up programs and Python packages side by side.
set -euo pipefail
exec 9>"${TMPDIR:-/tmp}/kinema-apt.lock"
if command -v flock >/dev/null; then flock 9; fi
apt-get update -qq >&2
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
