"""The generative controller."""

from __future__ import annotations

import pytest
import torch

from kinema.learn.networks.flow import FlowMatching


@pytest.fixture
def network() -> FlowMatching:
    torch.manual_seed(0)
    made = FlowMatching(3, 2, past=6, coming=4, hidden=16, layers=2, embedding=8)
    for p in made.parameters():
        torch.nn.init.normal_(p, std=0.3)
    return made


def inputs(count: int, width: int = 3) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Noise, past and condition."""
    return torch.randn(count, 4, width), torch.randn(count, 2, width), torch.randn(count, 2)


def test_a_constant_velocity_arrives_in_any_number_of_steps(network):
    noise, past, condition = inputs(5)
    data = torch.randn(5, 4, 3)
    network.forward = lambda x, time, memory, condition: data - noise
    for steps in (1, 4, 7):
        assert torch.allclose(network.sample(noise, past, condition, steps), data, atol=1e-5)


def test_times_go_from_noise_to_data(network):
    seen = []
    network.forward = lambda x, time, memory, condition: seen.append(time[0].item()) or torch.zeros_like(x)
    network.sample(*inputs(2), steps=4)
    assert seen == [0.0, 0.25, 0.5, 0.75]


def test_guidance_goes_from_without_to_with_the_past_and_beyond(network):
    noise, past, condition = inputs(5)
    time, known = torch.zeros(5), torch.ones(5)
    using = network(noise, time, network.memory(past, known), condition)
    neglecting = network(noise, time, network.memory(past, 0 * known), condition)
    assert not torch.allclose(using, neglecting)
    for guidance in (0.0, 0.5, 1.0, 2.0):
        velocity = network.sample(noise, past, condition, 1, guidance) - noise
        assert torch.allclose(velocity, neglecting + guidance * (using - neglecting), atol=1e-5)


def test_a_past_that_is_left_out_does_not_count(network):
    noise, past, condition = inputs(5)
    time, known = torch.rand(5), torch.tensor([1.0, 0.0, 1.0, 0.0, 0.0])
    before = network(noise, time, network.memory(past, known), condition)
    after = network(noise, time, network.memory(past + 1, known), condition)
    assert ((before != after).any((1, 2)) == known.bool()).all()


@pytest.mark.parametrize("changed", [0, 1, 2, 3])
def test_all_that_is_given_counts(network, changed):
    noise, past, condition = inputs(2)
    given = [noise, torch.tensor([0.2, 0.7]), network.memory(past, torch.ones(2)), condition]
    before = network(*given)
    given[changed] = given[changed] + 0.1
    assert not torch.allclose(network(*given), before)


def test_it_learns_the_velocity_between_noise_and_data(network):
    seen = {}

    def forward(x, time, memory, condition):
        seen.update(x=x, time=time, memory=memory)
        return torch.zeros_like(x)

    network.forward = forward
    _, past, condition = inputs(20_000)
    coming = torch.full((20_000, 4, 3), 5.0)
    loss = network.loss(coming, past, condition)
    assert loss.item() == pytest.approx(26.0, abs=0.1)  # the mean square of 5 minus standard normal noise
    noise = (seen["x"] - seen["time"][:, None, None] * 5.0) / (1 - seen["time"][:, None, None])
    assert noise.mean().abs() < 0.02 and noise.std().item() == pytest.approx(1.0, abs=0.02)
    left_out = (seen["memory"] == network.nothing).all(1).double().mean()
    assert left_out.item() == pytest.approx(0.15, abs=0.02)


@pytest.mark.slow
def test_it_makes_both_of_two_ways_and_none_between():
    torch.manual_seed(0)
    network = FlowMatching(1, 1, past=1, coming=1, hidden=64, layers=2)
    optimizer = torch.optim.Adam(network.parameters(), 0.003)
    for _ in range(500):
        wanted = torch.randint(2, (256, 1)) * 2.0 - 1.0
        side = torch.randint(2, (256, 1, 1)) * 2.0 - 1.0
        past = torch.randint(2, (256, 1, 1)) * 2.0 - 1.0
        data = side + wanted[:, :, None] * past
        loss = network.loss(data, past, wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        for past in (-1.0, 1.0):
            for wanted in (-1.0, 1.0):
                given = torch.full((500, 1, 1), past), torch.full((500, 1), wanted)
                away = network.sample(torch.randn(500, 1, 1), *given, steps=16).flatten() - wanted * past
                assert (away.abs() - 1).abs().mean() < 0.2
                assert 0.2 < (away > 0).double().mean() < 0.8


def test_published_sizes():
    with torch.device("meta"):
        network = FlowMatching(250, 40, 2500)
        y = network.sample(*(torch.zeros(3, *shape, device="meta") for shape in ((8, 250), (10, 250), (40,))))
    assert y.shape == (3, 8, 250)
    assert len(network.blocks) == 6 and network.blocks[0].layer.weight.shape == (512, 512)
