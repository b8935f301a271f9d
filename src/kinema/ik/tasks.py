"""What a pose is asked to do. A task is a value; the solvers bring a pose to fit all of them.

Targets are in the world. Their leading dimensions are those of the poses, or broadcast to them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Joint = int | str
"""The index of a joint, or its name."""


@dataclass(frozen=True, eq=False)
class Reach:
    """Bring a point of a joint to a position.

    Attributes:
        joint: the joint.
        target: `[..., 3]`, metres, in the world.
        weight: factor from metres to residuals; one number, or `[...]`.
        offset: `[3]`, metres: the point, in the joint's frame.
        level: tasks of a lower level come first; see `kinema.ik.solve`.
    """

    joint: Joint
    target: ArrayLike
    weight: ArrayLike = 1.0
    offset: ArrayLike = (0.0, 0.0, 0.0)
    level: int = 0


@dataclass(frozen=True, eq=False)
class Hold:
    """Keep a point of a joint on a rail, anywhere between its ends.

    Attributes:
        joint: the joint.
        start, end: `[..., 3]`, metres, in the world: the ends of the rail.
        weight: factor from metres to residuals; one number, or `[...]`.
        offset: `[3]`, metres: the point, in the joint's frame.
        level: see `Reach`.
    """

    joint: Joint
    start: ArrayLike
    end: ArrayLike
    weight: ArrayLike = 1.0
    offset: ArrayLike = (0.0, 0.0, 0.0)
    level: int = 0


@dataclass(frozen=True, eq=False)
class Above:
    """Keep a point of a joint from sinking below a height.

    Attributes:
        joint: the joint.
        height: `[...]`, metres, in the world.
        weight: factor from metres below it to residuals; one number, or `[...]`.
        offset: `[3]`, metres: the point, in the joint's frame.
        level: see `Reach`.
    """

    joint: Joint
    height: ArrayLike
    weight: ArrayLike = 1.0
    offset: ArrayLike = (0.0, 0.0, 0.0)
    level: int = 0


@dataclass(frozen=True, eq=False)
class Orient:
    """Bring a joint to an orientation.

    Attributes:
        joint: the joint.
        target: global rotations `[..., 4]`.
        weight: factor from radians to residuals; one number, or `[...]`.
        level: see `Reach`.
    """

    joint: Joint
    target: ArrayLike
    weight: ArrayLike = 1.0
    level: int = 0


@dataclass(frozen=True, eq=False)
class LookAt:
    """Point a direction of a joint at a position, as a head at what it sees. The roll about it is free.

    Attributes:
        joint: the joint.
        target: `[..., 3]`, metres, in the world.
        weight: factor from radians to residuals; one number, or `[...]`.
        offset: `[3]`, metres: where the direction starts (the eyes), in the joint's frame.
        direction: unit vector `[3]` in the joint's frame.
        level: see `Reach`.
    """

    joint: Joint
    target: ArrayLike
    weight: ArrayLike = 1.0
    offset: ArrayLike = (0.0, 0.0, 0.0)
    direction: ArrayLike = (0.0, 0.0, 1.0)
    level: int = 0


@dataclass(frozen=True, eq=False)
class Balance:
    """Bring the centre of mass above a position; its height is free.

    Attributes:
        target: `[..., 3]`, metres, in the world; the height is not used.
        weight: factor from metres to residuals; one number, or `[...]`.
        masses: share of the mass of each joint `[J]`; None: those of `kinema.ik.masses.mass_shares`.
        level: see `Reach`.
    """

    target: ArrayLike
    weight: ArrayLike = 1.0
    masses: ArrayLike | None = None
    level: int = 0


@dataclass(frozen=True, eq=False)
class Posture:
    """Pull joints to local rotations, such as those of a resting pose.

    Attributes:
        target: local rotations `[..., J, 4]` of all joints.
        weight: factor from radians to residuals; one number, or `[J]`. Joints with weight 0 are free.
        level: see `Reach`.
    """

    target: ArrayLike
    weight: ArrayLike = 1.0
    level: int = 0


OnJoint = Reach | Hold | Above | Orient | LookAt
"""Tasks of one joint."""

Task = OnJoint | Balance | Posture


@dataclass(frozen=True, eq=False)
class Capsules:
    """Capsules on joints, and the pairs of them that must not penetrate.

    Attributes:
        joints: int `[C]`.
        ends: `[C, 2, 3]`, metres, in the joints' frames.
        radii: `[C]`, metres.
        pairs: int `[P, 2]`.
        slack: `[P]`, depth in metres that a pair may have, because it has it at rest.
        weight: factor from depths in metres to residuals.
    """

    joints: NDArray[np.integer]
    ends: NDArray[np.floating]
    radii: NDArray[np.floating]
    pairs: NDArray[np.integer]
    slack: NDArray[np.floating]
    weight: float = 1.0


NO_CAPSULES = Capsules(np.zeros(0, int), np.zeros((0, 2, 3)), np.zeros(0), np.zeros((0, 2), int), np.zeros(0))
