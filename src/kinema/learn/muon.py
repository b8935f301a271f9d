"""Muon for the matrices of a network, AdamW for all else, as one optimiser.

Updates of matrices are made orthogonal, so that no direction is learned much faster than others (K. Jordan et al.,
"Muon: An optimizer for hidden layers in neural networks", 2024). Their size is matched with those of AdamW (J. Liu et
al., "Muon is Scalable for LLM Training", 2025).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn
from torch.optim import AdamW, Muon, Optimizer

from kinema.learn.recipe import Recipe

_LARGER = 3.0
"""How much larger a step orthogonal updates can take."""


class MatrixOptimizer(Optimizer):
    """Muon and AdamW over two groups of parameters.

    Args:
        matrices: weights of linear layers, `[out, in]`. others: all other parameters.
        recipe: rate and decay.
    """

    def __init__(self, matrices: Iterable[nn.Parameter], others: Iterable[nn.Parameter], recipe: Recipe) -> None:
        rate, decay = recipe.rate, recipe.decay
        self._inner: list[Optimizer] = [
            Muon(list(matrices), lr=_LARGER * rate, weight_decay=decay, adjust_lr_fn="match_rms_adamw"),
            AdamW(list(others), lr=rate, weight_decay=decay, fused=True),
        ]
        super().__init__([group for inner in self._inner for group in inner.param_groups], {})

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> None:
        """Change the parameters by their gradients."""
        for inner, group in zip(self._inner, self.param_groups, strict=True):
            inner.state, inner.param_groups = self.state, [group]
            inner.step()
