"""Plans by Phase-Functioned Neural Networks."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema.errors import LearningError
from kinema.learn.model import TrainingStep
from kinema.learn.options import make_options
from kinema.learn.recipe import Recipe
from kinema.learn.run import start_run
from kinema.learn.tasks.pfnn import GROUNDS, EncodedNetwork, Options
from kinema.mocap import MotionDatabase
from kinema.terrain import GRID

QUICK = Recipe(steps=40, batch=32, validate_every=20, held_out=0.2)
SEES = [ground for ground in GROUNDS if ground != "unseen"]


def at_phase(network, seen, angle):
    """The inputs with another phase, radians."""
    place, changed = network.given["phase"], seen.clone()
    wanted = torch.tensor([np.sin(angle), np.cos(angle)], dtype=torch.float32)
    changed[:, place] = (wanted - network.x_scaling.offset[place]) / network.x_scaling.scale[place]
    return changed


@pytest.mark.parametrize("point", range(4))
def test_control_points_are_quarters_of_a_cycle(begin, point):
    run, network = begin("pfnn")
    seen = network.seen(run.data.batch(range(5)).x[:, 0])
    for turns in (0, 1):
        activations = network.activations(at_phase(network, seen, (point / 4 + turns) * 2 * np.pi))
        torch.testing.assert_close(activations, torch.eye(4)[[point]].expand(5, -1), atol=1e-4, rtol=0)


def test_the_phase_goes_on_by_what_was_said(begin):
    """The next input has the phase of the plan, not the recorded one."""
    run, network = begin("pfnn")
    batch = run.data.batch(range(6))
    said = network(batch.x[:, 0])
    after = network.next_input(batch.x[:, 1], said, batch.y[:, 0])
    spec = run.data.setting.specs
    phases = said[:, spec["y"]["phase"]].unflatten(1, (-1, 2))
    torch.testing.assert_close(after[:, spec["x"]["phase"]], phases[:, run.task.options.again])


@pytest.fixture(scope="module")
def uneven(database) -> MotionDatabase:
    """The database with labels of a ground that is as uneven as can be."""
    rng = np.random.default_rng(0)
    made = MotionDatabase.open(database.path)
    made.labels["height"] = rng.normal(scale=0.2, size=(made.frames, 3)).astype(np.float32)
    made.labels["height_grid"] = rng.normal(scale=0.2, size=(made.frames, GRID[0] * GRID[1])).astype(np.float16)
    return made


@pytest.fixture(params=SEES)
def sighted(request, uneven, tmp_path):
    """A run with a network that sees the ground, and its weights at random everywhere."""
    options = {"hidden": 24, "readout": 16, "ground": request.param}
    run = start_run(tmp_path / "run", "pfnn", uneven, options, QUICK)
    torch.manual_seed(0)
    network = run.task.model(run.data.setting)
    run.task.start(network, run.data)
    for name, weight in network.named_parameters():
        if not name.startswith("encoder"):
            torch.nn.init.normal_(weight, std=0.1)
    return run, network.eval()


def test_networks_without_sight_have_the_inputs_they_had(new_run):
    assert "ground" not in new_run("pfnn").data.setting.specs["x"].slices


def test_what_each_sees(sighted):
    run, network = sighted
    spec = run.data.setting.specs["x"]
    seen = {"points": 36}.get(run.task.options.ground, 256)
    assert spec["ground"].stop - spec["ground"].start == seen and spec.features[-1].name == "ground"
    assert "ground" not in run.data.setting.specs["y"].slices
    assert isinstance(network, EncodedNetwork) == (seen == 256)


def test_feet_follow_the_ground(sighted):
    """The gradients of the height of a foot, half a plan ahead, by heights of the ground are those of differences."""
    run, network = sighted
    network.double()
    place, foot = network.given["ground"], int(run.data.setting.specs["y"].skeleton.index("LeftToeBase"))
    x = run.data.batch(range(1)).x[:, 0].double()
    x[:, place] = 0.1 * torch.randn(1, place.stop - place.start, dtype=torch.float64)

    def height(ground: torch.Tensor) -> torch.Tensor:
        seen = torch.cat([x[:, : place.start], ground, x[:, place.stop :]], dim=-1)
        return network.next_input.reader.assembled(network(seen), [7])[0, 0, foot, 1]

    ground = x[:, place].clone().requires_grad_()
    (gradient,) = torch.autograd.grad(height(ground), ground)
    assert (gradient.abs() > 1e-9).double().mean() > 0.9
    step = 1e-5
    for at in range(0, ground.shape[1], 7):
        aside = torch.zeros_like(ground)
        aside[0, at] = step
        with torch.no_grad():
            difference = float(height(ground + aside) - height(ground - aside)) / (2 * step)
        assert float(gradient[0, at]) == pytest.approx(difference, rel=1e-3, abs=1e-8)


def test_the_gate_sees_encoded_ground(sighted):
    run, network = sighted
    seen = network.seen(run.data.batch(range(4)).x[:, 0])
    other = seen.clone()
    other[:, network.given["ground"]] = -seen[:, network.given["ground"]]
    changed = (network.activations(seen) - network.activations(other)).abs().max()
    assert (changed > 1e-4) == isinstance(network, EncodedNetwork)
    torch.testing.assert_close(network.activations(seen).sum(dim=-1), torch.ones(4))
    assert (network.numbers(seen) - network.numbers(other)).abs().max() > 1e-3


def test_every_weight_is_trained_with_sight(sighted):
    run, network = sighted
    sum(network.train().loss(run.data.batch(range(16)), TrainingStep(100, 100, "")).values()).backward()
    for name, weight in network.named_parameters():
        assert weight.grad is not None and weight.grad.abs().max() > 0, name


def test_grounds_that_nobody_knows():
    with pytest.raises(LearningError, match="ground is 'sea'; it must be one of unseen, points, convolution, perceptr"):
        make_options(Options, {"ground": "sea"})
