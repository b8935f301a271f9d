"""The default person of the generator."""

from __future__ import annotations

import numpy as np

from kinema.errors import SkeletonError
from kinema.skeleton import Skeleton

_MIDDLE = (
    ("Hips", "", (0.0, 0.945, 0.0)),
    ("Spine", "Hips", (0.0, 0.085, -0.005)),
    ("Spine1", "Spine", (0.0, 0.125, 0.0)),
    ("Spine2", "Spine1", (0.0, 0.135, 0.0)),
    ("Neck", "Spine2", (0.0, 0.17, -0.005)),
    ("Head", "Neck", (0.0, 0.095, 0.02)),
)
_ARM = (
    ("Shoulder", "Spine2", (0.035, 0.12, 0.01)),
    ("Arm", "Shoulder", (0.135, 0.0, -0.015)),
    ("ForeArm", "Arm", (0.275, 0.0, 0.0)),
    ("Hand", "ForeArm", (0.245, 0.0, 0.0)),
)
_LEG = (
    ("UpLeg", "Hips", (0.092, -0.04, 0.0)),
    ("Leg", "UpLeg", (0.0, -0.425, 0.004)),
    ("Foot", "Leg", (0.0, -0.4, -0.014)),
    ("ToeBase", "Foot", (0.012, -0.06, 0.135)),
)
_REFERENCE_HEIGHT = 1.75


def humanoid(height: float = _REFERENCE_HEIGHT, arms_down: float = 0.0) -> Skeleton:
    """A person of 22 joints facing +Z with the feet on the ground, rest rotations identity.

    Args:
        height: metres, sole to crown.
        arms_down: angle of the straight arms below the horizontal in the rest pose, radians; 0 is a T-pose.

    Raises:
        SkeletonError: the height is not positive.
    """
    if not (np.isfinite(height) and height > 0):
        raise SkeletonError(f"a person's height must be positive, not {height}")
    cosine, sine = np.cos(arms_down), np.sin(arms_down)
    rows = [*_MIDDLE, *_limbs("Left", 1.0, cosine, sine), *_limbs("Right", -1.0, cosine, sine)]
    names = [name for name, _, _ in rows]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in rows]
    scale = height / _REFERENCE_HEIGHT
    crown = _REFERENCE_HEIGHT - sum(offset[1] for _, _, offset in _MIDDLE)
    hand = (0.18 * cosine, -0.18 * sine, 0.0)
    tips = [(names.index("Head"), np.multiply(scale, (0.0, crown, 0.0)))]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        tips.append((names.index(side + "Hand"), np.multiply(scale, (sign * hand[0], hand[1], hand[2]))))
        tips.append((names.index(side + "ToeBase"), np.multiply(scale, (0.0, -0.01, 0.075))))
    translations = scale * np.asarray([offset for _, _, offset in rows])
    return Skeleton.create(names, parents, translations, tips=tips)


def _limbs(side: str, sign: float, cosine: float, sine: float) -> list[tuple[str, str, tuple[float, float, float]]]:
    """Name, parent and offset of the joints of an arm, lowered by an angle, and a leg."""
    rows = []
    for part, parent, (x, y, z) in _ARM + _LEG:
        if part in ("ForeArm", "Hand"):
            x, y = x * cosine - y * sine, -x * sine + y * cosine
        rows.append((side + part, parent if parent in ("Hips", "Spine2") else side + parent, (sign * x, y, z)))
    return rows
