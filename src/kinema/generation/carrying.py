"""Carries what is known of a motion on through its gaps, stride by stride.

Who walks up to a gap and walks out of it mostly walks through it as before: with each stride the same swings, about a
mean that passes evenly from that of one side to that of the other. The more of what is known strides explain, the more
they are trusted with what is not.
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
        mean: what passes evenly from one side to the other. swung: with the swings of strides.
        trust: how much of known motion strides explain, 0 to 1; 0 outside gaps.
    """

    mean: Singles
    swung: Singles
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
    out = Carried(channels.copy(), channels.copy(), np.zeros_like(channels))
    joints, travel = gaps(whole, least), gaps(root, least)
    for part, between in ((TURN, joints), (PLACE, joints), (CONTACT, joints), (HEIGHT, joints), (TRAVEL, travel)):
        for gap in between:
            _carry(channels[..., part], gap, strides, Carried(*(each[gap.begin : gap.end, :, part] for each in out)))
    return out


def _carry(values: Singles, gap: Gap, strides: Floats | None, into: Carried) -> None:
    """Fills `[N, K, C]` of a gap in values `[F, K, C]`."""
    shape, sides = into.mean.shape, gap.sides
    share = np.clip((np.arange(gap.until, dtype=np.float64) - gap.begin + 1.0) / (gap.end - gap.begin + 1.0), 0.0, 1.0)
    trend = np.stack([1.0 - share, share], axis=-1)
    seen = values[sides].reshape(len(sides), -1).astype(np.float64)
    mean = trend @ _fitted(trend[sides], seen)
    into.mean[:] = into.swung[:] = mean[gap.begin : gap.end].reshape(shape)
    swings = [] if strides is None else _swings(strides[gap.since : gap.until])
    free = len(sides) - 2 - len(swings)
    if not swings or free <= 0:
        return
    basis = np.zeros((gap.until, 2 + len(swings)))
    basis[:, :2], basis[gap.since :, 2:] = trend, np.stack(swings, axis=-1)
    swung = basis @ _fitted(basis[sides], seen)
    into.swung[:] = swung[gap.begin : gap.end].reshape(shape)
    left, all_of_it = (
        np.square(seen - each[sides]).reshape(len(sides), *shape[1:]).sum(axis=(0, 2)) for each in (swung, mean)
    )
    unexplained = left / np.maximum(all_of_it, 1e-12) * (len(sides) - 2) / free
    into.trust[:] = np.clip(1.0 - unexplained, 0.0, 1.0)[:, None]


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
