"""Chains of samples, and inputs made of what a model said."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema import rotations
from kinema.features import extract
from kinema.features.kinds import GOAL_REACH
from kinema.learn.rollout import Continuation, path
from kinema.learn.setting import Setting
from kinema.learn.tasks.nsm import NsmTask
from kinema.learn.tasks.pfnn import PfnnTask

AGAIN = 3


@pytest.fixture(scope="module")
def clip(database):
    """Inputs and outputs of the frames of a clip, and what continues them."""
    given, wanted = PfnnTask(PfnnTask.Options()).specs(database)
    entry = database.clips[0]
    frames = np.arange(entry.start, entry.stop - 20)
    setting = Setting.of(database, {"x": given, "y": wanted})
    x, y = (torch.from_numpy(extract(database, spec, frames)) for spec in (given, wanted))
    return x, y, Continuation(setting, AGAIN), given, wanted


def test_after_the_truth_comes_the_recorded_input(clip):
    x, y, continuation, given, _ = clip
    made = continuation(x[AGAIN:], y[:-AGAIN], y[:-AGAIN])
    for name, place in given.slices.items():
        np.testing.assert_allclose(made[:, place].numpy(), x[AGAIN:, place].numpy(), atol=2e-4, err_msg=name)


def test_whoever_strays_is_told_the_way_to_where_it_should_be(clip):
    """A root that went elsewhere and turned too far: the wanted path stays where it is in the world."""
    x, y, continuation, given, wanted = clip
    said, truth = y[:-AGAIN].clone(), y[:-AGAIN]
    said[:, wanted["root"].start + 3] += 0.1
    said[:, wanted["root"].start + 4] += 0.3
    made = continuation(x[AGAIN:], said, truth)
    ends = []
    for output, inputs in ((said, made), (truth, x[AGAIN:])):
        places, headings = path(output[:, wanted["root"]])
        turn = rotations.from_yaw(headings[:, AGAIN]).numpy()
        flat = inputs[:, given["trajectory.position"]].reshape(-1, 3, 2).numpy()
        points = np.stack([flat[..., 0], 0 * flat[..., 0], flat[..., 1]], axis=-1)
        ends.append(rotations.rotate(turn[:, None], points) + places[:, [AGAIN]].numpy())
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-5)
    assert (made[:, given["trajectory.position"]] - x[AGAIN:, given["trajectory.position"]]).abs().max() > 0.05


def test_the_ground_around_is_the_recorded_one(database):
    given, wanted = PfnnTask(PfnnTask.Options(ground="points")).specs(database)
    frames = np.arange(40)
    x, y = (torch.from_numpy(extract(database, spec, frames)) for spec in (given, wanted))
    x[:, given["ground"]] = torch.randn(len(x), 36)
    made = Continuation(Setting.of(database, {"x": given, "y": wanted}), AGAIN)(x[AGAIN:], y[:-AGAIN], y[:-AGAIN])
    assert torch.equal(made[:, given["ground"]], x[AGAIN:, given["ground"]])


def test_paths_are_those_of_the_feature(clip):
    _, y, _, _, wanted = clip
    places, headings = path(y[:, wanted["root"]])
    true_places, true_turns = wanted.decode(y.numpy())["root"]
    np.testing.assert_allclose(places.numpy(), true_places, atol=1e-5)
    np.testing.assert_allclose(np.sin(headings.numpy()), np.sin(rotations.yaw(true_turns)), atol=1e-5)


def test_chains_stay_within_their_clips(new_run):
    run = new_run("perceptron")
    data, dataset = run.data, run.data.dataset
    batch = data.batch(range(8))
    assert batch.x.shape[:2] == batch.y.shape[:2] == (8, run.task.options.chain)
    steps = run.task.options.again * np.arange(run.task.options.chain)
    for samples in (data.train, data._held):
        linked = samples[:, None] + steps
        assert len(samples) and (np.diff(dataset.frame[linked], axis=1) == run.task.options.again).all()
        assert (dataset.clip[linked] == dataset.clip[samples][:, None]).all()
    assert len(data.train) < len(dataset.samples("train"))
    assert (data.batch(range(3, 5)).x == data.batch(range(8)).x[3:5]).all()


@pytest.fixture(scope="module")
def sent(database):
    """Inputs and outputs of Neural State Machines in the frames of a clip, of which some have a goal."""
    given, wanted = NsmTask(NsmTask.Options()).specs(database)
    clip = next(c for c in database.clips if 0.1 < (database.labels["goal"][c.start : c.stop] > 20).mean() < 0.9)
    frames = np.arange(clip.start, clip.stop - 20)
    setting = Setting.of(database, {"x": given, "y": wanted})
    x, y = (torch.from_numpy(extract(database, spec, frames)) for spec in (given, wanted))
    return x, y, Continuation(setting, AGAIN), given, wanted


def test_a_goal_stays_where_it_is_in_the_world(sent):
    x, y, continuation, given, wanted = sent
    near = x[:, given["goal.position"]].norm(dim=-1) < GOAL_REACH - 0.5  # farther ones are not seen where they are
    there = x[:, given["goal.direction"]].any(dim=-1)
    said, truth = y[:-AGAIN].clone(), y[:-AGAIN]
    said[:, wanted["root"].start + 3] += 0.1
    said[:, wanted["root"].start + 4] += 0.3
    made = continuation(x[AGAIN:], said, truth)
    seen = (near & there)[AGAIN:]
    assert 10 < int(seen.sum()) < len(seen)
    ends, facings = [], []
    for output, inputs in ((said, made), (truth, x[AGAIN:])):
        places, headings = path(output[:, wanted["root"]])
        turn = rotations.from_yaw(headings[:, AGAIN]).numpy()
        points, directions = (
            np.insert(inputs[:, given[f"goal.{name}"]].numpy(), 1, 0, axis=-1) for name in ("position", "direction")
        )
        ends.append((rotations.rotate(turn, points) + places[:, AGAIN].numpy())[seen])
        facings.append(rotations.rotate(turn, directions)[seen])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-5)
    np.testing.assert_allclose(facings[0], facings[1], atol=1e-5)
    none = ~there[AGAIN:]
    assert none.any() and not made[none][:, given["goal.position"].start : given["goal.direction"].stop].any()
