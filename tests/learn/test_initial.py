"""Trainings that start from trained weights."""

from __future__ import annotations

import json
import shutil

import pytest
import torch

from kinema.errors import LearningError
from kinema.learn import journal
from kinema.learn.folder import load_model, pack_model
from kinema.learn.run import resume_run, start_run
from kinema.learn.training import Training

from .conftest import SMALL
from .test_training import Interrupted, stop_at, weights


@pytest.fixture
def trained(new_run):
    """A run that is over."""
    run = new_run(folder="first")
    Training(run).go()
    return run


def start(trained, database, path, task="autoencoder", options=None):
    recipe = type(trained.recipe).from_dict({**trained.recipe.to_dict(), "steps": 20})
    chosen = SMALL[task] if options is None else options
    return start_run(path, task, database, chosen, recipe, start_from=trained.folder)


def test_it_starts_with_the_weights_and_their_scalings(trained, database, tmp_path):
    before = load_model(trained.folder).model.state_dict()
    training = Training(start(trained, database, tmp_path / "next"))
    for name, tensor in training.model.state_dict().items():
        assert torch.equal(tensor, before[name]), name
    first = [entry["validation"] for entry in journal.read(trained.folder) if "validation" in entry]
    training.go()
    after = [entry["validation"] for entry in journal.read(tmp_path / "next") if "validation" in entry]
    assert after[0] == pytest.approx(min(first), rel=1e-5), (
        "on the same held-out clips the first loss is that of before"
    )


def test_the_spec_says_where_they_come_from(trained, database, tmp_path):
    Training(start(trained, database, tmp_path / "next")).go()
    about, before = (load_model(folder).document for folder in (tmp_path / "next", trained.folder))
    assert about["initial"]["hash"] == before["hash"] != about["hash"]
    assert about["initial"]["data"] == before["data"] and about["initial"]["training"]["step"] > 0
    assert "initial" not in before and str(tmp_path) not in json.dumps(about["initial"])
    third = start(type(trained)(**{**vars(trained), "folder": tmp_path / "next"}), database, tmp_path / "third")
    assert third.initial is not None and third.initial.describe()["initial"]["hash"] == before["hash"]


@pytest.mark.parametrize("step", [pytest.param(3, marks=pytest.mark.slow), 17])
def test_resumed_it_ends_with_the_same_weights(trained, database, tmp_path, step):
    Training(start(trained, database, tmp_path / "whole")).go()
    run = start(trained, database, tmp_path / "broken")
    with pytest.raises(Interrupted):
        training = Training(run)
        training.save()
        training.go(after_step=stop_at(step))
    again = resume_run(run.folder, "autoencoder", database, {}, {}, trained.folder)
    shutil.move(trained.folder, tmp_path / "elsewhere")  # a run that has begun needs them no longer
    Training(again).go()
    assert weights(run.folder) == weights(tmp_path / "whole")


def test_a_run_that_was_killed_at_once_starts_from_them_again(trained, database, tmp_path):
    run = start(trained, database, tmp_path / "next")
    resumed = Training(resume_run(run.folder, "autoencoder", database, {}, {}))
    before = load_model(trained.folder).model.state_dict()
    assert all(torch.equal(tensor, before[name]) for name, tensor in resumed.model.state_dict().items())
    spec = trained.folder / "model.safetensors"
    spec.write_bytes(spec.read_bytes()[:-8] + bytes(8))
    with pytest.raises(LearningError, match="the weights are not those it describes"):
        Training(resume_run(run.folder, "autoencoder", database, {}, {}))


def test_what_does_not_fit_is_refused_and_leaves_nothing(trained, database, tmp_path):
    out = tmp_path / "next"
    with pytest.raises(
        LearningError, match=r"another shape \(tensor .* is .*, the model needs .*trained with --set latent=6$"
    ):
        start(trained, database, out, options={**SMALL["autoencoder"], "latent": 9})
    with pytest.raises(LearningError, match="a model of the task 'autoencoder', not 'sequence'"):
        start(trained, database, out, "sequence")
    with pytest.raises(LearningError, match=r"made for something else: features '.': "):
        start(trained, database, out, options={**SMALL["autoencoder"], "reach": 0.1})
    with pytest.raises(LearningError, match="no trained model there to start from"):
        start_run(out, "autoencoder", database, {}, trained.recipe, start_from=tmp_path)
    assert not out.exists()


def test_packed_weights_without_the_parts_for_training_are_refused(new_run, database, tmp_path):
    run = new_run("learned-matching", "first")
    Training(run).go()
    (tmp_path / "packed").mkdir()
    pack_model(run.folder, tmp_path / "packed", {})
    with pytest.raises(LearningError, match="packed for use, without the parts that only training needs"):
        start_run(
            tmp_path / "next",
            "learned-matching",
            database,
            SMALL["learned-matching"],
            run.recipe,
            start_from=tmp_path / "packed",
        )


def test_another_start_is_another_run(trained, new_run, database):
    run = new_run(folder="new")
    with pytest.raises(LearningError, match=r"another run: it started from new weights, not from .*first"):
        resume_run(run.folder, "autoencoder", database, {}, {}, trained.folder)
