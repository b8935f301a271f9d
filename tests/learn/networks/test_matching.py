"""The networks of learned motion matching."""

from __future__ import annotations

import torch

from kinema.learn.networks.matching import Compressor, Decompressor, Projector, Stepper


def count(module: torch.nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


def test_sizes_of_the_public_weights():
    decompressor, stepper, projector = Decompressor(59, 338), Stepper(59), Projector(27, 59)
    assert [count(network) for network in (decompressor, stepper, projector)] == [204_114, 323_643, 832_571]
    assert decompressor(torch.zeros(3, 59)).shape == (3, 338)
    assert projector(torch.zeros(3, 27)).shape == (3, 59)
    assert Compressor(668)(torch.zeros(3, 20, 668)).shape == (3, 20, 32)


def test_a_rollout_adds_up_what_the_stepper_says():
    torch.manual_seed(0)
    stepper = Stepper(4, hidden=8)
    state = torch.randn(3, 4)
    states = stepper.rollout(state, 3)
    assert states.shape == (3, 3, 4)
    expected = state
    for step in range(3):
        expected = expected + stepper(expected)
        assert torch.allclose(states[:, step], expected)


def test_a_rollout_learns_a_turning_state():
    torch.manual_seed(0)
    stepper = Stepper(2, hidden=32)
    optimizer = torch.optim.Adam(stepper.parameters(), 0.01)
    times = torch.arange(1, 6) * 0.1
    for _ in range(200):
        angle = torch.rand(64, 1) * 6.3
        states = torch.stack([torch.cos(angle + 3 * times), torch.sin(angle + 3 * times)], -1)
        start = torch.cat([angle.cos(), angle.sin()], 1)
        loss = (stepper.rollout(start, 5) - states).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.01
