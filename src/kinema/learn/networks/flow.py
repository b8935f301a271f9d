"""A small generative controller: the coming frames flow from noise, given the past ones and what is wanted.

In the line of Shi et al., "Interactive Character Control with Auto-Regressive Motion Diffusion Models" (A-MDM, 2024)
and Chen et al., "Taming Diffusion Probabilistic Models for Character Control" (CAMDM, 2024), with flow matching
(Lipman et al., 2023) in place of diffusion: noise moves to data along straight lines, so few steps are enough.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from kinema.learn.networks.film import FilmLayer, cosines

TIMES = 16
"""Features of the flow's time."""


class FlowMatching(nn.Module):
    """A residual network that gives the velocity of the flow, and its training and sampling.

    The past frames enter the first layer. The wanted (path, style) and the time modulate every layer. While it
    trains, the past is left out at random, so that sampling can say how much it counts (classifier-free guidance, Ho
    and Salimans, 2022): without guidance, networks follow the past and neglect what is wanted.

    Args:
        width: numbers of a frame. conditions: numbers of what is wanted.
        past: numbers of the past, all frames together. coming: frames.
        hidden: width of the network. layers: number of its blocks.
        embedding: width of what modulates the blocks.
        dropped: share of the samples whose past is left out while training.
    """

    def __init__(
        self,
        width: int,
        conditions: int,
        past: int,
        coming: int = 8,
        hidden: int = 512,
        layers: int = 6,
        embedding: int = 128,
        dropped: float = 0.15,
    ) -> None:
        super().__init__()
        self.shape, self.dropped = (coming, width), dropped
        self.enter = nn.Linear(coming * width, hidden)
        self.remember = nn.Linear(past, hidden)
        self.nothing = nn.Parameter(torch.zeros(hidden))
        self.embed = nn.Sequential(nn.Linear(conditions + TIMES, embedding), nn.SiLU())
        self.blocks = nn.ModuleList(_Block(hidden, embedding) for _ in range(layers))
        self.leave = nn.Linear(hidden, coming * width)
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def memory(self, past: Tensor, known: Tensor) -> Tensor:
        """What the network knows of a past `[B, ...]`, `[B, hidden]`; nothing where `known` `[B]` is 0."""
        return torch.lerp(self.nothing, self.remember(past.flatten(1)).float(), known[:, None])

    def forward(self, x: Tensor, time: Tensor, memory: Tensor, condition: Tensor) -> Tensor:
        """The velocity `[B, coming, width]` of frames on their way from noise to data.

        Args:
            x: `[B, coming, width]`. time: `[B]`, 0 at noise, 1 at data.
            memory: `[B, hidden]`, see `memory`. condition: `[B, conditions]`.
        """
        h = self.enter(x.flatten(1)) + memory
        embedded = self.embed(torch.cat([condition, cosines(time, TIMES)], -1))
        for block in self.blocks:
            h = block(h, embedded)
        return self.leave(h).float().unflatten(1, self.shape)  # what flows is exact in mixed precision, too

    def loss(self, coming: Tensor, past: Tensor, condition: Tensor) -> Tensor:
        """Mean square error of the velocity at random times of the flow.

        Args: `coming` `[B, coming, width]`, the `past` `[B, ...]` before it, and `condition` `[B, conditions]`.
        """
        return self.guess(coming, past, condition)[0]

    def guess(self, coming: Tensor, past: Tensor, condition: Tensor) -> tuple[Tensor, Tensor]:
        """The loss, and the frames `[B, coming, width]` that the network holds for likely from where they are then."""
        noise = torch.randn_like(coming)
        time = torch.rand(len(coming), device=coming.device)
        known = (torch.rand_like(time) >= self.dropped).to(coming.dtype)
        x = torch.lerp(noise, coming, time[:, None, None])
        velocity = self(x, time, self.memory(past, known), condition)
        likely = x + (1.0 - time[:, None, None]) * velocity
        return (velocity - (coming - noise)).square().mean(), likely

    def sample(self, noise: Tensor, past: Tensor, condition: Tensor, steps: int = 4, guidance: float = 1.0) -> Tensor:
        """The coming frames `[B, coming, width]` that flow from noise of this shape, standard normal.

        Args:
            steps: Euler steps of equal length.
            guidance: 0 neglects the past, 1 uses it as in training, more overstates it.
        """
        x, known = noise, noise.new_ones(len(noise))
        memory = self.memory(past, known)
        if guidance != 1.0:
            # Both in one batch: a small batch costs what reading the weights costs.
            memory = torch.cat([self.memory(past, 0.0 * known), memory])
            condition = torch.cat([condition, condition])
        for step in range(steps):
            given = torch.cat([x, x]) if guidance != 1.0 else x
            velocity = self(given, x.new_full((len(given),), step / steps), memory, condition)
            if guidance != 1.0:
                neglecting, using = velocity.chunk(2)
                velocity = torch.lerp(neglecting, using, guidance)
            x = x + velocity / steps
        return x


class _Block(nn.Module):
    """A residual layer whose normalised input is modulated."""

    def __init__(self, hidden: int, embedding: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(hidden, elementwise_affine=False)
        self.film = FilmLayer(hidden, embedding)
        self.layer = nn.Linear(hidden, hidden)

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:
        return x + self.layer(functional.silu(self.film(self.norm(x), condition)))
