"""The trail: where characters were in the last second, for features of the path behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Reals, Singles
from kinema.control.membership import PerCharacter

SPACING = 1 / 30
"""Seconds between two places that are kept, at least."""

KEPT = 34
"""Places that are kept of each character: a second and what is needed to interpolate."""


class Trail(PerCharacter):
    """The last places of `n` characters. A character that has just begun has always been where it is.

    Attributes:
        places: `[n, K, 4]`, the newest first: x, z (metres, world), sine and cosine of the heading.
        ages: `[n, K]`, seconds; NaN for a character that has no place yet.
    """

    places: Singles
    ages: Singles

    def __init__(self) -> None:
        self.reset(1)

    def fresh(self, count: int) -> dict[str, NDArray[Any]]:
        """See `PerCharacter`."""
        ages = np.full((count, KEPT), np.nan, np.float32)
        return {"places": np.zeros((count, KEPT, 4), np.float32), "ages": ages}

    def begin(self, positions: Reals, headings: Reals) -> None:
        """Give characters without a place those at positions `[n, 3]` and headings `[n]`, radians."""
        new = np.isnan(self.ages[:, 0])
        if new.any():
            self.places[new] = _places(positions, headings)[new, None]
            self.ages[new] = SPACING * np.arange(KEPT, dtype=np.float32)

    def step(self, positions: Reals, headings: Reals, dt: float) -> None:
        """Note where the characters are, at positions `[n, 3]` and headings `[n]`, radians; `dt` seconds then pass."""
        self.begin(positions, headings)
        now = _places(positions, headings)
        due = self.ages[:, 0] >= 0.99 * SPACING
        if due.any():
            self.places[due, 1:], self.ages[due, 1:] = self.places[due, :-1], self.ages[due, :-1]
            self.places[due, 0], self.ages[due, 0] = now[due], 0.0
        self.ages += np.float32(dt)

    def at(self, times: Sequence[float], rows: NDArray[np.integer]) -> tuple[Singles, Singles]:
        """Positions x, z and headings of some characters at `times` before now (seconds, at most 0).

        Returns:
            `[n, S, 2]`, metres, world, and `[n, S]`, radians.
        """
        places, ages = self.places[rows], self.ages[rows]
        wanted = -np.asarray(times, np.float32)
        older = np.clip((ages[:, None] < wanted[:, None]).sum(axis=-1), 1, KEPT - 1)  # [n, S]
        each = np.arange(len(places))[:, None]
        before, after = ages[each, older - 1], ages[each, older]
        share = np.clip((wanted - before) / np.maximum(after - before, 1e-6), 0, 1)[..., None]
        found = places[each, older - 1] + share * (places[each, older] - places[each, older - 1])
        found = found.astype(np.float32)
        return found[..., :2], np.arctan2(found[..., 2], found[..., 3])


def _places(positions: Reals, headings: Reals) -> Reals:
    return np.stack([positions[:, 0], positions[:, 2], np.sin(headings), np.cos(headings)], axis=-1)
