"""The steady rate at which samples at any times are read."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.rates import SPARSE_RATE, native_rate
from kinema.rates import MOST_FRAMES

HIGHEST_RATE = 240.0  # a file with more time codes per second counts in ticks, not in frames
ON_GRID = 1e-4  # time codes


def frame_codes(
    codes: Floats, per_second: float, fps: float | None, noted: float | None = None
) -> tuple[Floats, float]:
    """Time codes `[F]` of frames from the first sample to the last, and frames per second.

    The rate is `fps` if given, else what our writer noted, else that of the samples where they lie evenly, else one
    frame a time code where they lie on whole codes, else the common rate that fits them best.

    Args:
        codes: ascending, unique times of all samples.
        per_second: time codes per second.

    Raises:
        FormatError: that would be more than a million frames.
    """
    if len(codes) < 2:
        return codes, fps or noted or per_second
    span = codes[-1] - codes[0]
    rate = fps or noted or _own_rate(codes, per_second)
    length = span / per_second * rate
    if not length < MOST_FRAMES:
        raise FormatError(f"lasts {span / per_second:.4g} s, too long at {rate:g} frames per second; try a lower fps")
    count = int(np.ceil(length - 0.02)) + 1
    frames = codes[0] + np.arange(count) * (per_second / rate)
    nearest = codes[(np.searchsorted(codes, frames)[:, None] + [-1, 0]).clip(0, len(codes) - 1)]
    near = np.take_along_axis(nearest, np.abs(nearest - frames[:, None]).argmin(axis=1)[:, None], axis=1)[:, 0]
    return np.where(np.abs(near - frames) < ON_GRID, near, frames), rate


def _own_rate(codes: Floats, per_second: float) -> float:
    """Frames per second that samples were made with."""
    step, offsets = (codes[-1] - codes[0]) / (len(codes) - 1), codes - codes[0]
    even = np.abs(np.diff(codes) - step).max() <= ON_GRID * max(step, 1.0)
    if even and SPARSE_RATE * 0.999 <= per_second / step <= 1000:
        rate = per_second / step
    elif np.abs(offsets - np.round(offsets)).max() <= ON_GRID and per_second <= HIGHEST_RATE:
        rate = per_second
    else:
        rate = native_rate(codes / per_second)
    return float(round(rate)) if abs(rate - round(rate)) < 1e-6 * rate else float(rate)
