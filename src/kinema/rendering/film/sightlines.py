"""Where a camera can stand in a captured scene so that nothing is between it and what it follows.

Opaque parts of the scene become a grid of blocks. For moments of a film, directions around the body are judged by how
much of the lines of sight to its head, middle and legs is blocked, and the best sequence of directions is found, in
which the camera turns no faster than it must (A. Viterbi, "Error bounds for convolutional codes", 1967).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from kinema.arrays import Bools, Floats
from kinema.worlds.gaussians import GaussianScene

_BLOCK = 0.15  # metres of a block, at least
_MOST = 256  # blocks to a side
_OPAQUE = 0.3
_BODY = 0.12  # share of the line of sight next to the body that may be blocked: its ground and what it holds
_SEEN = (-0.25, 0.0, 0.35)  # heights of the places that are looked at, over the middle; of the size of the body
_AZIMUTHS = 24
_RISES = (0.0, 0.2, 0.45, 0.8)  # radians above the elevation that is wanted
_SAMPLES = 40  # points on a line of sight
_EVERY = 0.4  # seconds between moments
_BLOCKED, _AWAY, _RISEN, _TURNED = 10.0, 0.3, 0.5, 2.0  # costs: all of it blocked, a radian away, risen, turned
_SMOOTH = 0.7  # seconds


@dataclass(frozen=True, eq=False)
class Blocks:
    """Opaque parts of a scene on a grid.

    Attributes:
        taken: `[X, Y, Z]`. low: `[3]`, corner of the first block. size: of a block, metres.
    """

    taken: Bools
    low: Floats
    size: float

    @staticmethod
    def of(scene: GaussianScene) -> Blocks:
        """The blocks that hold the centre of something opaque."""
        means = scene.means[scene.opacities >= _OPAQUE].astype(np.float64)
        if not len(means):
            return Blocks(np.zeros((1, 1, 1), np.bool_), np.zeros(3), _BLOCK)
        low, high = np.quantile(means, (0.001, 0.999), axis=0)
        size = max(_BLOCK, float((high - low).max()) / (_MOST - 1))
        shape = np.floor((high - low) / size).astype(int) + 1
        cells = np.floor((means - low) / size).astype(int)
        cells = cells[((cells >= 0) & (cells < shape)).all(axis=1)]
        taken = np.zeros(shape, np.bool_)
        taken[tuple(cells.T)] = True
        return Blocks(taken, low, size)

    def hold(self, points: Floats) -> Bools:
        """Which points `[..., 3]` are in a block."""
        cells = np.floor((points - self.low) / self.size).astype(np.int64)
        inside = ((cells >= 0) & (cells < self.taken.shape)).all(axis=-1)
        found = np.zeros(points.shape[:-1], np.bool_)
        found[inside] = self.taken[tuple(cells[inside].T)]
        return found


def clear_directions(
    scene: GaussianScene,
    targets: Callable[[Floats], Floats],
    bodies: Callable[[Floats], Floats],
    seconds: float,
    azimuth: Callable[[float], float],
    elevation: float,
    distance: float,
    size: float,
) -> Callable[[float], tuple[float, float]]:
    """Azimuth and elevation at each time, radians, from which a body can be seen, close to those that are wanted.

    Args:
        targets: what the camera looks at, `[N, 3]` at times `[N]`. bodies: the middle of the body.
        seconds: of the film.
        azimuth: wanted at a time, radians. elevation: wanted. distance: from the target to the camera, metres.
        size: of the body, metres.
    """
    blocks = Blocks.of(scene)
    times = np.linspace(0.0, seconds, max(int(np.ceil(seconds / _EVERY)), 1) + 1)
    wanted = np.asarray([azimuth(time) for time in times.tolist()])
    around = np.linspace(-np.pi, np.pi, _AZIMUTHS, endpoint=False)
    turn, rise = (grid.ravel() for grid in np.meshgrid(around, np.asarray(_RISES), indexing="ij"))
    high = np.clip(elevation + rise, -1.5, 1.5)
    azimuths = wanted[:, None] + turn  # [T, D]
    level = np.cos(high)
    ways = np.stack(
        [np.sin(azimuths) * level, np.broadcast_to(np.sin(high), azimuths.shape), np.cos(azimuths) * level], -1
    )
    shares, blocked = np.linspace(_BODY, 1.05, _SAMPLES)[:, None], np.zeros(azimuths.shape)
    eyes = (targets(times)[:, None] + distance * ways)[:, :, None]
    for height in _SEEN:
        places = (bodies(times) + np.array([0.0, height * size, 0.0]))[:, None, None]
        held = blocks.hold(places + shares * (eyes - places))
        blocked += np.sqrt(held.mean(axis=-1)) / len(_SEEN)
    cost = _BLOCKED * blocked + _AWAY * np.abs(turn) + _RISEN * rise
    moved = np.abs((turn[:, None] - turn + np.pi) % (2 * np.pi) - np.pi) + np.abs(high[:, None] - high)
    best = _cheapest(cost, _TURNED * moved)
    angles = np.unwrap(wanted + turn[best])
    sigma = _SMOOTH / max(float(times[1] - times[0]), 1e-9)
    smooth = [gaussian_filter1d(values, sigma, mode="nearest") for values in (angles, high[best])]
    return lambda time: (float(np.interp(time, times, smooth[0])), float(np.interp(time, times, smooth[1])))


def _cheapest(cost: Floats, between: Floats) -> np.ndarray:
    """The sequence of states `[T]` of least cost `[T, D]`, with that between one and the next, `[D, D]`."""
    total, came = cost[0], np.zeros(cost.shape, np.int64)
    for moment in range(1, len(cost)):
        every = total[:, None] + between
        came[moment] = every.argmin(axis=0)
        total = every.min(axis=0) + cost[moment]
    path = [int(total.argmin())]
    for moment in range(len(cost) - 1, 0, -1):
        path.append(int(came[moment, path[-1]]))
    return np.asarray(path[::-1])
