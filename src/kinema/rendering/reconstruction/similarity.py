"""How far a picture is from another, and gradients: absolute differences and structural dissimilarity."""

from __future__ import annotations

import math

import numpy as np

from kinema.arrays import Floats, Reals, Singles
from kinema.compiled import njit

DISSIMILARITY = 0.2
"""Share of structural dissimilarity in the loss; the rest is the mean absolute difference."""

_REACH = 5
_WINDOW = np.exp(-0.5 * (np.arange(-_REACH, _REACH + 1) / 1.5) ** 2)
_WINDOW = tuple((_WINDOW / _WINDOW.sum()).tolist())
_C1, _C2 = 0.01**2, 0.03**2


def loss(picture: Singles, target: Singles) -> tuple[float, Singles]:
    """The loss of a picture `[H, W, 3]` and its gradient.

    D-SSIM is that of Z. Wang et al., "Image Quality Assessment", 2004, with a window of 11 pixels.
    """
    away = picture - target
    likeness, slope = _likeness(picture, target)
    absolute = float(np.abs(away).mean())
    gradient = (1.0 - DISSIMILARITY) / away.size * np.sign(away) - DISSIMILARITY * slope
    return (1.0 - DISSIMILARITY) * absolute + DISSIMILARITY * (1.0 - likeness), gradient.astype(np.float32)


def decibels(picture: Reals, target: Reals) -> float:
    """Peak signal-to-noise ratio of pictures between 0 and 1."""
    error = float(np.square(np.clip(picture, 0.0, 1.0) - target, dtype=np.float64).mean())
    return math.inf if error == 0.0 else -10.0 * math.log10(error)


def _likeness(picture: Singles, target: Singles) -> tuple[float, Floats]:
    """Structural similarity, and its gradient `[H, W, 3]`."""
    shape = picture.shape
    stacked = np.concatenate([picture, target, picture * picture, target * target, picture * target], axis=-1)
    blurred = _blurred(np.ascontiguousarray(stacked, np.float32))
    parts = np.empty((*shape[:2], 9), np.float32)
    total = _structure(blurred, parts)
    spread = _blurred(parts)
    slope = spread[..., :3] + 2.0 * picture * spread[..., 3:6] + target * spread[..., 6:]
    size = float(np.prod(shape))
    return total / size, slope / size


def _blurred(values: Singles) -> Singles:
    """Pictures `[H, W, C]` blurred by the window; 0 outside."""
    flat = values.reshape(len(values), -1)
    across, out = np.zeros_like(flat), np.zeros_like(flat)
    _blur_across(flat, across, values.shape[-1])
    _blur_down(across, out)
    return out.reshape(values.shape)


@njit(nogil=True, fastmath=True)
def _blur_across(values, out, step):
    height, width = values.shape
    for y in range(height):
        for tap in range(-_REACH, _REACH + 1):
            weight, away = np.float32(_WINDOW[tap + _REACH]), tap * step
            for x in range(max(-away, 0), min(width - away, width)):
                out[y, x] += weight * values[y, x + away]


@njit(nogil=True, fastmath=True)
def _blur_down(values, out):
    height, width = values.shape
    for y in range(height):
        for row in range(max(y - _REACH, 0), min(y + _REACH + 1, height)):
            weight = np.float32(_WINDOW[row - y + _REACH])
            for x in range(width):
                out[y, x] += weight * values[row, x]


@njit(nogil=True, fastmath=True)
def _structure(blurred, parts):
    """Sum of the similarity; its gradients by the blurred picture, its square and its product with the target."""
    height, width = blurred.shape[:2]
    total = 0.0
    for y in range(height):
        for x in range(width):
            for channel in range(3):
                a, b = blurred[y, x, channel], blurred[y, x, 3 + channel]
                aa, bb, ab = blurred[y, x, 6 + channel], blurred[y, x, 9 + channel], blurred[y, x, 12 + channel]
                first, second = 2.0 * a * b + _C1, 2.0 * (ab - a * b) + _C2
                third, fourth = a * a + b * b + _C1, (aa - a * a) + (bb - b * b) + _C2
                below = 1.0 / (third * fourth)
                value = first * second * below
                total += value
                parts[y, x, 3 + channel] = -value / fourth
                parts[y, x, 6 + channel] = 2.0 * first * below
                parts[y, x, channel] = (
                    2.0 * b * (second - first) * below - 2.0 * a * value / third + 2.0 * a * value / fourth
                )
    return total
