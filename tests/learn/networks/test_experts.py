"""The blended-expert network."""

from __future__ import annotations

import pytest
import torch

from kinema.learn.networks.experts import BlendedExperts, BlendedLinear
from kinema.learn.networks.gates import SoftmaxGate

EVALUATIONS = (BlendedLinear.blend_outputs, BlendedLinear.blend_inputs, BlendedLinear.forward)


def count(module: torch.nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


@pytest.fixture
def layer() -> BlendedLinear:
    torch.manual_seed(0)
    made = BlendedLinear(5, 7, 3)
    torch.nn.init.normal_(made.bias)
    return made.double()


def test_one_expert_is_a_linear_layer(layer):
    x = torch.randn(4, 7, dtype=torch.float64)
    for k in range(5):
        alone = torch.eye(5, dtype=torch.float64)[[k] * 4]
        assert torch.allclose(layer(x, alone), x @ layer.weight[:, k].T + layer.bias[k])


def test_weights_are_blended_before_they_are_used(layer):
    x, c = torch.randn(2, 7, dtype=torch.float64), torch.randn(2, 5, dtype=torch.float64)
    for b in range(2):
        weight = sum(c[b, k] * layer.weight[:, k] for k in range(5))
        bias = sum(c[b, k] * layer.bias[k] for k in range(5))
        assert torch.allclose(layer.blend_weights(x, c)[b], weight @ x[b] + bias)


@pytest.mark.parametrize("evaluate", EVALUATIONS)
@pytest.mark.parametrize("size", [0, 1, 3, 17])
def test_all_evaluations_are_equal_and_so_are_their_gradients(layer, evaluate, size):
    values, gradients = [], []
    x, c = torch.randn(size, 7, dtype=torch.float64), torch.randn(size, 5, dtype=torch.float64)
    for function in (BlendedLinear.blend_weights, evaluate):
        given = [x.clone().requires_grad_(), c.clone().requires_grad_(), layer.weight, layer.bias]
        values.append(function(layer, *given[:2]))
        gradients.append(torch.autograd.grad(values[-1].pow(3).sum(), given))
    assert values[0].shape == (size, 3)
    assert torch.allclose(*values, atol=1e-12)
    for a, b in zip(*gradients, strict=True):
        assert torch.allclose(a, b, atol=1e-11)


def test_single_precision_is_enough():
    torch.manual_seed(0)
    layer = BlendedLinear(8, 480, 512)
    x, c = torch.randn(16, 480), torch.softmax(torch.randn(16, 8), -1)
    with torch.no_grad():
        exact = BlendedLinear.blend_weights(layer.double(), x.double(), c.double())
        layer.float()
        for evaluate in (*EVALUATIONS, BlendedLinear.blend_weights):
            assert (evaluate(layer, x, c) - exact).abs().max() < 1e-5


@pytest.mark.parametrize(
    ("inputs", "outputs", "experts", "hidden", "millions"),
    [(342, 311, 4, 512, 2.39), (480, 363, 8, 512, 5.56), (469, 600, 8, 512, 6.49), (1812, 1600, 8, 1024, 36.4)],
    ids=["PFNN", "MANN", "LMP", "DeepPhase"],
)
def test_sizes_of_the_papers(inputs, outputs, experts, hidden, millions):
    with torch.device("meta"):
        network = BlendedExperts(inputs, outputs, experts, hidden)
        gate = SoftmaxGate(range(19), experts)
    parameters = count(network) + (count(gate) if inputs == 480 else 0)
    assert parameters * 1e-6 == pytest.approx(millions, abs=0.005 if millions < 10 else 0.05)


def test_three_layers_with_elu_between():
    torch.manual_seed(0)
    network = BlendedExperts(3, 2, 4, hidden=8).eval()
    x, c = torch.randn(5, 3), torch.softmax(torch.randn(5, 4), -1)
    h = torch.nn.functional.elu(network.first.blend_weights(x, c))
    h = torch.nn.functional.elu(network.second.blend_weights(h, c))
    assert torch.allclose(network(x, c), network.third.blend_weights(h, c), atol=1e-6)


def test_dropout_acts_in_training_only():
    torch.manual_seed(0)
    network = BlendedExperts(3, 2, 4, hidden=8, dropout=0.5)
    x, c = torch.randn(5, 3), torch.softmax(torch.randn(5, 4), -1)
    assert not torch.equal(network(x, c), network(x, c))
    network.eval()
    assert torch.equal(network(x, c), network(x, c))


def test_the_seed_decides_the_weights():
    networks = []
    for seed in (0, 0, 1):
        torch.manual_seed(seed)
        networks.append(BlendedExperts(3, 2, 4, hidden=8).first.weight)
    assert torch.equal(networks[0], networks[1]) and not torch.equal(networks[0], networks[2])


def test_numbers_keep_their_size_from_layer_to_layer():
    torch.manual_seed(0)
    layer = BlendedLinear(4, 400, 400)
    y = layer(torch.randn(64, 400), torch.eye(4)[torch.arange(64) % 4])
    assert 0.8 < y.std() < 1.25


def test_exported_it_takes_any_number_of_characters():
    torch.manual_seed(0)
    network = BlendedExperts(6, 5, 4, hidden=16).eval()
    batch = torch.export.Dim("batch")
    given = torch.randn(3, 6), torch.softmax(torch.randn(3, 4), -1)
    exported = torch.export.export(network, given, dynamic_shapes=({0: batch}, {0: batch})).module()
    x, c = torch.randn(20, 6), torch.softmax(torch.randn(20, 4), -1)
    assert torch.allclose(exported(x, c), network(x, c), atol=1e-6)
