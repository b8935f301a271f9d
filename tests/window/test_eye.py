"""Cameras and the hand that moves them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinema.session.target import CameraTarget
from kinema.window.events import Button, Pointer, Scroll
from kinema.window.eye import NAMES, Eyes
from kinema.window.layout import Rect

SCENE = Rect(100, 50, 600, 400)


def person(z: float = 0.0, heading: float = 0.0, size: float = 1.7) -> CameraTarget:
    aside = 0.18 * size
    points = np.array([[-aside, 0, z - aside], [aside, size, z + aside]])
    return CameraTarget(np.array([0, 0, z]), heading, size, points)


def settle(eyes: Eyes, subject: CameraTarget, seconds: float = 4.0) -> None:
    for _ in range(int(seconds * 30)):
        eyes.update(1 / 30, subject, 1.5)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [0.1, 1.7, 20.0])
def test_every_camera_sees_its_subject(name: str, size: float):
    eyes = Eyes()
    settle(eyes, person(size=size))
    eyes.choose(name)
    settle(eyes, person(size=size))
    low, high = eyes.camera.project([[0, 0, 0], [0, size, 0]], 600, 400)
    assert low[2] > 0 and high[2] > 0
    assert 0 <= high[1] < low[1] <= 400, "head above feet, both in the picture"
    assert low[1] - high[1] > 120


def test_a_viewer_stands_in_front_and_a_player_behind():
    viewer, player = Eyes(), Eyes(behind=True)
    for eyes in (viewer, player):
        settle(eyes, person(heading=1.0))
    facing = np.array([math.sin(1.0), 0, math.cos(1.0)])
    assert viewer.camera.ahead @ facing < -0.5 and player.camera.ahead @ facing > 0.9
    assert player.heading == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("name", ["Orbit", "Behind", "Frame", "Tripod"])
def test_cameras_keep_their_subject_when_it_walks_off(name: str):
    eyes = Eyes()
    settle(eyes, person())
    eyes.choose(name)
    for step in range(120):
        eyes.update(1 / 30, person(z=1.4 * step / 30), 1.5)
    x, y, depth = eyes.camera.project([0, 0.9, 1.4 * 119 / 30], 600, 400)
    assert depth > 0 and 100 < x < 500 and 50 < y < 350


def drag(eyes: Eyes, button: int, dx: float, dy: float, shift: bool = False, taken: bool = False) -> None:
    eyes.pointed(Pointer(400, 250), SCENE, taken, shift)
    eyes.pointed(Button(button, True), SCENE, taken, shift)
    eyes.pointed(Pointer(400 + dx, 250 + dy), SCENE, taken, shift)
    eyes.pointed(Button(button, False), SCENE, taken, shift)


def test_a_drag_turns_and_what_the_gui_has_does_not():
    eyes = Eyes()
    settle(eyes, person())
    before = eyes.heading
    drag(eyes, 0, 100, 0)
    settle(eyes, person())
    assert eyes.heading == pytest.approx(before - 0.7, abs=0.02)
    drag(eyes, 0, 100, 0, taken=True)
    settle(eyes, person())
    assert eyes.heading == pytest.approx(before - 0.7, abs=0.02)


@pytest.mark.parametrize("name", ["Orbit", "Tripod", "Fly"])
def test_the_right_button_moves_what_is_under_it_along(name: str):
    eyes = Eyes()
    settle(eyes, person())
    eyes.choose(name)
    before = eyes.camera.position.copy()
    drag(eyes, 1, 60, 0)
    settle(eyes, person())
    moved = eyes.camera.position - before
    assert moved @ eyes.camera.left > 0.1, "the scene goes right with the hand, so the camera goes left"
    eyes.meet(person())
    settle(eyes, person())


@pytest.mark.parametrize("name", NAMES)
def test_the_wheel_makes_it_larger(name: str):
    eyes = Eyes()
    settle(eyes, person())
    eyes.choose(name)
    settle(eyes, person())

    def height() -> float:
        low, high = eyes.camera.project([[0, 0, 0], [0, 1.7, 0]], 600, 400)
        return float(low[1] - high[1])

    before = height()
    eyes.pointed(Scroll(0, 2), SCENE, False, False)
    settle(eyes, person())
    assert height() > 1.03 * before


def test_flying_and_stillness():
    eyes = Eyes()
    settle(eyes, person(), 8.0)
    assert not eyes.moving
    eyes.choose("Fly")
    before = eyes.camera.position.copy()
    for _ in range(30):
        eyes.update(1 / 30, person(), 1.5, frozenset({"KeyW"}))
    assert (eyes.camera.position - before) @ eyes.camera.ahead > 1.0 and eyes.moving


def test_the_key_goes_through_all_of_them():
    eyes = Eyes()
    seen = []
    for _ in NAMES:
        seen.append(eyes.name)
        eyes.next()
    assert tuple(seen) == NAMES and eyes.name == NAMES[0]


def test_another_subject_is_met_and_nobody_is_a_place():
    eyes = Eyes()
    settle(eyes, CameraTarget.nothing())
    settle(eyes, person(size=17.0), 0.1)
    assert np.linalg.norm(eyes.camera.position - [0, 8.8, 0]) > 20
