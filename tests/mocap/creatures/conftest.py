from functools import cache

import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures import Act, make_creature, perform

ONE_OF_EACH = (
    "person", "raptor", "sparrow", "dog", "horse", "bear", "lizard", "ant", "spider", "crab", "centipede", "snake",
    "fish", "dragon", "octopus",
)  # fmt: skip
LEGGED = tuple(name for name in ONE_OF_EACH if name not in ("snake", "fish"))


@cache
def creature(name, seed=None):
    return make_creature(name, seed)


@cache
def clip(name, script, seed=0, rig=None, fps=30.0):
    return perform(creature(name, rig), script, fps, seed)


def travel(name):
    """A clip of standing, travelling and stopping."""
    kind = "swim" if name == "fish" else "walk"
    return clip(name, (Act("idle", 0.7), Act(kind, 2.5), Act("idle", 2.8)))


def feet(motion):
    """Joint, contact `[F]` and position `[F, 3]` of every foot."""
    positions = motion[:].global_positions.astype(np.float64)
    for label, planted in motion.labels.items():
        if label.startswith("contact."):
            joint = motion.skeleton.index(label.removeprefix("contact."))
            yield joint, planted, positions[:, joint]


def drift(motion):
    """Furthest way of a foot between two frames in contact, metres."""
    most = 0.0
    for _, planted, path in feet(motion):
        both = planted[1:] & planted[:-1]
        most = max(most, float((np.linalg.norm(np.diff(path, axis=0), axis=-1) * both).max()))
    return most


def spin(motion):
    """Angular speed `[F - 1, J]` of all joints relative to their parents, rad/s."""
    local = motion.local_rotations.astype(np.float64)
    return rotations.angle(rotations.relative(local[:-1], local[1:])) * motion.fps


def size(motion):
    return float(np.ptp(motion.skeleton.rest_pose.global_positions, axis=0).max())


@pytest.fixture
def tools():
    class Tools:
        pass

    for function in (creature, clip, travel, feet, drift, spin, size):
        setattr(Tools, function.__name__, staticmethod(function))
    return Tools
