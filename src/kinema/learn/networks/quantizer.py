"""A table of codes that is learned from what is put into it."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class VectorQuantizer(nn.Module):
    """Replaces each vector by the nearest of its codes (van den Oord et al., "VQ-VAE", 2017).

    The codes follow the running mean of the vectors that choose them, so they need no gradient. In training, a code
    that hardly any vector chooses is moved to a random vector of the batch; otherwise most codes of a large table
    stay unused.

    Args:
        codes, size: number of codes, and numbers in each.
        decay: share of the running means that remains after a batch.
        dead: share of an even use of all codes below which a code is moved.

    Attributes:
        table: the codes `[codes, size]`. counts: running means `[codes]` of the vectors that chose each in a batch.
    """

    def __init__(self, codes: int, size: int, decay: float = 0.99, dead: float = 0.1) -> None:
        super().__init__()
        self.decay, self.dead = decay, dead
        self.register_buffer("table", torch.randn(codes, size))
        self.register_buffer("counts", torch.ones(codes))
        self.register_buffer("sums", self.get_buffer("table").clone())
        self.table: Tensor
        self.counts: Tensor
        self.sums: Tensor

    def choose(self, x: Tensor) -> Tensor:
        """Numbers `[...]` of the codes nearest to vectors `[..., size]`."""
        # |x|^2 is the same for all codes.
        return (self.table.square().sum(-1) - 2.0 * x @ self.table.T).argmin(-1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Vectors `[..., size]` to codes `[..., size]`, with gradients as if nothing had been replaced.

        Returns:
            The codes, their numbers `[...]`, and the commitment: the mean square distance of the vectors to their
            codes, whose gradient moves the vectors alone.
        """
        chosen = self.choose(x)
        codes = functional.embedding(chosen, self.table)
        commitment = (x - codes).square().mean()
        if self.training:
            self._learn(x.detach().flatten(0, -2), chosen.flatten())
        return x + (codes - x).detach(), chosen, commitment

    @torch.no_grad()
    def _learn(self, x: Tensor, chosen: Tensor) -> None:
        counts = torch.bincount(chosen, minlength=len(self.table)).to(x.dtype)
        sums = torch.zeros_like(self.sums).index_add_(0, chosen, x)
        self.counts.lerp_(counts, 1.0 - self.decay)
        self.sums.lerp_(sums, 1.0 - self.decay)
        even = len(x) / len(self.table)
        dead = self.counts < self.dead * even
        if dead.any():
            self.counts[dead] = even
            self.sums[dead] = even * x[torch.randint(len(x), (int(dead.sum()),), device=x.device)]
        self.table.copy_(self.sums / self.counts[:, None])
