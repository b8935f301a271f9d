"""Files that belong to another one: the skeleton of a motion, the model of a robot."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path, PurePosixPath

from kinema.errors import FormatError
from kinema.formats.sources import Source, iterate, open_source

MOST_ENTRIES = 20_000  # of a folder, looked through for companions


def companion(given: str | os.PathLike[str] | Source) -> Source:
    """The source of a file that the caller names; it may be anywhere."""
    return given if isinstance(given, Source) else open_source(given)


def beside(source: Source, suffixes: Iterable[str]) -> list[Source]:
    """Files with one of these suffixes in the same folder or the same folder of an archive, by name."""
    wanted = {suffix.lower() for suffix in suffixes}
    if not source.file:
        return []
    if source.member is not None:
        inside = PurePosixPath(source.member).parent
        members = iterate(source.file, wanted)
        return [other for other in members if other.member and PurePosixPath(other.member).parent == inside]
    folder = Path(source.file).parent
    return [open_source(folder / name) for name in _files(folder, wanted)]


def only(found: list[Source], needed: str) -> Source:
    """The only one of the files beside another; FormatError, naming them, if there is none or several."""
    if len(found) == 1:
        return found[0]
    listed = ", ".join(other.name for other in found[:5])
    choice = f"which of the {len(found)} next to it: {listed}?" if found else "there is none next to it"
    raise FormatError(needed.format(choice))


def _files(folder: Path, suffixes: set[str]) -> list[str]:
    """Names of the files in a folder with one of these suffixes; none if it cannot be listed."""
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in islice(entries, MOST_ENTRIES) if Path(entry.name).suffix.lower() in suffixes]
            return sorted(entry.name for entry in found if entry.is_file())
    except OSError:
        return []
