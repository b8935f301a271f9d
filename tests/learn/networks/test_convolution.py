"""Temporal convolution."""

from __future__ import annotations

import pytest
import torch

from kinema.learn.networks.convolution import TemporalConvolution


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("kernel", [2, 3])
def test_a_frame_sees_its_reach_and_nothing_else(causal, kernel):
    torch.manual_seed(0)
    network = TemporalConvolution(2, 3, hidden=8, blocks=2, kernel=kernel, causal=causal).double()
    assert network.reach == 2 * (kernel - 1) * 3
    x = torch.randn(1, 60, 2, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(network(x)[0, 30].sum(), x)
    seen = gradient[0].abs().sum(-1).nonzero().flatten()
    assert seen.max() - seen.min() == network.reach
    assert seen.max() == 30 if causal else seen.max() > 30 > seen.min()


def test_sequences_keep_their_length_and_their_own_frames():
    torch.manual_seed(0)
    network = TemporalConvolution(2, 3, hidden=8)
    x = torch.randn(4, 17, 2)
    assert network(x).shape == (4, 17, 3)
    assert torch.allclose(network(x)[1:2], network(x[1:2]), atol=1e-6)


def test_it_learns_a_delay():
    torch.manual_seed(0)
    network = TemporalConvolution(1, 1, hidden=16, blocks=3)
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    for _ in range(150):
        x = torch.randn(16, 40, 1)
        loss = (network(x)[:, 5:] - x[:, :-5]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.1
