"""The log as TensorBoard reads it."""

from __future__ import annotations

import sys

import pytest

from kinema.errors import MissingError
from kinema.learn.tensorboard import FOLDER, Board
from kinema.learn.training import Training


def scalars(folder) -> dict[str, list[tuple[int, float]]]:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    events = accumulator.EventAccumulator(str(folder / FOLDER)).Reload()
    return {tag: [(e.step, pytest.approx(e.value)) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def test_a_training_writes_its_log_for_tensorboard_too(new_run):
    run = new_run(steps=60)
    report = Training(run).go(tensorboard=True)
    found = scalars(run.folder)
    assert [step for step, _ in found["training/loss"]] == [50]
    assert [step for step, _ in found["validation/loss"]] == [0, 20, 40, 60]
    assert (report.best_step, report.best) in found["validation/loss"]
    assert {"training/gradient", "training/rate", "validation/term assembled"} <= set(found)


def test_a_run_that_is_taken_up_hides_what_it_writes_again(tmp_path):
    for first, value in ((0, 1.0), (2, 5.0)):
        board = Board(tmp_path, first)
        for step in range(first + 1, 5):
            board.write({"step": step, "loss": value * step, "terms": {"a": 0.5}})
        board.close()
    found = scalars(tmp_path)
    assert found["training/loss"] == [(1, 1.0), (2, 2.0), (3, 15.0), (4, 20.0)]
    assert len(found["training/term a"]) == 4


def test_without_tensorboard_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(MissingError, match="pip install 'kinema"):
        Board(tmp_path, 0)
