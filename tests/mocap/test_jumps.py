"""Takes that jump: what is cut from their ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kinema import Motion
from kinema.mocap.jumps import trim_at_jumps


def moved_away(motion: Motion, frames: slice) -> Motion:
    moved = motion.local_translations.copy()
    moved[frames] += 5.0
    return motion.replace(local_translations=moved)


def test_a_pose_before_and_after_the_take_is_cut(sway: Callable[..., Motion]) -> None:
    motion = sway(seconds=3.0)
    for frames, kept in ((slice(0, 2), slice(2, None)), (slice(-1, None), slice(0, -1))):
        trimmed = trim_at_jumps(moved_away(motion, frames))
        np.testing.assert_array_equal(trimmed.local_translations, motion.local_translations[kept])
        assert (
            "cut there" in trimmed.warnings[-1] and f"{motion.frames - trimmed.frames} frames" in trimmed.warnings[-1]
        )


def test_a_jump_in_the_middle_stays_and_is_named(sway: Callable[..., Motion]) -> None:
    motion = moved_away(sway(seconds=3.0), slice(40, None))
    trimmed = trim_at_jumps(motion)
    assert trimmed.frames == motion.frames and "frame 40: left there" in trimmed.warnings[-1]


def test_a_take_without_jumps_stays_as_it_is(sway: Callable[..., Motion]) -> None:
    for motion in (sway(), sway().cut(0, 10), sway().cut(0, 1)):
        assert trim_at_jumps(motion) is motion
    short = moved_away(sway().cut(0, 6), slice(3, None))
    assert trim_at_jumps(short) is short, "nothing long enough is left"
