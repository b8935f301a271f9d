"""Objects of an FBX file, how they are connected, and their properties.

How to use it::

    document = open_document(source)
    for model in document.all("Model"):
        model.name, model.subclass                            # "mixamorig:Hips", "LimbNode"
        model.vector("Lcl Translation", (0, 0, 0))            # property, else its template's value, else the default
        for geometry in document.children(model.id, "Geometry"):
            geometry.record.array("Vertices")                 # float64 [N]; see `records.Record`
            geometry.record.find("LayerElementUV")
            for skin in document.children(geometry.id, "Deformer"):   # subclass "Skin" or "BlendShape"
                for cluster in document.children(skin.id): ...        # subclass "Cluster" or "BlendShapeChannel"
        for texture in document.children(model.id, "Texture", "DiffuseColor"): ...   # connected to a property
        document.parents(model.id, "Model")                   # ROOT (0) stands for the scene and is no object
    raise document.error("has no vertices", geometry.where)   # one line with path and place
    document.warn("holds ...; left out")
    document.budget.charge(bytes, geometry.where)             # before allocating what the file asks for

Files before version 7 name objects by `Class::Name` and keep geometry inside its model. Here they look like version
7: such a model gets a child of class `Geometry` (its `record` is that of the model) which has the model's deformers,
and clusters have class `Deformer`. Files before version 6 list models at the top and skins as links inside of them;
they, too, are made to look alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.fbx.records import Record, Tree, parse
from kinema.formats.sources import Source

ROOT = 0  # the id of the scene itself
MOST_WARNINGS = 200
AGAIN_COST = 4096  # bytes and time of reading an object once more
Id = int | str
Vector = tuple[float, float, float]


class Properties:
    """Typed access to the properties of one object, with those of its template behind them."""

    def __init__(self, values: dict[str, list[Any]], template: dict[str, list[Any]] | None = None) -> None:
        self.values, self.template = values, template or {}

    def get(self, name: str) -> list[Any] | None:
        """The values of a property; None where neither object nor template has it."""
        found = self.values.get(name)
        return self.template.get(name) if found is None else found

    def number(self, name: str, default: float) -> float:
        """A finite number; the default where there is none."""
        found = self._finite(name, 1)
        return default if found is None else found[0]

    def integer(self, name: str, default: int) -> int:
        """A whole number; the default where there is none."""
        found = self._finite(name, 1)
        return default if found is None or abs(found[0]) >= 2**62 else int(found[0])

    def vector(self, name: str, default: Vector) -> Vector:
        """Three finite numbers; the default where there are none."""
        found = self._finite(name, 3)
        return default if found is None else (found[0], found[1], found[2])

    def text(self, name: str, default: str = "") -> str:
        """Text; the default where there is none."""
        found = self.get(name)
        return found[0] if found and isinstance(found[0], str) else default

    def _finite(self, name: str, count: int) -> list[Any] | None:
        found = self.get(name)
        if found is None or len(found) < count:
            return None
        good = all(isinstance(v, int | float) and abs(v) < 1e300 for v in found[:count])
        return found[:count] if good else None


@dataclass(eq=False)
class Object(Properties):
    """One object. `class_` is its kind (`Model`), `subclass` its variety (`LimbNode`), `name` has neither."""

    id: Id
    class_: str
    subclass: str
    name: str
    record: Record
    values: dict[str, list[Any]] = field(repr=False)
    template: dict[str, list[Any]] = field(repr=False)

    @property
    def where(self) -> str:
        """What messages call it: `Model 'Hips'`."""
        return f"{self.class_} {self.name[:60]!r}"


@dataclass(frozen=True)
class Link:
    """A connection: `child` belongs to `parent`, or to one of its properties, or one of its own properties does."""

    child: Id
    parent: Id
    child_property: str | None = None
    parent_property: str | None = None


@dataclass(eq=False)
class Document:
    """All objects of a file by id, in file order; `warnings` collects what was repaired while reading."""

    source: Source
    tree: Tree
    objects: dict[Id, Object] = field(default_factory=dict)
    settings: Properties = field(default_factory=lambda: Properties({}))
    links: list[Link] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _below: dict[Id, list[Link]] = field(default_factory=dict)
    _above: dict[Id, list[Link]] = field(default_factory=dict)
    _noted: set[str] = field(default_factory=set)
    _visited: set[Id] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.version, self.root, self.budget = self.tree.version, self.tree.root, self.tree.budget
        for line in self.tree.warnings:
            self.warn(line)

    def error(self, message: str, where: str | None = None) -> FormatError:
        """The error to raise for something wrong at `where`, such as `Model 'Hips'`."""
        return FormatError(message, path=self.source.path, node=where)

    def warn(self, message: str) -> None:
        """Notes a repair or an omission, once."""
        if message not in self._noted and len(self._noted) <= MOST_WARNINGS:
            self._noted.add(message)
            more = len(self._noted) > MOST_WARNINGS
            self.warnings.append("there is more to say than can be listed" if more else message)

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

    def links_below(self, id: Id) -> list[Link]:
        """All connections from other objects to this one, with their properties."""
        return self._below.get(id, [])

    def links_above(self, id: Id) -> list[Link]:
        """All connections from this object to others, with their properties."""
        return self._above.get(id, [])

    def add(self, item: Object) -> None:
        """One more object; of several with one id the first stays."""
        self.budget.charge(512, item.where)
        if item.id in self.objects:
            self.warn(f"{item.where} has the id of another object and was left out")
        else:
            self.objects[item.id] = item

    def visit(self, item: Object, size: int = 0) -> None:
        """Notes that an object is read. Many others may share it: each time but the first is charged, with its `size`.

        Raises:
            FormatError: shared objects are read more often than a file of this size may ask for.
        """
        if item.id in self._visited:
            self.budget.charge(AGAIN_COST + size, item.where)
        self._visited.add(item.id)

    def connect(self, link: Link) -> None:
        """One more connection."""
        self.budget.charge(256, None)
        self.links.append(link)
        self._below.setdefault(link.parent, []).append(link)
        self._above.setdefault(link.child, []).append(link)

    @cached_property
    def _classes(self) -> dict[str, list[Object]]:
        found: dict[str, list[Object]] = {}
        for item in self.objects.values():
            found.setdefault(item.class_, []).append(item)
        return found


def open_document(source: Source) -> Document:
    """Parses a file and collects its objects, properties and connections.

    Raises:
        FormatError: not FBX, damaged, cut short, or it asks for too much memory.
    """
    document = Document(source, parse(source.read(), source.path))
    if document.version < 6000:
        from kinema.formats.fbx.legacy import read_objects

        read_objects(document)
        return document
    templates = _templates(document)
    objects = document.root.find("Objects") or Record("", [], [])
    records = list(objects.children)
    settings = document.root.find("GlobalSettings") or objects.find("GlobalSettings")
    if settings is not None:
        document.settings = Properties(read_properties(settings), templates.get("GlobalSettings"))
    for record in records:
        item = _object(document, record, templates)
        if item is not None:
            document.add(item)
    connections = document.root.find("Connections") or Record("", [], [])
    for record in connections.children:
        _connect(document, record)
    if document.version < 7000:
        from kinema.formats.fbx.legacy import split_geometry

        split_geometry(document)
    return document


def read_properties(record: Record) -> dict[str, list[Any]]:
    """The properties below a record, by name; of several with one name the last counts."""
    found: dict[str, list[Any]] = {}
    for key, skipped in (("Properties60", 3), ("Properties70", 4)):
        block = record.find(key)
        for item in block.children if block is not None else ():
            if item.values and isinstance(item.values[0], str):
                found[item.values[0]] = item.values[skipped:]
    return found


def split_name(full: str) -> tuple[str, str]:
    """Class and name of `Model::Hips`; the class is empty where none is given."""
    kind, mark, name = full.partition("::")
    return (kind, name) if mark else ("", full)


def _templates(document: Document) -> dict[str, dict[str, list[Any]]]:
    found: dict[str, dict[str, list[Any]]] = {}
    definitions = document.root.find("Definitions")
    for kind in definitions.all("ObjectType") if definitions is not None else ():
        if not kind.values or not isinstance(kind.values[0], str):
            continue
        for template in kind.all("PropertyTemplate"):
            for name, values in read_properties(template).items():
                found.setdefault(kind.values[0], {}).setdefault(name, values)
    return found


def _object(document: Document, record: Record, templates: dict[str, dict[str, list[Any]]]) -> Object | None:
    values = record.values
    if document.version >= 7000:
        if len(values) < 2 or not isinstance(values[0], int) or not isinstance(values[1], str):
            return None
        id, full, rest = values[0], values[1], values[2:]
    else:
        if not values or not isinstance(values[0], str):
            return None
        id, full, rest = values[0], values[0], values[1:]
    subclass = rest[0] if rest and isinstance(rest[0], str) else ""
    class_ = "Deformer" if record.name == "SubDeformer" else record.name
    name = split_name(full)[1]
    return Object(id, class_, subclass, name, record, read_properties(record), templates.get(record.name, {}))


def _connect(document: Document, record: Record) -> None:
    values = record.values
    kind = values[0] if values and isinstance(values[0], str) else ""
    kinds = {
        "OO": (int | str, int | str),
        "OP": (int | str, int | str, str),
        "PO": (int | str, str, int | str),
        "PP": (int | str, str, int | str, str),
    }
    if kind not in kinds:
        return
    given = values[1 : 1 + len(kinds[kind])]
    if len(given) < len(kinds[kind]) or not all(isinstance(v, t) for v, t in zip(given, kinds[kind], strict=True)):
        document.warn("holds connections that are incomplete; they were left out")
        return
    child, parent = given[0], given[2] if kind[0] == "P" else given[1]
    known = document.objects
    child, parent = (ROOT if end == "Model::Scene" and end not in known else end for end in (child, parent))
    if (child not in known and child != ROOT) or (parent not in known and parent != ROOT):
        return  # to objects of kinds that are written elsewhere, such as takes
    document.connect(Link(child, parent, given[1] if kind[0] == "P" else None, given[-1] if kind[1] == "P" else None))


def matrix(values: NDArray[Any] | None) -> NDArray[np.float64] | None:
    """A 4x4 matrix `[4, 4]` for column vectors from the 16 numbers that FBX stores; None where there are not 16."""
    if values is None or values.size != 16 or not np.isfinite(values).all():
        return None
    return np.asarray(values, dtype=np.float64).reshape(4, 4).T.copy()
