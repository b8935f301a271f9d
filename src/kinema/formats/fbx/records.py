"""The record tree of an FBX file, the same for its binary and its text form.

A record has a name, values and child records. Values are `int`, `float`, `str`, `bytes` (raw data) or one NumPy array
(a typed array of version 7, or a long row of numbers of version 6). Names of objects read `Class::Name` in both
forms, though the binary form stores them the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

MAX_DEPTH = 32  # of records in records; real files have about ten
RECORD_COST = 400  # bytes of memory that one record takes
OLDEST, NEWEST = 3000, 7700  # versions whose layout is known
UNSUPPORTED = f"has FBX version {{}}; versions {OLDEST} to {NEWEST} are supported"


class Word(str):
    """A word of a text file without quotes: `Y`, `CullingOff`."""

    __slots__ = ()


class Record:
    """One record: `name`, `values`, `children`.

    Args:
        values: the values; or, with `decode`, offset, count and length of them: they are decoded when first needed.
    """

    __slots__ = ("_decode", "_values", "children", "name")

    def __init__(
        self, name: str, values: Any, children: list[Record], decode: Callable[..., list[Any]] | None = None
    ) -> None:
        self.name, self.children = name, children
        self._values, self._decode = values, decode

    @property
    def values(self) -> list[Any]:
        """The values, in file order."""
        if self._decode is not None:
            self._values, self._decode = self._decode(*self._values), None
        return self._values

    @property
    def title(self) -> str:
        """The first value if it is text, else an empty string: the name of an object or channel in old versions."""
        values = self._values
        if self._decode is not None:
            offset, count, length = values
            values = self._decode(offset, min(count, 1), length)
        return values[0] if values and isinstance(values[0], str) else ""

    def find(self, name: str) -> Record | None:
        """The first child with this name."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, name: str) -> Iterator[Record]:
        """All children with this name, in file order."""
        return (child for child in self.children if child.name == name)

    def value(self, name: str, default: Any = None) -> Any:
        """The first value of the first child with this name."""
        child = self.find(name)
        return child.values[0] if child is not None and child.values else default

    def integer(self, name: str, default: int) -> int:
        """The first value of a child as an integer; the default if it is no number."""
        value = self.value(name)
        if isinstance(value, float):
            return int(value) if abs(value) < 2**62 else default
        return value if isinstance(value, int) else default

    def text(self, name: str, default: str = "") -> str:
        """The first value of a child if it is text."""
        value = self.value(name)
        return value if isinstance(value, str) else default

    def array(self, name: str, dtype: DTypeLike = np.float64) -> NDArray[Any] | None:
        """All numbers of the first child with this name, `[N]`; None without such a child."""
        child = self.find(name)
        return None if child is None else child.numbers(dtype)

    def numbers(self, dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """All numbers of this record as one flat array `[N]`; other values are skipped.

        Numbers that do not fit into an integer type become 0.
        """
        values = self.values
        if len(values) == 1 and isinstance(values[0], np.ndarray):
            found = values[0]
        else:  # the plain numbers of version 6 come in a row; the letters between them are flags
            plain = [value for value in values if isinstance(value, int | float)]
            fits = all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in plain)
            found = np.array(plain, dtype=np.int64 if fits else np.float64)
        wanted = np.dtype(dtype)
        if found.dtype == wanted:
            return found
        if wanted.kind in "iu" and not np.can_cast(found.dtype, wanted):
            limits = np.iinfo(wanted.str)
            with np.errstate(invalid="ignore"):
                good = (found >= limits.min) & (found <= limits.max) & (np.abs(found) < 2.0**62)
            found = np.where(good, found, 0)
        with np.errstate(over="ignore"):
            return found.astype(wanted)


class ParsedFile(NamedTuple):
    """All top-level records of a file below `root`."""

    root: Record
    version: int
    warnings: list[str]
