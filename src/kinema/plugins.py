"""Loads the user's own code: from a file, a module on the path, or an installed package.

`my_family.py:MyFamily` names a file and an object in it, `mypkg.families:MyFamily` a module and an object in it. A
plain name is one of Kinema's own, or an entry point that an installed package declares, as in
`[project.entry-points."kinema.families"]`. Code is loaded only by names that the user gives, never by names in files.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kinema.errors import UsageError, one_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def find(name: str, group: str, known: Mapping[str, Any]) -> Any:
    """Find the object that a name refers to.

    Args:
        name: a key of `known`, `FILE.py:NAME`, `package.module:NAME`, or an entry point.
        group: group of entry points: "kinema.families", "kinema.features".

    Raises:
        UsageError: no object has that name, or it cannot be loaded.
    """
    if name in known:
        return known[name]
    if ":" in name or name.endswith(".py"):
        return load(name)
    entries = installed(group)
    if name in entries:
        return load(entries[name].value)
    listed = ", ".join([*known, *entries])
    problem = f"no {name!r} among the {group.rpartition('.')[2]}; there are {listed}"
    raise UsageError(f"{problem}, and your own: FILE.py:NAME, package.module:NAME")


def installed(group: str) -> dict[str, EntryPoint]:
    """The entry points in a group of all installed packages, by name."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=group)}


def load(name: str) -> Any:
    """Load the object that `FILE.py:NAME` or `package.module:NAME` refers to.

    Raises:
        UsageError: NAME is missing or does not exist, or the module cannot be loaded.
    """
    place, _, part = name.rpartition(":")
    module = load_module(place or name)
    if place and hasattr(module, part):
        return getattr(module, part)
    problem = f"{place} has no {part!r}" if place else f"{name}: name an object in it, as in {name}:NAME"
    raise UsageError(f"{problem}; it offers {', '.join(_offered(module)) or 'nothing'}")


def _offered(module: ModuleType) -> list[str]:
    """The public names of what a module defines."""
    own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return [key for key in own if not key.startswith("_")]


def load_module(place: str) -> ModuleType:
    """Import a module by the path of its file, which ends in .py, or by its dotted name. A file runs at each call.

    Raises:
        UsageError: the module does not exist or cannot be loaded. The message includes the line.
    """
    try:
        return _load_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except UsageError:
        raise
    except ModuleNotFoundError as error:
        if error.name is None or place.endswith(".py") or not place.startswith(error.name):
            raise UsageError(f"{place} cannot be loaded: {error}") from error
        raise UsageError(f"there is no module {place} on Python's path (PYTHONPATH adds folders)") from error
    except Exception as error:  # user code may raise anything
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        said = one_line(f"{type(error).__name__}: {error}")
        raise UsageError(f"{place} cannot be loaded: {said} (line {line})") from error


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    name = f"kinema_plugin_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look up their module there
    spec.loader.exec_module(module)
    return module
