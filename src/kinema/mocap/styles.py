"""Styles: how a clip is moved, apart from where it goes and how fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema import kinematics, rotations
from kinema.arrays import Bools, Ints, Singles
from kinema.mocap.database import Clip, MotionDatabase

_WORDS = """
walk walks walking stroll strolling jog jogs jogging run runs running dash sprint sprinting gallop trot
stand stands standing idle turn turns turning pivot start starts stop stops strafe strafing sidestep step steps
acceleration deceleration left right forward forwards fwd back backward backwards bwd side sideways spot place
circle circles snake eight slow fast speed locomotion motion dataset clip take loop cycle generated mirrored
normal neutral a and at free from in of on out outof range roam the to with
"""
PLAIN = frozenset(_WORDS.split())
"""Words that say where a clip goes and how fast, but not how."""


def style_of(clip: Clip) -> str:
    """The style of a clip: its tags without those that are `PLAIN`, sorted; empty if none are left."""
    return " ".join(sorted(tag for tag in clip.tags if tag not in PLAIN))


def style_numbers(clips: Sequence[Clip]) -> Ints:
    """A number `[n]` for each clip, the same for clips of one style."""
    numbers: dict[str, int] = {}
    return np.asarray([numbers.setdefault(style_of(clip), len(numbers)) for clip in clips], np.int64)


def root_rates(database: MotionDatabase) -> Singles:
    """Velocity in the root frame (m/s) and turn rate (rad/s) of every frame, `[N, 4]`."""
    rates = np.zeros((database.frames, 4), np.float32)
    dt = 1.0 / database.fps
    for clip in database.clips:
        rows = slice(clip.start, clip.stop)
        root_rotations = np.asarray(database.root_rotations[rows])
        velocity = kinematics.velocities(np.asarray(database.root_positions[rows]), dt)
        rates[rows, :3] = rotations.inverse_rotate(root_rotations, velocity)
        rates[rows, 3] = kinematics.angular_velocities(root_rotations, dt)[:, 1]
    return rates


def still_frame(database: MotionDatabase, usable: Bools | None = None) -> int:
    """The frame in which a body stands most nearly still, without a style or in the most common one.

    Args:
        usable: frames `[N]` to choose from; default all.
    """
    rates = root_rates(database)
    speed = np.linalg.norm(rates[:, :3], axis=-1) + np.abs(rates[:, 3])
    usable = np.ones(database.frames, np.bool_) if usable is None else usable
    return int(np.argmin(np.where(_home(usable, database), speed, np.inf)))


def _home(usable: Bools, database: MotionDatabase) -> Bools:
    """The usable frames `[N]` without a style; those of the most common style if all have one."""
    styles = np.repeat([style_of(clip) for clip in database.clips], [clip.frames for clip in database.clips])
    there, counts = np.unique(styles[usable], return_counts=True)
    return usable & (styles == ("" if "" in there else there[counts.argmax()]))
