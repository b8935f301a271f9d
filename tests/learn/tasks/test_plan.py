"""What all tasks of plans for controllers share, with every network."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.learn.model import TrainingStep
from kinema.learn.options import make_options
from kinema.learn.recipe import Recipe
from kinema.learn.setting import pose_from_json
from kinema.learn.tasks import TASKS, find_task
from kinema.learn.tasks.plan import TIMES, PlanOptions, PlanTask
from kinema.mocap.styles import fastest, mean_poses

PLANS = [name for name in TASKS if issubclass(find_task(name), PlanTask)]
OWN = {"codebook": {"matching", "refinement"}, "flow": {"flow"}}
CARRIED = {"pfnn": {"phase"}, "local-phases": {"local_phases"}, "deep-phase": {"learned_phases"}, "nsm": {"phase"}}


OFTEN = {"perceptron", "deep-phase", "codebook", "flow"}
"""Families that are tried in every run: the plainest, one with a phase, and those that sample."""


@pytest.fixture(params=[pytest.param(name, marks=() if name in OFTEN else pytest.mark.slow) for name in PLANS])
def begun(request, new_run):
    """A run of each task, with an untrained network that has taken the scalings of the data."""
    run = new_run(request.param)
    torch.manual_seed(0)
    network = run.task.model(run.data.setting).eval()
    run.task.start(network, run.data)
    return request.param, run, network


def test_there_are_eight():
    assert set(PLANS) == {"perceptron", "mann", "pfnn", "local-phases", "deep-phase", "nsm", "codebook", "flow"}


def test_terms_and_lengths_of_chains(begun):
    """The longer it trains, the more answers in a row: each counts alike."""
    name, run, network = begun
    batch = run.data.batch(range(16))
    found = {}
    for share in (0, 0.05, 0.3, 0.5, 1):
        torch.manual_seed(1)
        terms = network.loss(batch, TrainingStep(int(100 * share), 100, ""))
        found[share] = {each: float(term.detach()) for each, term in terms.items()}
    outputs = {"root", "positions", "rotations", "contacts", *CARRIED.get(name, ())}
    wanted = {*outputs, *(f"{output} moved" for output in outputs), "assembled", *OWN.get(name, ())}
    assert all(set(each) == wanted for each in found.values())
    assert found[0] == found[0.05] != found[0.3] != found[0.5] == found[1]


def test_in_mixed_precision_networks_round_and_poses_do_not(begun, monkeypatch):
    """All is trained in mixed precision; what is measured of a plan is the same where its numbers are the same."""
    _, run, network = begun
    batch, step = run.data.batch(range(16)), TrainingStep(100, 100, "")
    with torch.autocast("cpu", torch.bfloat16):
        own = network.loss(batch, step)
    assert all(term.dtype == torch.float32 and bool(torch.isfinite(term)) for term in own.values())
    monkeypatch.setattr(network, "taught", lambda seen, wanted: (wanted + 0.1, {}))
    monkeypatch.setattr(network, "again", lambda seen, numbers: numbers)
    plain = network.loss(batch, step)
    with torch.autocast("cpu", torch.bfloat16):
        mixed = network.loss(batch, step)
    assert {each: float(term) for each, term in mixed.items()} == {each: float(term) for each, term in plain.items()}


def test_every_weight_is_trained(begun):
    _, run, network = begun
    for weight in network.parameters():  # some are zero at the start, and hide those before them
        torch.nn.init.normal_(weight, std=0.1)
    sum(network.train().loss(run.data.batch(range(16)), TrainingStep(100, 100, "")).values()).backward()
    for name, weight in network.named_parameters():
        assert weight.grad is not None and weight.grad.abs().max() > 0, name


def test_plans_are_smooth(begun):
    """Of any network: a polynomial of time says where joints and root are."""
    _, run, network = begun
    y = network(run.data.batch(range(8)).x[:, 0]).detach().numpy()
    spec, times = run.data.setting.specs["y"], np.array(TIMES) / TIMES[-1]
    assert (y[:, spec["root"]].reshape(8, len(times), 3)[:, 0] == 0).all()
    for name, first in (("root", 1), ("positions", 0), ("rotations", 0)):
        powers = np.vander(times[first:], run.task.options.shape + 1)
        flat = y[:, spec[name]].reshape(8, len(times), -1)[:, first:].transpose(1, 0, 2).reshape(len(powers), -1)
        np.testing.assert_allclose(powers @ np.linalg.lstsq(powers, flat, rcond=None)[0], flat, atol=1e-4)
        assert np.ptp(flat, axis=0).max() > 1e-4


def test_numbers_of_a_plan_make_the_plan(begun):
    """Curves that a network can say come back from their own coefficients."""
    _, run, network = begun
    y = network(run.data.batch(range(8)).x[:, 0])
    numbers = ((network.coefficients(y) - network.mean) / network.spread).flatten(1)
    torch.testing.assert_close(network.plan(numbers), y, atol=1e-4, rtol=1e-3)


@pytest.mark.slow
def test_finer_plans_go_the_same_way(begun):
    """Twice the frames: every other one is as before, and the root arrives where it did."""
    _, run, network = begun
    x = run.data.batch(range(8)).x[:, 0]
    coarse_spec, coarse = run.data.setting.specs["y"], network(x).detach().numpy()
    fine_spec = network.refine(2)
    fine = network(x).detach().numpy()
    assert fine.shape == (8, fine_spec.dim)
    for name in ("positions", "rotations", "contacts"):
        before = coarse[:, coarse_spec[name]].reshape(8, len(TIMES), -1)
        after = fine[:, fine_spec[name]].reshape(8, 2 * len(TIMES) - 1, -1)
        np.testing.assert_allclose(after[:, ::2], before, atol=1e-5)
    (before, turned), (after, turned_after) = (
        spec.decode(y)["root"] for spec, y in ((coarse_spec, coarse), (fine_spec, fine))
    )
    way = np.linalg.norm(before[:, -1], axis=-1).max()
    assert way > 0.02
    np.testing.assert_allclose(after[:, 2::2], before[:, 1:], atol=0.03 * way + 1e-3)
    np.testing.assert_allclose(np.abs((turned_after[:, -1] * turned[:, -1]).sum(-1)), 1, atol=1e-3)


def test_untrained_plans_are_like_those_of_the_data(begun):
    """Coefficients are in units of their spread: with random weights, numbers still have the size that they should."""
    _, run, network = begun
    batch = run.data.batch(range(64))
    y, truth = network(batch.x[:, 0]).detach(), batch.y[:, 0]
    for name in ("positions", "rotations"):
        place = run.data.setting.specs["y"][name]
        assert float((y - truth)[:, place].std()) < 3 * float((truth - truth.mean(0))[:, place].std())


def test_inputs_far_from_all_that_was_seen_are_cut_off(begun):
    _, run, network = begun
    x = run.data.batch(range(4)).x[:, 0]
    path = run.data.setting.specs["x"]["trajectory.position"]
    far, farther = (x.clone() for _ in range(2))
    far[:, path], farther[:, path] = 1e3, 1e6
    assert torch.equal(network.seen(far), network.seen(farther)) and not torch.equal(network.seen(far), network.seen(x))
    torch.testing.assert_close(network(far), network(farther), atol=0, rtol=0)


def test_the_setting_holds_what_to_start_with(begun):
    name, run, _ = begun
    setting = run.data.setting
    pose = pose_from_json(setting.skeleton, setting.more["start"])
    assert pose.shape == () and pose.contacts.shape == (2,)
    assert set(setting.more["carried"]) == CARRIED.get(name, set())
    for feature, values in setting.more["carried"].items():
        place = setting.specs["x"][feature]
        assert len(values) == place.stop - place.start and np.isfinite(values).all()


@pytest.mark.parametrize(("name", "value"), [("dropout", "1"), ("again", "1"), ("again", "16")])
def test_options_that_no_plan_can_have(name, value):
    with pytest.raises(LearningError, match=f"option {name}"):
        make_options(PlanOptions, {name: value})


@pytest.fixture(params=PLANS)
def styled(request, new_run, styled_database):
    """The network of each task for three styles, with random weights."""
    run = new_run(request.param, data=styled_database)
    torch.manual_seed(0)
    network = run.task.model(run.data.setting).eval()
    run.task.start(network, run.data)
    return run, network


def test_a_style_is_a_mix_of_latents(styled):
    """What a network is given ends in four numbers: those of the styles, in the mix that is asked for."""
    run, network = styled
    x = run.data.batch(range(8)).x[:, 0].clone()
    place = network.given["style"]
    assert network.given.features[-1].labels == ("normal", "old", "proud") and place.stop == network.given.dim
    assert network.inputs == network.given.dim - 3 + 4 and list(network.styles) == list(
        range(place.start, network.inputs)
    )
    x[:, place] = torch.tensor([0.0, 0.25, 0.75])
    seen = network.seen(x)
    mixed = 0.25 * network.latents[1] + 0.75 * network.latents[2]
    torch.testing.assert_close(seen[:, place.start :], mixed.expand(8, 4))
    plain = network.x_scaling.normalize(x)[:, : place.start].clamp(-5, 5)
    torch.testing.assert_close(seen[:, : place.start], plain)


def test_the_style_stays_in_a_chain_and_is_learned(styled):
    run, network = styled
    batch = run.data.batch(range(32))
    place = network.given["style"]
    again = network.next_input(batch.x[:, 1], batch.y[:, 0], batch.y[:, 0])
    torch.testing.assert_close(again[:, place], batch.x[:, 1, place])
    assert set(batch.x[:, :, place].sum(dim=-1).unique().tolist()) == {1.0}
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.1)
    sum(network.train().loss(batch, TrainingStep(100, 100, "")).values()).backward()
    assert network.latents.grad.abs().max() > 0


def test_a_run_says_how_fast_styles_are(styled, styled_database):
    run, _ = styled
    assert run.data.setting.more["fastest"] == pytest.approx(fastest(styled_database))


def test_guided_networks_are_given_poses_in_place_of_names(styled_database, tmp_path):
    """The mean of the next second of the sample while it learns; of a style when it drives."""
    kind = find_task("perceptron")
    task = kind(make_options(kind.Options, {"guided": True, "hidden": 16}))
    given, _ = task.specs(styled_database)
    assert given.features[-1].kind == "guidance" and "style" not in given.names
    data = task.data(styled_database, tmp_path / "set", Recipe(steps=2, batch=4))
    poses = mean_poses(styled_database)
    assert list(data.setting.more["guidance"]) == list(poses)
    np.testing.assert_allclose(data.setting.more["guidance"]["old"], poses["old"], atol=1e-6)
    network = task.model(data.setting)
    assert network.latents is None and network.inputs == given.dim
    frame = int(data.dataset.frame[40])
    coming = styled_database.pose(np.arange(frame, frame + 31)).model_positions.mean(axis=0)
    seen = data.dataset[np.array([40])].x[0, given["guidance"]]
    np.testing.assert_allclose(seen.reshape(-1, 3), coming, atol=1e-4)
