"""Building blocks of networks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from torch import Tensor, nn


def dense(widths: Sequence[int], dropout: float = 0.0, activation: type[nn.Module] = nn.ELU) -> nn.Sequential:
    """Fully connected layers `[..., widths[0]]` to `[..., widths[-1]]`.

    The activation follows every layer but the last. Dropout is before every layer, the first included, as in the
    character controllers since Holden et al., "Phase-Functioned Neural Networks" (2017).
    """
    parts: list[nn.Module] = []
    for a, b in pairwise(widths):
        parts += [nn.Dropout(dropout)] if dropout > 0 else []
        parts += [nn.Linear(a, b), activation()]
    return nn.Sequential(*parts[:-1])


class Perceptron(nn.Module):
    """Fully connected layers with ELU between them, and a linear skip connection from input to output.

    The skip connection lets training start from what a linear model can do.
    """

    def __init__(self, inputs: int, hidden: int, layers: int, outputs: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.straight = nn.Linear(inputs, outputs)
        widths = [inputs, *[hidden] * layers]
        parts: list[nn.Module] = []
        for a, b in pairwise(widths):
            parts += [nn.Linear(a, b), nn.ELU()]
            if dropout > 0:
                parts.append(nn.Dropout(dropout))
        last = nn.Linear(widths[-1], outputs)
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)
        self.bent = nn.Sequential(*parts, last)

    def forward(self, x: Tensor) -> Tensor:
        """`[B, inputs]` to `[B, outputs]`."""
        return self.straight(x) + self.bent(x)
