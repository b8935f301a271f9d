"""Motions of people in videos, from their key points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats, Reals
from kinema.errors import FormatError
from kinema.keypoints.body import posed, skeleton_of
from kinema.keypoints.files import PointTracks
from kinema.keypoints.lifting import lift
from kinema.keypoints.points import BODY
from kinema.keypoints.proportions import NAMES, Proportions, measure
from kinema.keypoints.smoothing import cleaned
from kinema.keypoints.standing import roots
from kinema.keypoints.still_feet import standing
from kinema.keypoints.unseen import finished, hanging
from kinema.motion import Motion

FPS = 30.0
"""Frames per second where nothing states them: files of key points do not."""

_KNOWN = 0.05  # confidence from which on a point is there
_CORE = ("left_shoulder", "right_shoulder", "left_hip", "right_hip")
_HALF = 0.5  # share of the pictures in which shoulders and hips must be seen


@dataclass(frozen=True, eq=False)
class LiftedPerson:
    """A person of a video as a body in space.

    Attributes:
        motion: on a skeleton of its proportions, feet on the ground at height 0; the viewer is in +Z.
        flat: the cleaned points, `[N, 21, 2]`, pixels, of `kinema.keypoints.proportions.NAMES`.
        points: in space, `[N, 21, 3]`, metres from the middle of the hips: right in the picture, up, towards viewers.
        body: lengths, and pixels a metre in each picture.
    """

    motion: Motion
    flat: Floats
    points: Floats
    body: Proportions


def lifted(tracks: PointTracks, fps: float = FPS, name: str = "video") -> LiftedPerson:
    """A person's points as a motion, without gaps, jitter and stretched limbs.

    Pictures do not tell how large somebody is: the person is taken to be 1.7 m high, with its own proportions.

    Args:
        tracks: of one person.
        fps: frames per second.
        name: of the motion.

    Raises:
        FormatError: shoulders and hips are hardly ever seen.
    """
    seen = np.concatenate([tracks.points.body, tracks.points.toes], axis=1).astype(np.float64)
    core = seen[:, [BODY.index(part) for part in _CORE], 2] > _KNOWN
    if core.size == 0 or core.mean() < _HALF:
        share = core.mean() if core.size else 0.0
        raise FormatError(
            f"shoulders and hips are seen in {share:.0%} of {len(seen)} pictures; a motion is made of videos in which "
            "they are seen in half of them or more"
        )
    flat, known = _with_middle(*cleaned(seen, _size(seen), fps))
    body = measure(flat, known, fps)
    never = np.all(known <= 0, axis=0)
    flat = hanging(flat, never, body)
    points = finished(lift(flat, known, body, fps), never, body)
    places = roots(points, flat[:, -1], body, tracks.width, tracks.height)
    stands = standing(flat, points, places, body, fps)
    motion = planted(posed(skeleton_of(body), points, places, fps, name), stands)
    return LiftedPerson(motion, flat, points, body)


def planted(motion: Motion, stands: Bools) -> Motion:
    """The motion with feet that stay in one place while they stand, `[N, 2]`, left and right."""
    from kinema.retargeting.retargeter import Retargeter

    if motion.frames < 3:
        return motion
    held = Retargeter(motion.skeleton, motion.skeleton, motions=(motion,))(
        motion, stands=stands.T, measured=False
    ).motion
    return held.replace(name=motion.name, skeleton=motion.skeleton)


def _size(seen: Reals) -> float:
    """Pixels from the highest to the lowest point, in most pictures."""
    there = seen[..., 2] > _KNOWN
    heights = np.where(there, seen[..., 1], np.nan)[there.any(axis=1)]
    return max(float(np.median(np.nanmax(heights, axis=1) - np.nanmin(heights, axis=1))), 1.0)


def _with_middle(flat: Floats, known: Floats) -> tuple[Floats, Floats]:
    """Points with the middle between the hips."""
    left, right = NAMES.index("left_hip"), NAMES.index("right_hip")
    middle, sure = (flat[:, left] + flat[:, right]) / 2, np.minimum(known[:, left], known[:, right])
    return np.concatenate([flat, middle[:, None]], axis=1), np.concatenate([known, sure[:, None]], axis=1)
