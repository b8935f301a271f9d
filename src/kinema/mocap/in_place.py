"""Clips in place: the body stays where it is while its feet run backward under it, as on a treadmill.

The feet on the ground tell how the body would have moved: they stand, so the root moves against their mean velocity.
Cycles are repeated, since a single stride has no future that a controller could search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import kinematics
from kinema.arrays import Bools, Singles
from kinema.mocap.contacts import Thresholds, contact_joints, contact_points, drop_short, relative_size
from kinema.motion import Motion
from kinema.rootframe import smooth_columns

CYCLED = 4.0
"""Seconds that a cycle is repeated for at least: a controller looks one second ahead."""

_LOWEST = 2.0  # percentile of a foot's height: where it stands
_AGREEING = 0.6  # share of low feet that move backward
_BACKWARD = 0.25  # of the usual velocity of low feet
_DRIFT = 0.25  # of the way that the feet go: hips that move farther are not in place
_SMOOTH = 0.25  # s; feet that come down and lift off must not jolt the root


@dataclass(frozen=True, eq=False)
class Treadmill:
    """How feet move over a treadmill.

    Attributes:
        velocities: `[F, 3]`, m/s, of the feet on the ground.
        standing: which feet `[F, C]` are on it.
    """

    velocities: Singles
    standing: Bools


def find_treadmill(motion: Motion) -> Treadmill | None:
    """The treadmill under a clip in place; None for all other clips.

    Feet are low near their own lowest heights. A clip is in place if most low feet move in one direction
    along the ground, faster than feet that stand, while the hips hardly move along it.
    """
    skeleton, size, limits = motion.skeleton, relative_size(motion.skeleton), Thresholds()
    if motion.frames < 4:
        return None
    positions = motion[:].global_positions
    feet, hips = positions[:, contact_joints(skeleton)], positions[:, skeleton.roles.hips]
    velocities = kinematics.velocities(feet, 1.0 / motion.fps) * np.asarray([1, 0, 1], np.float32)
    height = feet[..., 1] - np.percentile(feet[..., 1], _LOWEST, axis=0)
    low = height < limits.height_on * size
    common = np.median(velocities[low], axis=0)
    speed = float(np.linalg.norm(common))
    if speed < limits.speed_off * size:
        return None
    along, drift = velocities @ common / speed, float(np.ptp(hips @ common)) / speed
    backward = along > _BACKWARD * speed
    if backward[low].mean() < _AGREEING or drift > _DRIFT * speed * motion.seconds:
        return None
    # Strides of animators begin and end slowly, so feet that are slower than others stand as well.
    standing = drop_short(low & (along > 0), int(np.ceil(limits.shortest * motion.fps)))
    counts = standing.sum(axis=1)
    if not counts.any():
        return None
    seen = np.flatnonzero(counts)
    mean = (velocities * standing[..., None]).sum(axis=1)[seen] / counts[seen, None]
    frames = np.arange(motion.frames)
    filled = np.stack([np.interp(frames, seen, mean[:, axis]) for axis in range(3)], axis=-1).astype(np.float32)
    return Treadmill(smooth_columns(filled, round(_SMOOTH * motion.fps)), standing)


def move_with_feet(motion: Motion) -> Motion:
    """The motion with its root moved by its standing feet, if it is in place; else the motion itself.

    Labels `contact.*` say which feet stand, and a warning says what was done. A cycle is repeated for at least
    `CYCLED` seconds.
    """
    if find_treadmill(motion) is None:
        return motion
    motion = repeat_cycle(motion)
    found = find_treadmill(motion)
    if found is None:
        return motion
    steps = -0.5 * (found.velocities[1:] + found.velocities[:-1]) / motion.fps
    way = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0, dtype=np.float64)]).astype(np.float32)
    skeleton, pose = motion.skeleton, motion[:]
    translations = pose.local_translations.copy()
    translations[:, skeleton.parents < 0] += way[:, None]
    points = contact_points(skeleton)
    labels = {f"contact.{point}": found.standing[:, column] for column, point in enumerate(points)}
    moved = Motion.create(skeleton, pose.local_rotations, translations, fps=motion.fps)
    return moved.replace(
        name=motion.name,
        labels={**motion.labels, **labels},
        tags=motion.tags,
        warnings=(*motion.warnings, f"clip {motion.name!r} is in place: its root moves with its standing feet"),
    )


def repeat_cycle(motion: Motion) -> Motion:
    """The motion repeated for at least `CYCLED` seconds if its end leads into its beginning; else the motion itself."""
    positions = motion[:].global_positions
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(axis=-1)
    gap = float(np.linalg.norm(positions[-1] - positions[0], axis=-1).max())
    if gap > 1.5 * steps.max():
        return motion
    cycle = motion.cut(stop=motion.frames - 1) if gap < 0.5 * np.median(steps) else motion
    times = int(np.ceil(CYCLED / cycle.seconds)) if cycle.frames > 1 else 1
    frames = np.tile(np.arange(cycle.frames), max(times, 1))
    return cycle.replace(
        local_rotations=cycle.local_rotations[frames],
        local_translations=cycle.local_translations[frames],
        labels={name: np.asarray(values)[frames] for name, values in cycle.labels.items()},
    )
