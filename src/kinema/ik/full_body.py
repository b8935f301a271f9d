"""Full-body inverse kinematics: all joints at once, by Levenberg-Marquardt, frame by frame.

Goals pull joints to positions and orientations, limits bound hinges, and capsules keep limbs out of the body. Every
coordinate is pulled to its start, so joints without a goal stay as they were. The Jacobian is analytic, for
orientations to first order in the remaining angle. Frames are independent, except that hinges continue from the
previous frame.

Levenberg, "A method for the solution of certain non-linear problems in least squares", 1944; Marquardt, 1963.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations
from kinema.errors import SkeletonError
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.ik.full_body_kernels import Goals, Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reach:
    """A goal for the position of a point of a joint.

    Attributes:
        joint: index of the joint.
        target: `[F, 3]`, metres, in the world.
        weight: factor from metres to residuals; one number, or `[F]`.
        offset: `[3]`, metres: the point, in the joint's frame.
    """

    joint: int
    target: NDArray[np.floating]
    weight: ArrayLike = 1.0
    offset: ArrayLike = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Face:
    """A goal for the orientation of a joint: `target` `[F, 4]` in the world. Residuals are radians times `weight`, one
    number or `[F]`."""

    joint: int
    target: NDArray[np.floating]
    weight: ArrayLike = 1.0


@dataclass(frozen=True, eq=False)
class Above:
    """A goal for a point of a joint to be no lower than a height.

    Attributes:
        joint: index of the joint.
        height: `[F]`, metres, in the world.
        weight: factor from metres below it to residuals; one number, or `[F]`.
        offset: `[3]`, metres: the point, in the joint's frame.
    """

    joint: int
    height: NDArray[np.floating]
    weight: ArrayLike = 1.0
    offset: ArrayLike = (0.0, 0.0, 0.0)


Goal = Reach | Face | Above


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


@dataclass(frozen=True, eq=False)
class Solution:
    """Poses that fit the goals.

    Attributes:
        pose: float32 poses `[F]`.
        costs: `[F, 2]`: half the sum of squared residuals before and after.
    """

    pose: Pose
    costs: Floats


def full_body(
    pose: Pose,
    goals: Sequence[Goal],
    coordinates: Coordinates | None = None,
    capsules: Capsules = NO_CAPSULES,
    iterations: int = 10,
    follow: bool = True,
    restart: int = 0,
) -> Solution:
    """Find poses near the given ones that fit goals, limits and capsules.

    Args:
        pose: poses `[F]` to start from, with the root frame at the origin. Hinges rotate about their axes only and
            start from the nearest angle within their limits.
        goals: goals with targets for `F` frames.
        coordinates: the degrees of freedom; None: all joints.
        capsules: shapes that must not penetrate.
        iterations: largest number of iterations per frame.
        follow: pull hinges to their angles in the previous frame instead of their start, so that the result does not
            alternate between angles that fit equally well.
        restart: number of frames after which the hinges of each limb are also solved from their nominal angles, so
            that a limb cannot stay in a posture that costs more than another one; 0 for never.

    Raises:
        SkeletonError: shapes do not match.
    """
    skeleton = pose.skeleton
    if coordinates is None:
        coordinates = Coordinates.of(skeleton)
    _check(pose, goals, coordinates, capsules)
    from kinema.ik import full_body_kernels as kernels  # imported here because numba is slow to import

    frames = len(pose)
    local, start = on_hinges(skeleton, pose.local_rotations, coordinates)
    translations = np.array(pose.local_translations, np.float64)
    costs = np.zeros((frames, 2))
    kernels.solve_frames(
        kernels.LocalPoses(local, translations),
        _tree(skeleton, coordinates),
        kernels.Bounds(
            start,
            coordinates.lower,
            coordinates.upper,
            coordinates.stay,
            coordinates.nominal,
            coordinates.lean,
            coordinates.limbs,
        ),
        _goals(goals, capsules, frames),
        iterations,
        follow and bool(skeleton.hinges),
        restart,
        costs,
    )
    return Solution(Pose(skeleton, local.astype(np.float32), translations.astype(np.float32)), costs)


def _check(pose: Pose, goals: Sequence[Goal], coordinates: Coordinates, capsules: Capsules) -> None:
    """Raise SkeletonError where shapes or indices do not fit, because compiled code does not check bounds."""
    if len(pose.shape) != 1:
        raise SkeletonError(f"poses to solve must have shape [frames], not {list(pose.shape)}")
    _check_indices(pose.skeleton, goals, coordinates, capsules)
    for goal in goals:
        given = goal.height if isinstance(goal, Above) else goal.target
        expected = (len(pose), *([] if isinstance(goal, Above) else [3] if isinstance(goal, Reach) else [4]))
        if np.shape(given) != expected:
            name, shape = pose.skeleton.names[goal.joint], list(np.shape(given))
            raise SkeletonError(f"a goal of {name!r} has targets {shape}, expected {list(expected)}")


def _check_indices(skeleton: Skeleton, goals: Sequence[Goal], coordinates: Coordinates, capsules: Capsules) -> None:
    joints = skeleton.joint_count
    named = [*(goal.joint for goal in goals), *capsules.joints.tolist(), *coordinates.joints.tolist()]
    if named and not 0 <= min(named) <= max(named) < joints:
        raise SkeletonError(f"joint {min(named) if min(named) < 0 else max(named)} does not exist; there are {joints}")
    pairs = np.asarray(capsules.pairs)
    if pairs.size and not 0 <= pairs.min() <= pairs.max() < len(capsules.joints):
        raise SkeletonError(f"capsule {pairs.max()} of a pair does not exist; there are {len(capsules.joints)}")


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


def _goals(goals: Sequence[Goal], capsules: Capsules, frames: int) -> Goals:
    from kinema.ik.full_body_kernels import Faces, Floors, Goals, Obstacles, Reaches

    reaches = [goal for goal in goals if isinstance(goal, Reach)]
    faces = [goal for goal in goals if isinstance(goal, Face)]
    above = [goal for goal in goals if isinstance(goal, Above)]
    obstacles = Obstacles(
        capsules.joints.astype(np.int64),
        capsules.ends.astype(np.float64),
        capsules.radii.astype(np.float64),
        capsules.pairs.astype(np.int64).reshape(-1, 2),
        capsules.slack.astype(np.float64),
        float(capsules.weight),
    )
    return Goals(
        Reaches(
            _joints(reaches),
            _offsets(reaches),
            _over(frames, [g.target for g in reaches], 3),
            _weights(reaches, frames),
        ),
        Faces(_joints(faces), _over(frames, [g.target for g in faces], 4), _weights(faces, frames)),
        Floors(_joints(above), _offsets(above), _over(frames, [g.height for g in above]), _weights(above, frames)),
        obstacles,
    )


def _joints(goals: Sequence[Goal]) -> NDArray[np.int64]:
    return np.array([goal.joint for goal in goals], np.int64)


def _offsets(goals: Sequence[Reach | Above]) -> Floats:
    """Points of goals `[G, 3]`."""
    return np.array([goal.offset for goal in goals], np.float64).reshape(-1, 3)


def _weights(goals: Sequence[Goal], frames: int) -> Floats:
    return _over(frames, [goal.weight for goal in goals])


def _over(frames: int, values: Sequence[ArrayLike], *shape: int) -> Floats:
    """Values of goals over time `[F, G, ...]`."""
    out = np.zeros((frames, len(values), *shape))
    for index, value in enumerate(values):
        out[:, index] = value
    return out


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
