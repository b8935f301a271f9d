"""Standard tracks of commands to measure controllers with, each generated from a seed.

The harsh track is the one behind published figures. Each of the others tests one thing: turning evenly, starting and
stopping, reversing, strafing, going slowly, standing. Some follow paths: drawn at random on any ground, or over stairs
and slopes that they bring along. One goes the ways of captured takes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations
from kinema.control.command import Commands, CommandTrack, Steering, Track, check_length, harsh_track
from kinema.control.paces import paces_of
from kinema.control.path import SPACING, Path, PathTrack
from kinema.errors import UsageError
from kinema.mocap.database import MotionDatabase
from kinema.terrain import Extrusion, Ground, Placed, Plane, Union, slope, stairs

STYLE_SECONDS = 3.0
"""Seconds in one style on a track of changing styles."""

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


def to_goals(seconds: float, seed: int) -> CommandTrack:
    """Going to places 2 to 8 m away in any direction, to stand there in any facing: 5 s for each, and 1 s for a metre.

    The last one takes longer, so that no way is cut off.
    """
    rng = np.random.default_rng(seed)
    check_length(seconds)
    times, places, end = [0.0], [np.zeros(3)], 0.0
    while True:
        way, angle = rng.uniform(2.0, 8.0), rng.uniform(-np.pi, np.pi)
        if len(places) > 1 and end + 5.0 + way > seconds:
            break
        places.append(places[-1] + way * np.array([np.sin(angle), 0.0, np.cos(angle)]))
        times.append(end := end + 5.0 + way)
    angles = rng.uniform(-np.pi, np.pi, len(places) - 1)
    facings = np.stack([np.sin(angles), np.zeros_like(angles), np.cos(angles)], axis=-1).astype(np.float32)
    track = _track(np.asarray(times[:-1]), 1.4, np.zeros(len(angles)), seconds)
    return replace(track, goals=np.asarray(places[1:], np.float32), goal_facings=facings)


def retraced(seconds: float, seed: int, database: MotionDatabase) -> CommandTrack:
    """The ways of takes, one after the other at random, each from where the one before ended, in its direction.

    Commanded are mean velocities of half a second, and where the body faced.
    """
    check_length(seconds)
    rng, end, heading = np.random.default_rng(seed), 0.0, 0.0
    times, velocities, angles = [], [], []
    while end < seconds:
        clip = database.clips[rng.integers(len(database.clips))]
        at, last = np.arange(clip.frames) / database.fps, max((clip.frames - 1) / database.fps, _STEP)
        begin = np.arange(0.0, last - 0.5 * _STEP, _STEP)
        places = np.asarray(database.root_positions[clip.start : clip.stop], np.float64)
        yaw = np.unwrap(rotations.yaw(np.asarray(database.root_rotations[clip.start : clip.stop], np.float64)))
        turn = heading - yaw[0]
        after, before = (
            np.stack([np.interp(np.clip(begin + aside, 0.0, last), at, column) for column in places.T], axis=-1)
            for aside in (0.25, -0.25)
        )
        span = np.minimum(begin + 0.25, last) - np.maximum(begin - 0.25, 0.0)
        velocities.append(rotations.rotate(rotations.from_yaw(turn), (after - before) / span[:, None]))
        angles.append(np.interp(begin, at, yaw + turn))
        times.append(end + begin)
        end, heading = end + last, float(yaw[-1] + turn)
    kept = np.concatenate(times) < seconds
    faced = np.concatenate(angles)[kept]
    facings = np.stack([np.sin(faced), np.zeros_like(faced), np.cos(faced)], axis=-1).astype(np.float32)
    return CommandTrack(
        np.concatenate(times)[kept], np.concatenate(velocities)[kept].astype(np.float32), facings, seconds
    )


def winding(seconds: float, seed: int, speed: float) -> PathTrack:
    """A smooth path at one speed. Its curvature changes evenly to a new one every 1 to 3 m, of at most 0.8 1/m."""
    rng = np.random.default_rng(seed)
    length = speed * seconds + 5.0  # it does not end before the drive does
    ends = np.append([0.0, 1.0], 1.0 + _changes(length, rng, 1.0, 3.0, last=True)[1:])
    bends = np.append([0.0, 0.0], rng.uniform(-0.8, 0.8, len(ends) - 2))
    along = np.arange(0.0, length, SPACING)
    angles = np.cumsum(np.interp(along, ends, bends)) * SPACING
    steps = SPACING * np.stack([np.sin(angles), np.zeros_like(angles), np.cos(angles)], axis=-1)
    return PathTrack(Path.through(np.cumsum(steps, axis=0) - steps[0]), speed, seconds)


def climb(seconds: float, seed: int, part: Extrusion, speed: float) -> PathTrack:
    """Straight up and down over stairs or a ramp, and back across them at about 30 degrees, again and again.

    Args:
        part: the stairs or the ramp; they begin 1.5 m ahead of the start.
        speed: m/s.
    """
    check_length(seconds)
    rng = np.random.default_rng(seed)
    near, far = -0.5, 3.0 + float(part.along[-1])
    aside = 0.25 * (far - near)
    points, length = [(0.0, 0.0, 0.0)], 0.0
    while length < speed * seconds:
        lane, side = rng.uniform(-0.5, 0.5), rng.choice([-1.0, 1.0])
        start = lane if length else 0.0
        points += [(start, 0.0, near)] if length else []
        points += [(start, 0.0, far), (start + side * aside, 0.0, far), (start - side * aside, 0.0, near)]
        length += 2 * (far - near)
    return PathTrack(Path.through(points), speed, seconds, Union((Plane(), Placed(part, (0.0, 0.0, 1.5)))))


_WIDE = 12.0  # width of stairs and ramps, metres: paths across them stay on them
_STAIRS = {f"stairs-{rise}": stairs(6, 0.01 * rise, 0.28, width=_WIDE) for rise in (15, 20)}
_SLOPES = {f"slope-{angle}": slope(3.0, 3.0 * np.tan(np.radians(angle)), width=_WIDE) for angle in (15, 25)}


@dataclass(frozen=True)
class StyleChanges:
    """A track along which a character is told to move in another style every `STYLE_SECONDS` seconds; a `Track`.

    Attributes:
        track: where it goes. styles: at least two, drawn at random. seed: chooses them.

    Raises:
        UsageError: there are less than two styles.
    """

    track: Track
    styles: tuple[str, ...]
    seed: int = 0

    def __post_init__(self) -> None:
        if len(self.styles) < 2:
            raise UsageError(f"changes need at least two styles, not only {', '.join(self.styles) or 'none'}")

    @property
    def seconds(self) -> float:
        """Length of the track."""
        return self.track.seconds

    @property
    def ground(self) -> Ground | None:
        """See `Track`."""
        return self.track.ground

    def steering(self) -> Steering:
        """See `Track`."""
        rng, count = np.random.default_rng(self.seed), len(self.styles)
        steps = rng.integers(1, count, math.ceil(self.seconds / STYLE_SECONDS))  # never the same twice in a row
        names = [self.styles[place] for place in np.cumsum(steps) % count]
        steer = self.track.steering()

        def styled(time: float, position: NDArray[np.float32]) -> Commands:
            style = names[min(int(time / STYLE_SECONDS), len(names) - 1)]
            return replace(steer(time, position), styles=(style,))

        return styled

    def beside(self, positions: NDArray[np.float32]) -> NDArray[np.float32] | None:
        """See `Track`."""
        return self.track.beside(positions)

    def scaled(self, share: float) -> StyleChanges:
        """See `Track`."""
        return replace(self, track=self.track.scaled(share))


COMMANDED: dict[str, Callable[[float, int], Track]] = {
    "harsh": harsh_track,
    "figure-eights": figure_eights,
    "reversals": reversals,
    "strafes": strafes,
    "stops": stops,
    "slow": slow_walks,
    "standing": standing,
}
"""Tracks of commands by name; each takes its length in seconds and a seed."""

PATHS: dict[str, Callable[[float, int], Track]] = {
    f"path-{speed}": partial(winding, speed=speed) for speed in (0.9, 1.4, 2.0)
}
"""Paths by name and speed, m/s."""

CLIMBS: dict[str, Callable[[float, int], Track]] = {
    f"{name}-{speed}": partial(climb, part=part, speed=speed)
    for name, part in (_STAIRS | _SLOPES).items()
    for speed in (0.7, 1.2)
}
"""Paths over stairs and slopes by rise in cm or angle in degrees, and speed, m/s."""

PLACES: dict[str, Callable[[float, int], Track]] = {"goals": to_goals}
"""Tracks of goals by name."""

TRACKS = COMMANDED | PATHS | CLIMBS | PLACES
"""All tracks by name that need no takes."""

RETRACED = "takes"
"""The name of the ways of takes."""

GROUPS = {"all": tuple(COMMANDED), "paths": tuple(PATHS), "climbs": tuple(CLIMBS)}
"""Names of several tracks by one name. `all` are those of commands."""


def track_names(names: Sequence[str]) -> list[str]:
    """Names of tracks, those of groups replaced by their members.

    Raises:
        UsageError: there is no such track or group.
    """
    for name in names:
        if name not in TRACKS and name not in GROUPS and name != RETRACED:
            raise UsageError(f"no track is named {name!r}; there are {', '.join((*TRACKS, RETRACED, *GROUPS))}")
    return list(dict.fromkeys(one for name in names for one in GROUPS.get(name, (name,))))


def make_track(name: str, seconds: float, seed: int, database: MotionDatabase) -> Track:
    """A track by its name; see `track_names`."""
    return retraced(seconds, seed, database) if name == RETRACED else TRACKS[name](seconds, seed)


def share_of_speeds(database: MotionDatabase) -> float:
    """Share of the speeds of standard tracks at which a body is commanded to go; see `kinema.control.paces`.

    People are commanded at the stated speeds. Other bodies go at the same Froude numbers, unless their data are slower.
    """
    return paces_of(database).share


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
