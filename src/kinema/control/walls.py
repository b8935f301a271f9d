"""Walls: ground that rises more than a body can step. Bodies stop before it and slide along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Reals, Singles
from kinema.terrain import VOID, Ground, is_void

RADIUS = 0.4
"""Distance that the root of an adult keeps from walls, metres. A step in place fits in front of it."""

_SIGHT = 2.0  # distance at which an adult sees walls, metres
_SAMPLES = 24  # along that distance
_RUN = 3  # samples over which a rise counts as one step; two steps of stairs lie further apart
_HALVINGS = 4  # of the distance between two samples, to find the wall between them
_ANGLES = 2 * np.pi * np.arange(16) / 16
_RAYS = np.stack([np.sin(_ANGLES), np.zeros(16), np.cos(_ANGLES)], axis=-1).astype(np.float32)
_CORNER = 3  # projections that limit a vector in a corner of two walls


@dataclass(frozen=True, eq=False)
class Walls:
    """The walls around `n` bodies, each by its nearest point.

    Attributes:
        towards: `[n, K, 3]`, horizontal unit vectors to the nearest points.
        room: `[n, K]`, metres between the body and the wall: negative if it is in the wall, infinite without a wall.
    """

    towards: Singles
    room: Singles

    @staticmethod
    def nowhere(count: int) -> Walls:
        """No walls around `count` bodies."""
        return Walls(np.zeros((count, 0, 3), np.float32), np.zeros((count, 0), np.float32))

    @property
    def none(self) -> bool:
        """Whether there is no wall around any of the bodies."""
        return self.room.shape[1] == 0

    def moved(self, ways: Reals) -> Walls:
        """These walls for bodies that are `ways` `[n, 3]` further on, metres."""
        if self.none:
            return self
        return Walls(self.towards, (self.room - np.sum(self.towards * ways[:, None], axis=-1)).astype(np.float32))

    def stopped(self, ways: Singles) -> Singles:
        """The ways `[n, 3]` up to the walls and along them, metres."""
        return ways if self.none else _limited(ways, self.towards, np.maximum(self.room, np.float32(0)))

    def slowed(self, velocities: Singles, stopping: Singles, seconds: float) -> Singles:
        """The velocities `[n, 3]`, slowed down before walls and directed along them, m/s.

        Args:
            stopping: the ways `[n, 3]` of the bodies if they stop now, metres.
            seconds: time in which a body may use up its room after that. Whoever is in a wall leaves it.
        """
        if self.none:
            return velocities
        left = np.where(self.room < 0, self.room, np.maximum(self.moved(stopping).room, np.float32(0)))
        return _limited(velocities, self.towards, (left / seconds).astype(np.float32))

    def cut(self, ground: Ground, points: Singles, step: float) -> Ground:
        """The ground without what is high behind these walls, for bodies at `points` `[n, 3]` and steps in metres."""
        return ground if self.none else Cut(ground, self, points, step)


@dataclass(frozen=True, eq=False)
class Cut(Ground):
    """A ground as `n` characters can use it: there is none where it is higher than a step and behind a wall.

    The first dimension of points is the characters'.

    Attributes:
        ground: the whole ground.
        walls: the walls around the characters, `[n, K]`, at `points` `[n, 3]`.
        step: highest rise that is a step, metres.
    """

    ground: Ground
    walls: Walls
    points: Singles
    step: float

    def height(self, points: Reals) -> Singles:
        """See `Ground`."""
        heights = self.ground.height(points)
        rows = (-1, *(1,) * (points.ndim - 2))
        high = heights > self.points[:, 1].reshape(rows) + np.float32(self.step)
        if not high.any():
            return heights
        ways = points - self.points.reshape(*rows, 3)
        for towards, room in zip(self.walls.towards.swapaxes(0, 1), self.walls.room.T, strict=True):
            behind = np.sum(towards.reshape(*rows, 3) * ways, axis=-1) > room.reshape(rows)
            heights = np.where(high & behind, np.float32(VOID), heights)
        return heights

    def normal(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.ground.normal(points)

    def velocity(self, points: Reals) -> Singles:
        """See `Ground`."""
        return self.ground.velocity(points)


def find_walls(ground: Ground, points: Singles, step: float, size: float = 1.0) -> Walls:
    """The walls around bodies at `points` `[n, 3]`, metres, in all directions.

    A wall is where the ground rises by more than a step within a quarter of a metre. Where there is no ground, nothing
    rises. Walls narrower than 0.1 m may be missed.

    Args:
        points: at the height of the ground on which the bodies are.
        step: highest rise that is a step, metres of an adult; infinite for none.
        size: of the bodies, relative to an adult.
    """
    if ground.is_level or not step < np.inf:
        return Walls.nowhere(len(points))
    far = np.linspace(0, size * _SIGHT, _SAMPLES + 1, dtype=np.float32)
    heights = ground.height(points[:, None, None] + far[:, None] * _RAYS[:, None])  # [n, 16, S + 1]
    own = np.maximum(heights[..., :1], points[:, None, 1:2])
    heights = _over_gaps(np.concatenate([own, heights[..., 1:]], axis=-1))
    before = np.concatenate([np.repeat(own, _RUN - 1, axis=-1), heights[..., :-_RUN]], axis=-1)
    limit = before + np.float32(size * step)  # [n, 16, S]: of the samples after the first
    rises = heights[..., 1:] > limit
    if not rises.any():
        return Walls.nowhere(len(points))
    first = rises.argmax(axis=-1)
    limit = np.take_along_axis(limit, first[..., None], axis=-1)[..., 0]
    distance = _edges(ground, points, far[first], far[first + 1], limit)
    return _nearest(np.where(rises.any(axis=-1), distance, np.inf), size * RADIUS)


def _over_gaps(heights: Singles) -> Singles:
    """The heights `[..., S]`; where there is no ground, the last one before it."""
    void = is_void(heights)
    if not void.any():
        return heights
    last = np.maximum.accumulate(np.where(void, 0, np.arange(heights.shape[-1])), axis=-1)
    return np.take_along_axis(heights, last, axis=-1)


def _edges(ground: Ground, points: Singles, low: Singles, high: Singles, limit: Singles) -> Singles:
    """Distances `[n, 16]` from points along the rays, between `low` and `high`, at which the ground exceeds a limit."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        over = ground.height(points[:, None] + middle[..., None] * _RAYS) > limit
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return high


