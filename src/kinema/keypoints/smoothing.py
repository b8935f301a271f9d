"""Points over time without gaps, outliers and jitter, and without lag: penalised least squares over the whole clip."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solveh_banded

from kinema.arrays import Floats, Reals

CUTOFF = 6.0
"""Hertz from which on movement is taken for jitter: people wave and kick more slowly."""

_TRUSTED = 0.05  # confidence below which a point is not known at all
_TIMES, _OUTLIER = 5, 3.0  # rounds in which outliers lose weight, and spreads from which on they do
_LEAST = 0.004  # spread of what is seen that is always allowed, shares of the person's size
_HELD = 1e-4  # pull towards standing still, which says what happens at the ends of a clip where nothing is seen


def smooth(values: Reals, weights: Reals, fps: float, cutoff: float = CUTOFF) -> Floats:
    """Smooth series with gaps: `sum w (x - value)^2 + l sum (x'')^2`, for all of them at once.

    Args:
        values: `[N, K, D]`.
        weights: `[N, K]`, 0 where nothing is known.
        fps: frames per second.
        cutoff: hertz; of slower movement more than half stays.

    Returns:
        `[N, K, D]`; a series of which nothing is known is 0.
    """
    frames, series, width = values.shape
    turn = 2 * np.sin(np.pi * min(cutoff / fps, 0.5))
    stiff = turn**-4.0
    bands = np.zeros((3, series, frames))
    bands[0] = np.maximum(weights.T, 0.0) + 1e-9
    for reach, row in ((_HELD * stiff, (1.0, -1.0)), (stiff, (1.0, -2.0, 1.0))):
        _add_differences(bands, reach, row)
    right = np.moveaxis(values * np.maximum(weights, 0.0)[..., None], 0, 1).reshape(-1, width)
    solved = solveh_banded(bands.reshape(3, -1), right, lower=True, check_finite=False)
    return np.moveaxis(solved.reshape(series, frames, width), 1, 0)


def _add_differences(bands: Floats, factor: float, row: tuple[float, ...]) -> None:
    """Add the squares of differences along each series to a banded matrix in lower form `[3, K, N]`."""
    count = bands.shape[2] - len(row) + 1
    for one, first in enumerate(row):
        for other in range(one + 1):
            if count > 0:
                bands[one - other, :, other : other + count] += factor * first * row[other]


def cleaned(points: Reals, size: float, fps: float) -> tuple[Floats, Floats]:
    """Key points without gaps, outliers and jitter.

    Args:
        points: `[N, K, 3]`, pixels and confidence.
        size: of the person, pixels: what an outlier is depends on it.
        fps: frames per second.

    Returns:
        Points `[N, K, 2]`, and how far each is known `[N, K]`, 0 to 1: in a gap it is guessed from before and after.
    """
    seen = np.where(points[..., 2] > _TRUSTED, points[..., 2].astype(np.float64), 0.0)
    weights = seen.copy()
    found = smooth(points[..., :2], weights, fps)
    for _ in range(_TIMES):
        away = np.linalg.norm(points[..., :2] - found, axis=-1)
        spread = max(1.48 * float(np.median(away[seen > 0])) if (seen > 0).any() else 0.0, _LEAST * size)
        weights = seen / (1.0 + (away / (_OUTLIER * spread)) ** 2) ** 2
        found = smooth(points[..., :2], weights, fps)
    return found, np.clip(weights, 0.0, 1.0)


def interpolated(values: Reals, at: Reals) -> Floats:
    """Rows of `[N, D]` between frames `at` `[M]`, held at the ends."""
    last = len(values) - 1
    place = np.clip(at, 0, last)
    low = np.minimum(place.astype(np.int64), max(last - 1, 0))
    share = (place - low)[:, None]
    return values[low] * (1 - share) + values[np.minimum(low + 1, last)] * share
