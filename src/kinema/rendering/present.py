"""From a world to a view: the characters with their poses between two fixed steps, and the lights."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Indices, Singles
from kinema.engine.components import Eye, Lamp, SunLight, Transform, vector
from kinema.engine.poses import Figures
from kinema.engine.world import World
from kinema.errors import WorldError
from kinema.pose import Pose
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.view import Floor, Instances, PointLight, Sun, View
from kinema.worlds.gaussians import GaussianScene


def present(world: World, camera: Camera | int, alpha: float | None = None, previous: View | None = None) -> View:
    """What a picture of the world shows.

    Poses lie `alpha` of the way from the state before the last fixed step to the present one. At 1 the view
    shares the arrays of the world, which never change afterwards. A `Draw` among the resources is shown too, and a
    `GaussianScene` in place of a floor.

    Args:
        camera: a camera, or an entity with an `Eye`.
        alpha: 0 to 1; default `world.alpha`.
        previous: the previous picture, for motion vectors; without it, a picture at alpha 1 has those of the last fixed
            step, and any other has none.

    Raises:
        WorldError: the entity has no Eye or no Transform.
    """
    share = world.alpha if alpha is None else min(max(float(alpha), 0.0), 1.0)
    world.regroup_figures()
    before = {} if previous is None else {id(instances.character): instances for instances in previous.instances}
    instances = tuple(
        _actors(batch, share, before.get(id(batch.character)), previous is None)
        for batch in world.poses.batches
        if batch.character.meshes
    )
    points = tuple(_lamp(world, entity, lamp, share) for entity, (lamp, _) in world.query(Lamp, Transform))
    lens = camera if isinstance(camera, Camera) else eye_camera(world, camera, share)
    scene = world.resources.find(GaussianScene)
    return View(
        lens,
        instances,
        _sun(world),
        points,
        floor=_floor(world, share, instances, lens) if scene is None else None,
        draw=world.resources.find(Draw),
        previous_camera=None if previous is None else previous.camera,
        splats=scene,
    )


def eye_camera(world: World, entity: int, alpha: float | None = None) -> Camera:
    """The camera of an entity with an `Eye` and a Transform, between two fixed steps as `present`.

    Raises:
        WorldError: the entity has no Eye or no Transform, or no eye can be like that.
    """
    eye = world.get(entity, Eye)
    if not (0 < eye.fov < np.pi and 0 < eye.near < eye.far < np.inf and (1 if eye.height is None else eye.height) > 0):
        raise WorldError(f"the Eye of entity {entity} needs 0 < fov < pi, 0 < near < far and a height above zero")
    position, rotation = _transform(world, entity, world.alpha if alpha is None else alpha)
    return Camera(position.astype(np.float64), rotation.astype(np.float64), eye.fov, eye.near, eye.far, eye.height)


def _actors(batch: Figures, share: float, before: Instances | None, steps: bool) -> Instances:
    ids, pose = batch.ids.astype(np.int32), batch.between(share)
    previous = batch.previous if steps and share == 1.0 else None
    if before is not None and before.entities is not None:
        previous = _matched(before.pose, before.entities, ids, pose)
    return Instances(batch.character, pose, ids, batch.tints, previous)


def _matched(before: Pose, had: Indices, ids: Indices, now: Pose) -> Pose:
    """The poses of the previous picture in the present order; a new entity has not moved."""
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
    if world.find(entity, Transform) is not None:
        toward = rotations.rotate(world.columns(Transform).global_of(entity)[1], toward)
    x, y, z = toward.tolist()
    return Sun((x, y, z), light.color, light.intensity, light.softness, light.shadows)


def _floor(world: World, share: float, instances: tuple[Instances, ...], camera: Camera) -> Floor:
    """The ground of the world around its figures, as it is between the last two steps."""
    if world.ground is None:
        return Floor()
    places = [one.pose.root_positions for one in instances if len(one.pose)]
    centre = np.concatenate(places).mean(0) if places else camera.position
    return Floor().over(world.ground.at(world.time - (1.0 - share) * world.step_seconds), centre)


def _lamp(world: World, entity: int, lamp: Lamp, share: float) -> PointLight:
    x, y, z = _transform(world, entity, share)[0].tolist()
    return PointLight((x, y, z), lamp.color, lamp.intensity, lamp.reach)


def _transform(world: World, entity: int, share: float) -> tuple[Singles, Singles]:
    columns = world.columns(Transform)
    row = columns.row(entity)
    position, rotation = columns.global_positions[row], columns.global_rotations[row]
    old_position, old_rotation = columns.previous_positions[row], columns.previous_rotations[row]
    return old_position + share * (position - old_position), rotations.slerp(old_rotation, rotation, share)
