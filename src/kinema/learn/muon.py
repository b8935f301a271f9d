"""Muon for the matrices of a network, AdamW for all else, as one optimiser.

Updates of matrices are made orthogonal, so that no direction is learned much faster than others (K. Jordan et al.,
"Muon: An optimizer for hidden layers in neural networks", 2024). Their size is matched with those of AdamW (J. Liu et
al., "Muon is Scalable for LLM Training", 2025).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Muon, Optimizer

from kinema.learn.recipe import Recipe

_FIRST, _SECOND, _THIRD = 3.4445, -4.7750, 2.0315  # of the polynomial of Jordan et al.
_ROUNDS, _TINY = 5, 1e-7
_LARGER_SIDE = 0.2  # size of updates over the root of the longer side, which matches AdamW (Liu et al.)
_LARGER = 3.0
"""How much larger a step orthogonal updates can take."""


class _Orthogonal(Muon):
    """Muon in single precision, all matrices of a shape at once.

    Most processors emulate the half precision of torch's own: it took longer than the gradients of a small network.
    """

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> None:
        """Change the parameters by their gradients."""
        for group in self.param_groups:
            shapes: dict[torch.Size, list[nn.Parameter]] = {}
            for matrix in group["params"]:
                if matrix.grad is not None:
                    shapes.setdefault(matrix.shape, []).append(matrix)
            for shape, matrices in shapes.items():
                size = _LARGER_SIDE * max(shape) ** 0.5 * group["lr"]
                for matrix, update in zip(matrices, orthogonal(self._slopes(matrices, group)), strict=True):
                    matrix.mul_(1.0 - group["lr"] * group["weight_decay"]).sub_(update, alpha=size)

    def _slopes(self, matrices: list[nn.Parameter], group: dict[str, Any]) -> Tensor:
        """Gradients `[N, out, in]` with Nesterov's momentum."""
        slopes = []
        for matrix in matrices:
            assert matrix.grad is not None
            state = self.state[matrix]
            if "momentum_buffer" not in state:
                state["momentum_buffer"] = torch.zeros_like(matrix.grad)
            mean = state["momentum_buffer"].lerp_(matrix.grad, 1.0 - group["momentum"])
            slopes.append(torch.lerp(matrix.grad, mean, group["momentum"]))
        return torch.stack(slopes)


def orthogonal(matrices: Tensor) -> Tensor:
    """Matrices `[N, A, B]` with singular values near 1 in place of theirs: five steps of a Newton-Schulz iteration."""
    wide = matrices.mT if matrices.shape[-2] > matrices.shape[-1] else matrices
    wide = wide / wide.norm(dim=(-2, -1), keepdim=True).clamp(min=_TINY)
    for _ in range(_ROUNDS):
        squares = wide @ wide.mT
        wide = _FIRST * wide + (_SECOND * squares + _THIRD * squares @ squares) @ wide
    return wide.mT if matrices.shape[-2] > matrices.shape[-1] else wide


class MatrixOptimizer(Optimizer):
    """Muon and AdamW over two groups of parameters.

    Args:
        matrices: weights of linear layers, `[out, in]`. others: all other parameters.
        recipe: rate and decay.
    """

    def __init__(self, matrices: Iterable[nn.Parameter], others: Iterable[nn.Parameter], recipe: Recipe) -> None:
        rate, decay = recipe.rate, recipe.decay
        self._inner: list[Optimizer] = [
            _Orthogonal(list(matrices), lr=_LARGER * rate, weight_decay=decay),
            AdamW(list(others), lr=rate, weight_decay=decay, fused=True),
        ]
        super().__init__([group for inner in self._inner for group in inner.param_groups], {})

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> None:
        """Change the parameters by their gradients."""
        for inner, group in zip(self._inner, self.param_groups, strict=True):
            inner.state, inner.param_groups = self.state, [group]
            inner.step()
