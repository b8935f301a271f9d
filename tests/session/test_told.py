from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import numpy as np
import pytest

import kinema
from kinema.control.presets import controller_maker
from kinema.control.subject import generated
from kinema.errors import SceneError, UsageError
from kinema.face.staging import around_origin
from kinema.session.playable import playable
from kinema.session.steering import InputState
from kinema.session.told import Gesturing, ToldSession
from kinema.worlds.made import make_world


@pytest.fixture(scope="module")
def database() -> kinema.MotionDatabase:
    return generated(minutes=3.0)


@pytest.fixture
def opened(database: kinema.MotionDatabase) -> Iterator[Callable[..., ToldSession]]:
    scene, ground = around_origin(make_world("park", 3).scene(spacing=0.25))
    sessions: list[ToldSession] = []

    def make(said: str = "") -> ToldSession:
        controller = controller_maker("motion-matching")(database)
        one = playable(controller, None, "motion", ExitStack())
        session = ToldSession(lambda say: one, ground, scene.things, said=said)
        sessions.append(session)
        for _ in range(200):
            session.update(0.01)
            if session.playable is not None:
                break
        session.update(0.02)
        return session

    yield make
    for session in sessions:
        session.close()


def played(session: ToldSession, seconds: float) -> np.ndarray:
    """Places `[N, 2]` of the hero and heights of its right hand over its shoulder `[N]`, as `[N, 3]`."""
    arm = next(arm for arm in session.playable.character.skeleton.roles.arms if arm.side == "right")  # type: ignore[union-attr]
    rows = []
    for _ in range(round(seconds * 30)):
        session.world.advance(2, 0.0)
        session.update(1 / 30)
        place, _ = session._root(1.0)
        batch, row = session.world.poses.find(session.hero)  # type: ignore[misc]
        hands = batch.pose[row].global_positions
        rows.append([place[0], place[2], hands[arm.hand, 1] - hands[arm.upper, 1]])
    return np.asarray(rows)


def test_a_sentence_is_acted_out_and_then_it_is_steered_again(opened: Callable[..., ToldSession]) -> None:
    session = opened("walk three metres, then wave")
    assert session.said == "walk three metres, then wave"
    rows = played(session, 8.0)
    assert 2.0 < np.linalg.norm(rows[-1, :2] - rows[0, :2]) < 4.0
    raised = np.flatnonzero(rows[:, 2] > 0.1)
    assert len(raised) > 15 and np.linalg.norm(rows[raised[0], :2] - rows[0, :2]) > 2.0
    assert rows[-1, 2] < 0.0 and session.said == ""


def test_keys_take_over(opened: Callable[..., ToldSession]) -> None:
    session = opened()
    session.tell("walk six metres")
    played(session, 1.0)
    session.steer(InputState(frozenset({"KeyS"})), 0.0)
    played(session, 0.2)
    assert session.said == ""


def test_what_cannot_be_done_is_said_and_what_was_said_goes_on(opened: Callable[..., ToldSession]) -> None:
    session = opened()
    session.tell("walk three metres")
    with pytest.raises(SceneError, match="no volcano here"):
        session.tell("walk to the volcano")
    with pytest.raises(UsageError):
        session.tell("blorp")
    assert session.said == "walk three metres"
    setting = next(each for each in session.settings() if each.label == "tell")
    setting.put("  wave ")
    assert session.said == "wave"
    session.restart()
    assert session.said == ""
    other = opened("walk to the volcano")
    assert any("volcano" in line.text and line.level == "error" for line in other.log.lines)


def test_the_controller_goes_on_from_its_own_poses(database: kinema.MotionDatabase) -> None:
    controller = controller_maker("motion-matching")(database)
    laid = Gesturing(controller, lambda pose: pose.replace(local_translations=pose.local_translations + 1.0))
    assert laid.skeleton is controller.skeleton and laid.family is controller.family
    first = laid.reset(1)
    made = laid.step(kinema.control.command.Commands.idle(), 1 / 60)
    assert np.abs(made.local_translations - first.local_translations).max() > 0.5
    again = controller.step(kinema.control.command.Commands.idle(), 1 / 60)
    assert np.abs(again.local_translations - first.local_translations).max() < 0.5
    ground = kinema.terrain.Plane()
    laid.ground = ground
    assert controller.ground is ground
