"""What is expected of depths that pictures say too little about: planes, and one surface behind each pixel."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats, Reals, Singles

_COVERED = 0.5  # share of a pixel that is covered, from which on its depth counts
_EDGE = 0.05  # change of the colour, 0 to 1, at which planes end
_NEAR_ZERO = 0.005  # relative to depth: bends below it cost less


def bend_weights(target: Singles) -> tuple[Singles, Singles]:
    """How much bends to the side `[H, W-2]` and up and down `[H-2, W]` count in a picture `[H, W, 3]`."""
    grey = target.mean(axis=-1)
    across, down = (np.abs(np.diff(grey, axis=axis)) for axis in (1, 0))
    across, down = np.maximum(across[:, 1:], across[:, :-1]), np.maximum(down[1:], down[:-1])
    return np.exp(-across / _EDGE).astype(np.float32), np.exp(-down / _EDGE).astype(np.float32)


def prior(
    sums: Singles, clear: Singles, weights: tuple[Singles, Singles], flat: float, thin: float
) -> tuple[Singles, Singles, Singles]:
    """Gradients by the sums of inverse depth `[H, W]`, by those of its square, and by what comes through.

    The inverse depth of a plane is linear in a picture, so its second differences are 0; and where one surface is
    seen, the variance of inverse depth is.

    Args:
        sums, clear: see `picture.Drawn`. weights: of bends. flat, thin: factors of both.
    """
    alpha = 1.0 - clear
    covered = alpha > _COVERED
    share = 1.0 / np.where(covered, alpha, 1.0)
    mean = np.where(covered, sums[..., 3] * share, 0.0)
    of_mean = _bent(mean, covered, weights) * (flat / clear.size)
    scale = np.where(covered, thin / clear.size / np.maximum(mean * mean, 1e-12), 0.0) * share
    square = np.where(covered, sums[..., 4] * share, 0.0)
    of_mean -= 2.0 * mean * scale * alpha
    to_mean = of_mean * share
    to_clear = to_mean * mean + scale * square
    return to_mean.astype(np.float32), scale.astype(np.float32), to_clear.astype(np.float32)


def _bent(mean: Reals, covered: np.ndarray, weights: tuple[Singles, Singles]) -> Floats:
    """Gradient of the sum of weighted bends of inverse depths `[H, W]`, relative to them."""
    out = np.zeros(mean.shape)
    for axis, weight in ((1, weights[0]), (0, weights[1])):
        before, here, after = (_part(mean, axis, first) for first in range(3))
        whole = _part(covered, axis, 0) & _part(covered, axis, 1) & _part(covered, axis, 2)
        bend = (before - 2.0 * here + after) / np.maximum(here, 1e-9)
        slope = np.where(whole, weight * bend / np.sqrt(bend * bend + _NEAR_ZERO**2) / np.maximum(here, 1e-9), 0.0)
        for first, factor in ((0, 1.0), (1, -2.0), (2, 1.0)):
            _part(out, axis, first)[...] += factor * slope
    return out


def _part(values: np.ndarray, axis: int, first: int) -> np.ndarray:
    stop = values.shape[axis] - 2 + first
    return values[:, first:stop] if axis == 1 else values[first:stop]