def _nearest(distance: Singles, radius: float) -> Walls:
    """The walls whose edges are at distances `[n, 16]` along the rays: the places where the distance is least.

    Edges that are neighbours are joined by straight lines.
    """
    there = np.isfinite(distance)
    edge = np.where(there, distance, 0)[..., None] * _RAYS
    along = np.roll(edge, -1, axis=1) - edge
    joined = there & np.roll(there, -1, axis=1)
    length = np.maximum(np.sum(along * along, axis=-1), 1e-12)
    share = np.where(joined, np.clip(-np.sum(edge * along, axis=-1) / length, 0, 1), 0)
    nearest = edge + share[..., None] * along
    away = np.where(there, np.linalg.norm(nearest, axis=-1), np.inf)
    least: Bools = there & (away <= np.roll(away, 1, axis=1)) & (away < np.roll(away, -1, axis=1))
    towards = np.where(least, 1 / np.maximum(away, 1e-6), 0)[..., None] * nearest
    return Walls(towards.astype(np.float32), np.where(least, away - radius, np.inf).astype(np.float32))


def _limited(vectors: Singles, towards: Singles, most: Singles) -> Singles:
    """The vectors `[n, 3]`, with at most `most` `[n, K]` of them `towards` `[n, K, 3]`."""
    rows = np.arange(len(vectors))
    for _ in range(_CORNER):
        over = np.sum(towards * vectors[:, None], axis=-1) - most
        worst = over.argmax(axis=1)
        vectors = vectors - np.maximum(over[rows, worst], 0)[:, None] * towards[rows, worst]
    return vectors.astype(np.float32)
