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


class Scene:
    """Collects objects and connections; ids count up, so that the same input gives the same bytes."""

    def __init__(self) -> None:
        self.objects = Node("Objects", children=[])
        self._connections = Node("Connections", children=[])
        self._counts: Counter[str] = Counter()
        self._last = 1_000_000
        self._properties: dict[int, Node] = {}

    def add(self, record: str, name: str, kind: str, label: str, properties: Sequence[Node] = ()) -> tuple[int, Node]:
        """A new object of a class; its id, and its record to be filled."""
        self._last += 1
        node = self.objects.add(record, Long(self._last), named(name, kind), label)
        if properties:
            self._properties[self._last] = node.add("Properties70", children=properties)
        self._counts[record] += 1
        return self._last, node

    def note(self, id: int, property: Node) -> None:
        """One more property of an object that has some; of several with one name the first stays."""
        rows = self._properties[id].children or []
        if all(row.values[0] != property.values[0] for row in rows):
            rows.append(property)

    def connect(self, child: int, parent: int, prop: str | None = None) -> None:
        """Hangs an object on another one (0 is the scene), or on one of its properties."""
        values: list[Any] = ["OO" if prop is None else "OP", Long(child), Long(parent)]
        self._connections.add("C", *values, *([] if prop is None else [prop]))

    def records(self, fps: float, stop: int, takes: Sequence[tuple[str, int]]) -> list[Node]:
        """All top-level records of the file.

        Args:
            fps: what programs show as the rate of the scene.
            stop: end of its time line, ticks.
            takes: name and end of each motion.
        """
        return [
            _header(),
            Node("FileId", FILE_ID),
            Node("CreationTime", CREATED),
            Node("Creator", CREATOR),
            _settings(fps, stop),
            _documents(takes[0][0] if takes else ""),
            Node("References", children=[]),
            self._definitions(),
            self.objects,
            self._connections,
            _takes(takes),
        ]

    def _definitions(self) -> Node:
        root = Node("Definitions", children=[Node("Version", 100), Node("Count", 1 + sum(self._counts.values()))])
        for kind, count in {"GlobalSettings": 1, **self._counts}.items():
            root.add("ObjectType", kind, children=[Node("Count", count)])
        return root


def _header() -> Node:
    root = Node(
        "FBXHeaderExtension",
        children=[
            Node("FBXHeaderVersion", 1003),
            Node("FBXVersion", VERSION),
            Node("EncryptionType", 0),
        ],
    )
    stamp = root.add("CreationTimeStamp", children=[Node("Version", 1000)])
    for name, value in (
        ("Year", 1970),
        ("Month", 1),
        ("Day", 1),
        ("Hour", 10),
        ("Minute", 0),
        ("Second", 0),
        ("Millisecond", 0),
    ):
        stamp.add(name, value)
    root.add("Creator", CREATOR)
    info = root.add(
        "SceneInfo",
        named("GlobalInfo", "SceneInfo"),
        "UserData",
        children=[
            Node("Type", "UserData"),
            Node("Version", 100),
        ],
    )
    info.add(
        "MetaData",
        children=[
            Node("Version", 100),
            *(Node(name, "") for name in ("Title", "Subject", "Author", "Keywords", "Revision", "Comment")),
        ],
    )
    info.add(
        "Properties70",
        children=[
            string("Original|ApplicationName", CREATOR),
            string("LastSaved|ApplicationName", CREATOR),
        ],
    )
    return root


def _settings(fps: float, stop: int) -> Node:
    mode = _MODES.get(fps, CUSTOM)
    rows = [
        integer("UpAxis", 1),
        integer("UpAxisSign", 1),
        integer("FrontAxis", 2),
        integer("FrontAxisSign", 1),
        integer("CoordAxis", 0),
        integer("CoordAxisSign", 1),
        integer("OriginalUpAxis", 1),
        integer("OriginalUpAxisSign", 1),
        number("UnitScaleFactor", 1.0),
        number("OriginalUnitScaleFactor", 1.0),
        vector("AmbientColor", (0, 0, 0), "ColorRGB", "Color"),
        string("DefaultCamera", "Producer Perspective"),
        integer("TimeMode", mode, "enum", ""),
        time("TimeSpanStart", 0),
        time("TimeSpanStop", stop or TICKS),
        number("CustomFrameRate", fps if mode == CUSTOM else -1.0),
    ]
    return Node("GlobalSettings", children=[Node("Version", 1000), Node("Properties70", children=rows)])


def _documents(active: str) -> Node:
    root = Node("Documents", children=[Node("Count", 1)])
    rows = [Node("P", "SourceObject", "object", "", ""), string("ActiveAnimStackName", active)]
    root.add(
        "Document",
        Long(1_000_000),
        "Scene",
        "Scene",
        children=[
            Node("Properties70", children=rows),
            Node("RootNode", Long(0)),
        ],
    )
    return root


def _takes(takes: Sequence[tuple[str, int]]) -> Node:
    root = Node("Takes", children=[Node("Current", takes[0][0] if takes else "")])
    for number_, (name, stop) in enumerate(takes):
        root.add(
            "Take",
            name,
            children=[
                Node("FileName", f"take_{number_}.tak"),
                Node("LocalTime", Long(0), Long(stop)),
                Node("ReferenceTime", Long(0), Long(stop)),
            ],
        )
    return root
