"""The bounds of frame rates and of lengths in frames: the same for files, options of commands and functions."""

from __future__ import annotations

LOWEST_RATE, HIGHEST_RATE = 1e-3, 1e5  # frames per second
RATES = f"{LOWEST_RATE:g} to {HIGHEST_RATE:g}"
MOST_FRAMES = 1_000_000
"""Frames that are made at once: over two hours at 120 frames per second. Files may have more."""


def is_rate(fps: float) -> bool:
    """Whether a number of frames per second is one that a motion may have."""
    return LOWEST_RATE <= fps <= HIGHEST_RATE


def is_length(seconds: float, fps: float) -> bool:
    """Whether so many seconds are few enough frames to be made at once; False for what is no length."""
    return 0 <= seconds * fps <= MOST_FRAMES
