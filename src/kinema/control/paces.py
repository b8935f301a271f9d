"""How fast a body is asked to go and to turn: people as people do, others as their size and their data allow.

Bodies of different sizes move alike at the same Froude number, so that speeds grow with the root of the leg (Alexander,
"Optimization and gaits in the locomotion of vertebrates", Physiological Reviews 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.control.trajectory import HEADING_HALFLIFE
from kinema.mocap.contacts import tempo
from kinema.mocap.database import MotionDatabase
from kinema.mocap.styles import root_rates
from kinema.roles.rest import rest_pose
from kinema.skeleton import Skeleton

FASTEST_TRACK = 3.0
"""The fastest speed of the standard tracks, m/s."""

_WALK, _RUN, _SLOW = 1.4, 3.2, 0.7  # m/s of people
_SUSTAINED = 1.0  # seconds over which an adult goes at a speed that counts as reached
_REACHED = 98.0  # percentile of speeds and turns that the data reach
_TURNING = 3.3  # rad/s that data of people reach at that percentile
_SIDEWAYS = 0.7  # share of its ways to the side from which on a body goes sideways
_SLOWEST_TURN = 2.5  # times the half-life of people, at most


@dataclass(frozen=True)
class Paces:
    """How fast a body is asked to go and to turn.

    Attributes:
        slow, walk, run: speeds of a player, m/s.
        share: share of the speeds of standard tracks. top_share: that at which the data are at their fastest.
        heading_halflife: half-life with which the heading follows the command, seconds of an adult.
        sideways: angle between facing and travel, see `kinema.control.trajectory.Trajectory`.
    """

    slow: float = _SLOW
    walk: float = _WALK
    run: float = _RUN
    share: float = 1.0
    top_share: float = 1.0
    heading_halflife: float = HEADING_HALFLIFE
    sideways: float = 0.0


def is_person(skeleton: Skeleton) -> bool:
    """Whether a body stands upright on two legs: its neck, or else its spine, is above the hips and not ahead."""
    roles = skeleton.roles
    if not roles.legs:
        return False
    top = roles.neck if roles.neck is not None else roles.spine[-1] if roles.spine else None
    if top is None:
        return True
    positions = skeleton.rest_pose.global_positions
    way, up = positions[top] - positions[roles.hips], rest_pose(skeleton).up
    high = float(way @ up)
    return high > 2.0 * float(np.linalg.norm(way - high * up))


def paces_of(database: MotionDatabase) -> Paces:
    """The paces of a body. People have their usual ones, whatever their data hold."""
    if is_person(database.skeleton):
        return Paces()
    scale = tempo(database.skeleton)
    speed, turning, sideways = _reached(database, scale)
    if not speed > 0:
        return Paces()
    slower = _TURNING / max(turning * scale, _TURNING / _SLOWEST_TURN)
    return Paces(
        slow=min(scale * _SLOW, 0.25 * speed),
        walk=min(scale * _WALK, 0.5 * speed),
        run=speed,
        share=min(scale, speed / FASTEST_TRACK),
        top_share=speed / FASTEST_TRACK,
        heading_halflife=HEADING_HALFLIFE * max(slower, 1.0),
        sideways=0.5 * np.pi if sideways > _SIDEWAYS else 0.0,
    )


def _reached(database: MotionDatabase, scale: float) -> tuple[float, float, float]:
    """The speed, m/s, that the data keep up for a while, the turn rate, rad/s, and the share of ways to the side."""
    frames = max(round(scale * _SUSTAINED * database.fps), 1)
    speeds: list[Floats] = []
    turns: list[Floats] = []
    for clip in database.clips:
        places = np.asarray(database.root_positions[clip.start : clip.stop], np.float64)
        yaw = np.unwrap(rotations.yaw(np.asarray(database.root_rotations[clip.start : clip.stop], np.float64)))
        step = min(frames, clip.frames - 1)
        if step > 0:
            speeds.append(np.linalg.norm(places[step:] - places[:-step], axis=-1) * database.fps / step)
            turns.append(np.abs(np.diff(yaw)) * database.fps)
    if not speeds:
        return 0.0, 0.0, 0.0
    fastest, sharpest = (np.percentile(np.concatenate(values), _REACHED) for values in (speeds, turns))
    ways = np.abs(root_rates(database)[:, :3]).sum(axis=0)
    return float(fastest), float(sharpest), float(ways[0] / max(ways[0] + ways[2], 1e-9))
