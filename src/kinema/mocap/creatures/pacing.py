"""How fast a body of a given build walks, runs, turns, flies and swims."""

from __future__ import annotations

import numpy as np

from kinema.mocap.creatures.acts import ACTIONS
from kinema.mocap.creatures.course import Pacing
from kinema.mocap.creatures.standing import Standing

_LEGS = 0.15, 2.5  # metres; bodies beyond these sizes, often in wrong units, move as if they had such legs
_SPEEDS = {  # Froude speeds: slow, usual and fast
    "two": {"walk": (0.28, 0.45, 0.66), "run": (0.9, 1.35, 2.1), "back": (0.15, 0.25, 0.35)},
    "hopper": {"walk": (0.3, 0.6, 0.9), "run": (0.9, 1.2, 1.7), "back": (0.15, 0.2, 0.3)},
    "four": {"walk": (0.26, 0.42, 0.6), "run": (0.85, 1.5, 2.2), "back": (0.12, 0.2, 0.3)},
    "sprawled": {"walk": (0.15, 0.28, 0.42), "run": (0.55, 0.8, 1.15), "back": (0.08, 0.14, 0.2)},
    "many": {"walk": (0.1, 0.24, 0.4), "run": (0.5, 0.75, 1.05), "back": (0.08, 0.15, 0.24)},
    "train": {"walk": (0.2, 0.4, 0.6), "run": (0.7, 0.95, 1.3)},
    "crawl": {"walk": (0.35, 0.7, 1.1), "run": (1.3, 1.8, 2.4), "turn": (0.35, 0.5, 0.7)},
    "swim": {"swim": (0.5, 1.1, 2.2), "turn": (0.15, 0.25, 0.4)},
    "tentacles": {"walk": (0.08, 0.16, 0.26), "back": (0.06, 0.1, 0.16), "swim": (0.4, 0.8, 1.3)},
}
_TURNING = 0.75  # bodies whose feet are further from their middle than this, in leg lengths, turn more slowly
_WINDING = 1.6  # snakes turn on an arc, which takes longer than on the spot
_FLIGHT = {"fly": (1.4, 2.2, 3.2), "glide": (1.8, 2.6, 3.4)}


def pace_of(body: Standing, build: str, sideways: bool = False) -> Pacing:
    """The tempo of a body.

    Args:
        body: its size and limbs.
        build: a kind of body, see `gaits.build_of`, or "crawl", "swim" or "tentacles".
        sideways: whether it travels sideways, as crabs do.
    """
    unit = float(np.sqrt(np.clip(body.leg, *_LEGS) / 9.81))
    speeds = dict(_SPEEDS[build])
    altitude = 0.0
    if body.anatomy.wings:
        span = max(float(np.abs(body.positions[limb.joints[-1], 0])) for limb in body.anatomy.wings)
        altitude = 1.2 * span + 0.8 * body.leg
        speeds |= _FLIGHT
    if build == "tentacles":
        altitude = 1.2 * body.leg
    aloft = ("swim",) if build == "tentacles" else ("fly", "glide")
    if body.hovers:
        aloft = tuple(action for action in ACTIONS if action != "die")
    follows = build in ("train", "crawl", "swim")
    slowness = _WINDING if build == "crawl" else max(1.0, body.stance_radius / (_TURNING * body.leg))
    return Pacing(unit, body.leg, speeds, 0.5 * np.pi if sideways else 0.0, altitude, aloft, slowness, follows)
