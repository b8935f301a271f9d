"""The record tree of an FBX file, the same for its binary and its text form.

A record has a name, values and child records. Values are `int`, `float`, `str`, `bytes` (raw data) or one NumPy array
(a typed array of version 7, or a long row of numbers of version 6). Names of objects read `Class::Name` in both
forms, though the binary form stores them the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

MAX_DEPTH = 32  # of records in records; real files have about ten
RECORD_COST = 400  # bytes of memory that one record takes
OLDEST, NEWEST = 3000, 7700  # versions whose layout is known
UNSUPPORTED = f"has FBX version {{}}; versions {OLDEST} to {NEWEST} are supported"


class Word(str):
    """A word of a text file without quotes: `Y`, `CullingOff`."""

    __slots__ = ()


class Undecoded(Protocol):
    """A file whose records are decoded when they are first needed."""

    def values(self, offset: int, count: int, length: int) -> list[Any]:
        """The `count` values in `length` bytes."""
        ...

    def records(self, row: int) -> list[Record]:
        """The records inside a record."""
        ...


class Record:
    """One record: `name`, `values`, `children`.

    Args:
        values: the values; or, with `file`, offset, count and length of them.
        children: the child records; or, with `file`, the number of this record.
        file: decodes both when they are first needed.
    """

    __slots__ = ("_children", "_file", "_values", "name")

    def __init__(
        self,
        name: str,
        values: list[Any] | tuple[int, int, int],
        children: list[Record] | int,
        file: Undecoded | None = None,
    ) -> None:
        self.name, self._values, self._children, self._file = name, values, children, file

    @property
    def values(self) -> list[Any]:
        """The values, in file order."""
        if isinstance(self._values, tuple):
            assert self._file is not None
            self._values = self._file.values(*self._values)
        return self._values

    @property
    def children(self) -> list[Record]:
        """The child records, in file order."""
        if isinstance(self._children, int):
            assert self._file is not None
            self._children = self._file.records(self._children)
        return self._children

    @property
    def title(self) -> str:
        """The first value if it is text, else an empty string: the name of an object or channel in old versions."""
        values = self._values
        if isinstance(values, tuple):
            assert self._file is not None
            values = self._file.values(values[0], min(values[1], 1), values[2])
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
        """The first value of a child as an integer; the default if it is not a number."""
        value = self.value(name)
        if isinstance(value, float):
            return int(value) if abs(value) < 2**62 else default
        return value if isinstance(value, int) else default

    def number(self, name: str, default: float) -> float:
        """The first value of a child as a finite number; the default if it is none."""
        value = self.value(name)
        return float(value) if isinstance(value, int | float) and abs(value) < 1e30 else default

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
        found, wanted = self._plain(), np.dtype(dtype)
        if found.dtype == wanted:
            return found
        if wanted.kind in "iu" and not np.can_cast(found.dtype, wanted):
            limits = np.iinfo(wanted.str)
            with np.errstate(invalid="ignore"):
                good = (found >= limits.min) & (found <= limits.max) & (np.abs(found) < 2.0**62)
            found = np.where(good, found, 0)
        with np.errstate(over="ignore"):
            return found.astype(wanted)

    def _plain(self) -> NDArray[Any]:
        """The array, or the plain numbers of version 6; letters between these are flags."""
        values = self.values
        if len(values) == 1 and isinstance(values[0], np.ndarray):
            return values[0]
        plain = [value for value in values if isinstance(value, int | float)]
        fits = all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in plain)
        return np.array(plain, dtype=np.int64 if fits else np.float64)


class ParsedFile(NamedTuple):
    """All top-level records of a file below `root`."""

    root: Record
    version: int
    warnings: list[str]
    cut: str = ""
    """Where a file that is cut short ends. Its last top-level record lacks the record that the file ends in."""
