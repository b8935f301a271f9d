"""Feature-wise linear modulation."""

from __future__ import annotations

import torch

from kinema.learn.networks.film import FilmLayer, FilmPerceptron, cosines


def test_it_starts_as_the_identity():
    layer = FilmLayer(4, 2)
    x = torch.randn(3, 4)
    assert torch.equal(layer(x, torch.randn(3, 2)), x)


def test_a_condition_scales_and_shifts():
    layer = FilmLayer(2, 1)
    layer.change.weight.data = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
    x = torch.tensor([[10.0, 100.0]])
    assert torch.equal(layer(x, torch.tensor([[0.5]])), torch.tensor([[10 * 1.5 + 1.5, 100 * 2.0 + 2.0]]))


def test_leading_dimensions_broadcast():
    torch.manual_seed(0)
    network = FilmPerceptron([4, 8, 3], 2).eval()
    for film in network.films:
        torch.nn.init.normal_(film.change.weight)
    x, condition = torch.randn(5, 1, 4), torch.randn(6, 2)
    y = network(x, condition)
    assert y.shape == (5, 6, 3)
    assert torch.allclose(y[2, 4], network(x[2, 0], condition[4]), atol=1e-6)


def test_activations_are_modulated():
    torch.manual_seed(0)
    network = FilmPerceptron([4, 8, 3], 2)
    (film,) = network.films
    torch.nn.init.normal_(film.change.weight)
    x, condition = torch.randn(5, 4), torch.randn(5, 2)
    expected = network.layers[0](film(torch.nn.functional.elu(network.first(x)), condition))
    assert torch.allclose(network(x, condition), expected)


def test_it_is_a_perceptron_when_nothing_is_modulated():
    torch.manual_seed(0)
    network = FilmPerceptron([4, 8, 8, 3], 2)
    x = torch.randn(5, 4)
    h = network.first(x)
    for layer in network.layers:
        h = layer(torch.nn.functional.elu(h))
    assert torch.allclose(network(x, torch.randn(5, 2)), h, atol=1e-6)


def test_it_learns_what_depends_on_the_condition():
    torch.manual_seed(0)
    network = FilmPerceptron([1, 32, 32, 1], 1)
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    for _ in range(200):
        x, condition = torch.rand(2, 128, 1) * 2 - 1
        loss = (network(x, condition) - x * condition).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.005


def test_times_have_different_features():
    features = cosines(torch.linspace(0, 1, 16), 8)
    assert features.shape == (16, 8)
    assert torch.allclose(features[:, 0], torch.ones(16))
    assert torch.allclose(features[:, 1], torch.cos(torch.linspace(0, torch.pi, 16)), atol=1e-6)
    assert torch.pdist(features).min() > 0.1
