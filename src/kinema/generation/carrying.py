"""Carries what is known of a motion on through its gaps, stride by stride.

Who walks up to a gap and walks out of it mostly walks through it as before: with each stride the same swings, about a
mean that passes evenly from that of one side to that of the other. The more of what is known strides explain, the more
they are trusted with what is not. The rest passes straight from one side to the other, beside which nothing is a better
guess, and farther from them is left to others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from kinema.arrays import Bools, Floats, Singles
from kinema.generation.channels import CONTACT, HEIGHT, PLACE, TRAVEL, TURN
from kinema.generation.conditions import SECOND
from kinema.mocap.contacts import runs

_HARMONICS = 3
"""Swings in a stride: one from side to side, one with each step of two feet, one more for the shape of steps."""

_RIDGE = 1e-3
"""Added to the mean square of each swing that is fitted, so that what known frames do not tell stays small."""


NEAR = 15.0
"""Frames over which what a known frame says of those beside it fades to a third."""


class Gap(NamedTuple):
    """Frames `begin` to `end` that are open, between `since` and `until`, from where on frames are known."""

    since: int
    begin: int
    end: int
    until: int

    @property
    def sides(self) -> list[int]:
        """The frames around it."""
        return [*range(self.since, self.begin), *range(self.end, self.until)]


class Carried(NamedTuple):
    """Channels `[F, K, CHANNELS]` in gaps; elsewhere they do not matter.

    Attributes:
        mean: what passes evenly from the mean of one side to that of the other.
        made: with the swings of strides, and what they do not explain, straight from one side to the other.
        trust: how much of that counts, 0 to 1; 0 outside gaps.
    """

    mean: Singles
    made: Singles
    trust: Singles


def gaps(known: Bools, least: int) -> list[Gap]:
    """Gaps on both sides of which `least` frames `[F]` are known, or more; up to a second of them counts."""
    return [
        Gap(max(begin - SECOND, first), begin, end, min(end + SECOND, last))
        for (first, begin), (end, last) in pairwise(runs(known))
        if min(begin - first, last - end) >= least
    ]


def carried(channels: Singles, whole: Bools, root: Bools, strides: Floats | None, least: int) -> Carried:
    """What strides make of the gaps of a motion.

    Args:
        channels: `[F, K, CHANNELS]`. whole, root: bool `[F]`: frames of which all joints, and the travel, are known.
        strides: `[F]`, of what is known and through gaps; NaN where nobody knows, None for nowhere.
        least: frames that have to be known on each side of a gap.
    """
    out, exact = Carried(channels.copy(), channels.copy(), np.zeros_like(channels)), channels.astype(np.float64)
    for part in (TURN, PLACE, CONTACT, HEIGHT, TRAVEL):
        places = part is not TRAVEL  # which is a pace: a frame beside a gap tells little of it
        for gap in gaps(whole if places else root, least):
            into = Carried(*(each[gap.begin : gap.end, :, part] for each in out))
            _carry(exact[..., part], gap, strides, places, into)
    return out


def _carry(values: Floats, gap: Gap, strides: Floats | None, places: bool, into: Carried) -> None:
    """Fills `[N, K, C]` of a gap in values `[F, K, C]`, which are places to be met on both sides, or only paces."""
    shape, sides, inside = into.mean.shape, gap.sides, slice(gap.begin, gap.end)
    share = np.clip((np.arange(gap.until, dtype=np.float64) - gap.begin + 1.0) / (len(into.mean) + 1.0), 0.0, 1.0)
    trend = np.stack([1.0 - share, share], axis=-1)
    seen = values[sides].reshape(len(sides), -1)
    mean = swung = trend @ _fitted(trend[sides], seen)
    into.mean[:] = mean[inside].reshape(shape)
    explained = np.zeros((shape[1], 1))
    swings = [] if strides is None else _swings(strides[gap.since : gap.until])
    free = len(sides) - 2 - len(swings)
    if swings and free > 0:
        basis = np.zeros((gap.until, 2 + len(swings)))
        basis[:, :2], basis[gap.since :, 2:] = trend, np.stack(swings, axis=-1)
        swung = basis @ _fitted(basis[sides], seen)
        left, all_of_it = (
            np.square(seen - each[sides]).reshape(len(sides), *shape[1:]).sum(axis=(0, 2)) for each in (swung, mean)
        )
        unexplained = left / np.maximum(all_of_it, 1e-12) * (len(sides) - 2) / free  # had it no more free numbers
        explained = np.clip(1.0 - unexplained, 0.0, 1.0)[:, None]
    made = swung[inside].reshape(shape)
    if not places:
        into.made[:], into.trust[:] = made, explained
        return
    ends, between = [gap.begin - 1, gap.end], trend[inside]
    made = made + np.einsum("fe,ekc->fkc", between, values[ends] - swung[ends].reshape(2, *shape[1:]))
    straight = np.einsum("fe,ekc->fkc", between, values[ends])
    away = 1.0 + np.minimum(np.arange(len(made)), np.arange(len(made))[::-1])
    beside = (1.0 - explained) * np.exp(-away / NEAR)[:, None, None]
    into.trust[:] = explained + beside
    into.made[:] = (explained * made + beside * straight) / np.maximum(explained + beside, 1e-12)


def _swings(strides: Floats) -> Sequence[Floats]:
    """Cosines and sines `[N]` of strides, as many as frames can show; none where strides are not known."""
    if np.isnan(strides).any():
        return []
    fastest = float(np.abs(np.diff(strides)).max())
    angles = [2.0 * np.pi * n * strides for n in range(1, _HARMONICS + 1) if n * fastest < 0.5]
    return [each(angle) for angle in angles for each in (np.cos, np.sin)]


def _fitted(basis: Floats, values: Floats) -> Floats:
    """Weights `[W, C]` of a basis `[N, W]`, the first two of which are a trend, nearest to values `[N, C]`."""
    across = basis.T @ basis
    across[range(2, len(across)), range(2, len(across))] += _RIDGE * len(basis)
    return np.asarray(np.linalg.solve(across, basis.T @ values), np.float64)
