"""Autoencoders: many numbers through few and back, without or with a distribution over the few."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from kinema.learn.layers import dense


class Autoencoder(nn.Module):
    """Encoder and decoder with ELU layers (Hinton and Salakhutdinov, 2006).

    Args:
        inputs, latent: numbers outside and at the bottleneck.
        hidden, layers: width and number of hidden layers on either side.
        dropout: share of the inputs of each layer that is left out while training.
    """

    def __init__(self, inputs: int, latent: int, hidden: int = 512, layers: int = 2, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = dense([inputs, *[hidden] * layers, latent], dropout)
        self.decoder = dense([latent, *[hidden] * layers, inputs], dropout)

    def encode(self, x: Tensor) -> Tensor:
        """`[B, inputs]` to `[B, latent]`."""
        return self.encoder(x)

    def decode(self, latent: Tensor) -> Tensor:
        """`[B, latent]` to `[B, inputs]`."""
        return self.decoder(latent)

    def forward(self, x: Tensor) -> Tensor:
        """`[B, inputs]` to the same, through the bottleneck."""
        return self.decode(self.encode(x))


class VariationalAutoencoder(nn.Module):
    """An autoencoder whose latent numbers are normally distributed (Kingma and Welling, 2014).

    Args: as for `Autoencoder`.
    """

    def __init__(self, inputs: int, latent: int, hidden: int = 512, layers: int = 2, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder = dense([inputs, *[hidden] * layers, 2 * latent], dropout)
        self.decoder = dense([latent, *[hidden] * layers, inputs], dropout)

    def encode(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and logarithm of the variance, each `[B, latent]`, for `[B, inputs]`."""
        mean, log_variance = self.encoder(x).chunk(2, -1)
        return mean, log_variance

    def decode(self, latent: Tensor) -> Tensor:
        """`[B, latent]` to `[B, inputs]`."""
        return self.decoder(latent)

    def forward(self, x: Tensor) -> Tensor:
        """`[B, inputs]` to the same, through the means."""
        return self.decode(self.encode(x)[0])

    def losses(self, x: Tensor) -> dict[str, Tensor]:
        """The terms "reconstruction" (mean square, from a sample of the latent numbers) and "divergence" (nats)."""
        mean, log_variance = self.encode(x)
        sample = mean + torch.exp(0.5 * log_variance) * torch.randn_like(mean)
        return {
            "reconstruction": (self.decode(sample) - x).square().mean(),
            "divergence": divergence(mean, log_variance).mean(),
        }


def divergence(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Kullback-Leibler divergence `[B]` of normal distributions `[B, D]` from the standard one, nats."""
    return 0.5 * (mean.square() + log_variance.exp() - 1.0 - log_variance).sum(-1)
