"""Watching a training in another process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")

import numpy as np

from kinema.errors import ControlError
from kinema.learn.link import WeightsLink
from kinema.learn.recipe import Recipe
from kinema.learn.run import start_run
from kinema.learn.training import Training
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import generate
from kinema.mocap.procedural.script import Segment
from kinema.session.training import LiveModel, Watched, open_watch


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> MotionDatabase:
    motions = [generate(script=(Segment("walk", 4.0),), fps=30.0, seed=seed, name=f"take{seed}") for seed in range(3)]
    path = tmp_path_factory.mktemp("data") / "walk.db"
    MotionDatabase.from_motions(motions).save(path)
    return MotionDatabase.open(path)


def training(database: MotionDatabase, folder: Path, steps: int) -> Training:
    recipe = Recipe(steps=steps, batch=32, validate_every=50, rate=2e-3)
    return Training(start_run(folder, "autoencoder", database, {"latent": 8, "hidden": 32}, recipe))


def test_the_model_now_shows_the_weights_that_were_handed_out(database, tmp_path):
    trained = training(database, tmp_path / "run", 150)
    link = WeightsLink(trained.model)
    link.publish(trained)
    held, setting = trained.data.clips, trained.data.setting.to_dict()
    options = {"latent": 8, "hidden": 32}
    watched = Watched(tmp_path / "run", Path(str(database.path)), "autoencoder", options, setting, tuple(held))
    model_now = LiveModel(watched, link)
    assert len(model_now.titles) == len(held) == len(set(model_now.titles))
    assert model_now.fresh()
    errors = []
    for _ in range(2):
        model, step = model_now.model(0)
        truth = model_now.truth(0)
        errors.append(np.linalg.norm(model[:].global_positions - truth[:].global_positions, axis=-1).mean())
        assert step == trained.step and not model_now.fresh()
        if step == 0:
            trained.go(after_step=link.after_step)
            link.publish(trained)
    assert errors[1] < 0.5 * errors[0] and errors[1] < 0.1
    assert len(model_now.losses()[0][0]) == 3


def refuse(*_: Any) -> None:
    """A screen that does not open."""
    raise ControlError("no room on any screen")


@pytest.mark.slow
def test_what_stands_in_the_way_is_one_line(database, tmp_path):
    trained = training(database, tmp_path / "run", 10)
    with pytest.raises(ControlError, match="no room on any screen"), open_watch(trained, refuse):
        pass
    trained.run.source.path, kept = None, trained.run.source.path
    try:
        with pytest.raises(ControlError, match="when its database is on disk"), open_watch(trained, refuse):
            pass
    finally:
        trained.run.source.path = kept


def test_a_task_without_clips_cannot_be_watched(database, tmp_path):
    trained = training(database, tmp_path / "run", 10)
    trained.data.clips = ()
    with pytest.raises(ControlError, match="the task 'autoencoder' has no clips to watch"), open_watch(trained, refuse):
        pass
