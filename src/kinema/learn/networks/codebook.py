"""Codebook matching: a coming sequence as a few choices among categories, guessed from the present.

Starke et al., "Categorical Codebook Matching for Embodied Character Controllers" (2024). A plain regression averages
what can follow; a choice among categories does not. There is no table of codes: the first layer of the decoder has
its part.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from kinema.learn.layers import dense
from kinema.learn.model import only_to_train
from kinema.learn.networks.film import FilmPerceptron, cosines

TIMES = 8
"""Features of a frame's time that the decoder is given."""


def hard_codes(logits: Tensor, temperature: float = 1.0, noise: Tensor | None = None) -> Tensor:
    """One category of each channel, as ones and zeros `[..., C, K]`, with the gradient of the softmax.

    Jang, Gu and Poole, "Categorical Reparameterization with Gumbel-Softmax" (2017), straight-through.

    Args:
        logits: `[..., C, K]`.
        temperature: of the softmax whose gradient is used; a low one is steep.
        noise: Gumbel noise `[..., C, K]`, which makes the choice a sample; default: the likeliest category.
    """
    soft = ((logits if noise is None else logits + noise) / temperature).softmax(-1)
    hard = functional.one_hot(soft.argmax(-1), soft.shape[-1]).to(soft.dtype)
    return hard + soft - soft.detach()


def gumbel_noise(like: Tensor) -> Tensor:
    """Samples of the standard Gumbel distribution, from torch's generator, in the shape of a tensor."""
    return -torch.empty_like(like, dtype=torch.float32).exponential_().log()


class SequenceEncoder(nn.Module):
    """Layers over the numbers of each frame, then layers over the frames of each number they make.

    Args:
        hidden, temporal: width of the layers over numbers and over frames.
    """

    def __init__(self, frames: int, inputs: int, outputs: int, hidden: int, temporal: int, dropout: float) -> None:
        super().__init__()
        self.space = dense([inputs, hidden, hidden, outputs], dropout)
        self.time = dense([frames, temporal, temporal, 1], dropout)

    def forward(self, y: Tensor) -> Tensor:
        """`[B, S, inputs]` to `[B, outputs]`."""
        return self.time(self.space(y).transpose(1, 2))[..., 0]


class CodebookMatching(nn.Module):
    """Encoder, estimator, refiner and decoder of a controller that predicts a sequence.

    The encoder turns a coming sequence into a code: one of K categories in each of C channels. The decoder turns a
    code back into the sequence, and the estimator guesses it from the present. The refiner improves a guess with all
    channels in view: categories that are likely by themselves may not go together. Estimator, refiner and decoder are
    needed to run.

    Args:
        inputs: numbers of the present and the wanted; 441 for a body of 23 joints.
        outputs: numbers of a frame to come; 279 for 23 joints.
        frames: frames `S` of the sequence: 16 over half a second.
        channels, classes: `C` and `K`. The paper has 128 x 8.
        hidden: width of all layers; 1024 in the paper. temporal: width of the encoder's layers over frames.
        refinements: how often a guess is refined.
        dropout: share of the inputs of each layer that is left out while training.
    """

    def __init__(
        self,
        inputs: int,
        outputs: int,
        frames: int = 16,
        channels: int = 64,
        classes: int = 8,
        hidden: int = 512,
        temporal: int = 64,
        refinements: int = 3,
        dropout: float = 0.25,
    ) -> None:
        super().__init__()
        code = channels * classes
        self.shape, self.refinements = (channels, classes), refinements
        self.encoder = only_to_train(SequenceEncoder(frames, outputs, code, hidden, temporal, dropout))
        self.decoder = FilmPerceptron([code, hidden, hidden, outputs], TIMES, dropout)
        self.first = dense([inputs, hidden, code], dropout)
        self.second = dense([code, hidden, code], dropout)
        self.refiner = dense([code + inputs, hidden, hidden, code], dropout)
        self.register_buffer("times", cosines(torch.linspace(0.0, 1.0, frames), TIMES), persistent=False)
        self.times: Tensor

    def encode(self, y: Tensor) -> Tensor:
        """Logits `[B, C, K]` of the code of a sequence `[B, S, outputs]`."""
        return self.encoder(y).unflatten(-1, self.shape)

    def estimate(self, x: Tensor) -> Tensor:
        """Logits `[B, C, K]` of the code that follows `[B, inputs]`."""
        guess = self.first(x).unflatten(-1, self.shape).softmax(-1)
        return self.second(guess.flatten(-2)).unflatten(-1, self.shape)

    def refine(self, probabilities: Tensor, x: Tensor) -> Tensor:
        """Better logits `[B, C, K]` for a guess, probabilities `[B, C, K]`, of what follows `[B, inputs]`."""
        return self.refiner(torch.cat([probabilities.flatten(-2), x], -1)).unflatten(-1, self.shape)

    def decode(self, codes: Tensor) -> Tensor:
        """The sequence `[B, S, outputs]` of codes `[B, C, K]`."""
        return self.decoder(codes.flatten(-2)[:, None], self.times)

    def forward(self, x: Tensor, noise: Tensor | None = None) -> Tensor:
        """The sequence `[B, S, outputs]` that follows `[B, inputs]`.

        Args:
            noise: Gumbel noise `[B, C, K]` for the guess, to sample a likely sequence; default: the likeliest
            categories.
        """
        logits = self.estimate(x) if noise is None else self.estimate(x) + noise
        for _ in range(self.refinements):
            logits = self.refine(logits.softmax(-1), x)
        return self.decode(hard_codes(logits))

    def losses(self, x: Tensor, y: Tensor) -> dict[str, Tensor]:
        """The terms of training, mean squares, for `[B, inputs]` and the sequences that followed `[B, S, outputs]`.

        "reconstruction" is of the decoded sample of the encoder's code. "matching" and "refinement" compare estimated
        and refined probabilities with the encoder's, which also draws the encoder to codes that can be guessed. The
        refiner is given the encoder's probabilities, mixed with samples of the guess by a random share.
        """
        target = self.encode(y)
        decoded = self.decode(hard_codes(target, noise=gumbel_noise(target)))
        return {"reconstruction": (decoded - y).square().mean(), **self.guesses(x, target)}

    def guesses(self, x: Tensor, target: Tensor) -> dict[str, Tensor]:
        """The terms "matching" and "refinement" of `losses` for logits `[B, C, K]` of the encoder."""
        wanted = target.softmax(-1)
        guess = self.estimate(x)
        terms = {"matching": (guess.softmax(-1) - wanted).square().mean()}
        if self.refinements:
            sampled = (guess + gumbel_noise(guess)).softmax(-1)
            share = torch.rand(len(x), 1, 1, device=x.device).to(wanted.dtype)
            mixed = torch.lerp(wanted, sampled.to(wanted.dtype), share).detach()
            terms["refinement"] = (self.refine(mixed, x).softmax(-1) - wanted).square().mean()
        return terms
