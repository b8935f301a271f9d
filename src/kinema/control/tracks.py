"""Standard tracks of commands to measure controllers with, each generated from a seed.

The harsh track is the one behind published figures. Each of the others tests one thing: turning evenly, starting and
stopping, reversing, strafing, going slowly, standing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.control.command import HARSH_SPEEDS, CommandTrack, check_length, harsh_track
from kinema.mocap.database import MotionDatabase

_STEP = 0.1  # seconds between two commands of a track with even turns


def figure_eights(seconds: float, seed: int) -> CommandTrack:
    """Walking at 1.4 m/s in full circles to alternating sides, each in 5 to 7 s."""
    rng = np.random.default_rng(seed)
    ends = _changes(seconds, rng, 5.0, 7.0, last=True)
    times = np.arange(0.0, seconds, _STEP)
    angles = np.interp(times, ends, np.where(np.arange(len(ends)) % 2, 2 * np.pi, 0.0))
    return _track(times, 1.4, angles, seconds)


def stops(seconds: float, seed: int) -> CommandTrack:
    """Going at 0.9 to 3 m/s and standing by turns, each for 1.5 to 3 s."""
    rng = np.random.default_rng(seed)
    times = _changes(seconds, rng, 1.5, 3.0)
    speeds = np.where(np.arange(len(times)) % 2, rng.choice([0.9, 1.4, 2.0, 3.0], len(times)), 0.0)
    return _track(times, speeds, rng.uniform(-np.pi, np.pi, len(times)), seconds)


def reversals(seconds: float, seed: int) -> CommandTrack:
    """Turning round by 150 to 210 degrees every 1.5 to 3 s, at 0.9 to 3 m/s."""
    rng = np.random.default_rng(seed)
    times = _changes(seconds, rng, 1.5, 3.0)
    angles = np.cumsum(rng.uniform(np.radians(150), np.radians(210), len(times)))
    return _track(times, rng.choice([0.9, 1.4, 2.0, 3.0], len(times)), angles, seconds)


def strafes(seconds: float, seed: int) -> CommandTrack:
    """Facing +Z all the time while going in any direction at 0.9 or 1.4 m/s, with a new one every 1.5 to 3 s."""
    rng = np.random.default_rng(seed)
    times = _changes(seconds, rng, 1.5, 3.0)
    track = _track(times, rng.choice([0.9, 1.4], len(times)), rng.uniform(-np.pi, np.pi, len(times)), seconds)
    return CommandTrack(times, track.velocities, np.tile(np.array([0, 0, 1], np.float32), (len(times), 1)), seconds)


def slow_walks(seconds: float, seed: int) -> CommandTrack:
    """Walking at 0.3 to 0.6 m/s, turning by up to 60 degrees every 2 to 4 s."""
    rng = np.random.default_rng(seed)
    times = _changes(seconds, rng, 2.0, 4.0)
    angles = np.cumsum(rng.uniform(-np.pi / 3, np.pi / 3, len(times)))
    return _track(times, rng.uniform(0.3, 0.6, len(times)), angles, seconds)


def standing(seconds: float, seed: int) -> CommandTrack:
    """Going at 0.9 to 2 m/s for 2 s and standing for 20 s, by turns."""
    rng = np.random.default_rng(seed)
    check_length(seconds)
    begins = np.arange(0.0, seconds, 22.0)
    drawn = np.array([(rng.choice([0.9, 1.4, 2.0]), rng.uniform(-np.pi, np.pi)) for _ in begins])
    speeds = np.stack([drawn[:, 0], np.zeros(len(begins))], axis=1).reshape(-1)
    times = np.stack([begins, begins + 2.0], axis=1).reshape(-1)
    there = times < seconds
    return _track(times[there], speeds[there], np.repeat(drawn[:, 1], 2)[there], seconds)


TRACKS: dict[str, Callable[[float, int], CommandTrack]] = {
    "harsh": harsh_track,
    "figure-eights": figure_eights,
    "reversals": reversals,
    "strafes": strafes,
    "stops": stops,
    "slow": slow_walks,
    "standing": standing,
}
"""Tracks by name; each takes its length in seconds and a seed."""


def share_of_speeds(database: MotionDatabase) -> float:
    """Share of the speeds of standard tracks at which a body is commanded to go.

    People are commanded at the stated speeds. Bodies on more legs go from walking pace to the speed of their fastest
    clip, since a gallop is three times as fast as a run, and a small spider is slower than a stroll.
    """
    if database.skeleton.roles.legs:
        return 1.0
    lengths = [
        float(np.linalg.norm(np.ptp(database.root_positions[clip.start : clip.stop], axis=0)))
        for clip in database.clips
    ]
    speeds = [length / (clip.frames / database.fps) for length, clip in zip(lengths, database.clips, strict=True)]
    return max(speeds) / max(HARSH_SPEEDS) or 1.0


def _changes(
    seconds: float, rng: np.random.Generator, shortest: float, longest: float, last: bool = False
) -> NDArray[np.float64]:
    """Times from 0 to `seconds`, `shortest` to `longest` apart. `last` adds the one after the end."""
    check_length(seconds)
    times = [0.0]
    while times[-1] < seconds:
        times.append(times[-1] + rng.uniform(shortest, longest))
    return np.asarray(times if last else times[:-1])


def _track(times: NDArray[np.float64], speeds: ArrayLike, angles: NDArray[np.float64], seconds: float) -> CommandTrack:
    """A track with these speeds at angles from +Z towards +X, facing the direction of travel."""
    directions = np.stack([np.sin(angles), np.zeros_like(angles), np.cos(angles)], axis=-1)
    velocities = np.broadcast_to(speeds, len(times))[:, None] * directions
    return CommandTrack(times, velocities.astype(np.float32), np.full((len(times), 3), np.nan, np.float32), seconds)
