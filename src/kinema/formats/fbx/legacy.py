"""Files before version 7, made to look like it: geometry inside of models; before version 6 children and skins, too."""

from __future__ import annotations

from typing import Any

from kinema.formats.fbx.document import ROOT, Document, Id, Link, Object, split_name
from kinema.formats.fbx.records import Record, Word

_PARTS = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}


def read_objects(document: Document) -> None:
    """Fills a document with models, materials, geometries, skins and clusters as version 7 has them."""
    document.warn(f"is of FBX version {document.version}, older than 6; it may hold more than was read")
    models: dict[str, Object] = {}
    for record in document.root.all("Model"):
        full = record.title
        if not full:
            continue
        given = record.values[1] if len(record.values) > 1 else record.value("Type", "")
        subclass = given if isinstance(given, str) else ""
        item = Object(
            f"Model::{split_name(full)[1]}", "Model", subclass, split_name(full)[1], record, _transform(record), {}
        )
        document.add(item)
        models.setdefault(full, item)
    owned = set()
    for full, model in models.items():
        children = model.record.find("Children")
        for name in children.values if children is not None else ():
            if not isinstance(name, str) or isinstance(name, Word):
                raise document.error(f"lists {str(name)[:40]!r} as a child, which is no name in quotes", model.where)
            if name in models and name != full and name not in owned:
                owned.add(name)
                document.connect(Link(models[name].id, model.id))
        _read_parts(document, model, models)
    for full, model in models.items():
        if full not in owned:
            document.connect(Link(model.id, ROOT))


def split_geometry(document: Document) -> None:
    """Gives each model of version 6 that holds vertices a geometry of its own, as version 7 has it."""
    for model in [item for item in document.all("Model") if item.record.find("Vertices") is not None]:
        _add_geometry(document, model)
    document.__dict__.pop("_classes", None)  # there are more objects now


def _read_parts(document: Document, model: Object, models: dict[str, Object]) -> None:
    for record in model.record.all("Material"):
        full = record.title
        item = Object(f"Material::{model.name}/{full}", "Material", "", split_name(full)[1], record, _plain(record), {})
        if item.id not in document.objects:
            document.add(item)
            document.connect(Link(item.id, model.id))
    if model.record.find("Vertices") is None:
        return
    geometry = _add_geometry(document, model)
    links = [link for link in model.record.all("Link") if link.title in models]
    if not links:
        return
    skin = Object(f"Deformer::{model.name}", "Deformer", "Skin", model.name, model.record, {}, {})
    document.add(skin)
    document.connect(Link(skin.id, geometry.id))
    for number, link in enumerate(links):
        bone = models[link.title]
        cluster = Object(f"SubDeformer::{model.name}/{number}", "Deformer", "Cluster", bone.name, link, {}, {})
        document.add(cluster)
        document.connect(Link(cluster.id, skin.id))
        document.connect(Link(bone.id, cluster.id))


def _transform(record: Record) -> dict[str, list[Any]]:
    """The properties that a model's channels and plain fields stand for."""
    found = _plain(record)
    for channel in record.all("Channel"):
        if channel.title != "Transform":
            continue
        for part in channel.all("Channel"):
            name = _PARTS.get(part.title)
            axes = {axis.title: axis.value("Default") for axis in part.all("Channel")}
            if name is not None and all(isinstance(axes.get(axis), int | float) for axis in "XYZ"):
                found[name] = [axes[axis] for axis in "XYZ"]
    return found


def _plain(record: Record) -> dict[str, list[Any]]:
    """Fields without children as properties: `Diffuse: 0.5,0.5,0.5`."""
    return {child.name: child.values for child in record.children if not child.children and len(child.values) <= 4}


def _add_geometry(document: Document, model: Object) -> Object:
    """A geometry made of a model's record; the model's deformers are its deformers."""
    id: Id = f"Geometry::{model.id}"
    geometry = Object(id, "Geometry", "Mesh", model.name, model.record, {}, {})
    document.add(geometry)
    for link in list(document.links_below(model.id)):
        child = document.objects.get(link.child)
        if child is not None and child.class_ == "Deformer" and link.parent_property is None:
            document.connect(Link(link.child, id))
    document.connect(Link(id, model.id))
    return geometry
