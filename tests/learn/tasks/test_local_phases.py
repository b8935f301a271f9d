"""Plans by Local Motion Phases."""

from __future__ import annotations


def test_the_gate_looks_at_the_phases_of_the_legs_alone(begin):
    run, network = begin("local-phases")
    seen = network.seen(run.data.batch(range(4)).x[:, 0]).requires_grad_()
    network.activations(seen)[:, 0].sum().backward()
    moved = (seen.grad.abs().sum(0) > 0).nonzero()[:, 0].tolist()
    place = run.data.setting.specs["x"]["local_phases"]
    assert moved == list(range(place.start, place.stop)) and len(moved) == 4
