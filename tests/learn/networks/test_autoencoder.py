"""Autoencoders."""

from __future__ import annotations

import pytest
import torch

from kinema.learn.networks.autoencoder import Autoencoder, VariationalAutoencoder, divergence


def on_a_curve(count: int) -> torch.Tensor:
    """Points `[count, 4]` that one number describes."""
    t = torch.rand(count, 1) * 2 - 1
    return torch.cat([t, t.square(), torch.sin(2 * t), torch.cos(2 * t)], 1)


def trained(network, loss, steps: int):
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    for _ in range(steps):
        value = loss(on_a_curve(64))
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
    return network.eval()


def test_everything_goes_through_the_bottleneck():
    torch.manual_seed(0)
    network = Autoencoder(10, 3, hidden=16)
    x = torch.randn(5, 10)
    assert network.encode(x).shape == (5, 3)
    assert torch.equal(network(x), network.decode(network.encode(x)))


def test_one_number_describes_a_curve():
    torch.manual_seed(0)
    network = Autoencoder(4, 1, hidden=32)
    trained(network, lambda x: (network(x) - x).square().mean(), 300)
    x = on_a_curve(200)
    assert (network(x) - x).square().mean() < 0.01 * x.var()


def test_the_variational_one_spreads_its_latent_numbers():
    torch.manual_seed(0)
    network = VariationalAutoencoder(4, 2, hidden=32)

    def loss(x: torch.Tensor) -> torch.Tensor:
        terms = network.losses(x)
        assert set(terms) == {"reconstruction", "divergence"}
        return terms["reconstruction"] + 0.01 * terms["divergence"]

    trained(network, loss, 400)
    x = on_a_curve(500)
    mean, log_variance = network.encode(x)
    spread = (mean.var(0) + log_variance.exp().mean(0)).sqrt()
    assert (spread - 1).abs().max() < 0.4  # near the standard normal distribution
    assert (network(x) - x).square().mean() < 0.1 * x.var()
    assert torch.equal(network(x), network.decode(mean))


def test_samples_have_the_variance_that_is_encoded():
    torch.manual_seed(0)
    network = VariationalAutoencoder(2, 2, hidden=4)
    network.encode = lambda x: (torch.full_like(x, 3.0), torch.full_like(x, -2.0))
    seen = []
    network.decode = lambda latent: seen.append(latent) or latent
    network.losses(torch.zeros(20_000, 2))
    assert seen[0].mean().item() == pytest.approx(3.0, abs=0.01)
    assert seen[0].var().log().item() == pytest.approx(-2.0, abs=0.03)


def test_divergence_in_closed_form_is_the_integral():
    torch.manual_seed(0)
    mean, log_variance = torch.tensor([0.7], dtype=torch.float64), torch.tensor([-0.5], dtype=torch.float64)
    mine = torch.distributions.Normal(mean, (0.5 * log_variance).exp())
    standard = torch.distributions.Normal(torch.zeros(1, dtype=torch.float64), torch.ones(1, dtype=torch.float64))
    expected = torch.distributions.kl_divergence(mine, standard)
    assert divergence(mean[None], log_variance[None]).item() == pytest.approx(expected.item())
    assert divergence(torch.zeros(1, 3), torch.zeros(1, 3)).item() == 0
