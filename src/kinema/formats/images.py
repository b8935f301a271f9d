"""Images in files: their kind, and their colours in linear light."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats

_SIGNATURES = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\xabKTX 20", "image/ktx2"),
)


def mime_type(data: bytes) -> str | None:
    """The MIME type of an encoded image by its signature, or None."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":  # sound and films are RIFF files, too
        return "image/webp"
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), None)


def linear(srgb: ArrayLike) -> Floats:
    """Colours of screens (sRGB, 0 to 1) in linear light, as materials have them."""
    values = np.asarray(srgb, np.float64)
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
