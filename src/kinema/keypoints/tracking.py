"""One person among several: people are followed from picture to picture, since files list them in any order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from kinema.arrays import Floats, Reals

_TRUSTED = 0.05  # confidence from which on a point is there
_NEAR = 0.5  # share of its size that a person moves between two pictures, at most
_LOST = 30  # pictures for which somebody may be away
_FEWEST = 4  # points of somebody who is followed


def main_person(pictures: Sequence[Sequence[Reals]]) -> list[int]:
    """Which of the people of each picture is the main one; -1 where it is nobody.

    That is who is largest and longest there, by the sum of heights.

    Args:
        pictures: the people of each, `[K, 3]`, pixels and confidence.
    """
    tracks: list[_Track] = []
    for number, people in enumerate(pictures):
        found = [one.astype(np.float64) for one in people]
        alive = [track for track in tracks if number - track.last <= _LOST]
        free = dict.fromkeys(range(len(found)))
        if alive and found:
            costs = np.array([[track.away(one) for one in found] for track in alive])
            for row, column in zip(*linear_sum_assignment(costs), strict=True):
                if costs[row, column] < _NEAR:
                    alive[row].add(number, int(column), found[column])
                    free.pop(int(column))
        tracks += [_Track(number, at, found[at]) for at in free if (found[at][:, 2] > _TRUSTED).sum() >= _FEWEST]
    chosen = [-1] * len(pictures)
    if tracks:
        for number, at in max(tracks, key=lambda track: track.score).places:
            chosen[number] = at
    return chosen


class _Track:
    """A person in some pictures."""

    def __init__(self, number: int, at: int, points: Floats) -> None:
        self.places: list[tuple[int, int]] = []
        self.score = 0.0
        self._points = np.zeros_like(points)
        self._size = 1.0
        self.add(number, at, points)

    def add(self, number: int, at: int, points: Floats) -> None:
        there = points[:, 2] > _TRUSTED
        self._points[there] = points[there]
        self.places.append((number, at))
        self.last = number
        if there.any():
            self._size = max(float(np.ptp(self._points[self._points[:, 2] > 0, :2], axis=0).max()), 1.0)
            self.score += float(np.ptp(points[there, 1]))

    def away(self, points: Floats) -> float:
        """How far somebody is from where this person was last, in sizes; large if that cannot be told."""
        both = (points[:, 2] > _TRUSTED) & (self._points[:, 2] > _TRUSTED)
        if both.sum() < _FEWEST:
            return 1e3
        return float(np.median(np.linalg.norm(points[both, :2] - self._points[both, :2], axis=-1))) / self._size
