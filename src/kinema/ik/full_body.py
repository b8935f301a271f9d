"""Full-body inverse kinematics: all joints at once, by Levenberg-Marquardt, each frame on its own.

Goals pull joints to places and orientations, limits bound hinges, capsules keep limbs out of the body, and every
coordinate is drawn to where it started, so that what no goal asks for stays as it was. The Jacobian is analytic, for
orientations to first order in what is left to turn. Frames do not know each other, but for hinges, which go on from the
frame before.

Levenberg, "A method for the solution of certain non-linear problems in least squares", 1944; Marquardt, 1963.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations
from kinema.errors import SkeletonError
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.ik.full_body_kernels import Goals, Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reach:
    """A point of a joint is to be somewhere.

    Attributes:
        joint: its index.
        target: `[F, 3]`, metres, in the world.
        weight: residuals are distances in metres times this; one number, or `[F]`.
        offset: `[3]`, metres: the point in the joint's frame.
    """

    joint: int
    target: NDArray[np.floating]
    weight: ArrayLike = 1.0
    offset: ArrayLike = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Face:
    """A joint is to be turned some way: `target` `[F, 4]` in the world; residuals are radians times `weight`, which
    is one number or `[F]`."""

    joint: int
    target: NDArray[np.floating]
    weight: ArrayLike = 1.0


@dataclass(frozen=True, eq=False)
class Capsules:
    """Capsules on joints, and the pairs of them that must not enter each other.

    Attributes:
        joints: int `[C]`.
        ends: `[C, 2, 3]`, metres, in the joints' frames.
        radii: `[C]`, metres.
        pairs: int `[P, 2]`.
        slack: `[P]`, metres by which a pair may enter each other, since it does so at rest.
        weight: residuals are depths in metres times this.
    """

    joints: NDArray[np.integer]
    ends: NDArray[np.floating]
    radii: NDArray[np.floating]
    pairs: NDArray[np.integer]
    slack: NDArray[np.floating]
    weight: float = 1.0


NO_CAPSULES = Capsules(np.zeros(0, int), np.zeros((0, 2, 3)), np.zeros(0), np.zeros((0, 2), int), np.zeros(0))


@dataclass(frozen=True, eq=False)
class Coordinates:
    """What may move, as `D` rows: axes of turns in the joint's frame, or of slides in its parent's.

    Attributes:
        joints: `[D]`, ascending.
        axes: `[D, 3]`.
        slides: bool `[D]`.
        lower, upper: `[D]`, radians.
        stay: `[D]`: weight of the residual that draws a coordinate to where it started, per radian or metre.
    """

    joints: NDArray[np.int64]
    axes: Floats
    slides: NDArray[np.bool_]
    lower: Floats
    upper: Floats
    stay: Floats

    @staticmethod
    def of(
        skeleton: Skeleton, moving: Sequence[int] | None = None, sliding: Sequence[int] = (), stay: ArrayLike = 0.1
    ) -> Coordinates:
        """Three turns for each joint in `moving` (all where None), one for a hinge; three slides for one in `sliding`.

        Args:
            stay: one weight, or one a joint `[J]`.
        """
        hinges = {hinge.joint: hinge for hinge in skeleton.hinges}
        wanted = set(range(skeleton.joint_count) if moving is None else moving)
        weights = np.broadcast_to(np.asarray(stay, np.float64), (skeleton.joint_count,))
        rows: list[tuple[int, Floats, bool, float, float]] = []
        free = np.inf
        for joint in range(skeleton.joint_count):
            if joint in sliding:
                rows += [(joint, axis, True, -free, free) for axis in np.eye(3)]
            if joint in wanted and joint in hinges:
                hinge = hinges[joint]
                rows.append((joint, np.array(hinge.axis), False, hinge.lower, hinge.upper))
            elif joint in wanted:
                rows += [(joint, axis, False, -free, free) for axis in np.eye(3)]
        joints = np.array([row[0] for row in rows], np.int64)
        return Coordinates(
            joints,
            np.array([row[1] for row in rows]).reshape(-1, 3),
            np.array([row[2] for row in rows], bool),
            np.array([row[3] for row in rows]),
            np.array([row[4] for row in rows]),
            weights[joints].copy(),
        )


@dataclass(frozen=True, eq=False)
class Solution:
    """Poses that fit the goals.

    Attributes:
        local_rotations: float32 `[F, J, 4]`.
        local_translations: float32 `[F, J, 3]`, metres.
        costs: `[F, 2]`: half the sum of squared residuals before and after.
    """

    local_rotations: NDArray[np.float32]
    local_translations: NDArray[np.float32]
    costs: Floats


def full_body(
    skeleton: Skeleton,
    local_rotations: NDArray[np.floating],
    local_translations: NDArray[np.floating],
    goals: Sequence[Reach | Face],
    coordinates: Coordinates | None = None,
    capsules: Capsules = NO_CAPSULES,
    iterations: int = 10,
    follow: bool = True,
) -> Solution:
    """Poses near the given ones that fit goals, limits and capsules.

    Args:
        skeleton: the joints; hinges turn about their axes only and start from the nearest angle within their limits.
        local_rotations: `[F, J, 4]` to start from.
        local_translations: `[F, J, 3]`, metres, to start from.
        goals: what is asked for; their targets have `F` frames.
        coordinates: what may move; all joints where None.
        capsules: what must not enter what.
        iterations: at most, in each frame.
        follow: hinges are drawn to where they were in the frame before, not to where they are given, so that angles
            which fit equally well do not change places.

    Raises:
        SkeletonError: shapes do not fit together.
    """
    if coordinates is None:
        coordinates = Coordinates.of(skeleton)
    _check(skeleton, local_rotations, local_translations, goals, coordinates, capsules)
    from kinema.ik import full_body_kernels as kernels  # numba loads on first use, not with the package

    frames = len(local_rotations)
    local, start = on_hinges(skeleton, local_rotations, coordinates)
    translations = np.array(local_translations, np.float64)
    costs = np.zeros((frames, 2))
    bounds = kernels.Bounds(start, coordinates.lower, coordinates.upper, coordinates.stay)
    kernels.solve_frames(
        local,
        translations,
        _tree(skeleton, coordinates),
        bounds,
        _goals(goals, capsules, frames),
        iterations,
        follow and bool(skeleton.hinges),
        costs,
    )
    return Solution(local.astype(np.float32), translations.astype(np.float32), costs)


def _check(
    skeleton: Skeleton,
    local_rotations: NDArray[np.floating],
    local_translations: NDArray[np.floating],
    goals: Sequence[Reach | Face],
    coordinates: Coordinates,
    capsules: Capsules,
) -> None:
    """Raises SkeletonError where shapes or indices do not fit: compiled code checks no bounds."""
    frames, joints = local_rotations.shape[:2]
    if joints != skeleton.joint_count or local_translations.shape != (frames, joints, 3):
        raise SkeletonError(
            f"poses {list(local_rotations.shape)} and {list(local_translations.shape)} do not fit a skeleton of "
            f"{skeleton.joint_count} joints"
        )
    named = [*(goal.joint for goal in goals), *capsules.joints.tolist(), *coordinates.joints.tolist()]
    if named and not 0 <= min(named) <= max(named) < joints:
        raise SkeletonError(f"joint {min(named) if min(named) < 0 else max(named)} does not exist; there are {joints}")
    for goal in goals:
        expected = (frames, 3 if isinstance(goal, Reach) else 4)
        if np.shape(goal.target) != expected:
            name, shape = skeleton.names[goal.joint], list(np.shape(goal.target))
            raise SkeletonError(f"a goal of {name!r} has targets {shape}, expected {list(expected)}")
    pairs = np.asarray(capsules.pairs)
    if pairs.size and not 0 <= pairs.min() <= pairs.max() < len(capsules.joints):
        raise SkeletonError(f"a pair names capsule {pairs.max()}; there are {len(capsules.joints)}")


def _tree(skeleton: Skeleton, coordinates: Coordinates) -> Tree:
    from kinema.ik.full_body_kernels import Tree

    every = np.arange(skeleton.joint_count)
    return Tree(
        skeleton.parents.astype(np.int64),
        np.searchsorted(coordinates.joints, every).astype(np.int64),
        np.bincount(coordinates.joints, minlength=len(every)).astype(np.int64),
        np.isin(every, [hinge.joint for hinge in skeleton.hinges]),
        np.ascontiguousarray(coordinates.axes, np.float64),
        coordinates.slides,
    )


def _goals(goals: Sequence[Reach | Face], capsules: Capsules, frames: int) -> Goals:
    from kinema.ik.full_body_kernels import Faces, Goals, Obstacles, Reaches

    reaches = [goal for goal in goals if isinstance(goal, Reach)]
    faces = [goal for goal in goals if isinstance(goal, Face)]
    return Goals(
        Reaches(
            np.array([goal.joint for goal in reaches], np.int64),
            np.array([goal.offset for goal in reaches], np.float64).reshape(-1, 3),
            _stacked([goal.target for goal in reaches], frames, 3),
            _weights(reaches, frames),
        ),
        Faces(
            np.array([goal.joint for goal in faces], np.int64),
            _stacked([goal.target for goal in faces], frames, 4),
            _weights(faces, frames),
        ),
        Obstacles(
            capsules.joints.astype(np.int64),
            capsules.ends.astype(np.float64),
            capsules.radii.astype(np.float64),
            capsules.pairs.astype(np.int64).reshape(-1, 2),
            capsules.slack.astype(np.float64),
            float(capsules.weight),
        ),
    )


def on_hinges(
    skeleton: Skeleton, local_rotations: NDArray[np.floating], coordinates: Coordinates
) -> tuple[Floats, Floats]:
    """Local rotations `[F, J, 4]` that hinges can take, and the angles of all coordinates `[F, D]` (0 but for
    hinges): the twist about the axis, within the limits."""
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


def _stacked(targets: list[NDArray[np.floating]], frames: int, width: int) -> Floats:
    """`[F, G, width]` of targets `[F, width]`."""
    if not targets:
        return np.zeros((frames, 0, width))
    return np.ascontiguousarray(np.stack(targets, axis=1), np.float64)


def _weights(goals: Sequence[Reach | Face], frames: int) -> Floats:
    """`[F, G]`."""
    rows = [np.broadcast_to(np.asarray(goal.weight, np.float64), (frames,)) for goal in goals]
    return np.ascontiguousarray(np.stack(rows, axis=1)) if rows else np.zeros((frames, 0))
