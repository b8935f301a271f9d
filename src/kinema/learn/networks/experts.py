"""The network of most controllers: three layers whose weights are blended from those of K experts.

Holden et al., "Phase-Functioned Neural Networks for Character Control" (2017) blend four control points along a
spline; Zhang et al., "Mode-Adaptive Neural Networks for Quadruped Motion Control" (2018) and their successors blend
experts with the coefficients of a small network. Both are this network with another gate, see
`kinema.learn.networks.gates`.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional


class BlendedLinear(nn.Module):
    """A linear layer whose weights and bias are a blend of those of K experts, with coefficients for each sample.

    There are three equal evaluations, since the layer is linear in weights, inputs and outputs. `blend_weights` is
    the definition. `blend_inputs` reads each weight once and makes the smallest temporaries. With this order of the
    weights it was the fastest on one core for every batch size from 1 to 256, to run and to train, so `forward` is
    this one.

    Attributes:
        weight: `[outputs, K, inputs]`. bias: `[K, outputs]`.
    """

    def __init__(self, experts: int, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, experts, inputs))
        self.bias = nn.Parameter(torch.zeros(experts, outputs))
        # Glorot's bound. Public code has the product of both numbers in place of their sum, and learns more slowly.
        bound = math.sqrt(6.0 / (inputs + outputs))
        nn.init.uniform_(self.weight, -bound, bound)

    def forward(self, x: Tensor, coefficients: Tensor) -> Tensor:
        """`[B, inputs]` and coefficients `[B, K]` to `[B, outputs]`."""
        return self.blend_inputs(x, coefficients)

    def blend_weights(self, x: Tensor, coefficients: Tensor) -> Tensor:
        """`(sum_k c_k W_k) x`: the definition; reads and writes a matrix for each sample."""
        weights = torch.einsum("bk,oki->boi", coefficients, self.weight)
        return torch.einsum("boi,bi->bo", weights, x) + coefficients @ self.bias

    def blend_outputs(self, x: Tensor, coefficients: Tensor) -> Tensor:
        """`sum_k c_k (W_k x)`: one product with the matrices of all experts below each other."""
        each = functional.linear(x, self.weight.flatten(0, 1)).unflatten(1, (-1, coefficients.shape[1]))
        return torch.bmm(each, coefficients[..., None])[..., 0] + coefficients @ self.bias

    def blend_inputs(self, x: Tensor, coefficients: Tensor) -> Tensor:
        """`sum_k W_k (c_k x)`: one product with the matrices of all experts beside each other."""
        scaled = (coefficients[..., None] * x[:, None]).flatten(1)
        return torch.addmm(coefficients @ self.bias, scaled, self.weight.flatten(1).T)


class BlendedExperts(nn.Module):
    """Three blended layers with ELU between them.

    | | inputs | hidden | outputs | K | gate |
    |---|---|---|---|---|---|
    | PFNN | 342 | 512 | 311 | 4 | `PhaseGate` |
    | MANN | 480 | 512 | 363 | 8 | `SoftmaxGate` |
    | NSM | 1664 (from `GroupEncoders`) | 512 | 618 | 10 | `PhaseGoalGate` |
    | LMP | 469 | 512 | - | 8 | `PhaseVectorGate` |
    | DeepPhase | 1812 | 1024 | - | 8 | `PhaseVectorGate` |

    Args:
        dropout: share of the inputs of each layer that is left out while training.
    """

    def __init__(self, inputs: int, outputs: int, experts: int, hidden: int = 512, dropout: float = 0.3) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.first = BlendedLinear(experts, inputs, hidden)
        self.second = BlendedLinear(experts, hidden, hidden)
        self.third = BlendedLinear(experts, hidden, outputs)

    def forward(self, x: Tensor, coefficients: Tensor) -> Tensor:
        """`[B, inputs]` and coefficients `[B, K]` to `[B, outputs]`."""
        x = functional.elu(self.first(self.dropout(x), coefficients))
        x = functional.elu(self.second(self.dropout(x), coefficients))
        return self.third(self.dropout(x), coefficients)
