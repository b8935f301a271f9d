"""Runs: started once, gone on with as they began."""

from __future__ import annotations

import json

import numpy as np
import pytest

from kinema.errors import LearningError
from kinema.formats.atomic import WriteError
from kinema.learn.recipe import Recipe
from kinema.learn.run import describe_data, resume_run, start_run
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import generate
from kinema.mocap.procedural.script import Segment


def test_a_run_goes_on_with_what_it_began_with(new_run, database):
    run = new_run(seed=5)
    again = resume_run(run.folder, "autoencoder", database, {"latent": "6"}, {"seed": 5})
    assert again.recipe == run.recipe and again.task.options == run.task.options
    assert np.array_equal(again.data.dataset.frame, run.data.dataset.frame)


def test_a_lost_data_set_is_made_again(new_run, database):
    run = new_run()
    validation = np.array(run.data.dataset.validation)
    (run.folder / "dataset" / "dataset.json").unlink()
    again = resume_run(run.folder, "autoencoder", database, {}, {})
    assert np.array_equal(again.data.dataset.validation, validation)


def test_what_differs_is_said(new_run, database, tmp_path):
    run = new_run()
    with pytest.raises(LearningError, match="a run of the task 'autoencoder', not 'sequence'"):
        resume_run(run.folder, "sequence", database, {}, {})
    with pytest.raises(
        LearningError, match=r"another run: latent was 6, not 9, rate was 0\.003, not 0\.1; a run is resumed"
    ):
        resume_run(run.folder, "autoencoder", database, {"latent": "9"}, {"rate": 0.1})
    motions = [generate(script=(Segment("walk", 3.0),), fps=30.0, seed=seed, name=str(seed)) for seed in (8, 9)]
    with pytest.raises(LearningError, match="a run on other data"):
        resume_run(run.folder, "autoencoder", MotionDatabase.from_motions(motions), {}, {})
    with pytest.raises(LearningError, match="no training run there; leave --resume out"):
        resume_run(tmp_path / "nowhere", "autoencoder", database, {}, {})


@pytest.mark.parametrize("text", ["{", "{}", '{"format": "kinema.run", "version": 3, "task": 3}'])
def test_a_damaged_run_is_one_line(new_run, database, text):
    run = new_run()
    (run.folder / "run.json").write_text(text)
    with pytest.raises(LearningError, match=r"damaged|not a kinema\.run"):
        resume_run(run.folder, "autoencoder", database, {}, {})


def test_nothing_is_overwritten_unasked(new_run, database, tmp_path):
    run = new_run()
    with pytest.raises(LearningError, match="a run is there already; resume it with --resume or replace it"):
        start_run(run.folder, "autoencoder", database, {}, run.recipe)
    other = tmp_path / "photos"
    other.mkdir()
    (other / "a.jpg").write_text("x")
    with pytest.raises(LearningError, match="exists and is not a training run; choose another name"):
        start_run(other, "autoencoder", database, {}, run.recipe, force=True)
    assert (other / "a.jpg").read_text() == "x"
    with pytest.raises(WriteError, match=r"jpg.run: cannot be written: Not a directory"):
        start_run(other / "a.jpg" / "run", "autoencoder", database, {}, run.recipe)


def test_folders_above_a_run_are_made(new_run, database, tmp_path):
    made = start_run(tmp_path / "runs" / "today" / "one", "autoencoder", database, {}, new_run().recipe)
    assert (made.folder / "run.json").is_file()


def test_force_replaces_a_run_and_leaves_what_is_not_ours(new_run, database):
    run = new_run()
    (run.folder / "notes.txt").write_text("mine")
    (run.folder / "checkpoint.safetensors").write_text("old")
    start_run(run.folder, "autoencoder", database, {"latent": 3}, run.recipe, force=True)
    assert not (run.folder / "checkpoint.safetensors").exists()
    assert (run.folder / "notes.txt").read_text() == "mine"
    assert json.loads((run.folder / "run.json").read_text())["options"]["latent"] == 3


def test_too_little_data_is_one_line_and_leaves_nothing(database, tmp_path):
    one = MotionDatabase.from_motions([generate(script=(Segment("walk", 3.0),), fps=30.0, name="one")])
    with pytest.raises(LearningError, match="holds one take; training keeps whole takes for validation"):
        start_run(tmp_path / "a", "autoencoder", one, {}, Recipe())
    with pytest.raises(LearningError, match=r"samples to train on are less than a batch of 4096; .* use --batch \d+"):
        start_run(tmp_path / "b", "autoencoder", database, {}, Recipe(batch=4096))
    with pytest.raises(LearningError, match="every clip is shorter than the window"):
        start_run(tmp_path / "c", "autoencoder", database, {"reach": 9.0}, Recipe())
    assert list(tmp_path.iterdir()) == []


def test_the_spec_says_where_the_weights_come_from(new_run):
    about = describe_data(new_run())
    assert about["clips"] == 5 and about["licence"] == "unknown" and len(about["held_out"]) >= 1
    assert all(name.startswith("take") for name in about["held_out"])
