"""Plans by Phase-Functioned Neural Networks."""

from __future__ import annotations

import numpy as np
import pytest
import torch


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
