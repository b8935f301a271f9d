"""The sequence predictor."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.learn.model import TrainingStep
from kinema.learn.options import make_options
from kinema.learn.tasks.sequence import Options
from kinema.learn.vectors import Samples


def test_terms_and_shapes(new_run):
    run = new_run("sequence")
    spec = run.data.setting.specs
    network = run.task.model(run.data.setting)
    batch = run.data.dataset[:16]
    samples = Samples(torch.from_numpy(batch.x), torch.from_numpy(batch.y))
    assert network(samples.x).shape == (16, spec["y"].dim)
    assert set(network.loss(samples, TrainingStep(0, 1, ""))) == {"root", "positions", "rotations"}


def test_the_present_pose_held_is_the_present_pose_at_every_time(new_run):
    run = new_run("sequence")
    spec = run.data.setting.specs
    predict = run.task.baselines(run.data.dataset)["present pose held"]
    x = run.data.dataset[:4].x
    y = predict(torch.from_numpy(x)).numpy()
    own = x[:, spec["x"]["positions"]]
    assert np.array_equal(y[:, spec["y"]["positions"]].reshape(4, 15, -1), np.repeat(own[:, None], 15, axis=1))
    assert not y[:, spec["y"]["root"]].any()


def test_the_linear_baseline_is_better_than_standing_still(new_run):
    run = new_run("sequence")
    predict = run.task.baselines(run.data.dataset)
    batch = run.data.dataset[run.data.dataset.samples("train")]
    x, y = torch.from_numpy(batch.x), torch.from_numpy(batch.y)
    off = {name: float((guess(x) - y).square().mean()) for name, guess in predict.items()}
    assert off["linear"] < 0.3 * off["present pose held"]


@pytest.mark.parametrize("share", ["1", "1.5"])
def test_not_everything_is_left_out(share):
    with pytest.raises(LearningError, match="below 1"):
        make_options(Options, {"dropout": share})
