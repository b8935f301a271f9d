"""Follows a path on the ground: from a path, a speed and the positions of characters to their commands.

Characters obey late, so they are commanded what the path asks for a little ahead of them: the faster they are, the
further ahead. A velocity across the path brings back those who are beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import springs
from kinema.arrays import Floats, Singles
from kinema.control.command import Commands, Steering, scaled_ground
from kinema.control.trajectory import VELOCITY_HALFLIFE
from kinema.errors import ControlError
from kinema.terrain import Ground

SPACING = 0.05
"""Metres between the points at which a path is sampled."""

_BEND = 5  # samples on both sides of a point over which a bend is measured
_AHEAD = 20  # samples ahead of a character among which the nearest is looked for
_PARTS = 4  # steps in which the lead is looked ahead, since speeds change within it


@dataclass(frozen=True, eq=False)
class Path:
    """A way over the ground.

    Attributes:
        points: float64 `[P, 2]`: x and z, metres; each `spacing` from the one before, but the last.
        spacing: metres.
    """

    points: Floats
    spacing: float

    @staticmethod
    def through(points: ArrayLike, spacing: float = SPACING) -> Path:
        """The path with straight lines between points `[K, 3]`, metres; their heights do not matter.

        Raises:
            ControlError: there are not two different points, or they are not finite.
        """
        given = np.asarray(points, np.float64)
        if given.ndim != 2 or given.shape[1] != 3 or not len(given) or not np.isfinite(given).all():
            raise ControlError(f"a path needs points [K, 3] that are finite, not an array {list(given.shape)}")
        corners = given[:, [0, 2]]
        corners = corners[np.append(True, np.linalg.norm(np.diff(corners, axis=0), axis=1) > 1e-6)]
        if len(corners) < 2:
            raise ControlError("a path needs two different points")
        at = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1)))
        wanted = np.append(np.arange(0.0, at[-1] - 1e-6, spacing), at[-1])
        return Path(np.stack([np.interp(wanted, at, corners[:, axis]) for axis in (0, 1)], axis=-1), spacing)

    @cached_property
    def distances(self) -> Floats:
        """Distances `[P]` of the points from the start, along the path, metres."""
        return np.append(0.0, np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1)))

    @property
    def length(self) -> float:
        """Metres."""
        return float(self.distances[-1])

    def at(self, distance: Floats) -> Floats:
        """Points `[..., 2]` at distances `[...]` along the path; straight on before its start and behind its end."""
        inside = np.stack([np.interp(distance, self.distances, self.points[:, axis]) for axis in (0, 1)], axis=-1)
        beyond = distance - np.clip(distance, 0.0, self.length)
        first, last = self.points[1] - self.points[0], self.points[-1] - self.points[-2]
        end = np.where(beyond[..., None] < 0, first / np.linalg.norm(first), last / np.linalg.norm(last))
        return inside + beyond[..., None] * end

    def directions(self, distance: Floats) -> Floats:
        """Unit vectors `[..., 2]` along the path at distances `[...]`."""
        line = self.at(distance + self.spacing) - self.at(distance - self.spacing)
        return line / np.maximum(np.linalg.norm(line, axis=-1, keepdims=True), 1e-9)

    def curvatures(self) -> Floats:
        """Curvatures `[P]` at the points, 1/m: how far the path turns within half a metre, by its length."""
        reach = _BEND * self.spacing
        before, after = (self.directions(self.distances + sign * reach) for sign in (-1, 1))
        turns = np.arccos(np.clip((before * after).sum(-1), -1.0, 1.0))
        return turns / (2 * reach)

    def nearest(self, places: Floats, least: Floats) -> tuple[Floats, Floats]:
        """The nearest points to `places` a little ahead: distances `[n]` along the path, and metres `[n]` to them.

        Args:
            places: `[n, 2]`: x and z, metres.
            least: `[n]`: distances along the path, metres. The metre ahead of them is searched, so that a path may
                cross itself.
        """
        first = np.minimum(np.searchsorted(self.distances, least, side="right") - 1, len(self.points) - 2)
        number = np.minimum(first[:, None] + np.arange(_AHEAD), len(self.points) - 2)  # [n, A]
        start, line = self.points[number], self.points[number + 1] - self.points[number]
        size = (line * line).sum(-1)
        share = np.clip(((places[:, None] - start) * line).sum(-1) / size, 0.0, 1.0)
        away = np.linalg.norm(start + share[..., None] * line - places[:, None], axis=-1)
        best = away.argmin(axis=1)
        rows = np.arange(len(places))
        found = self.distances[number[rows, best]] + share[rows, best] * np.sqrt(size[rows, best])
        return np.maximum(found, least), away[rows, best]

    def beside(self, positions: Singles) -> Singles:
        """Metres `[F]` from the path, of the positions `[F, 3]` of somebody who follows it from its start."""
        least, found = np.zeros(1), np.empty(len(positions), np.float32)
        for frame, place in enumerate(np.asarray(positions, np.float64)[:, None, [0, 2]]):
            least, away = self.nearest(place, least)
            found[frame] = away[0]
        return found

    def scaled(self, scale: float) -> Path:
        """The path about the origin, `scale` times as large."""
        return Path(scale * self.points, scale * self.spacing)


@dataclass
class PathFollower:
    """Makes commands for `n` characters that follow one path, each from its start to its end, where they stop.

    Attributes:
        path: the path.
        speed: m/s; one, or `[n]`.
        sideways: largest acceleration across the path, m/s^2. It slows characters in bends.
        braking: how fast they slow down before a bend and before the end, m/s^2.
        lead: seconds that a character is behind its commands.
        pull: share of the distance beside the path that is taken back per second, 1/s.
        progress: `[n]`, metres along the path.
    """

    path: Path
    speed: float | NDArray[np.floating]
    sideways: float = 1.5
    braking: float = 1.0
    lead: float = 2.0 / springs.damping(VELOCITY_HALFLIFE)
    pull: float = 1.0
    progress: Floats = field(default_factory=lambda: np.zeros(1))

    def __post_init__(self) -> None:
        if not (np.isfinite(self.speed).all() and np.min(self.speed) > 0):
            raise ControlError(f"a path is followed at a speed above 0, not {self.speed}")
        self._limits = self._speed_limits()

    def reset(self, count: int) -> None:
        """Restart with `count` characters at the start of the path."""
        self.progress = np.zeros(count)

    def step(self, positions: Singles) -> Commands:
        """The commands for characters at positions `[n, 3]`, metres, world."""
        places = np.asarray(positions, np.float64)[:, [0, 2]]
        self.progress, _ = self.path.nearest(places, self.progress)
        ahead = self._ahead()
        along = self._speeds(ahead)[:, None] * self.path.directions(ahead)
        back = self.pull * (self.path.at(self.progress) - places)
        size = np.linalg.norm(back, axis=-1, keepdims=True)
        back *= np.minimum(1.0, np.linalg.norm(along, axis=-1, keepdims=True) / np.maximum(size, 1e-9))
        velocity = np.insert(along + back, 1, 0.0, axis=-1)
        return Commands.create(velocity)

    def _ahead(self) -> Floats:
        """Where along the path `[n]` the characters will be when they obey, metres."""
        ahead = self.progress
        for _ in range(_PARTS):
            ahead = ahead + self.lead / _PARTS * self._speeds(ahead)
        return ahead

    def _speeds(self, distance: Floats) -> Floats:
        """Speeds `[n]` to go at, at distances `[n]` along the path, m/s."""
        return np.minimum(self.speed, np.interp(distance, self.path.distances, self._limits))

    def _speed_limits(self) -> Floats:
        """Speeds `[P]` that bends allow, reached by braking in time; zero at the end."""
        squares = self.sideways / np.maximum(self.path.curvatures(), 1e-9)
        squares[-1] = 0.0
        slower = 2 * self.braking * (self.path.length - self.path.distances)
        return np.sqrt(np.minimum.accumulate((squares - slower)[::-1])[::-1] + slower)


@dataclass(frozen=True, eq=False)
class PathTrack:
    """A path to drive a character along; a `kinema.control.command.Track`.

    Attributes:
        path: from the origin, where characters start, towards +Z.
        speed: m/s.
        seconds: length of the track.
        ground: the ground that belongs to the path; None for any.
        scale: of accelerations, as bodies of other sizes have them.
    """

    path: Path
    speed: float
    seconds: float
    ground: Ground | None = None
    scale: float = 1.0

    def steering(self) -> Steering:
        """See `Track`."""
        follower = PathFollower(
            self.path,
            self.speed,
            sideways=self.scale * PathFollower.sideways,
            braking=self.scale * PathFollower.braking,
        )
        return lambda time, positions: follower.step(positions)

    def beside(self, positions: Singles) -> Singles:
        """See `Track`."""
        return self.path.beside(positions)

    def scaled(self, share: float) -> PathTrack:
        """The path, its ground and the speed at `share` of their size, so that it takes as long."""
        ground = scaled_ground(self.ground, share)
        path, speed, scale = self.path.scaled(share), share * self.speed, share * self.scale
        return replace(self, path=path, speed=speed, ground=ground, scale=scale)
