"""Building blocks."""

from __future__ import annotations

import torch

from kinema.learn.layers import Perceptron, dense


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


def test_dense_layers_have_an_activation_between_them():
    torch.manual_seed(0)
    layers = dense([3, 8, 2])
    x = torch.randn(4, 5, 3)
    first, last = layers[0], layers[-1]
    assert torch.equal(layers(x), last(torch.nn.functional.elu(first(x))))
    assert [type(layer).__name__ for layer in dense([3, 8, 2], activation=torch.nn.ReLU)] == [
        "Linear",
        "ReLU",
        "Linear",
    ]


def test_dropout_is_before_every_dense_layer():
    torch.manual_seed(0)
    layers = dense([3, 8, 8, 2], dropout=0.3)
    kinds = [type(layer).__name__ for layer in layers]
    assert kinds == ["Dropout", "Linear", "ELU", "Dropout", "Linear", "ELU", "Dropout", "Linear"]
    assert {layer.p for layer in layers if isinstance(layer, torch.nn.Dropout)} == {0.3}
    layers.eval()
    x = torch.randn(4, 3)
    assert torch.equal(layers(x), layers(x))
