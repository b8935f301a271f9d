"""A palette for a whole film, and pictures painted with it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_BITS = 5  # a channel, of the cells that colours are counted in
_LOOKUP_BITS = 6
_ROUNDS = 12
_WEIGHT = np.array([0.55, 0.77, 0.33], np.float32)  # what the eye makes of a step in red, green and blue


class ColorCount:
    """How often colours occur in any number of pictures, in constant memory."""

    def __init__(self) -> None:
        cells = 1 << (3 * _BITS)
        self._counts, self._sums = np.zeros(cells), np.zeros((cells, 3))

    def add(self, colors: NDArray[np.uint8]) -> None:
        """Count sRGB colours `[N, 3]`."""
        packed = (colors >> (8 - _BITS)).astype(np.int32)
        cells = (packed[:, 0] << (2 * _BITS)) | (packed[:, 1] << _BITS) | packed[:, 2]
        self._counts += np.bincount(cells, minlength=len(self._counts))
        for channel in range(3):
            self._sums[:, channel] += np.bincount(cells, colors[:, channel], minlength=len(self._counts))

    def palette(self, size: int) -> NDArray[np.uint8]:
        """At most `size` sRGB colours `[K, 3]` that stand for what was counted.

        Clusters of the counted cells, started from the colours that are worst represented so far. Rare colours count
        for more than their share, or a large floor would take every shade from a small figure.
        """
        used = np.flatnonzero(self._counts)
        if not len(used):
            return np.zeros((1, 3), np.uint8)
        points = (self._sums[used] / self._counts[used, None]).astype(np.float32) * _WEIGHT
        weights = self._counts[used] ** 0.5
        centers = points[[int(np.argmax(weights))]]
        away = ((points - centers[0]) ** 2).sum(axis=1)
        for _ in range(min(size, len(used)) - 1):
            worst = int(np.argmax(away * weights))
            centers = np.concatenate([centers, points[[worst]]])
            away = np.minimum(away, ((points - points[worst]) ** 2).sum(axis=1))
        for _ in range(_ROUNDS):
            owner = _nearest(points, centers)
            mass = np.bincount(owner, weights, minlength=len(centers))
            moved = np.stack([np.bincount(owner, weights * points[:, i], minlength=len(centers)) for i in range(3)], 1)
            centers = np.where(mass[:, None] > 0, moved / np.maximum(mass, 1e-12)[:, None], centers).astype(np.float32)
        return np.unique(np.clip(np.rint(centers / _WEIGHT), 0, 255).astype(np.uint8), axis=0)


class Painter:
    """Paints pictures with a palette `[K, 3]`.

    Shades in between are dithered in a pattern that stays where it is: what does not move does not flicker.
    """

    def __init__(self, palette: NDArray[np.uint8]) -> None:
        steps = np.arange(1 << _LOOKUP_BITS, dtype=np.float32) * (255.0 / ((1 << _LOOKUP_BITS) - 1))
        red, green, blue = np.meshgrid(steps, steps, steps, indexing="ij")
        cells = np.stack([red, green, blue], axis=-1).reshape(-1, 3) * _WEIGHT
        self._lookup = _nearest(cells, palette.astype(np.float32) * _WEIGHT).astype(np.uint8)
        gaps = ((palette[:, None].astype(np.float32) - palette) ** 2).sum(axis=-1) + 1e9 * np.eye(len(palette))
        spread = np.sqrt(np.median(gaps.min(axis=1))) if len(palette) > 1 else 0.0
        self._spread = float(np.clip(spread, 0, 24))

    def paint(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Indices `[H, W]` into the palette for a picture `[H, W, 3]`."""
        height, width = pixels.shape[:2]
        pattern = np.tile(bayer(), (height // 8 + 1, width // 8 + 1))[:height, :width, None]
        shaken = pixels + self._spread * (pattern - 0.5)
        most = (1 << _LOOKUP_BITS) - 1
        cells = np.clip(np.rint(shaken * (most / 255)), 0, most).astype(np.int32)
        return self._lookup[(cells[..., 0] << (2 * _LOOKUP_BITS)) | (cells[..., 1] << _LOOKUP_BITS) | cells[..., 2]]


@lru_cache(maxsize=1)
def bayer() -> NDArray[np.float32]:
    """The 8 by 8 thresholds of ordered dithering, 0 to 1 (B. E. Bayer, 1973)."""
    pattern = np.zeros((1, 1))
    for _ in range(3):
        pattern = np.block([[4 * pattern, 4 * pattern + 2], [4 * pattern + 3, 4 * pattern + 1]])
    return ((pattern + 0.5) / 64).astype(np.float32)


def _nearest(points: NDArray[np.float32], centers: NDArray[np.float32]) -> NDArray[np.int64]:
    """The index of the nearest centre for each point `[N]`, in blocks that stay small."""
    squares = (centers**2).sum(axis=1)
    blocks = [points[start : start + 16384] for start in range(0, len(points), 16384)]
    return np.concatenate([np.argmin(squares - 2 * block @ centers.T, axis=1) for block in blocks])
