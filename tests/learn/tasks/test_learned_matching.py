"""The task of learned motion matching: its queries, its three turns, its plans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from kinema import rotations
from kinema.errors import LearningError
from kinema.features import FeatureSpec, extract
from kinema.features.presets import motion_matching
from kinema.learn.model import TrainingStep
from kinema.learn.options import make_options
from kinema.learn.setting import pose_from_json
from kinema.learn.tasks.learned_matching import LearnedMatchingTask, Options
from kinema.learn.training import Training

TURNS = {"pose": ("compressor", "decompressor"), "step": ("stepper",), "search": ("projector",)}


@pytest.fixture
def begun(new_run):
    """A run with an untrained network that has taken the scalings of the data."""
    run = new_run("learned-matching")
    torch.manual_seed(0)
    network = run.task.model(run.data.setting).eval()
    run.task.start(network, run.data)
    return run, network


def terms(network, batch, share, turn):
    found = network.loss(batch, TrainingStep(int(100 * share), 100, turn))
    return {name: float(term.detach()) for name, term in found.items()}


def test_features_are_those_of_motion_matching(begun, database):
    run, network = begun
    assert run.data.setting.specs["x"].hash == motion_matching(database.skeleton).hash
    assert network.features == 27
    scale = run.data.dataset.normalizers()[0].scale
    np.testing.assert_allclose(network.x_scaling.scale, scale)


def test_a_batch_holds_windows_of_frames_that_follow_each_other(begun):
    run, _ = begun
    batch, data = run.data.batch(range(8)), run.data
    assert batch.x.shape == (8, 16, 27) and batch.y.shape[:2] == (8, 16)
    first = data._order(range(8))
    np.testing.assert_array_equal(data.dataset[first + 15].x, batch.x[:, 15])
    assert (data.dataset.clip[first + 15] == data.dataset.clip[first]).all()


def test_queries_depend_on_the_position_alone_and_find_the_nearest_frame(begun):
    run, _ = begun
    whole, parts = run.data.batch(range(12)), [run.data.batch(range(4, 8)), run.data.batch(range(8, 12))]
    for at in ("x", "query", "near_x", "near_y"):
        joined = torch.cat([getattr(part, at) for part in parts])
        torch.testing.assert_close(getattr(whole, at)[4:], joined, atol=0, rtol=0)
    scaling = run.data.dataset.normalizers()[0]
    query, near = (scaling.normalize(part.numpy()) for part in (whole.query, whole.near_x))
    known = run.data.features[run.data.train]
    best = ((known - query[:, None]) ** 2).sum(-1).min(1)
    np.testing.assert_allclose(((near - query) ** 2).sum(-1), best, rtol=1e-3, atol=1e-4)
    held = run.data.held_batch(range(6))
    assert held.query.shape == (6, 27)


def test_queries_are_poses_with_paths_between_two(new_run):
    """Without noise, the pose is that of the frame, and the path is on the way to that of another."""
    run = new_run("learned-matching")
    run.data._noise = 0.0
    batch, path = run.data.batch(range(64)), run.data._path
    pose = np.setdiff1d(np.arange(27), path)
    own = batch.x[:, 0]
    torch.testing.assert_close(batch.query[:, pose], own[:, pose], atol=1e-4, rtol=1e-4)
    way = (batch.query - own)[:, path].norm(dim=1)
    assert way.min() < 0.3 * way.median() and way.max() > 0.3


def test_each_turn_has_terms_and_weights_of_its_own(begun):
    run, network = begun
    batch = run.data.batch(range(16))
    optimizers = network.optimizers(run.recipe)
    assert list(optimizers) == list(TURNS)
    seen: set[str] = set()
    for turn, parts in TURNS.items():
        network.zero_grad()
        found = network.loss(batch, TrainingStep(100, 100, turn))
        sum(found.values()).backward()
        assert not seen & set(found)
        seen |= set(found)
        own = {id(weight) for group in optimizers[turn].param_groups for weight in group["params"]}
        for name, weight in network.named_parameters():
            assert (id(weight) in own) == name.startswith(parts), name
            assert (weight.grad is not None and weight.grad.abs().max() > 0) == name.startswith(parts), name


def test_the_stepper_is_led_over_longer_and_longer_windows(begun):
    run, network = begun
    batch, asked = run.data.batch(range(8)), []
    rollout = network.stepper.rollout
    network.stepper.rollout = lambda state, steps: asked.append(steps) or rollout(state, steps)
    for share in (0, 0.02, 0.25, 0.5, 1):
        terms(network, batch, share, "step")
    assert asked == [1, 2, 8, 15, 15]


def test_networks_that_know_everything_have_no_loss(begun):
    """A compressor that says what is told, and networks that answer with the truth: nothing is left but the sizes."""
    run, network = begun
    batch = run.data.batch(range(8))
    true = network.state(batch.x, batch.y).detach()
    network.stepper.rollout = lambda state, steps: true[:, 1 : steps + 1]
    assert max(terms(network, batch, 1, "step").values()) < 1e-5
    near = network.state(batch.near_x, batch.near_y).detach()
    network.search = lambda query: near
    assert max(terms(network, batch, 1, "search").values()) < 1e-5
    network.pose = lambda state: batch.y[:, :2]
    found = terms(network, batch, 1, "pose")
    assert found.pop("latent") > 0 and max(found.values()) < 1e-6
    network.pose = lambda state: batch.y[:, 1:3]
    assert min(value for name, value in terms(network, batch, 1, "pose").items()) > 0


def test_a_plan_is_the_decompressed_way_of_the_stepper(begun):
    run, network = begun
    batch = run.data.batch(range(4))
    state = network.state(batch.x[:, 0], batch.y[:, 0]).detach()
    states, y = (part.detach() for part in network.plan(state))
    assert states.shape == (4, 31, 33) and y.shape == (4, network.planned.dim)
    torch.testing.assert_close(states[:, 0], state)
    torch.testing.assert_close(states[:, 10], states[:, 8] + network.stepper(states[:, 8]))
    poses, own = network.pose(states), run.data.setting.specs["y"]
    for name in ("positions", "rotations", "contacts"):
        torch.testing.assert_close(y[:, network.planned[name]], poses[..., own[name]].flatten(1))
    assert (y[:, network.planned["root"]].reshape(4, 31, 3)[:, 0] == 0).all()


def test_between_frames_states_are_on_a_smooth_way(begun):
    """A parabola stays one, except beside its ends."""
    _, network = begun
    times = torch.arange(16.0)[None, 1:, None]
    network.known = lambda features: features
    network.stepper.rollout = lambda state, steps: (times**2).expand(-1, -1, 33)
    states, _ = network.plan(torch.zeros(1, 33))
    torch.testing.assert_close(states[0, 2:-2, 0], (torch.arange(31) / 2)[2:-2] ** 2)


def test_plans_mean_what_features_of_a_window_mean(begun, database):
    """If every frame is decompressed right, a plan is what extraction says of the clip, and of the half frames."""
    run, network = begun
    frames = run.data.dataset.frame[run.data._order(range(4))]
    batch = run.data.batch(range(4))
    between = 0.5 * (batch.y[:, 1:] + batch.y[:, :-1])
    whole = torch.cat([torch.stack([batch.y[:, :-1], between], dim=2).flatten(1, 2), batch.y[:, -1:]], dim=1)
    network.pose = lambda states: whole
    _, y = network.plan(network.state(batch.x[:, 0], batch.y[:, 0]))
    planned = network.planned
    for name, tolerance in (("positions", 1e-4), ("rotations", 1e-4), ("contacts", 1e-4)):
        feature = replace(planned.features[planned.names.index(name)], times=tuple(np.arange(16) / 30))
        true = extract(database, FeatureSpec((feature,), database.skeleton), frames).reshape(4, 16, -1)
        found = y[:, planned[name]].reshape(4, 31, -1)[:, ::2]
        np.testing.assert_allclose(found, true, atol=tolerance)
    true = np.stack([database.root_positions[frames + ahead] for ahead in range(16)], axis=1)
    true = rotations.inverse_rotate(database.root_rotations[frames][:, None], true - true[:, :1])
    places, turns = planned.decode(y.numpy())["root"]
    way = np.linalg.norm(true[:, -1], axis=-1).max()
    assert way > 0.2
    np.testing.assert_allclose(places[:, ::2], true, atol=0.02 * way)
    wanted = rotations.relative(database.root_rotations[frames], database.root_rotations[frames + 15])
    np.testing.assert_allclose(np.abs(rotations.dot(turns[:, -1], wanted)), 1, atol=1e-3)


def test_features_are_cut_off_where_the_data_end(begun):
    run, network = begun
    far, farther = torch.full((2, 27), 1e3), torch.full((2, 27), 1e6)
    torch.testing.assert_close(network.search(far), network.search(farther), atol=0, rtol=0)
    known = torch.from_numpy(run.data.features[run.data.train])
    torch.testing.assert_close(network.known(known), known, atol=0, rtol=0)
    state = torch.cat([far, torch.zeros(2, 6)], dim=1)
    assert network.plan(state)[0][:, 0, :27].max() <= known.max()


@pytest.mark.slow
def test_it_trains_and_is_measured_beside_the_search(new_run):
    run = new_run("learned-matching")
    report = Training(run).go()
    assert report.finished and [row["name"] for row in report.rows] == [
        "model",
        "linear",
        "nearest frame",
        "mean pose",
        "ground truth",
    ]
    model, mean = report.rows[0], report.rows[3]
    assert model["position_cm"] < mean["position_cm"]
    pose = pose_from_json(run.data.setting.skeleton, run.data.setting.more["start"])
    assert pose.contacts.shape == (2,) and len(run.data.setting.more["features"]) == 27


def test_options_that_no_plan_can_have():
    with pytest.raises(LearningError, match="option window is 2; it must be at least 3"):
        make_options(Options, {"window": "2"})
    assert LearnedMatchingTask.Options is Options
