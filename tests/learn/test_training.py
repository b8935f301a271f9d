"""The loop: the same bits whatever happens on the way, and one line when it cannot go on."""

from __future__ import annotations

import errno
import json
import os
import signal
from pathlib import Path

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.formats import atomic
from kinema.formats.atomic import WriteError
from kinema.learn import journal, training
from kinema.learn.folder import load_model
from kinema.learn.run import resume_run
from kinema.learn.training import Training


class Interrupted(Exception):
    pass


def stop_at(step: int):
    def check(run: Training) -> None:
        if run.step == step:
            raise Interrupted

    return check


def ctrl_c_at(step: int):
    def press(run: Training) -> None:
        if run.step == step:
            os.kill(os.getpid(), signal.SIGINT)

    return press


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def test_it_learns_and_leaves_a_model_that_loads(new_run):
    run = new_run(steps=200)
    before = torch.get_rng_state()
    told = []
    report = Training(run).go(progress=lambda *about: told.append(about[:2]))
    assert torch.equal(torch.get_rng_state(), before), "chance outside must not notice"
    assert report.finished and report.steps == 200 and told[-1] == (200, 200)
    losses = [entry["loss"] for entry in journal.read(run.folder) if "loss" in entry]
    assert losses[-1] < 0.5 * losses[0]
    validations = [entry["validation"] for entry in journal.read(run.folder) if "validation" in entry]
    assert report.best == min(validations) and len(validations) == 11
    model = load_model(run.folder)
    assert model.document["training"]["step"] == report.best_step
    rows = {row["name"]: row for row in model.document["metrics"]}
    assert rows["model"]["position_cm"] < 0.6 * rows["mean pose"]["position_cm"]
    assert rows["PCA, 6 numbers"]["position_cm"] < rows["mean pose"]["position_cm"]


def test_the_same_seed_gives_the_same_weights_and_another_does_not(new_run):
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        Training(new_run(folder=folder, seed=seed)).go()
    root = new_run(folder="last").folder.parent
    assert weights(root / "a") == weights(root / "b") != weights(root / "c")


@pytest.mark.parametrize("task", ["autoencoder", pytest.param("sequence", marks=pytest.mark.slow)])
def test_interrupted_and_resumed_is_bit_for_bit_uninterrupted(task, new_run, database):
    changes = {"ema": 0.9, "schedule": "restarts", "period": 10, "steps": 75}
    whole = new_run(task, "whole", **changes)
    Training(whole).go()
    broken = new_run(task, "broken", **changes)
    for step in (33, 47):
        report = Training(broken).go(after_step=ctrl_c_at(step))
        assert not report.finished and report.steps == step and report.rows == []
        broken = resume_run(broken.folder, task, database, {}, {})
    assert Training(broken).step == 47
    Training(broken).go()
    assert weights(broken.folder) == weights(whole.folder)

    def lines(folder: Path) -> list[dict]:
        return [
            {key: value for key, value in entry.items() if key != "steps_per_second"} for entry in journal.read(folder)
        ]

    assert lines(broken.folder) == lines(whole.folder)


def test_a_crash_loses_only_what_came_after_the_checkpoint(new_run, database, monkeypatch):
    whole, broken = new_run(folder="whole"), new_run(folder="broken")
    Training(whole).go()
    Training(broken).go(after_step=ctrl_c_at(11))
    with pytest.raises(Interrupted):
        Training(resume_run(broken.folder, "autoencoder", database, {}, {})).go(after_step=stop_at(30))
    again = Training(resume_run(broken.folder, "autoencoder", database, {}, {}))
    assert again.step == 11 and journal.read(broken.folder)[-1]["step"] <= 11
    again.go()
    assert weights(broken.folder) == weights(whole.folder)


def test_a_model_killed_between_weights_and_spec_is_mended(new_run, database):
    run = new_run()
    Training(run).go(after_step=ctrl_c_at(25))
    spec = json.loads((run.folder / "spec.json").read_text())
    (run.folder / "spec.json").write_text(json.dumps({**spec, "hash": "0" * 64}))
    Training(resume_run(run.folder, "autoencoder", database, {}, {}))
    assert load_model(run.folder).document["training"]["step"] == 25


