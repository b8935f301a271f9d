"""Files before version 7, made to look like it: geometry inside of models; before version 6 children and skins, too."""

from __future__ import annotations

from kinema.formats.fbx.document import ROOT, Connection, FbxDocument, Object, Property, split_name
from kinema.formats.fbx.records import Record, Word
from kinema.formats.fbx.transform import CHANNELS


def read_objects(document: FbxDocument) -> None:
    """Fills a document with models, materials, geometries, skins and clusters as version 7 has them."""
    document.warn(f"is of FBX version {document.version}, older than 6; it may hold more than was read")
    models: dict[str, Object] = {}
    for record in document.root.all("Model"):
        if record.title:
            given = record.values[1] if len(record.values) > 1 else record.value("Type", "")
            name = split_name(record.title)[1]
            item = Object(
                f"Model::{name}", "Model", given if isinstance(given, str) else "", name, record, _transform(record)
            )
            document.add(item)
            models.setdefault(record.title, item)
    owned = _connect_children(document, models)
    for full, model in models.items():
        _read_materials(document, model)
        if model.record.find("Vertices") is not None:
            _read_skin(document, _add_geometry(document, model), models)
        if full not in owned:
            document.connect(Connection(model.id, ROOT))


def split_geometry(document: FbxDocument) -> None:
    """Gives each model of version 6 that holds vertices a geometry of its own, as version 7 has it."""
    for model in [item for item in document.all("Model") if item.record.find("Vertices") is not None]:
        _add_geometry(document, model)


def _connect_children(document: FbxDocument, models: dict[str, Object]) -> set[str]:
    """Connects models to those that list them as children; names of all children."""
    owned: set[str] = set()
    for full, model in models.items():
        children = model.record.find("Children")
        for name in children.values if children is not None else ():
            if not isinstance(name, str) or isinstance(name, Word):
                raise document.error(f"lists {str(name)[:40]!r} as a child, which is not a name in quotes", model.where)
            if name in models and name != full and name not in owned:
                owned.add(name)
                document.connect(Connection(models[name].id, model.id))
    return owned


def _read_materials(document: FbxDocument, model: Object) -> None:
    for record in model.record.all("Material"):
        id, name = f"Material::{model.name}/{record.title}", split_name(record.title)[1]
        if id not in document.objects:
            document.add(Object(id, "Material", "", name, record, _fields(record)))
            document.connect(Connection(id, model.id))


def _read_skin(document: FbxDocument, geometry: Object, models: dict[str, Object]) -> None:
    links = [link for link in geometry.record.all("Link") if link.title in models]
    if not links:
        return
    skin = Object(f"Deformer::{geometry.name}", "Deformer", "Skin", geometry.name, geometry.record, {})
    document.add(skin)
    document.connect(Connection(skin.id, geometry.id))
    for number, link in enumerate(links):
        bone = models[link.title]
        cluster = Object(f"SubDeformer::{geometry.name}/{number}", "Deformer", "Cluster", bone.name, link, {})
        document.add(cluster)
        document.connect(Connection(cluster.id, skin.id))
        document.connect(Connection(bone.id, cluster.id))


def _transform(record: Record) -> dict[str, Property]:
    """The properties that a model's channels and plain fields stand for."""
    found = _fields(record)
    for channel in record.all("Channel"):
        for part in channel.all("Channel") if channel.title == "Transform" else ():
            axes = {axis.title: axis.value("Default") for axis in part.all("Channel")}
            if part.title in CHANNELS and all(isinstance(axes.get(axis), int | float) for axis in "XYZ"):
                found[CHANNELS[part.title]] = Property(Record("", [axes[axis] for axis in "XYZ"], []))
    return found


def _fields(record: Record) -> dict[str, Property]:
    """Fields without children as properties: `Diffuse: 0.5,0.5,0.5`."""
    return {child.name: Property(child) for child in record.children if not child.children and len(child.values) <= 4}


def _add_geometry(document: FbxDocument, model: Object) -> Object:
    """A geometry made of a model's record; the model's deformers are its deformers."""
    geometry = Object(f"Geometry::{model.id}", "Geometry", "Mesh", model.name, model.record, {})
    document.add(geometry)
    for link in list(document.connections_below(model.id)):
        child = document.objects.get(link.child)
        if child is not None and child.class_ == "Deformer" and link.parent_property is None:
            document.connect(Connection(link.child, geometry.id))
    document.connect(Connection(geometry.id, model.id))
    return geometry
