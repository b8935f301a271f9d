"""The networks of learned motion matching, which replace a database by 1.4 million weights.

Holden et al., "Learned Motion Matching" (2020), with the sizes of the authors' public code. A *state* is the features
of motion matching (27) followed by what they do not say of a pose, the latent numbers (32).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from kinema.learn.layers import dense


class Compressor(nn.Module):
    """The latent numbers of a pose. It is needed for training only.

    Args:
        pose: numbers of a pose, local and in the character's frame; 668 in the public code.
    """

    def __init__(self, pose: int, latent: int = 32, hidden: int = 512) -> None:
        super().__init__()
        self.net = dense([pose, hidden, hidden, hidden, latent])

    def forward(self, pose: Tensor) -> Tensor:
        """`[..., pose]` to `[..., latent]`."""
        return self.net(pose)


class Decompressor(nn.Module):
    """The pose of a state: 59 to 512 to 338 numbers in the public code."""

    def __init__(self, state: int, pose: int, hidden: int = 512) -> None:
        super().__init__()
        self.net = dense([state, hidden, pose], activation=nn.ReLU)

    def forward(self, state: Tensor) -> Tensor:
        """`[..., state]` to `[..., pose]`."""
        return self.net(state)


class Stepper(nn.Module):
    """How a state changes as its clip goes on: 59 to 512 to 512 to 59 numbers."""

    def __init__(self, state: int, hidden: int = 512) -> None:
        super().__init__()
        self.net = dense([state, hidden, hidden, state], activation=nn.ReLU)

    def forward(self, state: Tensor) -> Tensor:
        """The change `[..., state]` of a state `[..., state]` from one frame to the next."""
        return self.net(state)

    def rollout(self, state: Tensor, steps: int) -> Tensor:
        """The states `[B, steps, state]` of the frames after that of a state `[B, state]`."""
        states = []
        for _ in range(steps):
            state = state + self(state)
            states.append(state)
        return torch.stack(states, 1)


class Projector(nn.Module):
    """The state of the nearest row of the database: 27 to 4 x 512 to 59 numbers."""

    def __init__(self, features: int, state: int, hidden: int = 512) -> None:
        super().__init__()
        self.net = dense([features, *[hidden] * 4, state], activation=nn.ReLU)

    def forward(self, query: Tensor) -> Tensor:
        """A query `[..., features]` to a state `[..., state]`."""
        return self.net(query)
