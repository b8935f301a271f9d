"""Colours as viser takes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_SHARE = np.arange(256) / 255
_AS_LINEAR = np.where(_SHARE <= 0.04045, _SHARE / 12.92, ((_SHARE + 0.055) / 1.055) ** 2.4)

LINEAR: NDArray[np.uint8] = np.rint(255 * _AS_LINEAR).astype(np.uint8)
"""What to send for a byte of sRGB where viser takes colours (of lines and instances) as linear."""


def to_srgb(linear: NDArray[np.floating]) -> NDArray[np.float64]:
    """Linear values as sRGB, both 0 to 1."""
    linear = np.asarray(linear, np.float64)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)


def tinted(color: tuple[int, int, int], tints: NDArray[np.floating]) -> NDArray[np.uint8]:
    """An sRGB colour multiplied with linear tints `[..., 3 or 4]`, as sRGB bytes `[..., 3]`."""
    linear = _AS_LINEAR[np.asarray(color)] * tints[..., :3]
    return np.rint(255 * to_srgb(np.clip(linear, 0, 1))).astype(np.uint8)
