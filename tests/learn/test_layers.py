"""Building blocks."""

from __future__ import annotations

import torch

from kinema.learn.layers import Perceptron


def test_it_starts_as_a_linear_map_and_learns_what_is_not():
    torch.manual_seed(0)
    layer = Perceptron(3, 32, 2, 2)
    x, y = torch.randn(2, 64, 3)
    assert torch.allclose(layer(x) + layer(y), layer(x + y) + layer(torch.zeros(64, 3)), atol=1e-5)
    target = torch.stack([x[:, 0].abs(), x[:, 1] * x[:, 2]], dim=1)
    optimizer = torch.optim.Adam(layer.parameters(), 0.01)
    for _ in range(200):
        loss = (layer(x) - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.05


def test_dropout_acts_in_training_only():
    torch.manual_seed(0)
    layer = Perceptron(3, 32, 1, 2, dropout=0.5)
    torch.nn.init.normal_(layer.bent[-1].weight)
    x = torch.randn(4, 3)
    assert not torch.equal(layer(x), layer(x))
    layer.eval()
    assert torch.equal(layer(x), layer(x))
