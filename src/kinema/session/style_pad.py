"""A map of the styles of a network: near each other what looks alike, and at every point between them a mix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats
from kinema.mocap.styles import mix_words

Point = tuple[float, float]

_MARGIN = 0.12
_APART = 0.8  # smallest distance of places, relative to that of a square grid of them
_ROUNDS = 200
_LEAST = 0.02  # smaller shares are none
_POWER = 3.0  # of the distance, by which the share of a style falls


class StylePad:
    """Styles as places in a square.

    Args:
        names: of the styles. latents: what they are to a network, `[S, D]`.

    Attributes:
        places: of the styles, `(x, y)` from 0 to 1, by name.
        point: the point that is chosen.
    """

    def __init__(self, names: Sequence[str], latents: ArrayLike) -> None:
        self._places = _places(np.asarray(latents, np.float64))
        self.places: Mapping[str, Point] = {
            name: (float(x), float(y)) for name, (x, y) in zip(names, self._places, strict=True)
        }
        self.point = self.places[names[0]]

    def words(self) -> str:
        """The words of a command (`kinema.mocap.styles.mix_of`) for the point that is chosen.

        A style has the whole share at its own place; its share falls with the distance from there (Shepard, 1968).
        """
        away = np.linalg.norm(self._places - self.point, axis=1)
        shares = 1.0 / np.maximum(away, 1e-3) ** _POWER
        shares = np.where(shares < _LEAST * shares.sum(), 0.0, shares)
        return mix_words(dict(zip(self.places, (shares / shares.sum()).tolist(), strict=True)))


def _places(latents: Floats) -> Floats:
    """Places `[S, 2]` in the unit square: the plane in which the latents differ most, with none upon another."""
    count = len(latents)
    middle = latents - latents.mean(axis=0)
    _, _, axes = np.linalg.svd(middle, full_matrices=True)
    flat = middle @ axes[:2].T
    places = (flat - flat.min(axis=0)) / np.maximum(np.ptp(flat, axis=0), 1e-9)
    nearest = _APART / np.sqrt(count)
    rng = np.random.default_rng(0)
    for _ in range(_ROUNDS):
        away = places[:, None] - places[None] + 1e-6 * rng.normal(size=(count, count, 2))
        length = np.linalg.norm(away, axis=-1, keepdims=True)
        push = away / length * np.maximum(nearest - length, 0.0) * ~np.eye(count, dtype=np.bool_)[..., None]
        places = np.clip(places + 0.5 * push.sum(axis=1), 0.0, 1.0)
    return _MARGIN + (1.0 - 2.0 * _MARGIN) * places
