"""Rehearsals: the truth and what the model makes of it, kept up to date by a thread."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import LearningError
from kinema.session.rehearser import Rehearser, loss_curve


class Learner:
    """Two clips in which nothing moves; the model is a metre off, less with every step."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton, self.titles = skeleton, ("one", "two")
        self.step, self.asked, self.broken = 1, 0, False
        self._told = 0

    def still(self, clip: int, aside: float) -> Motion:
        shape = (10 + clip, self.skeleton.joint_count, 4)
        moved = np.tile(np.float32([aside, 1, 0]), (10 + clip, 1, 1))
        return Motion.create(self.skeleton, np.tile(np.float32([1, 0, 0, 0]), (*shape[:2], 1)), moved, [0], fps=30)

    def truth(self, clip: int) -> Motion:
        return self.still(clip, 0.0)

    def fresh(self) -> bool:
        self.asked += 1
        return self.step != self._told

    def model(self, clip: int) -> tuple[Motion, int]:
        if self.broken:
            raise LearningError("broken")
        self._told = self.step
        return self.still(clip, 1.0 / self.step), self.step

    def losses(self):
        raise NotImplementedError


def wait_for(condition) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()


def test_errors_are_in_centimetres(biped):
    rehearser = Rehearser(Learner(biped), lambda: True)
    assert np.allclose(rehearser.latest.apart_cm, 100.0) and len(rehearser.latest.apart_cm) == 10


def test_new_weights_and_another_clip_make_a_new_rehearsal(biped):
    learner = Learner(biped)
    rehearser = Rehearser(learner, lambda: True)
    truth = rehearser.latest.truth
    learner.step = 4
    assert wait_for(lambda: rehearser.latest.step == 4)
    assert rehearser.latest.truth is truth and rehearser.latest.apart_cm[0] == pytest.approx(25.0)
    rehearser.choose(-1)
    assert wait_for(lambda: rehearser.latest.clip == 1) and rehearser.latest.truth.frames == 11
    rehearser.stop()


def test_nothing_is_asked_for_while_nobody_looks(biped):
    learner, looks = Learner(biped), threading.Semaphore(0)
    rehearser = Rehearser(learner, lambda: looks.release() or False)
    assert all(looks.acquire(timeout=60) for _ in range(3))
    rehearser.stop()
    assert learner.asked == 0


def test_a_model_that_fails_is_a_problem_and_the_last_take_stays(biped):
    learner = Learner(biped)
    rehearser = Rehearser(learner, lambda: True)
    learner.broken, learner.step = True, 2
    assert wait_for(lambda: rehearser.problem is not None)
    rehearser.stop()
    assert str(rehearser.problem) == "broken" and rehearser.latest.step == 1


def test_curves_share_their_steps():
    nothing = (np.zeros(0), np.zeros(0))
    steps = np.arange(0.0, 5000.0, 10.0)
    assert loss_curve(((steps[:1], steps[:1]), (steps, steps))) is None
    assert loss_curve(((steps, steps), nothing)) is None
    found = loss_curve(((steps, 2 * steps), (np.array([0.0, 4990.0]), np.array([1.0, 0.01]))))
    assert found is not None
    at, training, held = found
    assert len(at) == 300 and np.allclose(training, 2 * at) and np.allclose(held, 0.01 ** (at / 4990))
