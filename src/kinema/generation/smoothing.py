"""Takes the tremble out of generated motion, which has more of it than motion that was captured or made by rules.

Least squares fits of polynomials to a few frames at a time (A. Savitzky and M. Golay, "Smoothing and Differentiation of
Data by Simplified Least Squares Procedures", 1964): what is slower than about 3 Hz, which gaits are, stays as it is.
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Singles
from kinema.generation.channels import CONTACT

REACH = 6
"""Frames to each side that a frame is fitted with."""

_DEGREE = 4


def smooth(channels: Singles, loop: bool = False) -> Singles:
    """Channels `[..., F, K, CHANNELS]` without tremble; contacts stay as they are.

    Args:
        loop: whether the first frame follows the last.
    """
    from scipy.signal import savgol_filter  # slow to import

    window = 2 * REACH + 1
    if channels.shape[-3] < window:
        return channels
    fitted = savgol_filter(channels, window, _DEGREE, axis=-3, mode="wrap" if loop else "interp")
    out = np.asarray(fitted, np.float32)
    out[..., CONTACT] = channels[..., CONTACT]
    return out


class LiveSmoothing:
    """The same for motion that is made piece by piece: the frames behind are known, those ahead are expected."""

    def __init__(self) -> None:
        self._behind: Singles | None = None

    def next(self, piece: Singles, expected: Singles) -> Singles:
        """The next channels `[F, K, CHANNELS]`.

        Args:
            expected: `[E, K, CHANNELS]`: what will probably follow; `REACH` frames of it are of use.
        """
        behind = piece[:0] if self._behind is None else self._behind
        self._behind = np.concatenate([behind, piece])[-REACH:]
        window = smooth(np.concatenate([behind, piece, expected[:REACH]]))
        return window[len(behind) : len(behind) + len(piece)]
