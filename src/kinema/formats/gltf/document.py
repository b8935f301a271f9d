"""Typed access to the JSON of a glTF file.

Everything read from the JSON goes through `Item`, whose getters name the place (`nodes[3]`) when a value is missing, of
the wrong type or out of range.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kinema.errors import FormatError
from kinema.formats.sources import Source


class MissingDataError(FormatError):
    """Data that belongs to the file is not there: a file beside it, or the end of what was cut short."""


class Item:
    """One JSON object of a file and its place in it, such as `nodes[3]`."""

    __slots__ = ("document", "values", "where")

    def __init__(self, document: GltfDocument, values: dict[str, Any], where: str) -> None:
        self.document, self.values, self.where = document, values, where

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def error(self, message: str) -> FormatError:
        """The error to raise for something wrong in this object."""
        return FormatError(message, node=self.where or None)

    def require(self, ok: object, message: str) -> None:
        """Raises the error unless `ok`."""
        if not ok:
            raise self.error(message)

    def warn(self, message: str) -> None:
        """Notes a repair or an omission in this object, once."""
        self.document.warn(f"{self.where} {message}")

    def get(self, key: str) -> Any:
        """A value of any type, unchecked; None if absent."""
        return self.values.get(key)

    def object(self, key: str) -> Item:
        """An object inside this one; absent means empty."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.error(f"{key} must be an object")
        return Item(self.document, value, self._place(key))

    def objects(self, key: str) -> list[Item]:
        """An array of objects inside this one; absent means empty."""
        values, place = self.values.get(key, []), self._place(key)
        if not isinstance(values, list):
            raise self.document.error("must be an array", place)
        for index, value in enumerate(values):
            if not isinstance(value, dict):
                raise self.document.error("must be an object", f"{place}[{index}]")
        return [Item(self.document, value, f"{place}[{index}]") for index, value in enumerate(values)]

    def extension(self, name: str) -> Item:
        """One of this object's extensions; absent means empty."""
        return self.object("extensions").object(name)

    @property
    def notes(self) -> dict[str, Any]:
        """What our own writer noted about this object, in its `extras`."""
        extras = self.values.get("extras")
        found = extras.get("kinema") if isinstance(extras, dict) else None
        return found if isinstance(found, dict) else {}

    def integer(self, key: str, default: int | None = None, low: int = 0, high: int = 2**53) -> int:
        """A whole number within bounds (also when written as 3.0); required if there is no default."""
        value = self.values.get(key, default)
        if value is None:
            raise self.error(f"{key} is missing")
        return self._whole(key, value, low, high)

    def integers(self, key: str, low: int = 0) -> list[int]:
        """An array of whole numbers; absent means empty."""
        return [self._whole(key, value, low, 2**53) for value in self._array(key)]

    def number(self, key: str, default: float) -> float:
        """A finite number that float32 can hold."""
        return self._finite(key, self.values.get(key, default))

    def numbers(self, key: str, count: int, default: Sequence[float] = ()) -> list[float]:
        """Finite numbers of a given count; required if there is no default."""
        values = self.values.get(key, default)
        if not isinstance(values, list | tuple) or len(values) != count:
            raise self.error(f"{key} must be an array of {count} numbers")
        return [self._finite(key, value) for value in values]

    def text(self, key: str, default: str = "") -> str:
        """A string."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.error(f"{key} must be a string, not {_shown(value)}")
        return value

    def index(self, key: str, collection: str) -> int | None:
        """An index into a top-level array, or None if absent."""
        return self._index(key, self.values[key], collection) if key in self.values else None

    def required_index(self, key: str, collection: str) -> int:
        """An index into a top-level array."""
        if key not in self.values:
            raise self.error(f"{key} is missing")
        return self._index(key, self.values[key], collection)

    def indices(self, key: str, collection: str) -> list[int]:
        """A list of indices into a top-level array, without repeats; absent means empty."""
        found = [self._index(key, value, collection) for value in self._array(key)]
        if len(set(found)) != len(found):
            raise self.error(f"{key} names the same {collection} twice")
        return found

    def _place(self, key: str) -> str:
        return f"{self.where}.{key[:40]}" if self.where else key

    def _array(self, key: str) -> list[Any]:
        values = self.values.get(key, [])
        if not isinstance(values, list):
            raise self.error(f"{key} must be an array")
        return values

    def _whole(self, key: str, value: object, low: int, high: int) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(f"{key} must be a whole number, not {_shown(value)}")
        if not low <= value <= high:
            raise self.error(f"{key} is {_shown(value)}, must be from {low} to {high}")
        return value

    def _finite(self, key: str, value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.error(f"{key} must be a number, not {_shown(value)}")
        if not (math.isfinite(value) and abs(value) < 3e38):
            raise self.error(f"{key} holds a number that is out of range")
        return float(value)

    def _index(self, key: str, value: object, collection: str) -> int:
        index, count = self._whole(key, value, -(2**53), 2**53), len(self.document.all(collection))
        if not 0 <= index < count:
            raise self.error(f"{key} refers to {collection}[{index}], there are {count}")
        return index


@dataclass(eq=False)
class GltfDocument:
    """The JSON of a file with its binary chunk.

    Attributes:
        cut: whether the file ends before its binary chunk does.
        files: bytes of files beside this one that were read, by the parts of their path; each is read once.
        warnings: what was repaired while reading.
    """

    source: Source
    values: dict[str, Any]
    binary: memoryview | None
    size: int
    is_glb: bool
    cut: bool = False
    warnings: list[str] = field(default_factory=list)
    files: dict[tuple[str, ...], bytes] = field(default_factory=dict)
    _collections: dict[str, list[Item]] = field(default_factory=dict)
    _noted: set[str] = field(default_factory=set)
    _lost: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def root(self) -> Item:
        """The whole JSON object."""
        return Item(self, self.values, "")

    def error(self, message: str, where: str | None = None) -> FormatError:
        """The error to raise for something wrong at `where`, such as `nodes[3]`."""
        return FormatError(message, node=where)

    def warn(self, message: str) -> None:
        """Notes a repair or an omission, once."""
        if message not in self._noted:
            self._noted.add(message)
            self.warnings.append(message)

    def lose(self, kind: str, missing: MissingDataError) -> None:
        """Counts something that is left out because its data is missing."""
        self._lost.setdefault(f"{missing.node} {missing.message}", Counter())[kind] += 1

    def lost(self, kind: str) -> bool:
        """Whether anything of this kind was left out because its data is missing."""
        return any(kind in kinds for kinds in self._lost.values())

    def warn_of_losses(self) -> None:
        """One warning for each reason why data is missing."""
        for reason, kinds in self._lost.items():
            listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
            self.warn(f"{reason}; without it these were left out: {listed}")

    def all(self, collection: str) -> list[Item]:
        """A top-level array of objects; absent means empty."""
        if collection not in self._collections:
            self._collections[collection] = self.root.objects(collection)
        return self._collections[collection]

    def extension(self, name: str) -> Item | None:
        """A top-level extension, or None if absent."""
        extensions = self.root.object("extensions")
        return extensions.object(name) if name in extensions else None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
