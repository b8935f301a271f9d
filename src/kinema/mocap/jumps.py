"""Jumps in a take: teleports, and calibration poses from which it snaps into the movement."""

from __future__ import annotations

import itertools

import numpy as np

from kinema.arrays import Bools
from kinema.motion import Motion
from kinema.pose import Pose

JUMP_DISTANCE = 1.0  # m between two frames
JUMP_SPEED = 12.0  # m/s; faster than people run
SNAP_SPEED = 15.0  # rad/s of the median joint of a limb, and
SNAP_RATIO = 4.0  # times that of the neighbouring frames
MOST_SNAPS = 2  # more are a style: animation in held poses
SHORTEST_PIECE = 0.5  # s
LIMBS = ("leg", "front_leg", "arm", "wing")


def split_at_jumps(motion: Motion) -> tuple[list[Motion], tuple[str, ...]]:
    """The pieces of a take between teleports, and warnings that say what was cut.

    Some takes begin (or end) with a calibration pose, then jump metres away or snap into the movement.
    """
    if motion.frames < 2:
        return [], ()
    starts = _starts(motion)
    pieces = [motion.cut(*piece) for piece in _long(motion, starts)]
    if not starts:
        return pieces, ()
    dropped = motion.frames - sum(piece.frames for piece in pieces)
    return pieces, (f"jumps at {_listed(starts)}: cut there, {dropped} frames in short pieces dropped",)


def trim_at_jumps(motion: Motion) -> Motion:
    """A take without the short pieces at its ends that `split_at_jumps` drops, such as a calibration pose.

    Jumps between longer pieces stay. What was cut and what was left is listed in the warnings of the motion.
    """
    starts = _starts(motion) if motion.frames >= 2 else []
    pieces = _long(motion, starts)
    if not starts or not pieces:
        return motion
    first, stop = pieces[0][0], pieces[-1][1]
    warnings = []
    if dropped := motion.frames - (stop - first):
        where = [frame for frame in starts if frame <= first or frame >= stop]
        warnings.append(f"jumps at {_listed(where)}: cut there, {dropped} frames dropped")
    if inside := [frame for frame in starts if first < frame < stop]:
        warnings.append(f"jumps at {_listed(inside)}: left there")
    return motion.cut(first, stop).replace(warnings=(*motion.warnings, *warnings))


def _starts(motion: Motion) -> list[int]:
    """The frames at which a take begins anew."""
    pose = motion[:]
    steps = np.linalg.norm(np.diff(pose.global_positions[:, motion.skeleton.roles.hips], axis=0), axis=-1)
    size = max(1.0, motion.skeleton.height / 1.8)  # giants may stride further
    jumps = (steps > JUMP_DISTANCE * size) | (steps * motion.fps > JUMP_SPEED * size)
    jumps |= _snaps(pose, motion.fps)
    return (np.flatnonzero(jumps) + 1).tolist()


def _long(motion: Motion, starts: list[int]) -> list[tuple[int, int]]:
    """First and past-the-last frame of the pieces that are long enough."""
    spans = itertools.pairwise([0, *starts, motion.frames])
    least = SHORTEST_PIECE - 1e-6
    return [(start, stop) for start, stop in spans if stop - start >= 2 and (stop - start - 1) / motion.fps >= least]


def _listed(frames: list[int]) -> str:
    return "frame " + ", ".join(map(str, frames[:5])) + (", ..." if len(frames) > 5 else "")


def _snaps(pose: Pose, fps: float) -> Bools:
    """Steps `[F - 1]` in which two limbs at least rotate faster than a body can, for one frame.

    The joints of limbs are those of every file and of every choice of joints to keep. Calibration poses and movements
    differ in the arms at least.
    """
    turned = pose.global_rotations
    cosines = np.abs(np.einsum("fjc,fjc->fj", turned[:-1], turned[1:]))  # of half the angles
    limbs = [list(chain.joints) for chain in pose.skeleton.roles.chains if chain.kind in LIMBS]
    if len(limbs) < 2:
        limbs = 2 * [list(range(cosines.shape[1]))]
    each = np.sort(np.stack([np.median(cosines[:, joints], axis=1) for joints in limbs]), axis=0)
    turns = 2 * np.arccos(np.minimum(each[1], 1.0))
    padded = np.pad(turns, 1)
    snaps = (turns * fps > SNAP_SPEED) & (turns > SNAP_RATIO * np.maximum(padded[:-2], padded[2:]))
    return snaps & (np.count_nonzero(snaps) <= MOST_SNAPS)
