"""Where a person is: from its place and size in the pictures, over a ground on which its feet stand."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats, Reals
from kinema.keypoints.body import ANKLE
from kinema.keypoints.proportions import USUAL, Proportions, index

_FOCAL = 1.3  # focal length over the height of the picture: an angle of view of 42 degrees
_PERSON = 0.6  # share of the picture's height that a person has, where the size of the picture is not known
_ROUNDS, _ABOVE = 12, 0.02  # rounds of the fit of the ground, and weight of feet over it
_LEVEL = 0.6  # metres towards the viewer and away in which a slope of the ground cannot be told
_STEEP = 0.5  # slope of the ground, as a level camera would see it, that is believed
_TOE = 0.02  # height of toes of an adult over the ground, metres


def roots(points: Floats, middles: Reals, body: Proportions, width: int, height: int) -> Floats:
    """Where the middle of the hips is, `[N, 3]`, metres: the ground is at height 0, and the viewer in +Z.

    Args:
        points: `[N, 21, 3]`, metres from there, see `kinema.keypoints.lifting.lift`.
        middles: there in the picture, `[N, 2]`, pixels.
        body: whose scale is used.
        width, height: of the pictures, pixels; 0 if they are not known.
    """
    tall = float(np.median(np.ptp(points[..., 1], axis=1) * body.scale))
    focal = _FOCAL * (height or tall / _PERSON)
    centre = np.array([width / 2, height / 2]) if width and height else np.median(middles, axis=0)
    away = focal / body.scale
    places = np.empty((len(points), 3))
    places[:, :2] = (middles - centre) * np.array([1.0, -1.0]) / body.scale[:, None]
    places[:, 2] = np.median(away) - away
    places[:, 0] -= places[0, 0]
    places[:, 1] -= _ground(places[:, 1] + _soles(points, body), places[:, 2])
    return places


def _soles(points: Floats, body: Proportions) -> Floats:
    """Height of the lowest sole over the middle of the hips, `[N]`."""
    ankle = ANKLE * body.length("shin") / USUAL[6]
    ankles = points[:, [index("left_ankle"), index("right_ankle")], 1].min(axis=1) - ankle
    toes = points[:, [index("left_toe"), index("right_toe")], 1].min(axis=1) - _TOE
    return np.minimum(ankles, toes)


def _ground(lowest: Floats, near: Floats) -> Floats:
    """Height of the ground `[N]`: a line under the lowest soles, since cameras mostly look down a little."""
    spread = near - near.mean()
    sloped = np.ptp(near) > _LEVEL
    columns = np.stack([np.ones_like(spread), spread if sloped else 0 * spread], axis=-1)
    weights, line = np.ones(len(lowest)), np.array([float(np.quantile(lowest, 0.1)), 0.0])
    for _ in range(_ROUNDS):
        weights = np.where(lowest > columns @ line, _ABOVE, 1.0)
        scaled = columns * weights[:, None]
        square = scaled.T @ columns + np.diag([1e-9, 1e-3 * len(lowest) * _ABOVE])
        line = np.linalg.solve(square, scaled.T @ lowest)
        line[1] = np.clip(line[1], -_STEEP, _STEEP)
    return np.asarray(columns @ line, np.float64)
