"""The record tree of an FBX file, the same for its binary and its text form.

A record has a name, values and child records. Values are `int`, `float`, `str`, `bytes` (raw data) or one NumPy array
(a typed array of version 7, or a long row of numbers of version 6). Names of objects read `Class::Name` in both
forms, though the binary one stores them the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from kinema.errors import FormatError
from kinema.formats.budget import Budget

MAX_DEPTH = 32  # of records in records; real files have about ten
BINARY_MAGIC = b"Kaydara FBX Binary  \x00"


class Word(str):
    """A word of a text file that stood without quotes: `Y`, `CullingOff`."""

    __slots__ = ()


class Record:
    """One record: `name`, `values`, `children`."""

    __slots__ = ("children", "name", "values")

    def __init__(self, name: str, values: list[Any], children: list[Record]) -> None:
        self.name, self.values, self.children = name, values, children

    @property
    def title(self) -> str:
        """The first value where it is text, else nothing: what old versions call objects and channels by."""
        return self.values[0] if self.values and isinstance(self.values[0], str) else ""

    def find(self, name: str) -> Record | None:
        """The first child of a name."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, name: str) -> Iterator[Record]:
        """All children of a name, in file order."""
        return (child for child in self.children if child.name == name)

    def value(self, name: str, default: Any = None) -> Any:
        """The first value of the first child of a name."""
        child = self.find(name)
        return child.values[0] if child is not None and child.values else default

    def integer(self, name: str, default: int) -> int:
        """A child's first value as a whole number; the default where it is none."""
        value = self.value(name)
        if isinstance(value, float):
            return int(value) if abs(value) < 2**62 else default
        return value if isinstance(value, int) else default

    def text(self, name: str, default: str = "") -> str:
        """A child's first value where it is text."""
        value = self.value(name)
        return value if isinstance(value, str) else default

    def array(self, name: str, dtype: DTypeLike = np.float64) -> NDArray[Any] | None:
        """All numbers of the first child of a name, `[N]`; None without such a child."""
        child = self.find(name)
        return None if child is None else child.numbers(dtype)

    def numbers(self, dtype: DTypeLike = np.float64) -> NDArray[Any]:
        """All values of this record as one flat array `[N]`; what is no number is left out.

        Numbers that do not fit into an integer type become 0.
        """
        values = self.values
        if len(values) == 1 and isinstance(values[0], np.ndarray):
            found = values[0]
        else:
            # The plain numbers of version 6 come in a row; letters in between are flags, no numbers.
            plain = [v for v in values if isinstance(v, int | float)]
            fits = all(isinstance(v, int) and -(2**63) <= v < 2**63 for v in plain)
            found = np.array(plain, dtype=np.int64 if fits else np.float64)
        wanted = np.dtype(dtype)
        if found.dtype == wanted:
            return found
        with np.errstate(invalid="ignore", over="ignore"):
            if wanted.kind in "iu":
                top = 2 ** (8 * wanted.itemsize - (wanted.kind == "i")) - 1
                good = (found >= (-top - 1 if wanted.kind == "i" else 0)) & (found <= top)
                if found.dtype.kind == "f":
                    good &= np.isfinite(found) & (np.abs(found) < 2.0**62)
                found = np.where(good, found, 0)
            return found.astype(wanted)


@dataclass(eq=False)
class Tree:
    """A parsed file: all top-level records below `root`."""

    root: Record
    version: int
    binary: bool
    budget: Budget
    warnings: list[str] = field(default_factory=list)


def parse(data: bytes, path: str) -> Tree:
    """The record tree of a file.

    Raises:
        FormatError: not FBX, damaged, cut short, nested too deeply, or it asks for too much memory.
    """
    # Each form in a module of its own, imported here because both build on this one.
    from kinema.formats.fbx import ascii, binary

    budget = Budget(path, len(data))
    if data.startswith(BINARY_MAGIC):
        return binary.parse(data, path, budget)
    if b"\x00" in data[:1024] or not ascii.looks_like(data):
        raise FormatError("is not an FBX file: it has neither the binary nor the text header", path=path)
    return ascii.parse(data, path, budget)
