"""A motion to edit, and random edits."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.mocap.edits import Edits, change
from kinema.mocap.edits.spans import Spans

FRAMES = 120
CURRENT: dict[str, Spans] = {"left": ((0, 30), (60, 90)), "right": ((30, 60), (90, 120))}


@pytest.fixture(scope="session")
def stroll(biped: Skeleton) -> Motion:
    """Two seconds at 60 frames per second along +Z with swinging legs; the left arm is held up."""
    local = np.tile(biped.rest_rotations, (FRAMES, 1, 1))
    swing = np.sin(np.linspace(0, 4 * np.pi, FRAMES, endpoint=False)).astype(np.float32)
    for name, sign in (("LeftUpLeg", 1.0), ("RightUpLeg", -1.0)):
        local[:, biped.index(name)] = rotations.from_axis_angle(np.float32([1, 0, 0]), 0.4 * sign * swing)
    local[:, biped.index("LeftArm")] = rotations.from_axis_angle(
        np.float32([0, 0, 1]), np.full(FRAMES, 1.0, np.float32)
    )
    moved = np.tile(biped.rest_translations, (FRAMES, 1, 1))
    moved[:, 0, 2] += np.linspace(0, 2, FRAMES)
    return Motion.create(biped, local, moved, fps=60.0, name="stroll", tags=("park",))


def random_edits(seed: int, steps: int = 12) -> list[Edits]:
    """A chain of edits, each made of the one before by a random change; some changes are none."""
    rng = np.random.default_rng(seed)
    chain = [Edits.none(FRAMES, 60.0)]
    for _ in range(steps):
        now = chain[-1]
        start, stop = sorted(rng.integers(0, FRAMES + 1, 2).tolist())
        stop += start == stop
        start -= stop > FRAMES
        stop = min(stop, FRAMES)
        match int(rng.integers(0, 8)):
            case 0:
                now = change.keep(now, start, stop, str(rng.choice(["", "a", "b"])))
            case 1:
                now = change.drop(now, start, stop)
            case 2:
                now = change.split(now, start)
            case 3:
                now = change.label(
                    now, start, stop, str(rng.choice(["walk", "jump"])), str(rng.choice(["", "to the left"]))
                )
            case 4:
                now = change.paint(now, str(rng.choice(["left", "right"])), start, stop, bool(rng.integers(2)), CURRENT)
            case 5:
                now = change.set_mirror(now, bool(rng.integers(2)))
            case 6:
                now = change.set_partner(now, "LeftHand", str(rng.choice(["RightHand", "Head", "LeftHand"])))
            case _:
                now = change.unlabel(now, now.labels[0]) if now.labels else change.keep_all(now)
        chain.append(now)
    return chain
