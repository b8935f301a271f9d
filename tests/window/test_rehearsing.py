"""A model beside the truth, without a screen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from multiprocessing import Pipe

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.errors import ControlError
from kinema.rendering.camera import Camera
from kinema.session.log import Log
from kinema.window.rehearsing import RehearseMode


class Learner:
    """Two clips that stand still; the model is half a metre too high, less with every step."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton, self.titles, self.step = skeleton, ("one", "two"), 1
        self._told = 0

    def still(self, clip: int, lift: float) -> Motion:
        moved = np.tile(self.skeleton.rest_translations, (20 + clip, 1, 1))
        moved[:, 0, 1] += lift
        return Motion.create(self.skeleton, np.tile(self.skeleton.rest_rotations, (20 + clip, 1, 1)), moved, fps=30)

    def truth(self, clip: int) -> Motion:
        return self.still(clip, 0.0)

    def fresh(self) -> bool:
        return self.step != self._told

    def model(self, clip: int) -> tuple[Motion, int]:
        self._told = self.step
        return self.still(clip, 0.5 / self.step), self.step

    def losses(self):
        steps = np.array([50.0, 100.0, 150.0])
        return (steps, 1.0 / steps), (steps, 2.0 / steps)


@pytest.fixture
def mode(biped: Skeleton) -> Iterator[RehearseMode]:
    made = RehearseMode(Learner(biped), Log())
    yield made
    made.close()


def wait_for(condition) -> bool:
    end = time.monotonic() + 10
    while time.monotonic() < end and not condition():
        time.sleep(0.02)
    return condition()


def test_two_bodies_stand_apart_and_one_is_tinted(mode):
    view = mode.view(Camera.look_at((0, 1, 3), (0, 1, 0)))
    truth, model = view.actors
    assert truth.tints is None and model.tints is not None
    apart = model.global_positions[0, 0] - truth.global_positions[0, 0]
    assert np.allclose(apart, [mode.apart, 0.5, 0.0], atol=1e-5)
    assert "step 1" in mode.title and "off by 50.0 cm" in mode.title


def test_keys_play_and_choose(mode):
    assert mode.playhead.playing and mode.key("Space") and not mode.playhead.playing
    mode.key("ArrowRight")
    assert mode.playhead.frame == 1 and not mode.still
    mode.view(Camera.look_at((0, 1, 3), (0, 1, 0)))
    assert mode.still
    mode.key("KeyN")
    assert wait_for(lambda: mode.takes.take.clip == 1)
    mode.update(0.0)
    assert mode.playhead.frames == 21 and mode.playhead.frame == 0
    assert not mode.key("KeyX")


def test_new_weights_are_shown(mode):
    mode.takes.shown.step = 10
    assert wait_for(lambda: mode.takes.take.step == 10)
    mode.update(0.01)
    assert "step 10" in mode.title and "off by 5.0 cm" in mode.title


def test_it_ends_with_the_training(biped):
    ours, theirs = Pipe()
    mode = RehearseMode(Learner(biped), Log(), theirs)
    mode.update(0.01)
    assert mode.failure is None
    ours.close()
    mode.update(0.01)
    assert isinstance(mode.failure, ControlError)
    mode.close()


@pytest.mark.slow
@pytest.mark.usefixtures("display")
def test_a_window_of_its_own_process_goes_with_the_training(tmp_path):
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[learn]'")
    from kinema.learn.recipe import Recipe
    from kinema.learn.run import start_run
    from kinema.learn.training import Training
    from kinema.mocap import MotionDatabase
    from kinema.mocap.procedural import generate
    from kinema.mocap.procedural.script import Segment
    from kinema.viewer.training import open_watch
    from kinema.window.rehearsing import serve_window

    motions = [generate(script=(Segment("walk", 3.0),), fps=30.0, seed=seed, name=f"take{seed}") for seed in range(3)]
    MotionDatabase.from_motions(motions).save(tmp_path / "walk.db")
    database = MotionDatabase.open(tmp_path / "walk.db")
    recipe = Recipe(steps=60, batch=32, validate_every=30)
    trained = Training(start_run(tmp_path / "run", "autoencoder", database, {"latent": 4, "hidden": 16}, recipe))
    with open_watch(trained, serve_window) as watch:
        assert watch.url == ""
        assert trained.go(watch.after_step).finished
        watch.finish(trained)
        watch.wait(1.0)
        process = watch._process
        assert process.is_alive()
    assert process.exitcode == 0
