"""Plans by Neural State Machines."""

from __future__ import annotations

import pytest
import torch

from kinema.errors import DatabaseError
from kinema.learn.tasks.nsm import NsmTask
from kinema.mocap import MotionDatabase


def test_the_gate_looks_at_phase_and_wishes_alone(begin):
    run, network = begin("nsm")
    seen = network.seen(run.data.batch(range(4)).x[:, 0]).requires_grad_()
    network.activations(seen)[:, 0].sum().backward()
    moved = (seen.grad.abs().sum(0) > 0).nonzero()[:, 0].tolist()
    spec = run.data.setting.specs["x"]
    names = ("phase", "trajectory.position", "trajectory.direction", "goal.position", "goal.direction")
    assert moved == sorted(column for name in names for column in range(spec[name].start, spec[name].stop))


def test_without_wishes_the_phase_still_counts(begin):
    _, network = begin("nsm")
    seen = torch.zeros(2, network.inputs)
    seen[1, network.given["phase"]] = 1.0
    first, second = network.activations(seen)
    assert (first - second).abs().max() > 1e-4


def test_body_and_wishes_are_encoded_apart(begin):
    run, network = begin("nsm")
    seen = network.seen(run.data.batch(range(4)).x[:, 0])
    moved = seen.clone()
    moved[:, network.given["goal.position"]] += 1.0
    change = (network.encoded(moved) - network.encoded(seen)).abs()
    assert change.shape == (4, 20) and change[:, :12].max() == 0 and change[:, 12:].max() > 0


def test_a_database_without_goals_is_told_the_command(database):
    bare = MotionDatabase.open(database.path, labelled=False)
    with pytest.raises(DatabaseError, match="kinema label DB --with gait goals"):
        NsmTask(NsmTask.Options()).specs(bare)
