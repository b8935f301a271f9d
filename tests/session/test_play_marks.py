"""Marks of a steered character."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.control.presets import motion_matching_controller
from kinema.engine import World
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set
from kinema.rendering.camera import Camera
from kinema.session.play import PlaySession
from kinema.session.playable import playable
from kinema.terrain import Placed, slope

from .conftest import go, until_ready

CAMERA = Camera.look_at((0, 1, -4), (0, 1, 0))


@pytest.fixture(scope="module")
def controller():
    return motion_matching_controller(MotionDatabase.from_motions(locomotion_set(minutes=0.5, seed=3)))


@pytest.fixture
def session(controller) -> PlaySession:
    made = until_ready(PlaySession(lambda say: playable(controller, None, "walk")))
    go(made, 1.5, "KeyW")
    made.show.update(dict.fromkeys(made.show, False))
    return made


def drawn(session: PlaySession, name: str):
    session.show[name] = True
    view = session.view(CAMERA)
    assert view.draw is not None
    return view.draw


@pytest.mark.parametrize("name", ["Contacts", "Trajectory"])
def test_marks_lie_on_the_ground(controller, name: str):
    ramp = Placed(slope(length=20.0, rise=2.0, width=50.0), (0.0, 0.0, -5.0))
    session = until_ready(PlaySession(lambda say: playable(controller, None, "walk"), world=World(ground=ramp)))
    go(session, 1.0, "KeyW")
    session.show.update(dict.fromkeys(session.show, False))
    draw = drawn(session, name)
    points = draw.rows("disc" if name == "Contacts" else "sphere")["center"]
    assert len(points) >= 2 and points[:, 1].min() > 0.4
    np.testing.assert_allclose(points[:, 1], ramp.height(points), atol=0.03)


def test_the_command_points_where_it_is_told(session: PlaySession):
    tip = drawn(session, "Command").rows("cone")["tip"][0]
    np.testing.assert_allclose(tip - session.target.position, [0, 0, 0.4 * 1.4], atol=0.05)


def test_the_trajectory_begins_at_the_character_and_goes_ahead(session: PlaySession):
    points = drawn(session, "Trajectory").rows("sphere")["center"]
    assert np.linalg.norm((points[0] - session.target.position)[[0, 2]]) < 0.2
    assert points[-1, 2] - points[0, 2] == pytest.approx(1.4, abs=0.2)


def test_held_feet_have_a_ring_more(session: PlaySession):
    discs = drawn(session, "Contacts").rows("disc")
    locked = session.playable.controller.locked[0]
    assert len(discs) == 2 + int(locked.sum())


def test_what_the_search_compares_is_at_the_joints(session: PlaySession):
    draw = drawn(session, "Features")
    balls = draw.rows("sphere", on_top=True)["center"]
    batch, row = session.world.poses.find(session.hero)
    roles = batch.character.skeleton.roles
    feet = batch.shown.global_positions[row, [roles.leg("left").foot, roles.leg("right").foot]]
    assert np.linalg.norm(balls[:2] - feet, axis=-1).max() < 0.35
    assert len(draw.rows("cone", on_top=True)) >= 2


def test_the_trail_ends_at_the_character(session: PlaySession):
    rows = drawn(session, "Trail").rows("stroke")
    assert len(rows) > 10 and rows["end"][-1][2] == pytest.approx(session.target.position[2], abs=0.02)
    assert rows["color"][0, 3] < rows["end_color"][-1, 3]
