"""The task of plans for controllers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.learn.model import TrainingStep
from kinema.learn.options import make_options
from kinema.learn.setting import pose_from_json
from kinema.learn.tasks.plan import TIMES, Options


def test_terms_and_lengths_of_chains(new_run):
    """The longer it trains, the more answers in a row: each counts alike."""
    run = new_run("plan")
    network, batch = run.task.model(run.data.setting), run.data.batch(range(16))
    run.task.start(network, run.data)
    shares = (0, 0.05, 0.3, 0.5, 1)
    found = {share: network.loss(batch, TrainingStep(int(100 * share), 100, "")) for share in shares}
    terms = {share: {name: float(term.detach()) for name, term in each.items()} for share, each in found.items()}
    names = {
        "root",
        "positions",
        "rotations",
        "contacts",
        "assembled",
        "root moved",
        "positions moved",
        "rotations moved",
    }
    assert all(set(each) == names for each in terms.values())
    assert terms[0] == terms[0.05] != terms[0.3] != terms[0.5] == terms[1]


def test_plans_are_smooth(new_run):
    """Of any network: a polynomial of time says where joints and root are."""
    run = new_run("plan")
    network, x = run.task.model(run.data.setting), run.data.batch(range(8)).x[:, 0]
    run.task.start(network, run.data)
    spec, times = run.data.setting.specs["y"], np.array(TIMES) / TIMES[-1]
    y = network(x).detach().numpy()
    powers = np.vander(times, run.task.options.shape + 1)
    for name in ("root", "positions", "rotations"):
        flat = y[:, spec[name]].reshape(len(y), len(times), -1).transpose(1, 0, 2).reshape(len(times), -1)
        np.testing.assert_allclose(powers @ np.linalg.lstsq(powers, flat, rcond=None)[0], flat, atol=1e-4)
        assert np.ptp(flat, axis=0).max() > 0.01


def test_untrained_plans_are_like_those_of_the_data(new_run):
    """Coefficients are in units of their spread: with random weights, numbers still have the size that they should."""
    run = new_run("plan")
    network, batch = run.task.model(run.data.setting), run.data.batch(range(64))
    run.task.start(network, run.data)
    y, truth = network(batch.x[:, 0]).detach(), batch.y[:, 0]
    for name in ("positions", "rotations"):
        place = run.data.setting.specs["y"][name]
        assert float((y - truth)[:, place].std()) < 2 * float((truth - truth.mean(0))[:, place].std())


def test_inputs_far_from_all_that_was_seen_are_cut_off(new_run):
    run = new_run("plan")
    network, x = run.task.model(run.data.setting), run.data.batch(range(4)).x[:, 0]
    run.task.start(network, run.data)
    path = run.data.setting.specs["x"]["trajectory.position"]
    far, farther = (x.clone() for _ in range(2))
    far[:, path], farther[:, path] = 1e3, 1e6
    assert torch.equal(network(far), network(farther)) and not torch.equal(network(far), network(x))


def test_the_setting_holds_a_pose_to_start_with(new_run):
    setting = new_run("plan").data.setting
    pose = pose_from_json(setting.skeleton, setting.more["start"])
    assert pose.shape == () and pose.contacts.shape == (2,)


@pytest.mark.parametrize(("name", "value"), [("dropout", "1"), ("again", "1"), ("again", "16")])
def test_options_that_no_plan_can_have(name, value):
    with pytest.raises(LearningError, match=f"option {name}"):
        make_options(Options, {name: value})
