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
    names = {"root", "positions", "rotations", "contacts", "assembled", "positions moved", "rotations moved"}
    assert all(set(each) == names for each in terms.values())
    assert terms[0] == terms[0.05] != terms[0.3] != terms[0.5] == terms[1]


def test_a_plan_begins_at_the_present_pose_and_is_smooth(new_run):
    """Of any network: a polynomial of time through the present pose says where a joint is."""
    run = new_run("plan")
    network, x = run.task.model(run.data.setting), run.data.batch(range(8)).x[:, 0]
    run.task.start(network, run.data)
    torch.nn.init.normal_(network.net.straight.weight, std=0.1)
    spec, degree = run.data.setting.specs, run.task.options.shape
    y = network(x)
    for name in ("positions", "rotations"):
        now = x[:, spec["x"][name]][:, None]
        curve = torch.cat([now, y[:, spec["y"][name]].unflatten(-1, (len(TIMES), -1))], dim=1).detach().numpy()
        times = np.array([0.0, *TIMES]) / TIMES[-1]
        flat = curve.transpose(1, 0, 2).reshape(len(times), -1)
        fitted = np.vander(times, degree + 1) @ np.linalg.lstsq(np.vander(times, degree + 1), flat, rcond=None)[0]
        np.testing.assert_allclose(fitted, flat, atol=1e-3)
        assert np.abs(flat - flat[0]).max() > 0.05


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


@pytest.mark.parametrize(("name", "value"), [("dropout", "1"), ("again", "1"), ("again", "15")])
def test_options_that_no_plan_can_have(name, value):
    with pytest.raises(LearningError, match=f"option {name}"):
        make_options(Options, {name: value})
