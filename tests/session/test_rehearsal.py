"""A model beside the truth, without a screen."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from multiprocessing import Pipe

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import ControlError
from kinema.rendering.camera import Camera
from kinema.session.rehearsal import RehearsalSession


class Learner:
    """Two clips that stand still; the model is half a metre too high, less with every step."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton, self.titles, self.step = skeleton, ("one", "two"), 1
        self._told = self.asked = 0

    def still(self, clip: int, lift: float) -> Motion:
        moved = np.tile(self.skeleton.rest_translations, (20 + clip, 1, 1))
        moved[:, 0, 1] += lift
        return Motion.create(self.skeleton, np.tile(self.skeleton.rest_rotations, (20 + clip, 1, 1)), moved, fps=30)

    def truth(self, clip: int) -> Motion:
        return self.still(clip, 0.0)

    def fresh(self) -> bool:
        self.asked += 1
        return self.step != self._told

    def model(self, clip: int) -> tuple[Motion, int]:
        self._told = self.step
        return self.still(clip, 0.5 / self.step), self.step

    def losses(self):
        steps = np.array([50.0, 100.0, 150.0])
        return (steps, 1.0 / steps), (steps, 2.0 / steps)


@pytest.fixture
def session(biped: Skeleton) -> Iterator[RehearsalSession]:
    made = RehearsalSession(Learner(biped))
    yield made
    made.close()


def wait_for(condition) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()


def test_two_bodies_stand_apart_and_one_is_tinted(session):
    view = session.view(Camera.look_at((0, 1, 3), (0, 1, 0)))
    (instances,) = view.instances
    assert instances.tints is not None and instances.tints[0].tolist() == [1, 1, 1, 1] and instances.tints[1, 0] < 1
    apart = instances.pose.global_positions[1, 0] - instances.pose.global_positions[0, 0]
    assert np.allclose(apart, [session.apart, 0.5, 0.0], atol=1e-5)
    assert "step 1" in session.title and "off by 50.0 cm" in session.title


def test_keys_play_and_choose(session):
    assert session.playhead.playing and session.key("Space") and not session.playhead.playing
    session.key("ArrowRight")
    assert session.playhead.frame == 1 and not session.still
    session.view(Camera.look_at((0, 1, 3), (0, 1, 0)))
    assert session.still
    session.key("KeyN")
    assert wait_for(lambda: session.rehearser.latest.clip == 1)
    session.update(0.0)
    assert session.playhead.frames == 21 and session.playhead.frame == 0
    assert not session.key("KeyX")


def test_new_weights_are_shown(session):
    session.rehearser.learner.step = 10
    assert wait_for(lambda: session.rehearser.latest.step == 10)
    session.update(0.01)
    assert ("step", "10") in session.figures() and ("loss", "0.0067") in session.figures()
    assert "step 10" in session.title and "off by 5.0 cm" in session.title


def test_it_ends_with_the_training(biped):
    ours, theirs = Pipe()
    session = RehearsalSession(Learner(biped), connection=theirs)
    session.update(0.01)
    assert session.failure is None
    ours.close()
    session.update(0.01)
    assert isinstance(session.failure, ControlError)
    session.close()


def test_nothing_runs_while_nobody_looks(biped):
    looks = threading.Semaphore(0)

    class Unseen(RehearsalSession):
        watched = property(lambda self: looks.release() or False, lambda self, seen: None)

    session = Unseen(Learner(biped))
    assert all(looks.acquire(timeout=60) for _ in range(3))
    session.close()
    assert session.rehearser.learner.asked == 0


def test_settings_choose_a_clip_and_set_the_two_apart(session):
    settings = {one.label: one for one in session.settings()}
    settings["Held out"].put("two")
    assert wait_for(lambda: session.rehearser.latest.clip == 1)
    settings["Apart"].put(99.0)
    session.update(0.01)
    positions = session.world.columns().global_positions
    assert np.ptp(positions[:, 0]) == pytest.approx(2.0 * session.size)
