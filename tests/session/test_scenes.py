from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.rendering.camera import Camera
from kinema.session.scenes import SceneSession
from kinema.session.settings import Choice
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.made import make_world

CAMERA = Camera.look_at((0, 2, 5), (0, 0, 0))
SCENES = [make_world("room").scene(0.4), make_world("park").scene(0.8)]


def session(read: list[int] | None = None) -> SceneSession:
    def opened(number: int) -> GaussianScene:
        if read is not None:
            read.append(number)
        return SCENES[number]

    return SceneSession(["room", "park"], opened)


def test_one_scene_is_shown_and_read_at_a_time() -> None:
    read: list[int] = []
    shown = session(read)
    assert shown.title == "room" and shown.view(CAMERA).splats is SCENES[0] and read == [0]
    assert shown.key("KeyN") and shown.title == "park" and shown.view(CAMERA).splats is SCENES[1]
    assert shown.key("KeyN") and shown.title == "room" and read == [0, 1, 0]
    choice = shown.settings()[0]
    assert isinstance(choice, Choice) and choice.options() == ["room", "park"]
    choice.put("park")
    assert shown.view(CAMERA).splats is SCENES[1] and dict(shown.figures())["splats"] == f"{len(SCENES[1]):,}"


def test_cameras_look_at_what_the_scene_consists_of() -> None:
    target = session().target
    assert not target.empty and np.abs(target.position[[0, 2]]).max() < 0.5 and abs(float(target.position[1])) < 1.0
    assert 6.0 < target.size < 14.0
    assert float(target.ground.height(np.zeros(3))) == pytest.approx(float(target.position[1]))


def test_a_scene_that_cannot_be_read_leaves_the_one_that_is_shown() -> None:
    def opened(number: int) -> GaussianScene:
        if number:
            raise FormatError("is damaged", path="b.ply")
        return SCENES[0]

    shown = SceneSession(["a", "b"], opened)
    shown.key("KeyN")
    assert shown.title == "a" and shown.view(CAMERA).splats is SCENES[0]
    assert [line.level for line in shown.log.lines] == ["error"] and "b.ply: is damaged" in shown.log.lines[0].text
