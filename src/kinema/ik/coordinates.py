"""The degrees of freedom of a skeleton."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations
from kinema.arrays import Floats
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The `D` degrees of freedom: axes of rotation in the joint's frame, or of translation in its parent's frame.

    Attributes:
        joints: `[D]`, ascending.
        axes: `[D, 3]`.
        slides: bool `[D]`: whether it is a translation.
        lower, upper: `[D]`, limits, radians.
        stay: `[D]`, weight of the residual that pulls a coordinate to its start, per radian or metre.
        nominal: `[D]`, the value in a neutral posture: the middle of a hinge's limits where it has both, else 0.
        lean: `[D]`, weight of the residual that pulls a coordinate to that value.
        limbs: `[D]`, number of the limb that a hinge is part of, from 0; -1 for others.
    """

    joints: NDArray[np.int64]
    axes: Floats
    slides: NDArray[np.bool_]
    lower: Floats
    upper: Floats
    stay: Floats
    nominal: Floats
    lean: Floats
    limbs: NDArray[np.int64]

    @staticmethod
    def of(
        skeleton: Skeleton,
        moving: Sequence[int] | None = None,
        sliding: Sequence[int] = (),
        stay: ArrayLike = 0.1,
        lean: float = 0.0,
        limbs: Sequence[Sequence[int]] = (),
    ) -> Coordinates:
        """Three rotations for each joint in `moving` (None: all joints), or one if it is a hinge.

        Adds three translations for each joint in `sliding`.

        Args:
            stay: one weight, or one per joint `[J]`.
            lean: weight for hinges.
            limbs: the joints of each limb.
        """
        moving = range(skeleton.joint_count) if moving is None else moving
        rows = list(_rows(skeleton, set(moving), set(sliding)))
        joints = np.array([joint for joint, *_ in rows], np.int64)
        weights = np.broadcast_to(np.asarray(stay, np.float64), (skeleton.joint_count,))
        lower, upper = np.array([lower for *_, lower, _ in rows]), np.array([upper for *_, upper in rows])
        hinged = np.isin(joints, [hinge.joint for hinge in skeleton.hinges])
        limited = np.isfinite(lower) & np.isfinite(upper)
        owners = np.full(skeleton.joint_count, -1)
        for number, limb in enumerate(limbs):
            owners[list(limb)] = number
        return Coordinates(
            joints,
            np.array([axis for _, axis, *_ in rows]).reshape(-1, 3),
            np.array([slides for _, _, slides, *_ in rows], bool),
            lower,
            upper,
            weights[joints].copy(),
            np.add(lower, upper, out=np.zeros(len(rows)), where=limited) / 2,
            np.where(hinged, lean, 0.0),
            np.where(hinged, owners[joints], -1),
        )


def _rows(skeleton: Skeleton, moving: set[int], sliding: set[int]) -> Iterator[tuple[int, Floats, bool, float, float]]:
    """Joint, axis, whether it is a translation, and limits of each coordinate."""
    hinges = {hinge.joint: hinge for hinge in skeleton.hinges}
    for joint in range(skeleton.joint_count):
        if joint in sliding:
            yield from ((joint, axis, True, -np.inf, np.inf) for axis in np.eye(3))
        if joint in moving and joint in hinges:
            hinge = hinges[joint]
            yield joint, np.array(hinge.axis), False, hinge.lower, hinge.upper
        elif joint in moving:
            yield from ((joint, axis, False, -np.inf, np.inf) for axis in np.eye(3))


def on_hinges(
    skeleton: Skeleton, local_rotations: NDArray[np.floating], coordinates: Coordinates
) -> tuple[Floats, Floats]:
    """Local rotations `[F, J, 4]` restricted to the hinges, and the angles of all coordinates `[F, D]` (0 except for
    hinges). The angle of a hinge is the twist about its axis, clamped to its limits."""
    local = rotations.normalize(np.array(local_rotations, np.float64))
    start = np.zeros((len(local), len(coordinates.joints)))
    if not skeleton.hinges:
        return local, start
    joints = np.array([hinge.joint for hinge in skeleton.hinges])
    axes = np.array([hinge.axis for hinge in skeleton.hinges], np.float64)
    lower, upper = np.array([(hinge.lower, hinge.upper) for hinge in skeleton.hinges]).T
    rest = skeleton.rest_rotations[joints].astype(np.float64)
    twist = rotations.swing_twist(rotations.relative(rest, local[:, joints]), axes)[1]
    angles = rotations.wrap(2 * np.arctan2((twist[..., 1:] * axes).sum(-1), twist[..., 0]))
    angles = np.clip(angles, lower, upper)
    local[:, joints] = rotations.multiply(rest, rotations.from_axis_angle(axes, angles))
    found = np.zeros((len(local), skeleton.joint_count))
    found[:, joints] = angles
    turns = np.isin(coordinates.joints, joints) & ~coordinates.slides
    start[:, turns] = found[:, coordinates.joints[turns]]
    return local, start
