"""The library's modules are there, and `import kinema` leaves them alone."""

from __future__ import annotations

import subprocess
import sys

from kinema.formats.usd import openusd


def test_modules_are_those_of_usd_core():
    assert openusd.Usd.GetVersion() >= (0, 25) and openusd.Sdf.Path("/a").name == "a"


def test_import_stays_light():
    script = "import sys, kinema, kinema.formats\nprint('pxr' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n"
