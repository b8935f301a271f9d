"""Takes that jump: what is cut from their ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kinema import Motion, rotations
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


def with_raised_arms(motion: Motion, sides: tuple[str, ...]) -> Motion:
    """The motion with arms raised sideways in its first frame, as in a calibration pose."""
    local = motion.local_rotations.copy()
    for arm in motion.skeleton.roles.arms:
        if arm.side in sides:
            turn = rotations.from_axis_angle(np.array([0, 0, 1], np.float32), np.float32(1.2))
            local[0, arm.upper] = rotations.multiply(local[0, arm.upper], turn)
    return motion.replace(local_rotations=local)


def test_a_calibration_pose_is_cut_whatever_other_joints_there_are(sway: Callable[..., Motion]) -> None:
    """Arms move into it, legs and trunk hardly: how many of all joints are those of arms and fingers is no matter."""
    motion = sway(seconds=3.0, fps=60.0)
    raised = with_raised_arms(motion, ("left", "right"))
    for take in (raised, raised.reduced("body")):
        assert trim_at_jumps(take).frames == motion.frames - 1
    assert trim_at_jumps(motion) is motion
    glitch = with_raised_arms(motion, ("left",))
    assert trim_at_jumps(glitch) is glitch, "one limb alone is no pose"


def test_a_jump_in_the_middle_stays_and_is_named(sway: Callable[..., Motion]) -> None:
    motion = moved_away(sway(seconds=3.0), slice(40, None))
    trimmed = trim_at_jumps(motion)
    assert trimmed.frames == motion.frames and "frame 40: left there" in trimmed.warnings[-1]


def test_a_take_without_jumps_stays_as_it_is(sway: Callable[..., Motion]) -> None:
    for motion in (sway(), sway().cut(0, 10), sway().cut(0, 1)):
        assert trim_at_jumps(motion) is motion
    short = moved_away(sway().cut(0, 6), slice(3, None))
    assert trim_at_jumps(short) is short, "nothing long enough is left"
