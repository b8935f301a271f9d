"""What a generator is asked for when it is measured, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Singles
from kinema.generation import conditions
from kinema.generation.channels import Start
from kinema.generation.generator import Generator, Known
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
