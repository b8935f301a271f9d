"""Feature-wise linear modulation: a condition scales and shifts features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional


def cosines(time: Tensor, count: int) -> Tensor:
    """Features `[..., count]` of a time `[...]` from 0 to 1: `cos(pi k t)` for k = 0, 1, ...; each time has others."""
    return torch.cos(time[..., None] * math.pi * torch.arange(count, dtype=time.dtype, device=time.device))


class FilmLayer(nn.Module):
    """Scales and shifts features by linear functions of a condition (Perez et al., "FiLM", 2018).

    It starts as the identity.
    """

    def __init__(self, features: int, conditions: int) -> None:
        super().__init__()
        self.change = nn.Linear(conditions, 2 * features)
        nn.init.zeros_(self.change.weight)
        nn.init.zeros_(self.change.bias)

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:
        """`[..., features]` and `[..., conditions]` to `[..., features]`; leading dimensions broadcast."""
        scale, shift = self.change(condition).chunk(2, -1)
        return x * (1.0 + scale) + shift


class FilmPerceptron(nn.Module):
    """Fully connected layers with ELU and modulation between them, and dropout before each.

    The first layer is not modulated, so for several conditions of one `x` it is worked out once.
    """

    def __init__(self, widths: Sequence[int], conditions: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.first, *layers = (nn.Linear(a, b) for a, b in pairwise(widths))
        self.layers = nn.ModuleList(layers)
        self.films = nn.ModuleList(FilmLayer(width, conditions) for width in widths[1:-1])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:
        """`[..., widths[0]]` and `[..., conditions]` to `[..., widths[-1]]`; leading dimensions broadcast."""
        x = self.first(self.dropout(x))
        for film, layer in zip(self.films, self.layers, strict=True):
            x = layer(self.dropout(film(functional.elu(x), condition)))
        return x
