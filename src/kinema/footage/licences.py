"""Licence classes of what clips are made of, from lists beside the files.

A list is a `MANIFEST.csv` in the folder of a file or in one above it, with the columns `path` (relative to the list)
and `licence_class`, and perhaps `licence`. Files that no list names are of the class that the user states, or unknown.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from kinema.errors import FormatError

LIST = "MANIFEST.csv"
OWN, UNKNOWN, NONCOMMERCIAL = "generated", "unknown", "nc"
"""Classes of what Kinema generates, of what no list names, and of what may not be used commercially."""

_LARGEST = 1 << 26  # bytes of a list
_STRICT = ("nc-nd", NONCOMMERCIAL, "unclear", UNKNOWN)  # the first of these that is among several is that of all


@dataclass(frozen=True)
class Provenance:
    """Where something comes from.

    Attributes:
        source: path of the file, or what generated it. licence: in words. licence_class: such as "permissive" or "nc".
    """

    source: str
    licence: str = ""
    licence_class: str = OWN

    @property
    def row(self) -> dict[str, str]:
        """As manifests have it."""
        return asdict(self)


def provenance(path: str | os.PathLike[str], stated: str = "") -> Provenance:
    """Where a file comes from; `stated` is the class of files that no list names.

    Raises:
        FormatError: a list is damaged.
    """
    text = os.fspath(path)
    place = Path(text).resolve()
    for folder in place.parents:
        if (folder / LIST).is_file():
            rows = _listed(str(folder / LIST))
            inside = place.relative_to(folder)
            for name in (inside, *inside.parents):  # a member of an archive has the licence of the archive
                if name.as_posix() in rows:
                    return Provenance(text, *rows[name.as_posix()])
    return Provenance(text, "", stated or UNKNOWN)


def joined_class(classes: Iterable[str]) -> str:
    """The licence class of what is made of parts of these classes: the strictest of them."""
    found = list(dict.fromkeys(classes))
    strict = next((name for name in _STRICT if name in found), None)
    others = [name for name in found if name != OWN]
    return strict or (others[0] if len(others) == 1 else " and ".join(others)) or OWN


@lru_cache(maxsize=64)
def _listed(path: str) -> dict[str, tuple[str, str]]:
    """Licence and class by path."""
    try:
        if os.path.getsize(path) > _LARGEST:
            raise FormatError(f"is larger than {_LARGEST >> 20} MB", path=path)
        with open(path, encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"cannot be read as a list of licences: {error}", path=path) from None
    if rows and not {"path", "licence_class"} <= rows[0].keys():
        return {}  # a list of something else
    found = {}
    for row in rows:
        if row.get("path") and row.get("licence_class"):
            found[str(row["path"])] = str(row.get("licence") or ""), str(row["licence_class"])
    return found
