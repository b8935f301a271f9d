"""Scenes: worlds saved as one JSON file, with a folder beside it for characters (GLB) and motions (npz).

Asset files are named by a hash of their content and never change. The JSON that refers to them is replaced atomically.
Whatever happens while a scene is saved, a complete scene exists: the old one or the new one.

A scene contains entities, their components and poses, the time, and the state of the random generator. It does not
contain systems, resources, the ground and the state of controllers; add those again after loading. A controlled
character starts afresh at its Transform.
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
from kinema.pose import Pose

FORMAT, VERSION = "kinema.world", 1


def save(world: World, path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write a world. The same world always gives the same files, byte for byte.

    Returns:
        A line for each asset of which the files do not hold everything.

    Raises:
        WorldError: a component holds a value that cannot be saved or read back, two types of components have the same
            name, or the path does not end in .json (its folder of assets could belong to another scene).
        WriteError: the file could not be written. An older scene stays intact.
    """
    if Path(path).suffix != ".json":
        raise WorldError(f"{os.fspath(path)}: a scene must be a .json file")
    world.regroup_figures()
    keeper = Keeper(path, world.resources.find(Origins))
    kinds: dict[str, type] = {}
    entities = []
    for entity in world.entities:
        encoded: dict[str, Any] = {}
        for component in world.components(entity):
            kind = Transform if isinstance(component, Transform) else type(component)
            if kinds.setdefault(kind.__name__, kind) is not kind:
                raise WorldError(f"two types of components are named {kind.__name__}; rename one to save the world")
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
    return tuple(keeper.losses)


def load(path: str | os.PathLike[str], kinds: Sequence[type] = (), strict: bool = False) -> World:
    """Read a world.

    Args:
        kinds: your own types of components that the scene may contain. Other types are never created.
        strict: see `World`.

    Raises:
        FormatError: the file does not exist or is not a valid scene. The message says where.
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
    """Encode a component as JSON. WorldError when it cannot be encoded or read back."""
    if isinstance(component, Transform):
        return _transform(component)
    encoded = encode(component, keeper.keep)
    try:
        build(type(component), encoded, keeper.things)
    except Unfit as error:
        raise WorldError(f"{error}: it can be saved, but not read back") from None
    return encoded


def _transform(transform: Transform) -> dict[str, Any]:
    position, rotation = (list(map(float, values)) for values in (transform.position, transform.rotation))
    return {"position": position, "rotation": rotation, "scale": transform.scale, "parent": transform.parent}


def _pose(world: World, entity: int) -> dict[str, Any]:
    """The pose of a figure in the frame of its entity. A loaded scene shows it before the first step."""
    found = world.poses.find(entity)
    if found is None:
        return {}
    batch, row = found
    pose = batch.pose[row]
    arrays = {"rotations": pose.model_rotations, "positions": pose.model_positions}
    return {"pose": {name: encode_array(array) for name, array in arrays.items()}}


def _restore_pose(world: World, entity: int, item: dict[str, Any]) -> None:
    found = world.poses.find(entity)
    if "pose" not in item or found is None:
        return
    if not isinstance(item["pose"], dict):
        raise Unfit("expected an object of arrays")
    character = found[0].character
    joints, arrays = character.skeleton.joint_count, []
    for name, shape in (("rotations", (joints, 4)), ("positions", (joints, 3))):
        array = decode_array(item["pose"].get(name))
        if array.dtype != np.float32 or array.shape != shape or not np.isfinite(array).all():
            raise Unfit(f"{name}: expected {list(shape)} finite float32 for {character.name!r}")
        arrays.append(array[None])
    world.poses.write(np.array([entity]), Pose.from_model(character.skeleton, *arrays))


def _restore(
    world: World, item: Any, known: dict[str, type], assets: dict[str, Character | Motion]
) -> tuple[int, int | None]:
    if not isinstance(item, dict) or type(item.get("id")) is not int or not isinstance(item.get("components"), dict):
        raise Unfit("expected an entity with id and components")
    entity, parent = item["id"], None
    world.restore_next(entity)
    components = []
    for name, value in item["components"].items():
        if name not in known:
            names = ", ".join(sorted(known))
            raise Unfit(f"unknown component {name[:60]!r}; known are {names}; pass [Kind] to World.load")
        try:
            component = build(known[name], value, assets)
        except Unfit as error:
            raise Unfit(f"{name}: {error}") from None
        if isinstance(component, Transform):
            parent, component.parent = component.parent, None
        components.append(component)
    world.spawn(*components)
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
        raise FormatError(f"is not a scene: invalid JSON: {' '.join(str(error).split())}", path=shown) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"is not a scene: its format is not {FORMAT!r}", path=shown)
    if document.get("version") != VERSION:
        found = repr(document.get("version"))[:20]
        raise FormatError(f"is a scene of version {found}; this program reads version {VERSION}", path=shown)
    return document


def _whole(document: dict[str, Any], key: str, shown: str) -> int:
    value = document.get(key)
    if type(value) is not int or not 0 <= value < 2**62:
        raise FormatError("expected an integer of at least 0", path=shown, node=key)
    return value
