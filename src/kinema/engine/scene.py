"""Worlds as files: one JSON, and beside it a folder with the characters (GLB) and motions (npz) it refers to.

Files of assets are named by what is in them and never change; the JSON that refers to them is replaced in one step. So
whatever happens while a scene is saved, one whole scene is there: the old one or the new one.

Saved are entities, their components and poses, time and chance. Not saved are systems, resources and what controllers
remember: add those again after loading. A controlled character begins anew where its Transform is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kinema.character import Character
from kinema.engine.assets import Keeper, Origins, read_assets
from kinema.engine.components import COMPONENTS, Transform
from kinema.engine.encoding import Unfit, build, decode_array, encode, encode_array
from kinema.engine.world import World
from kinema.errors import FormatError, WorldError
from kinema.formats.atomic import atomic_write
from kinema.formats.sources import open_source
from kinema.motion import Motion

FORMAT, VERSION = "kinema.world", 1


def save(world: World, path: str | os.PathLike[str]) -> None:
    """Write a world; the same world gives the same files, byte for byte.

    Raises:
        WorldError: a component holds what cannot be saved or not be read back, two types of components have the same
            name, or the file is not to be called .json (its folder of assets might be another scene's as well).
        WriteError: the file system refused; an older scene is untouched.
    """
    if Path(path).suffix != ".json":
        raise WorldError(f"{os.fspath(path)}: a scene is a .json file")
    world.regroup_figures()
    keeper = Keeper(path, world.resources.find(Origins))
    kinds: dict[str, type] = {}
    entities = []
    for entity in world.entities:
        encoded: dict[str, Any] = {}
        for component in world.components(entity):
            kind = Transform if isinstance(component, Transform) else type(component)
            if kinds.setdefault(kind.__name__, kind) is not kind:
                raise WorldError(f"two types of components are called {kind.__name__}; rename one to save the world")
            try:
                encoded[kind.__name__] = _encoded(component, keeper)
            except WorldError as error:
                raise WorldError(f"{kind.__name__} of entity {entity}: {error}") from None
        item = {"id": entity, "enabled": not world.disabled_itself(entity), "components": encoded}
        entities.append(item | _pose(world, entity))
    document = {
        "format": FORMAT,
        "version": VERSION,
        "step": world.step_seconds,
        "seed": world.seed,
        "steps": world.steps,
        "next": world.next_entity,
        "random": world.random.bit_generator.state,
        "assets": keeper.names,
        "entities": entities,
    }
    text = json.dumps(document, indent=1, allow_nan=False)
    atomic_write(path, text.encode("ascii"))
    keeper.prune()


def load(path: str | os.PathLike[str], kinds: Sequence[type] = (), strict: bool = False) -> World:
    """Read a world.

    Args:
        kinds: your own types of components that the scene may hold. No others are ever made.
        strict: see `World`.

    Raises:
        FormatError: there is no such file, or it is no sound scene; says where.
    """
    shown = os.fspath(path)
    document = _document(shown)
    known = {kind.__name__: kind for kind in (*COMPONENTS, *kinds)}
    origins = read_assets(document.get("assets"), shown)
    try:
        world = World(_whole(document, "seed", shown), document.get("step"), strict)  # pyright: ignore[reportArgumentType]
        world.random.bit_generator.state = dict(document["random"])
    except (WorldError, TypeError, ValueError, KeyError, OverflowError) as error:
        raise FormatError(f"seed, step or random: {' '.join(str(error).split())}", path=shown) from None
    world.resources.add(origins)
    assets = origins.by_file()
    world.steps = _whole(document, "steps", shown)
    parents: list[tuple[int, int]] = []
    ids: list[int] = []
    entities = document.get("entities")
    if not isinstance(entities, list):
        raise FormatError("expected a list", path=shown, node="entities")
    for number, item in enumerate(entities):
        where = f"entities[{number}]"
        try:
            entity, parent = _restore(world, item, known, assets)
        except (Unfit, WorldError) as error:
            raise FormatError(str(error), path=shown, node=where) from None
        if parent is not None:
            parents.append((entity, parent))
        ids.append(entity)
    try:
        for entity, parent in parents:
            world.reparent(entity, parent)
        world.restore_next(_whole(document, "next", shown))
    except WorldError as error:
        raise FormatError(str(error), path=shown, node="entities") from None
    world.regroup_figures()
    for number, (entity, item) in enumerate(zip(ids, entities, strict=True)):
        try:
            _restore_pose(world, entity, item)
        except Unfit as error:
            raise FormatError(str(error), path=shown, node=f"entities[{number}].pose") from None
    world.settle()
    return world


def _encoded(component: object, keeper: Keeper) -> dict[str, Any]:
    """JSON of a component. WorldError when it has none, or none that could be read back."""
    if isinstance(component, Transform):
        return _transform(component)
    encoded = encode(component, keeper.keep)
    try:
        build(type(component), encoded, keeper.things)
    except Unfit as error:
        raise WorldError(f"{error}: it could be saved, but not read back") from None
    return encoded


def _transform(placed: Transform) -> dict[str, Any]:
    position, rotation = (list(map(float, values)) for values in (placed.position, placed.rotation))
    return {"position": position, "rotation": rotation, "scale": placed.scale, "parent": placed.parent}


def _pose(world: World, entity: int) -> dict[str, Any]:
    """How a figure stands in its own frame, so that a scene looks as it did before anything has moved."""
    found = world.poses.find(entity)
    if found is None:
        return {}
    batch, row = found
    arrays = {"rotations": batch.rotations[row], "positions": batch.positions[row]}
    return {"pose": {name: encode_array(array) for name, array in arrays.items()}}


def _restore_pose(world: World, entity: int, item: dict[str, Any]) -> None:
    found = world.poses.find(entity)
    if "pose" not in item or found is None:
        return
    batch, row = found
    if not isinstance(item["pose"], dict):
        raise Unfit("expected an object of arrays")
    for name, target in (("rotations", batch.rotations), ("positions", batch.positions)):
        array = decode_array(item["pose"].get(name))
        if array.dtype != np.float32 or array.shape != target[row].shape or not np.isfinite(array).all():
            raise Unfit(f"{name}: expected {list(target[row].shape)} finite float32 for {batch.character.name!r}")
        target[row] = array


def _restore(
    world: World, item: Any, known: dict[str, type], assets: dict[str, Character | Motion]
) -> tuple[int, int | None]:
    if not isinstance(item, dict) or type(item.get("id")) is not int or not isinstance(item.get("components"), dict):
        raise Unfit("expected an entity with id and components")
    entity, parent = item["id"], None
    world.restore_next(entity)
    made = []
    for name, value in item["components"].items():
        if name not in known:
            there = ", ".join(sorted(known))
            raise Unfit(f"has a component {name[:60]!r}; known are {there}; give others to World.load(path, [Kind])")
        try:
            component = build(known[name], value, assets)
        except Unfit as error:
            raise Unfit(f"{name}: {error}") from None
        if isinstance(component, Transform):
            parent, component.parent = component.parent, None
        made.append(component)
    world.spawn(*made)
    if type(item.get("enabled", True)) is not bool:
        raise Unfit("enabled: expected true or false")
    if not item.get("enabled", True):
        world.enable(entity, False)
    return entity, parent


def _document(shown: str) -> dict[str, Any]:
    def constant(name: str) -> float:
        raise ValueError(f"{name} is not a JSON number")

    try:
        document = json.loads(open_source(shown).read().decode("utf-8"), parse_constant=constant)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is no scene, not even JSON: {' '.join(str(error).split())}", path=shown) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"is no scene: it does not say format {FORMAT!r}", path=shown)
    if document.get("version") != VERSION:
        found = repr(document.get("version"))[:20]
        raise FormatError(f"is a scene of version {found}, this program reads version {VERSION}", path=shown)
    return document


def _whole(document: dict[str, Any], key: str, shown: str) -> int:
    value = document.get(key)
    if type(value) is not int or not 0 <= value < 2**62:
        raise FormatError("expected a whole number from 0 up", path=shown, node=key)
    return value
