"""Objects of an FBX file, how they are connected, and their properties.

Example:

    document = open_document(source)
    for model in document.all("Model"):
        model.name, model.subclass                            # "mixamorig:Hips", "LimbNode"
        model.vector("Lcl Translation", (0, 0, 0))            # property, else its template's value, else the default
        for geometry in document.children(model.id, "Geometry"):
            geometry.record.array("Vertices")                 # float64 `[N]`; see `records.Record`
            geometry.record.find("LayerElementUV")
            for skin in document.children(geometry.id, "Deformer"):   # subclass "Skin" or "BlendShape"
                for cluster in document.children(skin.id): ...        # subclass "Cluster" or "BlendShapeChannel"
        for texture in document.children(model.id, "Texture", "DiffuseColor"): ...   # connected to a property
        document.parents(model.id, "Model")                   # ROOT (0) is the scene, which is not an object
    raise document.error("has no vertices", geometry.where)   # one line with path and place
    document.warn("holds ...; left out")
    document.budget.charge(bytes, geometry.where)             # before allocating by numbers in the file
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.budget import Budget
from kinema.formats.fbx.records import ParsedFile, Record
from kinema.formats.sources import Source

ROOT = 0  # the id of the scene itself
MOST_WARNINGS = 200
AGAIN_COST = 4096  # bytes and time of reading an object once more
Id = int | str
Vector = tuple[float, float, float]


class Property(NamedTuple):
    """Where the values of a property are: in a record, behind its name and type."""

    record: Record
    skipped: int = 0


class Properties:
    """Typed access to the properties of one object, with those of its template behind them.

    Args:
        given: the properties by name, or the record that holds them, which is read when they are first needed.
    """

    def __init__(self, given: Record | Mapping[str, Property], template: Mapping[str, Property] | None = None) -> None:
        self._given, self._template = given, template or {}

    @property
    def values(self) -> Mapping[str, Property]:
        """The properties by name, without those of the template."""
        if isinstance(self._given, Record):
            self._given = read_properties(self._given)
        return self._given

    def get(self, name: str) -> list[Any] | None:
        """The values of a property; None if neither object nor template has it."""
        found = self.values.get(name) or self._template.get(name)
        return None if found is None else found.record.values[found.skipped :]

    def number(self, name: str, default: float) -> float:
        """A finite number, or the default."""
        found = self._finite(name)
        return default if found is None else found

    def integer(self, name: str, default: int) -> int:
        """An integer, or the default."""
        found = self._finite(name)
        return default if found is None or abs(found) >= 2**62 else int(found)

    def vector(self, name: str, default: Vector) -> Vector:
        """Three finite numbers, or the default."""
        found = self.get(name)
        try:
            x, y, z = found[:3] if found else default
            return (x, y, z) if max(abs(x), abs(y), abs(z)) < 1e300 and x + y + z == x + y + z else default
        except (TypeError, ValueError):  # fewer than three, or no numbers
            return default

    def text(self, name: str, default: str = "") -> str:
        """Text, or the default."""
        found = self.get(name)
        return found[0] if found and isinstance(found[0], str) else default

    def _finite(self, name: str) -> float | None:
        found = self.get(name)
        value = found[0] if found else None
        return value if isinstance(value, int | float) and abs(value) < 1e300 else None


class Object(Properties):
    """One object. `class_` is its kind (`Model`), `subclass` its variety (`LimbNode`), `name` has neither.

    Args:
        values: its properties; by default those in the record.
    """

    def __init__(
        self,
        id: Id,
        class_: str,
        subclass: str,
        name: str,
        record: Record,
        values: Mapping[str, Property] | None = None,
        template: Mapping[str, Property] | None = None,
    ) -> None:
        super().__init__(record if values is None else values, template)
        self.id, self.class_, self.subclass, self.name, self.record = id, class_, subclass, name, record

    document: FbxDocument  # that it was added to

    @property
    def where(self) -> str:
        """The name of the object in messages: `Model 'Hips'`."""
        return f"{self.class_} {self.name[:60]!r}"

    def warn(self, message: str) -> None:
        """Notes a repair or an omission in this object, once."""
        self.document.warn(f"{self.where} {message}")

    def charge(self, size: int) -> None:
        """Counts bytes of memory that this object takes."""
        self.document.budget.charge(size, self.where)

    def children(self, class_: str | None = None, to: str | None = None) -> list[Object]:
        """Objects connected to this one; see `FbxDocument.children`."""
        return self.document.children(self.id, class_, to)


class Connection(NamedTuple):
    """`child` belongs to `parent`, or to one of its properties, or one of its own properties does."""

    child: Id
    parent: Id
    parent_property: str | None = None


class FbxDocument:
    """All objects of a file by id, in file order; `warnings` collects what was repaired while reading."""

    def __init__(self, source: Source, parsed: ParsedFile, budget: Budget) -> None:
        self.source, self.budget = source, budget
        self.root, self.version = parsed.root, parsed.version
        self.objects: dict[Id, Object] = {}
        self.connections: list[Connection] = []
        self.settings = Properties({})
        self.warnings: list[str] = []
        self._below: dict[Id, list[Connection]] = {}
        self._above: dict[Id, list[Connection]] = {}
        self._noted: set[str] = set()
        self._visited: set[Id] = set()
        for line in parsed.warnings:
            self.warn(line)

    def error(self, message: str, where: str | None = None) -> FormatError:
        """The error to raise for something wrong at `where`, such as `Model 'Hips'`."""
        return FormatError(message, node=where)

    def warn(self, message: str) -> None:
        """Notes a repair or an omission, once."""
        if message not in self._noted and len(self._noted) <= MOST_WARNINGS:
            self._noted.add(message)
            more = len(self._noted) > MOST_WARNINGS
            self.warnings.append("there are more warnings than can be listed" if more else message)

    def all(self, class_: str, subclass: str | None = None) -> Iterator[Object]:
        """All objects of a class, in file order."""
        for item in self._classes.get(class_, []):
            if subclass is None or item.subclass == subclass:
                yield item

    def children(self, id: Id, class_: str | None = None, to: str | None = None) -> list[Object]:
        """Objects connected to an object, or to one of its properties (`to`); in the order of the connections."""
        found = (self.objects.get(link.child) for link in self._below.get(id, ()) if link.parent_property == to)
        return [item for item in found if item is not None and (class_ is None or item.class_ == class_)]

    def parents(self, id: Id, class_: str | None = None) -> list[Object]:
        """Objects that an object is connected to; the scene itself is none of them."""
        found = (self.objects.get(link.parent) for link in self._above.get(id, ()))
        return [item for item in found if item is not None and (class_ is None or item.class_ == class_)]

    def connections_below(self, id: Id) -> list[Connection]:
        """All connections from other objects to this one, with their properties."""
        return self._below.get(id, [])

    def connections_above(self, id: Id) -> list[Connection]:
        """All connections from this object to others, with their properties."""
        return self._above.get(id, [])

    def add(self, item: Object) -> None:
        """Adds an object; of several with one id the first stays."""
        if item.id in self.objects:
            self.warn(f"{item.where} has the id of another object and was left out")
        else:
            self.objects[item.id], item.document = item, self
            self.__dict__.pop("_classes", None)

    def connect(self, link: Connection) -> None:
        """Adds a connection."""
        self.connections.append(link)
        self._below.setdefault(link.parent, []).append(link)
        self._above.setdefault(link.child, []).append(link)

    def visit(self, item: Object, size: int = 0) -> None:
        """Notes that an object is read. Many others may share it: each time but the first is charged, with its `size`.

        Raises:
            FormatError: shared objects are read more often than a file of this size may need.
        """
        if item.id in self._visited:
            self.budget.charge(AGAIN_COST + size, item.where)
        self._visited.add(item.id)

    @cached_property
    def _classes(self) -> dict[str, list[Object]]:
        found: dict[str, list[Object]] = {}
        for item in self.objects.values():
            found.setdefault(item.class_, []).append(item)
        return found


def read_properties(record: Record) -> dict[str, Property]:
    """The properties below a record, by name; of several with one name the last counts."""
    found: dict[str, Property] = {}
    for key, skipped in (("Properties60", 3), ("Properties70", 4)):
        block = record.find(key)
        for item in block.children if block is not None else ():
            if name := item.title:
                found[name] = Property(item, skipped)
    return found


def split_name(full: str) -> tuple[str, str]:
    """Class and name of `Model::Hips`; the class is empty if none is given."""
    kind, mark, name = full.partition("::")
    return (kind, name) if mark else ("", full)


def matrix(values: NDArray[Any] | None) -> Floats | None:
    """A 4x4 matrix `[4, 4]` for column vectors from the 16 numbers that FBX stores; None if there are not 16."""
    if values is None or values.size != 16 or not np.isfinite(values).all():
        return None
    return np.asarray(values, dtype=np.float64).reshape(4, 4).T.copy()
