"""Colour conversions for viser."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema.formats.images import linear

_AS_LINEAR = linear(np.arange(256) / 255)

LINEAR: NDArray[np.uint8] = np.rint(255 * _AS_LINEAR).astype(np.uint8)
"""Linear byte for each sRGB byte: viser's lines and instances expect linear colours."""


def to_srgb(colors: NDArray[np.floating]) -> NDArray[np.float64]:
    """Convert linear values to sRGB, both 0 to 1."""
    colors = np.asarray(colors, np.float64)
    return np.where(colors <= 0.0031308, colors * 12.92, 1.055 * np.maximum(colors, 1e-9) ** (1 / 2.4) - 0.055)


def tinted(color: tuple[int, int, int], tints: NDArray[np.floating]) -> NDArray[np.uint8]:
    """An sRGB colour multiplied with linear tints `[..., 3 or 4]`, as sRGB bytes `[..., 3]`."""
    colors = _AS_LINEAR[np.asarray(color)] * tints[..., :3]
    return np.rint(255 * to_srgb(np.clip(colors, 0, 1))).astype(np.uint8)
