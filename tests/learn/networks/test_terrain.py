"""Heights for networks."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from kinema.learn.networks.terrain import (
    HeightConvolution,
    HeightPerceptron,
    patch_points,
    sample_heights,
    trajectory_points,
)
from kinema.terrain import Heightmap
from kinema.terrain.ground import VOID


def test_samples_are_those_of_a_heightmap():
    random = np.random.default_rng(0)
    heights = random.normal(size=(7, 9)).astype(np.float32)
    heights[2, 3] = VOID
    ground = Heightmap(heights, 0.3, (-1.0, 0.5))
    points = random.uniform(-2.5, 4, (500, 3)).astype(np.float32)
    made = sample_heights(torch.from_numpy(heights), torch.from_numpy(points[:, [0, 2]]), 0.3, (-1.0, 0.5))
    assert (made.numpy() == VOID).sum() > 2
    np.testing.assert_allclose(made.numpy(), ground.height(points), atol=2e-5)


def test_heights_are_differentiable_from_the_pose():
    torch.manual_seed(0)
    heights = torch.randn(8, 8, dtype=torch.float64)
    position = torch.tensor([0.71, 1.13], dtype=torch.float64, requires_grad=True)
    heading = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)

    def encoded(position: torch.Tensor, heading: torch.Tensor, heights: torch.Tensor) -> torch.Tensor:
        return sample_heights(heights, patch_points(position, heading, 3, 3, 0.21), 0.4, (-0.5, -0.5))

    assert torch.autograd.gradcheck(encoded, (position, heading, heights.requires_grad_()))


def test_the_slope_of_a_ramp_is_the_gradient():
    x, z = torch.meshgrid(torch.arange(6.0), torch.arange(6.0), indexing="xy")
    points = (torch.rand(20, 2) * 5).requires_grad_()
    height = sample_heights(0.5 * x - 2 * z, points, 1.0, (0.0, 0.0))
    assert torch.allclose(height, 0.5 * points[:, 0] - 2 * points[:, 1], atol=1e-5)
    (gradient,) = torch.autograd.grad(height.sum(), points)
    assert torch.allclose(gradient, torch.tensor([0.5, -2.0]).expand(20, 2), atol=1e-5)


def test_points_left_and_right_of_a_trajectory():
    positions = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    directions = torch.tensor([[0.0, 1.0], [1.0, 0.0]])  # towards +Z, then +X
    points = trajectory_points(positions, directions)
    assert torch.allclose(points[0], torch.tensor([[1.25, 2.0], [1.0, 2.0], [0.75, 2.0]]))
    assert torch.allclose(points[1], torch.tensor([[3.0, 3.75], [3.0, 4.0], [3.0, 4.25]]))
    assert trajectory_points(torch.zeros(5, 12, 2), torch.ones(5, 12, 2)).shape == (5, 12, 3, 2)


def test_a_patch_turns_with_the_heading():
    position = torch.tensor([[10.0, 20.0], [10.0, 20.0]])
    heading = torch.tensor([0.0, math.pi / 2])
    points = patch_points(position, heading, 3, 2, 1.0)
    assert points.shape == (2, 3, 2, 2)
    # Facing +Z, ahead is +Z and left is +X; facing +X, ahead is +X and left is -Z.
    assert torch.allclose(points[0, 2, 1], torch.tensor([10.5, 21.0]))
    assert torch.allclose(points[1, 2, 1], torch.tensor([11.0, 19.5]), atol=1e-5)
    assert torch.allclose(points.mean((1, 2)), position)


@pytest.mark.parametrize(("rows", "columns"), [(12, 3), (16, 16), (13, 7)])
def test_the_sparse_evaluation_equals_the_dense_one(rows, columns):
    torch.manual_seed(0)
    network = HeightConvolution(rows, columns)
    heights = torch.zeros(4, rows, columns)
    heights[1, rows // 2 :] = 0.2  # a step
    heights[2] = torch.randn(rows, columns)
    heights[3, 1, 1] = 0.5
    results, gradients = [], []
    for network.sparse in (False, True):
        results.append(network(heights))
        gradients.append(torch.autograd.grad(results[-1].square().sum(), list(network.parameters())))
    assert results[0].shape == (4, 32)
    assert torch.allclose(*results, atol=1e-6)
    for a, b in zip(*gradients, strict=True):
        assert torch.allclose(a, b, atol=1e-4)


@pytest.mark.parametrize("make", [HeightPerceptron, HeightConvolution])
def test_encoders_learn_where_a_step_is(make):
    torch.manual_seed(0)
    network = torch.nn.Sequential(make(16, 16, 16), torch.nn.ELU(), torch.nn.Linear(16, 1))
    optimizer = torch.optim.Adam(network.parameters(), 0.003)
    rows = torch.arange(16).float()
    for _ in range(150):
        place = torch.rand(64, 1) * 16
        heights = 0.3 * (rows > place)[:, :, None].float().expand(64, 16, 16)
        loss = (network(heights) - place / 16).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.005  # a twelfth is the variance
