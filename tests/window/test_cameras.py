"""Cameras and the hand that moves them."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from kinema.session.target import CameraTarget
from kinema.terrain import Heightmap, Plane
from kinema.window.cameras import NAMES, Cameras
from kinema.window.events import Button, Pointer, Scroll
from kinema.window.layout import Rect

SCENE = Rect(100, 50, 600, 400)


def person(z: float = 0.0, heading: float = 0.0, size: float = 1.7) -> CameraTarget:
    aside = 0.18 * size
    points = np.array([[-aside, 0, z - aside], [aside, size, z + aside]])
    return CameraTarget(np.array([0, 0, z]), heading, size, points)


def settle(cameras: Cameras, subject: CameraTarget, seconds: float = 4.0) -> None:
    for _ in range(int(seconds * 30)):
        cameras.update(1 / 30, subject, 1.5)


def test_cameras_stay_above_the_ground_where_they_are():
    for name in ("Orbit", "Behind", "Frame", "Fly"):
        cameras = Cameras()
        hill = Heightmap.from_function(lambda x, z: 3.0 * (np.hypot(x, z) > 1.0), (40.0, 40.0), 0.5)
        cameras.choose(name)
        for _ in range(60):
            camera = cameras.update(0.1, dataclasses.replace(person(), ground=hill), 1.6)
        assert camera.position[1] > hill.height(camera.position)


def test_targets_on_high_ground_are_seen_as_on_low_ground():
    for name in ("Orbit", "Behind", "Frame"):
        low, high = Cameras(), Cameras()
        low.choose(name)
        high.choose(name)
        up, there = np.array([0.0, 5.0, 0.0]), person()
        raised = dataclasses.replace(there, position=there.position + up, points=there.points + up, ground=Plane(5.0))
        for _ in range(60):
            first, second = low.update(0.1, there, 1.6), high.update(0.1, raised, 1.6)
        np.testing.assert_allclose(second.position - up, first.position, atol=1e-3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [0.1, 1.7, 20.0])
def test_every_camera_sees_its_subject(name: str, size: float):
    cameras = Cameras()
    settle(cameras, person(size=size))
    cameras.choose(name)
    settle(cameras, person(size=size))
    low, high = cameras.camera.project([[0, 0, 0], [0, size, 0]], 600, 400)
    assert low[2] > 0 and high[2] > 0
    assert 0 <= high[1] < low[1] <= 400, "head above feet, both in the picture"
    assert low[1] - high[1] > 120


def test_a_viewer_stands_in_front_and_a_player_behind():
    viewer, player = Cameras(), Cameras(behind=True)
    for cameras in (viewer, player):
        settle(cameras, person(heading=1.0))
    facing = np.array([math.sin(1.0), 0, math.cos(1.0)])
    assert viewer.camera.ahead @ facing < -0.5 and player.camera.ahead @ facing > 0.9
    assert player.heading == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("name", ["Orbit", "Behind", "Frame", "Tripod"])
def test_cameras_keep_their_subject_when_it_walks_off(name: str):
    cameras = Cameras()
    settle(cameras, person())
    cameras.choose(name)
    for step in range(120):
        cameras.update(1 / 30, person(z=1.4 * step / 30), 1.5)
    x, y, depth = cameras.camera.project([0, 0.9, 1.4 * 119 / 30], 600, 400)
    assert depth > 0 and 100 < x < 500 and 50 < y < 350


def drag(cameras: Cameras, button: int, dx: float, dy: float, shift: bool = False, taken: bool = False) -> None:
    cameras.pointed(Pointer(400, 250), SCENE, taken, shift)
    cameras.pointed(Button(button, True), SCENE, taken, shift)
    cameras.pointed(Pointer(400 + dx, 250 + dy), SCENE, taken, shift)
    cameras.pointed(Button(button, False), SCENE, taken, shift)


def test_a_drag_turns_and_what_the_gui_has_does_not():
    cameras = Cameras()
    settle(cameras, person())
    before = cameras.heading
    drag(cameras, 0, 100, 0)
    settle(cameras, person())
    assert cameras.heading == pytest.approx(before - 0.7, abs=0.02)
    drag(cameras, 0, 100, 0, taken=True)
    settle(cameras, person())
    assert cameras.heading == pytest.approx(before - 0.7, abs=0.02)


@pytest.mark.parametrize("name", ["Orbit", "Tripod", "Fly"])
def test_the_right_button_moves_what_is_under_it_along(name: str):
    cameras = Cameras()
    settle(cameras, person())
    cameras.choose(name)
    before = cameras.camera.position.copy()
    drag(cameras, 1, 60, 0)
    settle(cameras, person())
    moved = cameras.camera.position - before
    assert moved @ cameras.camera.left > 0.1, "the scene goes right with the hand, so the camera goes left"
    cameras.meet(person())
    settle(cameras, person())


@pytest.mark.parametrize("name", NAMES)
def test_the_wheel_makes_it_larger(name: str):
    cameras = Cameras()
    settle(cameras, person())
    cameras.choose(name)
    settle(cameras, person())

    def height() -> float:
        low, high = cameras.camera.project([[0, 0, 0], [0, 1.7, 0]], 600, 400)
        return float(low[1] - high[1])

    before = height()
    cameras.pointed(Scroll(0, 2), SCENE, False, False)
    settle(cameras, person())
    assert height() > 1.03 * before


def test_flying_and_stillness():
    cameras = Cameras()
    settle(cameras, person(), 8.0)
    assert not cameras.moving
    cameras.choose("Fly")
    before = cameras.camera.position.copy()
    for _ in range(30):
        cameras.update(1 / 30, person(), 1.5, frozenset({"KeyW"}))
    assert (cameras.camera.position - before) @ cameras.camera.ahead > 1.0 and cameras.moving


def test_the_key_goes_through_all_of_them():
    cameras = Cameras()
    seen = []
    for _ in NAMES:
        seen.append(cameras.name)
        cameras.next()
    assert tuple(seen) == NAMES and cameras.name == NAMES[0]


def test_another_subject_is_met_and_nobody_is_a_place():
    cameras = Cameras()
    settle(cameras, CameraTarget.nothing())
    settle(cameras, person(size=17.0), 0.1)
    assert np.linalg.norm(cameras.camera.position - [0, 8.8, 0]) > 20
