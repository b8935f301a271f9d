"""Opens an FBX file of any version: its records become objects, properties and connections.

Files before version 7 name objects by `Class::Name` and keep geometry inside its model. Here they look like version
7: such a model gets a child of class `Geometry` (its `record` is that of the model) which has the model's deformers,
and clusters have class `Deformer`. Files before version 6 list models at the top and skins as links inside them;
they are converted too.
"""

from __future__ import annotations

from kinema.errors import FormatError
from kinema.formats.budget import Budget
from kinema.formats.fbx import ascii, binary, legacy
from kinema.formats.fbx.document import (
    ROOT,
    Connection,
    FbxDocument,
    Id,
    Object,
    Properties,
    Property,
    read_properties,
    split_name,
)
from kinema.formats.fbx.records import NEWEST, ParsedFile, Record
from kinema.formats.sources import Source

_EMPTY = Record("", [], [])
_CONNECTED = {"Model": "models", "Geometry": "meshes", "Deformer": "skins or their joints", "AnimationCurve": "curves"}
# Types of the values behind the kind of a connection, and which of them are child, parent and the parent's property.
_KINDS = {
    "OO": (((int, str), (int, str)), (1, 2, None)),
    "OP": (((int, str), (int, str), str), (1, 2, 3)),
    "PO": (((int, str), str, (int, str)), (1, 3, None)),
    "PP": (((int, str), str, (int, str), str), (1, 3, 4)),
}


def open_document(source: Source) -> FbxDocument:
    """Parses a file and collects its objects, properties and connections.

    Raises:
        FormatError: not FBX, damaged, cut short before its connections, nested too deeply, or it needs too much memory.
    """
    data = source.read()
    budget = Budget(len(data))
    parsed = parse(data, budget)
    document = FbxDocument(source, parsed, budget)
    if document.version > NEWEST:
        document.warn(f"has FBX version {document.version}, newer than {NEWEST}; it may hold more than was read")
    if document.version < 6000:
        legacy.read_objects(document)
    else:
        _read_objects(document)
    if 6000 <= document.version < 7000:
        legacy.split_geometry(document)
    if parsed.cut:
        _check_cut(document, parsed.cut)
    return document


def parse(data: bytes, budget: Budget | None = None) -> ParsedFile:
    """The record tree of a file.

    Raises:
        FormatError: not FBX, damaged, nested too deeply, or it needs too much memory.
    """
    budget = budget or Budget(len(data))
    if data.startswith(binary.MAGIC):
        return binary.parse(data, budget)
    if b"\x00" in data[:1024] or not ascii.looks_like(data):
        raise FormatError("is not an FBX file: it has neither the binary nor the text header")
    return ascii.parse(data, budget)


def _check_cut(document: FbxDocument, cut: str) -> None:
    """Says where a file ends too early; FormatError if that is before anything that can be read."""
    if not document.connections:
        raise FormatError(f"is cut short: it ends {cut}, before the connections of its objects; nothing can be read")
    document.warn(f"is cut short: it ends {cut}; the rest of that and what should follow is missing")
    for class_, name in _CONNECTED.items():
        alone = sum(not document.connections_above(item.id) for item in document.all(class_))
        if alone:
            document.warn(f"{alone} {name} are connected to nothing and were left out")


def _templates(root: Record) -> dict[str, dict[str, Property]]:
    found: dict[str, dict[str, Property]] = {}
    for kind in (root.find("Definitions") or _EMPTY).all("ObjectType"):
        for template in kind.all("PropertyTemplate") if kind.title else ():
            for name, given in read_properties(template).items():
                found.setdefault(kind.title, {}).setdefault(name, given)
    return found


def _read_objects(document: FbxDocument) -> None:
    templates = _templates(document.root)
    objects = document.root.find("Objects") or _EMPTY
    settings = document.root.find("GlobalSettings") or objects.find("GlobalSettings")
    if settings is not None:
        document.settings = Properties(settings, templates.get("GlobalSettings"))
    for record in objects.children:
        item = _object(record, templates, document.version >= 7000)
        if item is not None:
            document.add(item)
    for record in (document.root.find("Connections") or _EMPTY).children:
        _connect(document, record)


def _object(record: Record, templates: dict[str, dict[str, Property]], has_id: bool) -> Object | None:
    """The object of a record: `Model: 1234, "Model::Hips", "Limb"`; before version 7 it has no id but its full name."""
    named = record.values[1:] if has_id else record.values
    if not named or not isinstance(named[0], str) or not isinstance(record.values[0], int | str):
        return None
    subclass = named[1] if len(named) > 1 and isinstance(named[1], str) else ""
    class_ = "Deformer" if record.name == "SubDeformer" else record.name
    name = split_name(named[0])[1]
    return Object(record.values[0], class_, subclass, name, record, None, templates.get(record.name))


def _connect(document: FbxDocument, record: Record) -> None:
    values = record.values
    if not values or not isinstance(values[0], str) or values[0] not in _KINDS:
        return
    types, (child_at, parent_at, property_at) = _KINDS[values[0]]
    if len(values) <= len(types) or not all(map(isinstance, values[1:], types)):
        document.warn("holds connections that are incomplete; they were left out")
        return
    child, parent = (_known(document, values[at]) for at in (child_at, parent_at))
    if child is not None and parent is not None:
        document.connect(Connection(child, parent, None if property_at is None else values[property_at]))


def _known(document: FbxDocument, end: Id) -> Id | None:
    """The id of an object or the scene; None for records outside of Objects, such as takes."""
    if end in document.objects:
        return end
    return ROOT if end in (ROOT, "Model::Scene") else None
