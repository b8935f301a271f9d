"""Gates."""

from __future__ import annotations

import math

import pytest
import torch

from kinema.learn.networks.experts import BlendedLinear
from kinema.learn.networks.gates import PhaseGate, PhaseGoalGate, PhaseVectorGate, SoftmaxGate, phase_vectors


def catmull_rom(points: torch.Tensor, phase: torch.Tensor) -> torch.Tensor:
    """The phase function as the paper writes it: the cubic through four points `[4, ...]` at phases `[B]`."""
    place = 4 * phase / math.tau
    second = place.floor().long()
    w = (place - second).reshape(-1, *[1] * (points.dim() - 1))
    a, b, c, d = (points[(second + k) % 4] for k in (-1, 0, 1, 2))
    return (
        b
        + w * (0.5 * c - 0.5 * a)
        + w**2 * (a - 2.5 * b + 2 * c - 0.5 * d)
        + w**3 * (1.5 * b - 1.5 * c + 0.5 * d - 0.5 * a)
    )


def test_blending_is_the_cubic_phase_function():
    torch.manual_seed(0)
    points = torch.randn(4, 6, 5, dtype=torch.float64)
    phase = torch.cat([torch.rand(1000) * math.tau, torch.arange(4) * (math.tau / 4)])
    layer = BlendedLinear(4, 6, 5)
    layer.weight.data = points.permute(2, 0, 1).float()
    x = torch.randn(len(phase), 6)
    wanted = torch.einsum("bio,bi->bo", catmull_rom(points, phase.double()), x.double())
    assert (layer(x, PhaseGate()(phase)) - wanted).abs().max() < 1e-5  # sums of six terms, weights up to 3
    identity = torch.eye(4, dtype=torch.float64)
    assert (PhaseGate()(phase) - catmull_rom(identity, phase.double())).abs().max() < 1e-6


def test_a_control_point_is_met_at_its_phase():
    phases = torch.arange(4) * (math.tau / 4)
    assert torch.allclose(PhaseGate()(phases), torch.eye(4), atol=1e-6)
    assert torch.allclose(PhaseGate(6)(torch.arange(6) * (math.tau / 6)), torch.eye(6), atol=1e-6)


def test_phases_go_around():
    phase = torch.rand(200, dtype=torch.float64) * math.tau
    gate = PhaseGate().double()
    for turns in (-2, -1, 1, 3):
        assert torch.allclose(gate(phase), gate(phase + turns * math.tau), atol=1e-12)
    assert torch.allclose(gate(phase).roll(1, -1), gate(phase + math.tau / 4), atol=1e-12)


def test_the_spline_has_no_kinks():
    gate = PhaseGate().double()
    phase = torch.arange(0, math.tau, 0.0137, dtype=torch.float64).requires_grad_()
    torch.autograd.gradcheck(gate, (phase[:40].detach().requires_grad_(),))
    step = 1e-4
    for knot in torch.arange(4) * (math.tau / 4):
        near = gate(torch.tensor([knot - step, knot, knot + step], dtype=torch.float64))
        before, after = (near[1] - near[0]) / step, (near[2] - near[1]) / step
        assert (before - after).abs().max() < 1e-3


def test_fewer_than_four_points_are_refused():
    with pytest.raises(ValueError, match="4 control points"):
        PhaseGate(3)


@pytest.mark.parametrize("experts", [4, 8])
def test_coefficients_sum_to_one(experts):
    torch.manual_seed(0)
    made = [
        PhaseGate(experts)(torch.randn(9) * 10),
        SoftmaxGate([0, 2], experts)(torch.randn(9, 3)),
        PhaseGoalGate(2, 5, experts)(torch.randn(9, 2), torch.randn(9, 5)),
        PhaseVectorGate(6, experts)(torch.randn(9, 6, 2)),
    ]
    for coefficients in made:
        assert coefficients.shape == (9, experts)
        assert torch.allclose(coefficients.sum(-1), torch.ones(9), atol=1e-5)
    for coefficients in made[1:]:
        assert coefficients.min() > 0


def test_only_chosen_inputs_count():
    torch.manual_seed(0)
    gate = SoftmaxGate([4, 1]).eval()
    x = torch.randn(3, 6)
    moved = gate(x)
    x[:, [0, 2, 3, 5]] += 1
    assert torch.equal(gate(x), moved)
    x[:, 4] += 1
    assert not torch.equal(gate(x), moved)


def test_sizes_of_the_papers():
    def widths(gate):
        return [(layer.in_features, layer.out_features) for layer in gate.net if isinstance(layer, torch.nn.Linear)]

    assert widths(SoftmaxGate(range(19))) == [(19, 32), (32, 32), (32, 8)]
    assert widths(PhaseGoalGate(2, 325)) == [(650, 512), (512, 512), (512, 10)]
    assert widths(PhaseVectorGate(4 * 13)) == [(104, 128), (128, 128), (128, 8)]
    assert widths(PhaseVectorGate(84, hidden=64)) == [(168, 64), (64, 64), (64, 8)]


def test_the_goal_gate_sees_products():
    torch.manual_seed(0)
    gate = PhaseGoalGate(2, 3, experts=4, hidden=8).eval()
    phase, goal = torch.randn(5, 2), torch.randn(5, 3)
    assert torch.allclose(gate(2 * phase, goal), gate(phase, 2 * goal), atol=1e-6)
    nothing = gate(phase, torch.zeros(5, 3))
    assert torch.allclose(nothing, nothing[:1].expand(5, -1))
    assert not torch.allclose(gate(phase, goal), gate(-phase, goal))


def test_phase_vectors_are_on_circles():
    phase, amplitude = torch.tensor([0.0, math.pi / 2, 1.0]), torch.tensor([1.0, 2.0, 0.0])
    expected = torch.tensor([[0.0, 1.0], [2.0, 0.0], [0.0, 0.0]])
    assert torch.allclose(phase_vectors(phase, amplitude), expected, atol=1e-6)


def test_exported_it_takes_any_number_of_characters():
    batch = torch.export.Dim("batch")
    exported = torch.export.export(PhaseGate(), (torch.randn(3),), dynamic_shapes=({0: batch},)).module()
    phase = torch.randn(20)
    assert torch.allclose(exported(phase), PhaseGate()(phase), atol=1e-6)
