"""One encoder for each group of inputs (Starke et al., "Neural State Machine", 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from kinema.learn.layers import dense


class GroupEncoders(nn.Module):
    """Encodes groups of inputs apart, so that a large group does not drown a small one.

    NSM encodes body, goal, surroundings and object, 419 + 156 + 2034 + 2048 numbers, with widths 512, 128, 512 and 512:
    1664 numbers for the blended experts.

    Args:
        sizes: numbers of each group, in the order of the inputs.
        widths: width of both layers of each encoder.
    """

    def __init__(self, sizes: Sequence[int], widths: Sequence[int], dropout: float = 0.3) -> None:
        super().__init__()
        self.sizes = list(sizes)
        self.encoders = nn.ModuleList(
            nn.Sequential(dense([size, width, width], dropout), nn.ELU())
            for size, width in zip(sizes, widths, strict=True)
        )

    def forward(self, x: Tensor) -> Tensor:
        """`[B, sum of sizes]` to `[B, sum of widths]`."""
        parts = x.split(self.sizes, -1)
        return torch.cat([encode(part) for encode, part in zip(self.encoders, parts, strict=True)], -1)