def test_a_finished_run_that_is_resumed_stays_as_it_is(new_run, database):
    run = new_run()
    first = Training(run).go()
    before = weights(run.folder)
    second = Training(resume_run(run.folder, "autoencoder", database, {}, {})).go()
    assert weights(run.folder) == before and second.rows == first.rows and second.finished


def test_a_term_that_is_not_a_number_is_named_with_its_step(new_run):
    run = new_run()
    trained = Training(run)
    plain = trained.model.loss

    def loss(batch, step):
        terms = plain(batch, step)
        return {**terms, "rotations": terms["rotations"] * (float("nan") if trained.step == 22 else 1.0)}

    trained.model.loss = loss  # type: ignore[method-assign]
    with pytest.raises(LearningError, match=r"run: step 23: rotations is nan; try a lower rate than 0\.003"):
        trained.go()
    assert all(torch.isfinite(tensor).all() for tensor in load_model(run.folder).model.state_dict().values())


def test_a_gradient_that_is_not_finite_stops_before_the_weights_take_it(new_run):
    trained = Training(new_run())
    parameter = next(trained.model.parameters())
    parameter.register_hook(lambda gradient: gradient * float("inf") if trained.step == 3 else gradient)
    with pytest.raises(LearningError, match="step 4: gradient is"):
        trained.go()
    assert torch.isfinite(parameter).all()


def test_a_full_disk_is_one_line_and_keeps_the_checkpoint_before(new_run, monkeypatch):
    run = new_run()
    Training(run).go(after_step=ctrl_c_at(10))
    before = run.checkpoint.read_bytes()

    def full(source, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic.os, "replace", full)
    with pytest.raises(WriteError, match="No space left on device"):
        Training(run).save()
    assert run.checkpoint.read_bytes() == before
    assert not list(run.folder.glob("*.part"))


def test_whole_takes_are_held_out_and_statistics_are_of_the_others(new_run, database):
    run = new_run()
    trained = Training(run)
    dataset, recipe = run.data.dataset, run.recipe
    held = {database.clips[clip].name for clip in dataset.clip[dataset.samples("validation")]}
    seen = {database.clips[clip].name for clip in dataset.clip[dataset.samples("train")]}
    assert held and seen and not held & seen
    x = dataset[dataset.samples("train")].x
    assert np.allclose(trained.model.y_scaling.offset, x.mean(axis=0), atol=1e-5)
    taken: list[range] = []
    for trained.step in range(3):
        taken += trained._positions()
    assert taken == [range(0, recipe.batch), range(32, 64), range(64, 96)]


@pytest.mark.parametrize("keep, kept", [("best", 0), ("last", 6)])
def test_the_last_weights_are_kept_where_that_is_asked_for(keep, kept, new_run, monkeypatch):
    """Figures that only get worse: the best are the first."""
    trained = Training(new_run(steps=6, validate_every=2, keep=keep))
    figures = iter((1.0, 2.0, 3.0, 4.0))
    monkeypatch.setattr(trained, "_score", lambda: next(figures))
    assert trained.go().best_step == kept


def test_patience_ends_a_training_early(new_run):
    trained = Training(new_run(steps=4000, patience=2))

    def never_better(now: Training) -> None:
        now.best = -1.0

    report = trained.go(after_step=never_better)
    assert report.finished and report.steps == 40


def test_the_running_mean_is_what_is_kept(new_run):
    run = new_run(ema=0.95)
    trained = Training(run)
    trained.go()
    kept = load_model(run.folder).model.state_dict()
    own = dict(trained.model.named_parameters())
    assert all(torch.equal(kept[name], trained.mean[name]) for name in own)
    assert not all(torch.equal(kept[name], own[name]) for name in own)


def test_a_device_that_is_not_there_is_one_line(new_run):
    with pytest.raises(LearningError, match="device 'nonsense' cannot be used"):
        new_run(device="nonsense")


def test_checkpoints_are_written_as_time_goes_by(new_run, monkeypatch):
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", 0.0)
    run = new_run()
    with pytest.raises(Interrupted):
        Training(run).go(after_step=stop_at(17))
    assert Training(run).step == 16
