"""Plans by learned phases."""

from __future__ import annotations

import pytest

from kinema.errors import DatabaseError
from kinema.learn.tasks.deep_phase import DeepPhaseTask
from kinema.mocap import MotionDatabase


def test_the_gate_looks_at_the_learned_phases_alone(begin):
    run, network = begin("deep-phase")
    seen = network.seen(run.data.batch(range(4)).x[:, 0]).requires_grad_()
    network.activations(seen)[:, 0].sum().backward()
    moved = (seen.grad.abs().sum(0) > 0).nonzero()[:, 0].tolist()
    place = run.data.setting.specs["x"]["learned_phases"]
    assert moved == list(range(place.start, place.stop)) and len(moved) == 2 * 3


def test_a_database_without_them_is_told_the_command(database):
    bare = MotionDatabase.open(database.path, labelled=False)
    with pytest.raises(DatabaseError, match="kinema label DB --learned RUN"):
        DeepPhaseTask(DeepPhaseTask.Options()).specs(bare)
