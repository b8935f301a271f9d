"""From a world to a view: the characters with their poses between two fixed steps, and the lights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.engine import kernels
from kinema.engine.components import Eye, Lamp, SunLight, Transform, vector
from kinema.engine.poses import PoseBatch
from kinema.engine.world import World
from kinema.errors import WorldError
from kinema.pose import Pose
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.view import Actors, PointLight, Sun, View


def present(world: World, camera: Camera | int, alpha: float | None = None, previous: View | None = None) -> View:
    """What a picture of the world shows.

    Poses lie `alpha` of the way from the state before the last fixed step to the present one. At 1 the arrays of the
    world are handed out as they are; they never change afterwards. A `Draw` among the resources is shown too.

    Args:
        camera: a camera, or an entity with an `Eye`.
        alpha: 0 to 1; default `world.alpha`.
        previous: the picture before, for motion vectors; without it those of a picture at alpha 1 tell of the last
            fixed step, and others of no motion.

    Raises:
        WorldError: the entity has no Eye or no Transform.
    """
    share = world.alpha if alpha is None else min(max(float(alpha), 0.0), 1.0)
    world.regroup_figures()
    before = {} if previous is None else {id(actors.character): actors for actors in previous.actors}
    actors = tuple(
        _actors(batch, share, before.get(id(batch.character)), previous is None)
        for batch in world.poses.batches
        if batch.character.meshes
    )
    points = tuple(_lamp(world, entity, lamp, share) for entity, (lamp, _) in world.query(Lamp, Transform))
    lens = camera if isinstance(camera, Camera) else eye_camera(world, camera, share)
    return View(
        lens,
        actors,
        _sun(world),
        points,
        draw=world.resources.find(Draw),
        previous_camera=None if previous is None else previous.camera,
    )


def eye_camera(world: World, entity: int, alpha: float | None = None) -> Camera:
    """The camera of an entity with an `Eye` and a Transform, between two fixed steps as `present`.

    Raises:
        WorldError: the entity has no Eye or no Transform, or no eye can be like that.
    """
    eye = world.get(entity, Eye)
    if not (0 < eye.fov < np.pi and 0 < eye.near < eye.far < np.inf and (1 if eye.height is None else eye.height) > 0):
        raise WorldError(f"the Eye of entity {entity} needs 0 < fov < pi, 0 < near < far and a height above zero")
    position, rotation = _placed(world, entity, world.alpha if alpha is None else alpha)
    return Camera(position.astype(np.float64), rotation.astype(np.float64), eye.fov, eye.near, eye.far, eye.height)


def _actors(batch: PoseBatch, share: float, before: Actors | None, steps: bool) -> Actors:
    skeleton, ids = batch.character.skeleton, batch.ids.astype(np.int32)
    old = Pose.from_model(
        skeleton, batch.previous_rotations, batch.previous_positions, morph_weights=batch.previous_morphs
    )
    if share == 1.0:
        pose = Pose.from_model(skeleton, batch.global_rotations, batch.global_positions, morph_weights=batch.morphs)
    else:
        blended = kernels.blend(
            batch.previous_rotations,
            batch.previous_positions,
            batch.global_rotations,
            batch.global_positions,
            np.float32(share),
        )
        faces = batch.morphs
        if faces is not None and batch.previous_morphs is not None:
            faces = (batch.previous_morphs + share * (faces - batch.previous_morphs)).astype(np.float32)
        pose = Pose.from_model(skeleton, *blended, morph_weights=faces)
    previous = old if steps and share == 1.0 else None
    if before is not None and before.entities is not None:
        previous = _matched(before.pose, before.entities, ids, pose)
    return Actors(batch.character, pose, ids, batch.tints, previous)


def _matched(before: Pose, had: NDArray[np.int32], ids: NDArray[np.int32], now: Pose) -> Pose:
    """The poses of the picture before in the present order; a new entity has not moved."""
    if np.array_equal(had, ids):
        return before
    _, there, here = np.intersect1d(had, ids, assume_unique=True, return_indices=True)
    rotation, position = now.global_rotations.copy(), now.global_positions.copy()
    rotation[here], position[here] = before.global_rotations[there], before.global_positions[there]
    return Pose.from_model(now.skeleton, rotation, position, morph_weights=now.morph_weights)


def _sun(world: World) -> Sun:
    found = world.first(SunLight)
    if found is None:
        return Sun()
    entity, light = found
    toward = vector(light.toward, 3, "the direction toward the sun")
    placed = world.find(entity, Transform)
    if placed is not None:
        toward = rotations.rotate(world.columns(Transform).global_of(entity)[1], toward)
    x, y, z = toward.tolist()
    return Sun((x, y, z), light.color, light.intensity, light.softness, light.shadows)


def _lamp(world: World, entity: int, lamp: Lamp, share: float) -> PointLight:
    x, y, z = _placed(world, entity, share)[0].tolist()
    return PointLight((x, y, z), lamp.color, lamp.intensity, lamp.reach)


def _placed(world: World, entity: int, share: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    columns = world.columns(Transform)
    row = columns.row(entity)
    position, rotation = columns.global_positions[row], columns.global_rotations[row]
    before, turned = columns.previous_positions[row], columns.previous_rotations[row]
    return before + share * (position - before), rotations.slerp(turned, rotation, share)
