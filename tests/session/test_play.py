"""Steering, without a window."""

from __future__ import annotations

import time

import numpy as np
import pytest

from kinema.errors import KinemaError
from kinema.rendering.camera import Camera
from kinema.session.playable import cast
from kinema.window.events import Key
from kinema.window.gamepad import Pad
from kinema.session.log import Log
from kinema.session.play import PlayMode

from .conftest import Gliding

CAMERA = Camera.look_at((0, 1, -4), (0, 1, 0))


def until_ready(mode: PlayMode) -> PlayMode:
    end = time.monotonic() + 10
    while mode.cast is None and mode.failure is None:
        mode.update(0.0)
        assert time.monotonic() < end
        time.sleep(0.002)
    return mode


@pytest.fixture
def mode(gliding: Gliding) -> PlayMode:
    return until_ready(PlayMode(lambda say: cast(gliding, None, "gliding"), Log()))


def go(mode: PlayMode, seconds: float, *keys: str, pad: Pad | None = None) -> None:
    for _ in range(round(60 * seconds)):
        mode.steer(frozenset(keys), pad, 0.0)
        mode.world.step()
        mode.update(1 / 60)


def test_keys_move_the_one_who_obeys(mode: PlayMode):
    go(mode, 2.0, "KeyW")
    z = mode.subject.place[2]
    assert z > 1.5
    go(mode, 1.5)
    still = mode.subject.place[2]
    go(mode, 0.5)
    assert mode.subject.place[2] == pytest.approx(still, abs=0.05)


def test_a_gamepad_is_greeted_steers_and_starts_over(mode: PlayMode):
    go(mode, 1.0, pad=Pad("Stick", frozenset(), (0.0, 1.0)))
    assert "Stick" in mode.log.lines[-1].text and mode.subject.place[2] > 0.5
    hero = mode.hero
    for _ in range(3):
        mode.steer(frozenset(), Pad("Stick", frozenset({"PadReset"})), 0.0)
    assert mode.hero != hero and mode.subject.place[2] == pytest.approx(0.0, abs=1e-6)


def test_a_crowd_is_one_batch(mode: PlayMode, gliding: Gliding):
    mode.set_crowd(7)
    before = gliding.steps
    go(mode, 0.5, "KeyW")
    assert gliding.steps - before == 30 and mode.group is not None and len(mode.group.ids) == 8
    view = mode.view(CAMERA)
    assert view.actors[0].global_positions.shape[0] == 8
    mode.set_crowd(2)
    go(mode, 0.1)
    assert mode.crowd == 2 and len(mode.group.ids) == 3 and mode.row == 0
    mode.key(Key("KeyR", True), set())
    go(mode, 0.1)
    assert mode.crowd == 2


def test_what_graphs_show_is_kept(mode: PlayMode):
    go(mode, 1.0, "KeyW")
    history = mode.history
    assert {"speed", "wanted speed", "cost", "tracking_cm", "contact left"} <= set(history.names)
    assert history.last("speed") == pytest.approx(1.2, abs=0.3) and history.last("wanted speed") == pytest.approx(1.4)
    mode.restart()
    assert len(history.times) == 0


def test_pictures_lie_between_steps_and_show_marks(mode: PlayMode):
    go(mode, 1.0, "KeyW")
    mode.world.advance(1, 0.0)
    early = mode.view(CAMERA).actors[0].global_positions[0, 0, 2]
    mode.world.advance(0, 1.0)
    late = mode.view(CAMERA).actors[0].global_positions[0, 0, 2]
    assert late > early
    for name in mode.show:
        mode.show[name] = True
    view = mode.view(CAMERA)
    assert view.draw is not None and len(view.draw.texts) == mode.cast.character.skeleton.joint_count
    mode.key(Key("Digit1", True), set())
    assert mode.view(CAMERA).actors == ()


def test_marks_stay_with_a_character_whose_origin_was_moved(mode: PlayMode):
    from kinema.engine import Transform

    go(mode, 0.2, "KeyW")
    mode.world.get(mode.hero, Transform).position = (50.0, 0.0, 0.0)
    go(mode, 0.2, "KeyW")
    mode.show.update(dict.fromkeys(mode.show, False), Trajectory=True)
    view = mode.view(CAMERA)
    points = view.draw.rows("stroke")["start"]
    assert np.abs(points[:, 0] - 50).max() < 1.0


def test_what_goes_wrong_is_the_end(gliding: Gliding):
    def make(say):
        raise KinemaError("no motion")

    mode = until_ready(PlayMode(make, Log()))
    assert str(mode.failure) == "no motion" and mode.cast is None
    assert mode.view(CAMERA).actors == () and mode.subject.size == 1.7
    mode.close()
