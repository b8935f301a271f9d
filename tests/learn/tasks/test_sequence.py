"""The sequence predictor."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.learn.model import Samples, Setting, make_options
from kinema.learn.tasks import find_task


def test_terms_and_shapes(new_run):
    run = new_run("sequence")
    setting = Setting.of(run.dataset, run.database.translated)
    network = run.task.Network(setting, run.options)
    batch = run.dataset[:16]
    samples = Samples(torch.from_numpy(batch.x), torch.from_numpy(batch.y))
    assert network(samples.x).shape == (16, setting.y_spec.dim)
    assert set(network.loss(samples)) == {"root", "positions", "rotations"}


def test_the_present_pose_held_is_the_present_pose_at_every_time(new_run):
    run = new_run("sequence")
    setting = Setting.of(run.dataset, run.database.translated)
    predict = run.task.baselines(run.dataset, setting, run.options)["present pose held"]
    x = run.dataset[:4].x
    y = predict(torch.from_numpy(x)).numpy()
    own = x[:, setting.x_spec["positions"]]
    assert np.array_equal(y[:, setting.y_spec["positions"]].reshape(4, 15, -1), np.repeat(own[:, None], 15, axis=1))
    assert not y[:, setting.y_spec["root"]].any()


def test_the_linear_baseline_is_better_than_standing_still(new_run):
    run = new_run("sequence")
    setting = Setting.of(run.dataset, run.database.translated)
    predict = run.task.baselines(run.dataset, setting, run.options)
    batch = run.dataset[run.dataset.samples("train")]
    x, y = torch.from_numpy(batch.x), torch.from_numpy(batch.y)
    off = {name: float((guess(x) - y).square().mean()) for name, guess in predict.items()}
    assert off["linear"] < 0.3 * off["present pose held"]


@pytest.mark.parametrize("share", ["1", "1.5"])
def test_not_everything_is_left_out(share):
    with pytest.raises(LearningError, match="below 1"):
        make_options(find_task("sequence"), {"dropout": share})
