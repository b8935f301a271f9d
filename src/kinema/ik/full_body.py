"""Full-body inverse kinematics: all joints at once, by Levenberg-Marquardt, each frame on its own.

Goals pull joints to positions and orientations, limits bound hinges, capsules keep limbs out of the body, and every
coordinate is drawn to its start, so that joints without a goal stay as they were. The Jacobian is analytic, for
orientations to first order in the remaining angle. Frames are independent, except that hinges continue from the frame
before.

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
    """A goal for the orientation of a joint: `target` `[F, 4]` in the world; residuals are radians times `weight`, one
    number or `[F]`."""

    joint: int
    target: NDArray[np.floating]
    weight: ArrayLike = 1.0


@dataclass(frozen=True, eq=False)
class Capsules:
    """Capsules on joints, and the pairs of them that must not penetrate each other.

    Attributes:
        joints: int `[C]`.
        ends: `[C, 2, 3]`, metres, in the joints' frames.
        radii: `[C]`, metres.
        pairs: int `[P, 2]`.
        slack: `[P]`, metres by which a pair may penetrate, since it does so at rest.
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
    """The degrees of freedom, as `D` rows: axes of rotation in the joint's frame, or of translation in its parent's.

    Attributes:
        joints: `[D]`, ascending.
        axes: `[D, 3]`.
        slides: bool `[D]`.
        lower, upper: `[D]`, radians.
        stay: `[D]`: weight of the residual that draws a coordinate to its start, per radian or metre.
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
        """Three rotations for each joint in `moving` (all where None), one for a hinge; three translations for each in
        `sliding`.

        Args:
            stay: one weight, or one a joint `[J]`.
        """
        moving = range(skeleton.joint_count) if moving is None else moving
        rows = list(_rows(skeleton, set(moving), set(sliding)))
        joints = np.array([joint for joint, *_ in rows], np.int64)
        weights = np.broadcast_to(np.asarray(stay, np.float64), (skeleton.joint_count,))
        return Coordinates(
            joints,
            np.array([axis for _, axis, *_ in rows]).reshape(-1, 3),
            np.array([slides for _, _, slides, *_ in rows], bool),
            np.array([lower for *_, lower, _ in rows]),
            np.array([upper for *_, upper in rows]),
            weights[joints].copy(),
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
    goals: Sequence[Reach | Face],
    coordinates: Coordinates | None = None,
    capsules: Capsules = NO_CAPSULES,
    iterations: int = 10,
    follow: bool = True,
) -> Solution:
    """Poses near the given ones that fit goals, limits and capsules.

    Args:
        pose: poses `[F]` to start from, with the root frame at the origin. Hinges turn about their axes only and start
            from the nearest angle within their limits.
        goals: their targets have `F` frames.
        coordinates: what may move; all joints where None.
        capsules: what must not penetrate what.
        iterations: at most, in each frame.
        follow: hinges are drawn to where they were in the frame before instead of where they start, so that angles
            which fit equally well do not alternate.

    Raises:
        SkeletonError: shapes do not fit together.
    """
    skeleton = pose.skeleton
    if coordinates is None:
        coordinates = Coordinates.of(skeleton)
    _check(pose, goals, coordinates, capsules)
    from kinema.ik import full_body_kernels as kernels  # numba loads on first use, not with the package

    frames = len(pose)
    local, start = on_hinges(skeleton, pose.local_rotations, coordinates)
    translations = np.array(pose.local_translations, np.float64)
    costs = np.zeros((frames, 2))
    kernels.solve_frames(
        local,
        translations,
        _tree(skeleton, coordinates),
        kernels.Bounds(start, coordinates.lower, coordinates.upper, coordinates.stay),
        _goals(goals, capsules, frames),
        iterations,
        follow and bool(skeleton.hinges),
        costs,
    )
    return Solution(Pose(skeleton, local.astype(np.float32), translations.astype(np.float32)), costs)


def _check(pose: Pose, goals: Sequence[Reach | Face], coordinates: Coordinates, capsules: Capsules) -> None:
    """Raises SkeletonError where shapes or indices do not fit: compiled code checks no bounds."""
    if len(pose.shape) != 1:
        raise SkeletonError(f"poses to solve are [frames], not {list(pose.shape)}")
    _check_indices(pose.skeleton, goals, coordinates, capsules)
    for goal in goals:
        expected = (len(pose), 3 if isinstance(goal, Reach) else 4)
        if np.shape(goal.target) != expected:
            name, shape = pose.skeleton.names[goal.joint], list(np.shape(goal.target))
            raise SkeletonError(f"a goal of {name!r} has targets {shape}, expected {list(expected)}")


def _check_indices(
    skeleton: Skeleton, goals: Sequence[Reach | Face], coordinates: Coordinates, capsules: Capsules
) -> None:
    joints = skeleton.joint_count
    named = [*(goal.joint for goal in goals), *capsules.joints.tolist(), *coordinates.joints.tolist()]
    if named and not 0 <= min(named) <= max(named) < joints:
        raise SkeletonError(f"joint {min(named) if min(named) < 0 else max(named)} does not exist; there are {joints}")
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
    offsets = np.array([goal.offset for goal in reaches], np.float64).reshape(-1, 3)
    joints, targets, weights = _arrays(reaches, frames, 3)
    obstacles = Obstacles(
        capsules.joints.astype(np.int64),
        capsules.ends.astype(np.float64),
        capsules.radii.astype(np.float64),
        capsules.pairs.astype(np.int64).reshape(-1, 2),
        capsules.slack.astype(np.float64),
        float(capsules.weight),
    )
    faces = Faces(*_arrays([goal for goal in goals if isinstance(goal, Face)], frames, 4))
    return Goals(Reaches(joints, offsets, targets, weights), faces, obstacles)


def _arrays(goals: Sequence[Reach | Face], frames: int, width: int) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Joints `[G]`, targets `[F, G, width]` and weights `[F, G]` of goals."""
    joints = np.array([goal.joint for goal in goals], np.int64)
    targets, weights = np.zeros((frames, len(goals), width)), np.zeros((frames, len(goals)))
    for index, goal in enumerate(goals):
        targets[:, index], weights[:, index] = goal.target, goal.weight
    return joints, targets, weights


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
