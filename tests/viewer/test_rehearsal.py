"""Truth and model on one stage."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install '.[view]'")

from kinema import Motion, Skeleton, rotations
from kinema.errors import LearningError
from kinema.viewer.page import Viewer, open_viewer
from kinema.viewer.rehearsal import Rehearsal


class Learner:
    """Two clips; each new step brings the model a little nearer to the truth."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton, self.titles = skeleton, ("one", "two")
        self.step, self.asked = 1, 0
        self.broken = False

    def truth(self, clip: int) -> Motion:
        swing = np.zeros((60 + 30 * clip, self.skeleton.joint_count, 3), np.float32)
        swing[:, 1:, 0] = 0.2 * np.sin(np.arange(len(swing)) / 5)[:, None]
        return Motion.create(self.skeleton, rotations.exp(swing), fps=30, name=self.titles[clip])

    def fresh(self) -> bool:
        self.asked += 1
        return False

    def model(self, clip: int) -> tuple[Motion, int]:
        if self.broken:
            raise LearningError("the model is broken")
        truth = self.truth(clip)
        turned = rotations.exp(rotations.log(truth.local_rotations) * (1 - 1 / self.step))
        return Motion.create(self.skeleton, turned, fps=30, name="model"), self.step

    def losses(self):
        steps = np.array([50.0, 100.0])
        return (steps, 1.0 / steps), (steps, 2.0 / steps)


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    with open_viewer(port=0, mode="train") as opened:
        yield opened


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def running(rehearsal: Rehearsal) -> threading.Thread:
    thread = threading.Thread(target=rehearsal.run)
    thread.start()
    return thread


def test_two_bodies_stand_apart_and_the_error_is_told_in_centimetres(viewer, biped):
    learner = Learner(biped)
    rehearsal = Rehearsal(viewer, learner)
    rehearsal.playhead.time = 0.4
    rehearsal._draw()
    take = rehearsal.take
    bent = np.linalg.norm(take.truth[:].global_positions - take.model[:].global_positions, axis=-1).mean(-1)
    assert np.allclose(take.apart_cm, 100 * bent) and take.apart_cm.max() > 1
    truth, model = (label.position for label in rehearsal._labels)
    assert model[0] - truth[0] == pytest.approx(0.9 * rehearsal._size, abs=1e-5)


def test_nothing_runs_while_nobody_looks_and_it_ends_when_told(viewer, biped):
    learner = Learner(biped)
    rehearsal = Rehearsal(viewer, learner)
    began = time.monotonic()
    rehearsal.run(ended=lambda: time.monotonic() - began > 0.5)
    assert learner.asked == 0 and time.monotonic() - began < 3.0


def test_new_weights_and_another_clip_are_shown(viewer, biped, monkeypatch):
    learner = Learner(biped)
    monkeypatch.setattr(viewer.server, "get_clients", lambda: {1: object()})
    monkeypatch.setattr(learner, "fresh", lambda: learner.step != rehearsal.take.step)
    rehearsal = Rehearsal(viewer, learner)
    before = rehearsal.take.apart_cm.mean()
    thread = running(rehearsal)
    learner.step = 10
    assert wait_for(lambda: rehearsal.take.step == 10)
    assert rehearsal.take.apart_cm.mean() < 0.3 * before
    rehearsal.seek(40)
    viewer.channel.receive("hand", '{"keys": ["KeyN"]}')
    assert wait_for(lambda: rehearsal.take.clip == 1)
    assert rehearsal.playhead.frames == 90 and rehearsal._clips.value == "two"
    viewer.channel.receive("hand", '{"keys": []}')
    viewer.channel.receive("hand", '{"keys": ["Space"]}')
    assert wait_for(lambda: rehearsal.playhead.playing)
    assert wait_for(lambda: len(rehearsal._curve.data[0]) == 2 and rehearsal._curve.data[0][1] == 100.0)
    rehearsal.stop()
    thread.join(10)
    assert not thread.is_alive()


def test_a_model_that_fails_ends_it_with_its_reason(viewer, biped, monkeypatch):
    learner = Learner(biped)
    rehearsal = Rehearsal(viewer, learner)
    monkeypatch.setattr(viewer.server, "get_clients", lambda: {1: object()})
    monkeypatch.setattr(learner, "fresh", lambda: True)
    learner.broken = True
    with pytest.raises(LearningError, match="the model is broken"):
        rehearsal.run()
