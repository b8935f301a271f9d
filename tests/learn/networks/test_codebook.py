"""Codebook matching."""

from __future__ import annotations

import pytest
import torch

from kinema.learn.networks.codebook import CodebookMatching, gumbel_noise, hard_codes


def test_codes_are_hard_and_their_gradients_soft():
    torch.manual_seed(0)
    logits = torch.randn(5, 3, 4, dtype=torch.float64, requires_grad=True)
    codes = hard_codes(logits, temperature=0.7)
    assert torch.allclose(codes, torch.nn.functional.one_hot(logits.argmax(-1), 4).double())
    factor = torch.randn(5, 3, 4, dtype=torch.float64)
    (hard,) = torch.autograd.grad((codes * factor).sum(), logits)
    (soft,) = torch.autograd.grad(((logits / 0.7).softmax(-1) * factor).sum(), logits)
    assert torch.allclose(hard, soft) and hard.abs().min() > 0


def test_samples_have_the_probabilities_of_the_softmax():
    torch.manual_seed(0)
    logits = torch.tensor([0.0, 1.0, -1.0, 2.0])
    many = logits.expand(40_000, 4)
    shares = hard_codes(many, noise=gumbel_noise(many)).mean(0)
    assert torch.allclose(shares, logits.softmax(-1), atol=0.01)


@pytest.fixture
def network() -> CodebookMatching:
    torch.manual_seed(0)
    return CodebookMatching(6, 5, frames=4, channels=3, classes=4, hidden=16, temporal=8)


def test_shapes(network):
    x, y = torch.randn(7, 6), torch.randn(7, 4, 5)
    assert network.encode(y).shape == network.estimate(x).shape == (7, 3, 4)
    assert network.refine(network.estimate(x).softmax(-1), x).shape == (7, 3, 4)
    assert network(x).shape == network.decode(network.encode(y)).shape == (7, 4, 5)


def test_a_guess_is_refined_and_then_decoded(network):
    network.eval()
    x, noise = torch.randn(7, 6), 3 * torch.randn(7, 3, 4)
    for given, start in ((None, network.estimate(x)), (noise, network.estimate(x) + noise)):
        logits = start
        for _ in range(3):
            logits = network.refine(logits.softmax(-1), x)
        assert torch.equal(network(x, given), network.decode(hard_codes(logits)))
    network.refinements = 0
    assert not torch.allclose(network(x, noise), network(x))


def test_every_frame_has_its_time(network):
    network.eval()
    for film in network.decoder.films:
        torch.nn.init.normal_(film.change.weight)
    y = network(torch.randn(2, 6))
    assert torch.pdist(y[0]).min() > 0


def test_every_term_of_the_loss_reaches_its_part(network):
    x, y = torch.randn(7, 6), torch.randn(7, 4, 5)
    terms = network.losses(x, y)
    assert set(terms) == {"reconstruction", "matching", "refinement"}
    parts = {
        "reconstruction": {"encoder", "decoder"},
        "matching": {"encoder", "first", "second"},
        "refinement": {"encoder", "refiner"},
    }
    for name, term in terms.items():
        network.zero_grad()
        term.backward(retain_graph=True)
        reached = {
            key.split(".")[0] for key, p in network.named_parameters() if p.grad is not None and p.grad.abs().max() > 0
        }
        assert reached == parts[name]
    network.refinements = 0
    assert set(network.losses(x, y)) == {"reconstruction", "matching"}


@pytest.mark.slow
def test_it_samples_either_way_where_a_regression_averages():
    torch.manual_seed(0)
    network = CodebookMatching(1, 2, frames=3, channels=3, classes=4, hidden=32, temporal=8, dropout=0.0)
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    way = torch.tensor([[1.0, 2.0], [2.0, 1.0], [3.0, 0.0]])
    x = torch.ones(128, 1)
    for _ in range(300):
        y = way * (torch.randint(2, (128, 1, 1)) * 2.0 - 1.0)
        loss = sum(network.losses(x, y).values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    network.eval()
    noise = gumbel_noise(network.estimate(x))

    def distances() -> torch.Tensor:
        """How far samples are from either way, `[128, 2]`."""
        return (network(x, noise)[:, None] - torch.stack([way, -way])).abs().amax((2, 3))

    refined = distances()
    assert refined.min(1).values.mean() < 0.15
    assert 0.25 < refined.argmin(1).double().mean() < 0.75
    # Channels that are sampled apart do not go together.
    network.refinements = 0
    assert distances().min(1).values.mean() > 0.5


def test_size_of_the_paper():
    with torch.device("meta"):
        network = CodebookMatching(441, 279, channels=128, classes=8, hidden=1024)
        y = network(torch.zeros(3, 441, device="meta"))
    assert y.shape == (3, 16, 279)
    running = sum(p.numel() for name, p in network.named_parameters() if not name.startswith("encoder"))
    linear = 1024 * (441 + 1024 + 1024 + 1024) + 1024 * (1024 + 441 + 1024 + 1024) + 1024 * (2 * 1024 + 279)
    assert running == pytest.approx(linear, rel=0.01)


def test_exported_it_takes_any_number_of_characters(network):
    network.eval()
    batch = torch.export.Dim("batch")
    exported = torch.export.export(network, (torch.randn(3, 6),), dynamic_shapes=({0: batch},))
    x = torch.randn(20, 6)
    assert torch.allclose(exported.module()(x), network(x), atol=1e-5)
