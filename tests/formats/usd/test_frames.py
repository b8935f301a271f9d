"""Steady frames from samples at any times."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.usd.frames import frame_codes


@pytest.mark.parametrize(
    ("codes", "per_second", "fps", "noted", "rate", "frames"),
    [
        (np.arange(1, 31), 24, None, None, 24, 30),  # a sample every code
        (np.arange(1, 31, 2), 24, None, None, 12, 15),  # every second one, evenly
        ([1, 10], 24, None, None, 24, 10),  # far apart: one frame a code
        ([1, 2, 5, 9], 24, None, None, 24, 9),  # uneven, on whole codes
        (np.arange(5) * 160, 4800, None, None, 30, 5),  # ticks
        ([0, 0.5, 2], 24, None, None, 48, 5),  # uneven and off the codes: the common rate that fits best
        (np.arange(1, 31), 24, 48.0, None, 48, 59),
        (np.arange(0, 9) * 1.2, 30, None, 25.0, 25, 9),  # what our writer noted
        ([4.0], 24, None, None, 24, 1),
    ],
)
def test_rates(codes, per_second, fps, noted, rate, frames):
    codes = np.asarray(codes, dtype=np.float64)
    found, given = frame_codes(codes, per_second, fps, noted)
    assert (given, len(found)) == (pytest.approx(rate), frames)
    assert found[0] == codes[0]


def test_frames_fall_exactly_on_samples():
    codes = np.arange(100) * (24 / 29.97)
    found, _ = frame_codes(codes, 24, None)
    assert set(found) <= set(codes)


def test_absurd_lengths_are_refused():
    with pytest.raises(FormatError, match="try a lower fps"):
        frame_codes(np.array([0.0, 1e12]), 24, None)
