"""Sampling: from noise to channels that obey what is asked and keep what is known.

Each step cleans the motion with the network and goes some of the way there, with most of the noise that it has and a
little that is fresh (J. Song et al., "Denoising Diffusion Implicit Models", 2021). The noise of the beginning decides
what is made: were all of it fresh at each step, what the network cannot tell yet, such as when to strike and how, would
become the mean of what there is, and strikes half as fast as they should be. What is fresh lets later steps mend what
earlier ones got wrong. Guidance strengthens what is asked (J. Ho and T. Salimans, "Classifier-Free Diffusion Guidance",
2022), while that is being decided (T. Kynkaanniemi et al., "Applying Guidance in a Limited Interval", 2024). What is
known is given to the network as it is, and is exact in the result. Most steps are taken near noise: many numbers say
the same of a motion, so its gait and phase show through strong noise already (P. Esser et al., "Scaling Rectified Flow
Transformers", 2024).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from kinema.errors import UsageError
from kinema.generation.carrying import NEAR
from kinema.generation.channels import HEIGHT, ROOT

MOST_STEPS, MOST_GUIDANCE = 1000, 100.0

_GUIDED = 0.2  # time of the flow before which guidance counts
_RENEWED = 0.6  # how much of the noise is fresh at each step: none keeps what it begins with, 1 keeps nothing of it
_SHIFT = 6.0  # the ratio of motion to noise is this many times less than with even steps

Clean = Callable[[Tensor, Tensor, bool], Tensor]
"""Clean channels `[B, T, K, C]` from noisy ones and the times `[B, P]` of their patches.

The last argument says whether to heed what is asked.
"""

Progress = Callable[[int, int], None]
"""Called with steps made and steps in all."""


@dataclass(frozen=True)
class SamplingSettings:
    """How to sample.

    Attributes:
        steps: of the flow: 4 for a preview, 16 for the last bit of quality.
        guidance: 1 heeds what is asked as in training, more overstates it, 0 neglects it.

    Raises:
        UsageError: either is out of range.
    """

    steps: int = 8
    guidance: float = 2.0

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= MOST_STEPS:
            raise UsageError(f"motion is sampled in 1 to {MOST_STEPS} steps, not {self.steps}; 8 are usual")
        if not 0 <= self.guidance <= MOST_GUIDANCE:
            raise UsageError(f"guidance is a number from 0 to {MOST_GUIDANCE:g}, not {self.guidance:g}; 2 is usual")


def shifted(share: Tensor) -> Tensor:
    """Times of the flow, 0 to 1, after shares of the way, 0 to 1."""
    return share / (_SHIFT - (_SHIFT - 1.0) * share)


def flow(
    clean: Clean,
    noise: Callable[[], Tensor],
    known: Tensor,
    values: Tensor,
    patches: int,
    settings: SamplingSettings,
    progress: Progress | None = None,
    hold: Callable[[Tensor], Tensor] | None = None,
    carry: Callable[[Tensor], Tensor] | None = None,
) -> Tensor:
    """Channels `[B, T, K, C]` that flow from noise.

    Args:
        noise: returns fresh noise `[B, T, K, C]`.
        known: `[B, T, K, C]`, above 0 where `values` are given.
        patches: number of patches in `T` frames.
        hold: changes each prediction, so that it is as asked.
        carry: changes each prediction, so that it goes on as what is known.
    """
    x = torch.where(known > 0, values, noise())
    moments = shifted(torch.linspace(0.0, 1.0, settings.steps + 1)).tolist()
    for step, (now, then) in enumerate(pairwise(moments)):
        predicted = guided(clean, x, x.new_full((len(x), patches), now), settings.guidance)
        if then == 1.0:
            predicted = mended(predicted, known > 0, values)
        if carry is not None:
            predicted = carry(predicted)
        if hold is not None:
            predicted = hold(torch.where(known > 0, values, predicted))
        x = predicted if then == 1.0 else onward(x, predicted, now, then, noise())
        x = torch.where(known > 0, values, x)
        if progress is not None:
            progress(step + 1, settings.steps)
    return x


def onward(x: Tensor, clean: Tensor, now: Tensor | float, then: Tensor | float, fresh: Tensor) -> Tensor:
    """Channels between noise and a clean motion at a later time of the flow, with some of their noise renewed.

    Args:
        now, then: times, 0 to 1, or tensors of them that can be multiplied with channels; `now` is less than 1.
        fresh: noise.
    """
    own = (x - now * clean) / (1.0 - now)
    noise = math.sqrt(1.0 - _RENEWED**2) * own + _RENEWED * fresh
    return noise + then * (clean - noise)


def mended(predicted: Tensor, known: Tensor, values: Tensor) -> Tensor:
    """Predicted channels `[B, T, K, C]` that join those that are known.

    What is wrong of the nearest known frames before and after is taken from the frames beside them, the less the
    farther they are. Height is a place: between two known ones, what is wrong of it does not fade.

    Args:
        known: bool `[B, T, K, C]`: where `values` are given.
    """
    if not known.any():
        return predicted
    wrong = torch.where(known, values - predicted, 0.0)
    length = predicted.shape[1]
    frame = torch.arange(length, device=predicted.device)[None, :, None, None].expand_as(known)
    last = torch.cummax(torch.where(known, frame, -1), 1)[0]
    following = torch.flip(torch.cummin(torch.flip(torch.where(known, frame, length), (1,)), 1)[0], (1,))
    before, after = frame - last, following - frame
    only = torch.where(last < 0, 0.0, 1.0)
    between = (last >= 0) & (following < length)
    share = torch.where(between, after / (before + after).clamp(min=1), only)
    fading = torch.full_like(predicted, 1.0 / NEAR)
    fading[..., HEIGHT] *= ~between[..., HEIGHT]
    return (
        predicted
        + share * torch.exp(-before * fading) * wrong.gather(1, last.clamp(min=0))
        + (1.0 - share) * torch.exp(-after * fading) * wrong.gather(1, following.clamp(max=length - 1))
    )


def guided(clean: Clean, x: Tensor, time: Tensor, guidance: float) -> Tensor:
    """The clean channels, with what is asked overstated, but for the travel: who walks is not to run."""
    asked = clean(x, time, True)
    early = time < _GUIDED
    if guidance == 1.0 or not early.any():
        return asked
    strength = torch.where(early, guidance, 1.0).repeat_interleave(x.shape[1] // time.shape[1], 1)[..., None, None]
    made = torch.lerp(clean(x, time, False), asked, strength)
    made[..., ROOT] = asked[..., ROOT]
    return made


def looped(clean: Clean, patch: int, around: int) -> Clean:
    """The same network for motion without a beginning: it sees what comes before the first patch and after the last.

    Args:
        patch: frames of a patch. around: patches that are seen beyond each end.
    """

    def cleaned(x: Tensor, time: Tensor, heed: bool) -> Tensor:
        patches = time.shape[1]
        places = torch.arange(-around, patches + around, device=x.device) % patches
        frames = (places[:, None] * patch + torch.arange(patch, device=x.device)).flatten()
        return clean(x[:, frames], time[:, places], heed)[:, around * patch : (around + patches) * patch]

    return cleaned
