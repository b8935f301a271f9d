"""Rates of animations: what is a possible one, and the one that keys were made with."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.rates import RATES, is_rate

COMMON_RATES = (30, 60, 24, 25, 120, 50, 48, 100, 90)
SPARSE_RATE = 10  # frames per second; keys further apart than this are sampled between


def check_rate(fps: float | None) -> None:
    """Refuses a rate to sample animations at that no motion may have."""
    if fps is not None and not is_rate(fps):
        raise FormatError(f"cannot be sampled at {fps} frames per second; {RATES} are possible")


def whole_rate(fps: float, tolerance: float) -> float:
    """The nearest whole number of frames per second if it is near enough, as a share of the rate."""
    return float(round(fps)) if round(fps) and abs(fps - round(fps)) < tolerance * fps else fps


def native_rate(times: Floats) -> float:
    """Frames per second that ascending, unique key times `[K]` were made with."""
    times = times[np.append(True, np.diff(times) > 1e-5)]
    if len(times) < 2:
        return 30.0
    offsets = times - times[0]
    spacing = float(np.median(np.diff(times)))
    rate = 1 / spacing

    def on_grid(candidate: float) -> bool:
        frames = offsets * candidate
        return bool((np.abs(frames - np.round(frames)) < 0.02 + 2e-7 * candidate * abs(times).max()).all())

    nearest = min(COMMON_RATES, key=lambda common: abs(np.log(common / rate)))
    if abs(nearest / rate - 1) < 0.02 and on_grid(nearest):
        return float(nearest)
    even = (len(times) - 1) / offsets[-1]
    if SPARSE_RATE * 0.999 <= even <= 1000 and on_grid(even):
        return whole_rate(float(even), 1e-3)
    fitting = [common for common in COMMON_RATES if common >= rate * 0.98 and on_grid(common)]
    return float(next(iter(fitting), nearest if rate >= 24 else 60))
