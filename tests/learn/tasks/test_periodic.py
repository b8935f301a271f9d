"""Phases by a periodic autoencoder."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from kinema.errors import DatabaseError, LearningError
from kinema.features import extract
from kinema.learn.linear import principal_components
from kinema.learn.networks.gates import phase_vectors
from kinema.learn.options import make_options
from kinema.learn.tasks.periodic import PeriodicTask, learned_phases
from kinema.learn.training import Training


@pytest.fixture(scope="module")
def trained(database, tmp_path_factory):
    """A short training on the small database, and its report."""
    from kinema.learn.folder import load_model
    from kinema.learn.recipe import Recipe
    from kinema.learn.run import start_run

    folder = tmp_path_factory.mktemp("runs") / "run"
    recipe = Recipe(steps=150, batch=32, validate_every=50, warmup=5, rate=5e-3, held_out=0.2)
    report = Training(start_run(folder, "periodic", database, {"waves": 3, "seconds": 2.0}, recipe)).go()
    return load_model(folder), report


def test_windows_are_velocities_around_the_frame(new_run, database):
    run = new_run("periodic")
    network = run.task.model(run.data.setting)
    run.task.start(network, run.data)
    frame = database.clips[0].start + 40
    x = torch.from_numpy(extract(database, run.data.setting.specs["x"], [frame]))
    windows = network.x_scaling.denormalize(network.windows(x).transpose(1, 2).flatten(1)).unflatten(-1, (17, -1))[0]
    now = run.data.setting.specs["y"]
    true = extract(database, now, range(frame - 8, frame + 9))
    np.testing.assert_allclose(windows, true, atol=1e-4)


@pytest.mark.slow
def test_more_of_the_windows_is_explained_than_by_principal_components(trained):
    model, baseline = trained[1].rows
    assert model["name"] == "model" and baseline["name"] == "3 waves along principal components"
    assert 20 < baseline["explained_percent"] < model["explained_percent"] < 100


def test_the_baseline_is_a_sine_along_each_component(new_run):
    """A movement along one direction at one frequency is explained by it, all but the rounding."""
    run = new_run("periodic")
    (baseline,) = run.task.baselines(run.data.dataset).values()
    normalizer = run.data.dataset.normalizers()[0]
    direction = principal_components(run.data.dataset, 1)[:, 0]
    wave = np.sin(2 * np.pi * 3 * np.arange(17) / 17)[:, None] * direction
    x = torch.from_numpy(normalizer.denormalize(wave.reshape(1, -1)).astype(np.float32))
    offset, scale = torch.from_numpy(normalizer.offset), torch.from_numpy(normalizer.scale)
    assert ((baseline(x) - x) / scale).square().sum() < 0.02 * ((x - offset) / scale).square().sum()


@pytest.mark.slow
def test_labels_are_the_phases_of_all_frames(trained, database):
    model = trained[0].model
    labels = learned_phases(model, database)
    vectors = labels["learned_phases"]
    assert list(labels) == ["learned_phases"] and vectors.shape == (database.frames, 3, 2)
    assert vectors.dtype == np.float32 and np.isfinite(vectors).all()
    frame = database.clips[2].start + 5
    x = torch.from_numpy(extract(database, model.setting.specs["x"], [frame]))
    with torch.no_grad():
        waves = model.net.waves(model.windows(x))
    np.testing.assert_allclose(vectors[[frame]], phase_vectors(waves.phase, waves.amplitude), atol=1e-5)


@pytest.mark.slow
def test_the_strongest_phase_of_a_walk_goes_on(trained, database):
    """In the clips of walks, the wave of the largest amplitude turns one way in almost every frame."""
    vectors = learned_phases(trained[0].model, database)["learned_phases"][database.clips[0].start + 15 :][:75]
    strongest = vectors[:, np.linalg.norm(vectors, axis=-1).mean(axis=0).argmax()]
    steps = np.diff(np.unwrap(np.arctan2(strongest[:, 0], strongest[:, 1])))
    assert (steps > 0).mean() > 0.9
    assert 0.5 < steps.sum() / (2 * np.pi) / (len(steps) / database.fps) < 3.0


@pytest.mark.slow
def test_another_frame_rate_is_refused(trained, database):
    model = trained[0].model
    model.setting, kept = replace(model.setting, fps=60.0), model.setting
    with pytest.raises(DatabaseError, match="learned at 60 frames per second, the database has 30"):
        learned_phases(model, database)
    model.setting = kept


@pytest.mark.parametrize(("name", "value"), [("waves", "0"), ("seconds", "0.01")])
def test_options_that_make_no_sense(name, value):
    with pytest.raises(LearningError, match=f"option {name} is"):
        make_options(PeriodicTask.Options, {name: value})


@pytest.mark.slow
def test_there_is_nothing_to_watch(trained, database):
    with pytest.raises(LearningError, match="--picture` draws them"):
        trained[0].task.show(trained[0].model, database, 0)
