"""Takes: the truth and what the model makes of it, kept up to date by a thread."""

from __future__ import annotations

import time

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import LearningError
from kinema.viewer.takes import Takes, curve


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
    end = time.monotonic() + 10
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()


def test_errors_are_in_centimetres(biped):
    takes = Takes(Learner(biped), lambda: True)
    assert np.allclose(takes.take.apart_cm, 100.0) and len(takes.take.apart_cm) == 10


def test_new_weights_and_another_clip_make_a_new_take(biped):
    learner = Learner(biped)
    takes = Takes(learner, lambda: True)
    truth = takes.take.truth
    takes.start()
    learner.step = 4
    assert wait_for(lambda: takes.take.step == 4)
    assert takes.take.truth is truth and takes.take.apart_cm[0] == pytest.approx(25.0)
    takes.choose(-1)
    assert wait_for(lambda: takes.take.clip == 1) and takes.take.truth.frames == 11
    takes.stop()


def test_nothing_is_asked_for_while_nobody_looks(biped):
    learner = Learner(biped)
    takes = Takes(learner, lambda: False)
    takes.start()
    time.sleep(0.35)
    takes.stop()
    assert learner.asked == 0


def test_a_model_that_fails_is_a_problem_and_the_last_take_stays(biped):
    learner = Learner(biped)
    takes = Takes(learner, lambda: True)
    learner.broken, learner.step = True, 2
    takes.start()
    assert wait_for(lambda: takes.problem is not None)
    takes.stop()
    assert str(takes.problem) == "broken" and takes.take.step == 1


def test_curves_share_their_steps():
    nothing = (np.zeros(0), np.zeros(0))
    steps = np.arange(0.0, 5000.0, 10.0)
    assert curve(((steps[:1], steps[:1]), (steps, steps))) is None and curve(((steps, steps), nothing)) is None
    found = curve(((steps, 2 * steps), (np.array([0.0, 4990.0]), np.array([1.0, 0.01]))))
    assert found is not None
    at, training, held = found
    assert len(at) == 300 and np.allclose(training, 2 * at) and np.allclose(held, 0.01 ** (at / 4990))
