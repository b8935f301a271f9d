"""What is sent to the browser."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

import viser

from kinema.viewer.guard import quiet
from kinema.viewer.scene import CharacterView, Stage, camera_heading


@pytest.fixture
def server() -> Iterator[object]:
    with quiet():
        opened = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    yield opened
    with quiet():
        opened.stop()


def test_bones_stand_where_the_joints_are(server, biped):
    view = CharacterView(server, "one", biped)
    turned, placed = biped.rest_pose.global_rotations, biped.rest_pose.global_positions
    placed = placed + np.array([1, 2, 3], np.float32)
    view.update(turned, placed)
    joints = set()
    for part in view._parts:
        handle = part.handle
        for bone, joint in part.moving:
            assert handle.bones[bone].position == pytest.approx(placed[joint])
            assert handle.bones[bone].wxyz == pytest.approx(turned[joint])
            joints.add(joint)
    assert {biped.index(name) for name in ("Hips", "LeftUpLeg", "RightForeArm", "Head")} <= joints
    view.visible = False
    assert not view.visible


def test_the_world_moves_instead_of_the_camera(server):
    stage = Stage(server, 1.7)
    stage.follow(np.array([10.3, 5.0, -7.9]))
    assert stage._world.position == pytest.approx([-10.3, 0.0, 7.9])
    assert np.abs(stage._ground.position).max() < 2.0 + 1e-6
    lines = (np.asarray(stage._ground.position) - np.asarray(stage._world.position))[[0, 2]] / 2.0
    assert lines == pytest.approx(np.round(lines), abs=1e-6)  # the grid's lines stay where they are in the world
    stage.follow(np.array([12.3, 0.0, -7.9]), share=0.5)
    assert stage._world.position[0] == pytest.approx(-11.3)


@pytest.mark.parametrize(("look_at", "heading"), [((0, 0, 5), 0.0), ((5, 0, 0), math.pi / 2), ((0, -3, 0), 0.0)])
def test_camera_heading(look_at, heading):
    client = SimpleNamespace(camera=SimpleNamespace(look_at=look_at, position=(0, 0, 0)))
    assert camera_heading(client) == pytest.approx(heading)  # type: ignore[arg-type]
    assert camera_heading(None) == 0.0
