"""A file in the making: objects with their ids and connections, and the sections around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from kinema.formats.fbx.clock import CUSTOM, RATES, TICKS
from kinema.formats.fbx.encode import CREATED, FILE_ID, VERSION, Long, Node, named
from kinema.formats.fbx.notes import CREATOR

CENTIMETRES = 100.0
"""Files are in centimetres: the unit that every program takes for granted, and most without looking."""
_MODES = {rate: mode for mode, rate in enumerate(RATES) if rate.is_integer() and mode not in (0, 7, CUSTOM)}


def vector(name: str, values: Iterable[float], kind: str = "Vector3D", label: str = "Vector", flags: str = "") -> Node:
    """A property of three numbers."""
    return Node("P", name, kind, label, flags, *(float(value) for value in values))


def number(name: str, value: float, kind: str = "double", label: str = "Number", flags: str = "") -> Node:
    """A property of one number; `kind` "Number" with flags "A" for one that moves."""
    return Node("P", name, kind, label, flags, float(value))


def integer(name: str, value: int, kind: str = "int", label: str = "Integer", flags: str = "") -> Node:
    """A property that is a whole number, a yes or no, or one of a list."""
    return Node("P", name, kind, label, flags, int(value))


def string(name: str, value: str, flags: str = "") -> Node:
    """A property that is text."""
    return Node("P", name, "KString", "", flags, value)


def time(name: str, ticks: int) -> Node:
    """A property that is a moment."""
    return Node("P", name, "KTime", "Time", "", Long(ticks))


class FbxBuilder:
    """Collects objects and connections; ids count up, so that the same input gives the same bytes."""

    def __init__(self) -> None:
        self._objects = Node("Objects", children=())
        self._connections = Node("Connections", children=())
        self._counts: Counter[str] = Counter(GlobalSettings=1)
        self._last = 1_000_000
        self._properties: dict[int, Node] = {}

    def add(
        self, record: str, name: str, kind: str, label: str, properties: Sequence[Node] = (), **fields: Any
    ) -> tuple[int, Node]:
        """A new object of a class; its id, and its record with some fields, then properties."""
        self._last += 1
        node = self._objects.add(record, Long(self._last), named(name, kind), label, **fields)
        if properties:
            self._properties[self._last] = node.add("Properties70", children=properties)
        self._counts[record] += 1
        return self._last, node

    def add_model(self, name: str, kind: str, properties: Sequence[Node], two_sided: bool = True) -> int:
        """A new node of the scene; its id."""
        id, node = self.add("Model", name, "Model", kind, properties, Version=232)
        node.extend(Shading=True, Culling="CullingOff" if two_sided else "CullingOnCCW")
        return id

    def note(self, id: int, property: Node) -> None:
        """One more property of an object that has some; of several with one name the first stays."""
        rows = self._properties[id]
        if all(row.values[0] != property.values[0] for row in rows.children or ()):
            rows.extend((property,))

    def connect(self, child: int, parent: int, prop: str | None = None) -> None:
        """Connects an object to another one (0 is the scene), or to one of its properties."""
        values: list[Any] = ["OO" if prop is None else "OP", Long(child), Long(parent)]
        self._connections.add("C", *values, *([] if prop is None else [prop]))

    def records(self, fps: float, stop: int, takes: Sequence[tuple[str, int]]) -> list[Node]:
        """All top-level records of the file.

        Args:
            fps: what programs show as the rate of the scene.
            stop: end of its time line, ticks.
            takes: name and end of each motion.
        """
        active = takes[0][0] if takes else ""
        kinds = [Node("ObjectType", kind, Count=count) for kind, count in self._counts.items()]
        return [
            _header(),
            Node("FileId", FILE_ID),
            Node("CreationTime", CREATED),
            Node("Creator", CREATOR),
            _settings(fps, stop),
            _documents(active),
            Node("References", children=()),
            Node("Definitions", children=kinds, Version=100, Count=self._counts.total()),
            self._objects,
            self._connections,
            _takes(active, takes),
        ]


def transform(offset: Iterable[float] = (0, 0, 0)) -> list[Node]:
    """The properties of a node's transform: a translation, no rotation, no scale."""
    rows = {"Lcl Translation": offset, "Lcl Rotation": (0, 0, 0), "Lcl Scaling": (1, 1, 1)}
    return [integer("DefaultAttributeIndex", 0), *(vector(n, values, n, "", "A") for n, values in rows.items())]


def _header() -> Node:
    root = Node("FBXHeaderExtension", FBXHeaderVersion=1003, FBXVersion=VERSION, EncryptionType=0)
    root.add("CreationTimeStamp", Version=1000, Year=1970, Month=1, Day=1, Hour=10, Minute=0, Second=0, Millisecond=0)
    root.add("Creator", CREATOR)
    info = root.add("SceneInfo", named("GlobalInfo", "SceneInfo"), "UserData", Type="UserData", Version=100)
    info.add("MetaData", Version=100, Title="", Subject="", Author="", Keywords="", Revision="", Comment="")
    programs = (string(f"{name}|ApplicationName", CREATOR) for name in ("Original", "LastSaved"))
    info.add("Properties70", children=programs)
    return root


def _settings(fps: float, stop: int) -> Node:
    axes = {"UpAxis": 1, "FrontAxis": 2, "CoordAxis": 0, "OriginalUpAxis": 1}
    mode = _MODES.get(fps, CUSTOM)
    rows = [
        *(row for name, axis in axes.items() for row in (integer(name, axis), integer(f"{name}Sign", 1))),
        number("UnitScaleFactor", 1.0),
        number("OriginalUnitScaleFactor", 1.0),
        vector("AmbientColor", (0, 0, 0), "ColorRGB", "Color"),
        string("DefaultCamera", "Producer Perspective"),
        integer("TimeMode", mode, "enum", ""),
        time("TimeSpanStart", 0),
        time("TimeSpanStop", stop or TICKS),
        number("CustomFrameRate", fps if mode == CUSTOM else -1.0),
    ]
    return Node("GlobalSettings", Version=1000, children=[Node("Properties70", children=rows)])


def _documents(active: str) -> Node:
    root = Node("Documents", Count=1)
    rows = [Node("P", "SourceObject", "object", "", ""), string("ActiveAnimStackName", active)]
    scene = root.add("Document", Long(1_000_000), "Scene", "Scene")
    scene.extend([Node("Properties70", children=rows), Node("RootNode", Long(0))])
    return root


def _takes(active: str, takes: Sequence[tuple[str, int]]) -> Node:
    root = Node("Takes", Current=active)
    for place, (name, stop) in enumerate(takes):
        span = (Long(0), Long(stop))
        root.add("Take", name, FileName=f"take_{place}.tak", LocalTime=span, ReferenceTime=span)
    return root
