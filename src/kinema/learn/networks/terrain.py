"""Heights of the ground for networks: sampled differentiably, and encoded.

Heights are relative to the ground under the root, metres, so that level ground is all zeros.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from kinema.learn.layers import dense
from kinema.terrain.ground import VOID


def sample_heights(heights: Tensor, points: Tensor, cell: float, origin: tuple[float, float]) -> Tensor:
    """Heights `[...]` at points, bilinear between samples; the torch form of `kinema.terrain.Heightmap`.

    It is differentiable from points and heights. Beyond its border a map continues at the height of the border.

    Args:
        heights: `[Z, X]`, metres; `VOID` is a hole.
        points: x and z `[..., 2]`, metres, world.
        cell: metres between two samples. origin: x and z of the first sample.
    """
    rows, columns = heights.shape
    x = ((points[..., 0] - origin[0]) / cell).clamp(0, columns - 1)
    z = ((points[..., 1] - origin[1]) / cell).clamp(0, rows - 1)
    j, i = x.detach().long().clamp_max(columns - 2), z.detach().long().clamp_max(rows - 2)
    u, v = x - j, z - i
    corners = torch.stack([heights[i + a, j + b] for a in (0, 1) for b in (0, 1)], -1)
    shares = torch.stack([(1 - v) * (1 - u), (1 - v) * u, v * (1 - u), v * u], -1)
    hole = (corners < 0.5 * VOID).any(-1)
    return torch.where(hole, torch.full_like(x, VOID), (corners * shares).sum(-1))


def trajectory_points(positions: Tensor, directions: Tensor, side: float = 0.25) -> Tensor:
    """Points left of, on and right of a trajectory, as PFNN looks at the ground: 12 x 3.

    Args:
        positions, directions: x and z `[..., S, 2]`, metres, world; directions are unit vectors.
        side: metres to either side.

    Returns:
        x and z `[..., S, 3, 2]`, from left to right.
    """
    left = torch.stack([directions[..., 1], -directions[..., 0]], -1)
    shifts = torch.tensor([side, 0.0, -side], dtype=positions.dtype, device=positions.device)
    return positions[..., None, :] + shifts[:, None] * left[..., None, :]


def patch_points(position: Tensor, heading: Tensor, rows: int, columns: int, cell: float) -> Tensor:
    """A grid of points around a character, turned with it.

    Args:
        position: x and z `[..., 2]`, metres, world: the middle of the grid.
        heading: angle `[...]` about +Y, radians.
        cell: metres between two points.

    Returns:
        x and z `[..., rows, columns, 2]`: rows go forward, columns to the left.
    """
    ahead, left = (
        (torch.arange(count, dtype=position.dtype, device=position.device) - 0.5 * (count - 1)) * cell
        for count in (rows, columns)
    )
    ahead, left = torch.broadcast_tensors(ahead[:, None], left)
    sine, cosine = heading.sin()[..., None, None], heading.cos()[..., None, None]
    turned = torch.stack([cosine * left + sine * ahead, cosine * ahead - sine * left], -1)
    return position[..., None, None, :] + turned


class HeightPerceptron(nn.Module):
    """Encodes heights without regard to their places: the baseline of `HeightConvolution`."""

    def __init__(self, rows: int, columns: int, outputs: int = 32, hidden: int = 128) -> None:
        super().__init__()
        self.net = dense([rows * columns, hidden, outputs])

    def forward(self, heights: Tensor) -> Tensor:
        """`[B, rows, columns]` to `[B, outputs]`."""
        return self.net(heights.flatten(1))


class HeightConvolution(nn.Module):
    """Encodes heights with two convolutions of stride 2 and a linear layer.

    The convolutions have no bias, so that level ground stays zero and a sparse evaluation, which leaves out what is
    level, is equal to the dense one. The sparse one has no gradients to heights of level ground: it is for running.

    Args:
        rows, columns: of the heights; 12 x 3 along a trajectory, or a patch such as 16 x 16.
        channels: of the two convolutions.
        sparse: whether level ground is left out.
    """

    def __init__(
        self, rows: int, columns: int, outputs: int = 32, channels: tuple[int, int] = (16, 32), sparse: bool = False
    ) -> None:
        super().__init__()
        self.sparse = sparse
        sides = (1, *channels)
        self.first, self.second = (nn.Conv2d(a, b, 3, stride=2, padding=1, bias=False) for a, b in pairwise(sides))
        self.linear = nn.Linear(channels[1] * -(-rows // 4) * -(-columns // 4), outputs)

    def forward(self, heights: Tensor) -> Tensor:
        """`[B, rows, columns]` to `[B, outputs]`."""
        x = heights[:, None]
        for convolution in (self.first, self.second):
            x = functional.elu(_convolved_where_active(convolution.weight, x) if self.sparse else convolution(x))
        return self.linear(x.flatten(1))


def _convolved_where_active(weight: Tensor, x: Tensor) -> Tensor:
    """A convolution of stride 2 that works out only the places that see something else than zeros.

    After Graham, Engelcke and van der Maaten, "3D Semantic Segmentation with Submanifold Sparse Convolutional
    Networks" (2018).
    """
    seen = functional.unfold(x, 3, padding=1, stride=2).transpose(1, 2)
    active = (seen != 0).any(-1)
    out = x.new_zeros(*active.shape, len(weight))
    out[active] = seen[active] @ weight.flatten(1).T
    return out.transpose(1, 2).unflatten(2, (-(-x.shape[2] // 2), -1))
