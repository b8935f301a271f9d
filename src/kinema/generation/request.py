"""What a generator is asked for when it is measured, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Singles
from kinema.errors import UsageError
from kinema.generation import conditions
from kinema.generation.carrying import carried
from kinema.generation.channels import CHANNELS, TRAVEL, Start
from kinema.generation.generator import Generator, Known, carried_strides
from kinema.generation.meeting import met
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings
from kinema.generation.wishes import Wish


@dataclass(frozen=True, eq=False)
class Request:
    """A request for `count` clips of `F` frames.

    Attributes:
        wishes: one after the other.
        known: what is to be kept; None for nothing.
        path: `[F, 3]`: x and z in units, and heading, seen from the beginning; NaN where it is open; None everywhere.
    """

    rig: AnyRig
    frames: int
    wishes: tuple[Wish, ...]
    seed: int
    count: int = 1
    known: Known | None = None
    path: Singles | None = None


Sampler = Callable[[Request], Singles]
"""Channels `[count, F, K, CHANNELS]` for a request."""


def sampler(generator: Generator, settings: SamplingSettings | None = None) -> Sampler:
    """A trained model as a sampler."""

    def sample(request: Request) -> Singles:
        path = None if request.path is None else _places(request.path, generator.patch)
        made = generator.sample(
            request.rig,
            request.frames,
            request.wishes,
            count=request.count,
            seed=request.seed,
            settings=settings,
            path=path,
            known=request.known,
        )
        return made if request.path is None else _met(request.rig, made, request.path)

    return sample


def carried_on(request: Request) -> Singles:
    """Known strides alone carried on through gaps: a baseline for samplers. Where none are known, poses pass evenly.

    Raises:
        UsageError: nothing is known.
    """
    known = request.known
    if known is None:
        raise UsageError("strides are carried on through gaps of what is known, and nothing is")
    strides = carried_strides(request.rig, known)
    ahead = carried(known.channels, known.whole, known.root, strides, 1)
    given = np.repeat(known.joints[..., None], CHANNELS, axis=-1)
    given[:, 0, TRAVEL] = known.root[:, None]
    made = np.repeat(np.where(given, known.channels, ahead.made)[None], request.count, axis=0)
    return made if request.path is None else _met(request.rig, made, request.path)


def _met(rig: AnyRig, made: Singles, path: Singles) -> Singles:
    """Clips that are where they should be at the frames at which a path is given, as edits are."""
    rooted, places = np.isfinite(path[:, 0]), (path[:, :2], path[:, 2])
    return np.stack([met(rig, each, rooted, places, Start())[0] for each in made])


def _places(path: Singles, patch: int) -> Singles:
    """Places `[P, PATH]` at the ends of patches, 0 where they are open."""
    whole = np.concatenate([path, np.full((-len(path) % patch, 3), np.nan, np.float32)])
    return np.nan_to_num(conditions.places(whole[:, :2], whole[:, 2], patch)) * np.isfinite(
        whole[patch - 1 :: patch, :1]
    )
