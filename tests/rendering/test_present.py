"""From a world to a view."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.character import Character, Mesh, Morph
from kinema.engine import Eye, Figure, Lamp, Playing, SunLight, Tint, Transform, World
from kinema.errors import WorldError
from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.present import eye_camera, present
from kinema.rendering.view import Floor
from kinema.terrain import Plane, Union, hills, stairs

CAMERA = Camera.look_at((0, 1, 5), (0, 1, 0))
LEFT = rotations.from_yaw(np.float32(np.pi / 2))


@pytest.fixture
def box() -> Character:
    corners = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    mesh = Mesh("box", corners, np.tile(np.float32([0, 0, 1]), (3, 1)), np.uint32([[0, 1, 2]]), joint=0)
    return Character("box", Skeleton.create(["root", "tip"], [-1, 0], [[0, 0, 0], [1, 0, 0]]), (mesh,))


@pytest.fixture
def moving(box):
    """Two boxes that went from x = 0 and 3 to x = 1 and 4 while the first turned a quarter to the left."""
    world = World()
    ids = [world.spawn(Transform((3.0 * k, 0, 0)), Figure(box)) for k in range(2)]
    world.step()
    world.columns(Transform).positions[:, 0] += 1
    world.get(ids[0], Transform).rotation = LEFT
    world.step()
    return world


def test_the_present_state_is_handed_out_without_copying(moving):
    view = present(moving, CAMERA)
    (instances,), batch = view.instances, moving.poses.batches[0]
    assert instances.pose is batch.shown and instances.previous is batch.previous
    assert instances.entities.tolist() == [1, 2] and instances.entities.dtype == np.int32 and instances.tints is None
    assert view.camera is CAMERA and view.draw is None and view.points == ()


def test_the_ground_of_the_world_is_the_floor_around_its_figures(moving):
    assert present(moving, CAMERA).floor == Floor()
    moving.ground = Union((Plane(0.2), stairs()))
    floor = present(moving, CAMERA).floor
    assert floor is not None and floor.y == 0.2 and floor.plane and len(floor.surfaces) == 1
    moving.ground = hills()
    moving.columns(Transform).positions[:, 0] += 1000.0
    moving.step()
    floor = present(moving, CAMERA).floor
    assert floor is not None and not floor.plane
    middles = [one.surface.vertices.mean(0)[0] for one in floor.surfaces]
    assert 1001 < np.mean(middles) < 1005


def test_ground_that_moves_lies_between_two_steps(moving):
    class Lift(Plane):
        def at(self, time):
            return Plane(time)

    moving.ground = Lift()
    for alpha in (0.0, 0.25, 1.0):
        floor = present(moving, CAMERA, alpha=alpha).floor
        assert floor is not None and floor.y == pytest.approx((1 + alpha) * moving.step_seconds)


def test_pictures_lie_between_two_steps(moving):
    (instances,) = present(moving, CAMERA, alpha=0.25).instances
    assert instances.pose.global_positions[:, 0, 0] == pytest.approx([0.25, 3.25])
    assert instances.pose.global_positions.dtype == instances.pose.global_rotations.dtype == np.float32
    half = present(moving, CAMERA, alpha=0.5).instances[0]
    assert rotations.yaw(half.pose.global_rotations[0, 0]) == pytest.approx(np.pi / 4, abs=1e-6)
    np.testing.assert_allclose(present(moving, CAMERA, alpha=0).instances[0].pose.global_positions[:, 0, 0], [0, 3])
    moving.advance(0, 0.5)
    np.testing.assert_array_equal(
        present(moving, CAMERA).instances[0].pose.global_positions, half.pose.global_positions
    )


def test_motion_is_measured_from_the_picture_before(moving, box):
    first = present(moving, CAMERA, alpha=0.5)
    assert first.instances[0].previous is None
    moving.step()
    nearer = dataclasses.replace(CAMERA, position=np.array([0.0, 1.0, 4.0]))
    second = present(moving, nearer, alpha=0.5, previous=first)
    np.testing.assert_array_equal(
        second.instances[0].previous.global_positions, first.instances[0].pose.global_positions
    )
    assert second.previous_camera is CAMERA
    moving.despawn(1)
    new = moving.spawn(Transform((9, 0, 0)), Figure(box))
    moving.step()
    (third,) = present(moving, nearer, alpha=0.5, previous=second).instances
    assert third.entities.tolist() == [2, new]
    np.testing.assert_array_equal(third.previous.global_positions[0], second.instances[0].pose.global_positions[1])
    np.testing.assert_array_equal(third.previous.global_positions[1], third.pose.global_positions[1])


def test_only_what_can_be_seen_is_shown(moving, box):
    moving.spawn(Transform(), Figure(dataclasses.replace(box, meshes=())))
    moving.enable(1, False)
    (instances,) = present(moving, CAMERA).instances
    assert instances.entities.tolist() == [2]


def test_tints(moving):
    moving.add(2, Tint((1, 0.5, 0, 0.25)))
    lamp = moving.spawn(Transform(), Tint((0, 0, 0, 1)))
    (instances,) = present(moving, CAMERA).instances
    np.testing.assert_allclose(instances.tints, [[1, 1, 1, 1], [1, 0.5, 0, 0.25]])
    moving.remove(2, Tint)
    assert present(moving, CAMERA).instances[0].tints is None
    moving.despawn(lamp)
    moving.add(1, Tint((1, 2)))  # type: ignore[arg-type]
    with pytest.raises(WorldError, match="the tint of entity 1 must be 4 finite numbers"):
        present(moving, CAMERA)


def test_lights_are_where_their_transforms_are(moving):
    sun = moving.spawn(SunLight((0, 0, 1), intensity=3.0))
    lamp = moving.spawn(Transform((0, 2, 0)), Lamp(reach=5.0))
    moving.step()
    moving.get(lamp, Transform).position = (2, 2, 0)
    moving.step()
    view = present(moving, CAMERA, alpha=0.5)
    assert view.sun.toward == (0, 0, 1) and view.sun.intensity == 3.0
    assert view.points[0].position == pytest.approx((1, 2, 0)) and view.points[0].reach == 5.0
    moving.add(sun, Transform(rotation=LEFT))
    assert present(moving, CAMERA).sun.toward == pytest.approx((1, 0, 0), abs=1e-6)


def test_the_world_has_eyes(moving):
    eye = moving.spawn(Transform((0, 1, 0)), Eye(0.7, near=0.2, height=3.0))
    moving.step()
    moving.get(eye, Transform).position = (0, 1, 2)
    moving.get(eye, Transform).rotation = LEFT
    moving.step()
    camera = present(moving, eye, alpha=0.5).camera
    np.testing.assert_allclose(camera.position, [0, 1, 1], atol=1e-6)
    np.testing.assert_allclose(camera.ahead, [np.sqrt(0.5), 0, np.sqrt(0.5)], atol=1e-6)
    assert (camera.fov, camera.near, camera.height) == (0.7, 0.2, 3.0)
    np.testing.assert_allclose(eye_camera(moving, eye).ahead, [1, 0, 0], atol=1e-6)
    for wrong in (Eye(0.0), Eye(np.nan), Eye(near=2.0, far=1.0), Eye(height=0.0), Eye(far=np.inf)):
        moving.add(eye, wrong)
        with pytest.raises(WorldError, match="needs 0 < fov < pi"):
            present(moving, eye)
    with pytest.raises(WorldError, match="entity 1 has no Eye"):
        present(moving, 1)


def test_what_systems_draw_is_shown(moving):
    draw = moving.resources.add(Draw())
    assert present(moving, CAMERA).draw is draw


def test_faces_lie_between_two_steps_and_remember_the_picture_before(box):
    mesh = box.meshes[0]
    figure = dataclasses.replace(
        box, meshes=(dataclasses.replace(mesh, morphs=(Morph("smile", np.ones_like(mesh.positions)),)),)
    )
    ramp = np.linspace(0, 1, 11, dtype=np.float32)
    clip = Motion.create(
        box.skeleton, np.tile(box.skeleton.rest_rotations, (11, 1, 1)), fps=10.0, labels={"morph.smile": ramp}
    )
    world = World(step=0.1)
    world.spawn(Transform(), Figure(figure), Playing(clip))
    assert present(world, CAMERA).instances[0].pose.morph_weights is None, "before the first step"
    world.step()
    world.step()
    (whole,) = present(world, CAMERA, alpha=1.0).instances
    assert whole.pose.morph_weights is not None and whole.previous.morph_weights is not None
    assert (whole.pose.morph_weights[0, 0], whole.previous.morph_weights[0, 0]) == pytest.approx((0.2, 0.1), abs=1e-5)
    view = present(world, CAMERA, alpha=0.5)
    assert view.instances[0].pose.morph_weights is not None and view.instances[0].pose.morph_weights[
        0, 0
    ] == pytest.approx(0.15, abs=1e-5)
    world.step()
    (after,) = present(world, CAMERA, alpha=0.5, previous=view).instances
    assert after.previous.morph_weights is not None and after.previous.morph_weights[0, 0] == pytest.approx(
        0.15, abs=1e-5
    )
