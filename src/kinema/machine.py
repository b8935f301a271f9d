"""Checks what this machine has, what does not work without a missing part, and how to install it."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

GIB = 1024**3
LOW_DISK = 2 * GIB
LOW_MEMORY = 2 * GIB
DISTRIBUTIONS = {"PIL": "pillow", "pxr": "usd-core"}  # distributions with a name other than that of their module
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@dataclass(frozen=True)
class Check:
    """One part of the machine.

    Attributes:
        name: name of the part.
        found: whether it is present and usable.
        detail: version, location or amount, or the reason why it is not usable.
        needed: whether Kinema cannot work without it.
        costs: what does not work without it; empty if found.
        install: the command that installs it; empty if found or if there is none.
    """

    name: str
    found: bool
    detail: str
    needed: bool = False
    costs: str = ""
    install: str = ""


def check_machine() -> list[Check]:
    """Check everything Kinema can use. Packages are imported, to find broken ones."""
    checks = [
        Check("python", sys.version_info >= (3, 11), platform.python_version(), needed=True),
        *(_package(name, needed=True) for name in ("numpy", "scipy", "numba", "PIL", "rich")),
        _numba_cache(),
        _package("viser", costs="no live view: kinema play and kinema view", install=_extra("view")),
        _package("pxr", costs="no USD files: .usd .usda .usdc .usdz", install=_extra("formats")),
        _package("DracoPy", costs="no glTF files that are compressed with Draco", install=_extra("formats")),
        _package("torch", costs="no differentiable rotations and kinematics, no learning", install=_extra("learn")),
        _gpu(),
        _browser(),
        _ffmpeg(),
        _graphics(),
        Check("cores", True, f"{_cores()} usable of {os.cpu_count()}"),
        _memory(),
        _disk(Path.cwd()),
    ]
    return [replace(check, costs="", install="") if check.found else check for check in checks]


def _extra(name: str) -> str:
    return f"pip install 'kinema[{name}]'"


def _package(
    module: str, needed: bool = False, costs: str = "everything", install: str = "pip install kinema"
) -> Check:
    name = DISTRIBUTIONS.get(module, module)
    try:
        importlib.import_module(module)
        return Check(name, True, importlib.metadata.version(name), needed)
    except ModuleNotFoundError as error:
        detail = "not installed" if error.name == module else f"installed, but it needs {error.name}"
    except (ImportError, OSError, RuntimeError) as error:
        detail = f"installed, but it cannot be imported: {str(error).splitlines()[0] if str(error) else error!r}"
    return Check(name, False, detail, needed, costs, install)


def _numba_cache() -> Check:
    """The folder of compiled functions: beside the package if that is writable, otherwise the user's cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "numba")
    candidates = [Path(chosen)] if chosen else [Path(__file__).parent, user]
    for folder in candidates:
        if _writable(folder):
            return Check("numba cache", True, str(folder))
    costs = "functions are compiled at every start, which takes tens of seconds"
    install = "export NUMBA_CACHE_DIR=/a/writable/folder"
    return Check("numba cache", False, f"{candidates[-1]} is not writable", False, costs, install)


def _writable(folder: Path) -> bool:
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return os.access(folder, os.W_OK)


def _gpu() -> Check:
    name = _first_line(["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"])
    costs = "training and video models run on the processor; everything else does not need one"
    return Check("gpu", name is not None, name or "none found (nvidia-smi)", costs=costs)


def _browser() -> Check:
    path = find_browser()
    detail = (_first_line([path, "--version"]) or path) if path else "not found"
    costs = "the browser tests are skipped; any browser, also on another machine, shows the live view"
    return Check("chromium", path is not None, detail, False, costs, "sudo apt-get install chromium")


def find_browser() -> str | None:
    """Path of a Chromium-like browser: `KINEMA_CHROMIUM` if set, else the first one on the search path."""
    for name in (os.environ.get("KINEMA_CHROMIUM", ""), *BROWSERS):
        if name and (path := shutil.which(name)):
            return path
    return None


def _ffmpeg() -> Check:
    if importlib.util.find_spec("av"):
        return Check("video", True, f"av {importlib.metadata.version('av')}")
    costs = "no films and animated pictures of kinema render"
    return Check("video", False, "av is not installed", False, costs, _extra("render"))


def _graphics() -> Check:
    """The graphics driver, found by drawing with it."""
    from kinema.errors import MissingError
    from kinema.rendering.context import SYSTEM_PARTS, probe

    costs = "no pictures and films of kinema render, no film of kinema demo, no window"
    if importlib.util.find_spec("moderngl") is None:
        return Check("graphics", False, "moderngl is not installed", False, costs, _extra("render"))
    try:
        return Check("graphics", True, str(probe()))
    except MissingError as error:
        return Check("graphics", False, str(error).split(":", maxsplit=1)[0], False, costs, SYSTEM_PARTS)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _memory() -> Check:
    if not hasattr(os, "sysconf") or "SC_AVPHYS_PAGES" not in os.sysconf_names:
        return Check("memory", True, "unknown on this system")
    page = os.sysconf("SC_PAGE_SIZE")
    total, free = page * os.sysconf("SC_PHYS_PAGES"), page * os.sysconf("SC_AVPHYS_PAGES")
    detail = f"{total / GIB:.1f} GiB, {free / GIB:.1f} GiB unused"
    costs = "hours of motion capture may not fit: build with --workers 1"
    return Check("memory", total >= LOW_MEMORY, detail, costs=costs)


def _disk(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    detail, costs = f"{free / GIB:.1f} GiB free in {folder}", "databases of hours of motion need a few gigabytes"
    return Check("disk", free >= LOW_DISK, detail, costs=costs)


def _first_line(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    lines = done.stdout.strip().splitlines()
    return lines[0].strip() if lines else None
