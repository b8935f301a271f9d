"""Full-body inverse kinematics: all joints at once, by Levenberg-Marquardt, frame by frame.

Tasks pull joints to positions and orientations, limits bound joints, and capsules keep limbs out of the body. Every
coordinate is pulled to its start, so joints without a task stay as they were. The Jacobian is analytic, for
orientations to first order in the remaining angle. Frames are independent, except that hinges may continue from the
previous frame.

Levenberg, "A method for the solution of certain non-linear problems in least squares", 1944; Marquardt, 1963.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats, Ints
from kinema.errors import SkeletonError
from kinema.ik.coordinates import Coordinates, on_hinges
from kinema.ik.limits import Cone, joint_index
from kinema.ik.masses import mass_centres, mass_shares
from kinema.ik.tasks import NO_CAPSULES, Above, Balance, Capsules, Hold, LookAt, Orient, Posture, Reach, Task
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.ik.cone_kernels import Cones
    from kinema.ik.jacobian_kernels import Tree
    from kinema.ik.task_kernels import Balances, Obstacles, Postures, TaskArrays

OnJoint = Reach | Hold | Above | Orient | LookAt
"""Tasks of one joint."""

_T = TypeVar("_T", bound=Task)


@dataclass(frozen=True, eq=False)
class Solution:
    """Poses that fit the tasks.

    Attributes:
        pose: float32 poses `[F]`.
        costs: `[F, 2]`: half the sum of squared residuals before and after.
    """

    pose: Pose
    costs: Floats


def full_body(
    pose: Pose,
    tasks: Sequence[Task],
    coordinates: Coordinates | None = None,
    capsules: Capsules = NO_CAPSULES,
    iterations: int = 10,
    follow: bool = True,
    restart: int = 0,
    cones: Sequence[Cone] = (),
) -> Solution:
    """Find poses of a clip near the given ones that fit tasks, limits and capsules. `kinema.ik.solve` is simpler.

    Args:
        pose: poses `[F]` to start from, with the root frame at the origin. Hinges rotate about their axes only and
            start from the nearest angle within their limits.
        tasks: tasks with targets for `F` frames; their levels are not used.
        coordinates: the degrees of freedom; None: all joints.
        capsules: shapes that must not penetrate.
        iterations: largest number of iterations per frame.
        follow: pull hinges to their angles in the previous frame instead of their start, so that the result does not
            alternate between angles that fit equally well.
        restart: number of frames after which the hinges of each limb are also solved from their nominal angles, so
            that a limb cannot stay in a posture that costs more than another one; 0 for never.
        cones: limits of joints that are no hinges.

    Raises:
        SkeletonError: shapes do not match.
    """
    local, translations, costs = solve_frames(pose, tasks, coordinates, capsules, iterations, follow, restart, cones)
    return Solution(Pose(pose.skeleton, local.astype(np.float32), translations.astype(np.float32)), costs)


def solve_frames(
    pose: Pose,
    tasks: Sequence[Task],
    coordinates: Coordinates | None,
    capsules: Capsules,
    iterations: int,
    follow: bool,
    restart: int,
    cones: Sequence[Cone],
) -> tuple[Floats, Floats, Floats]:
    """The local transforms of `full_body` in float64, and its costs."""
    skeleton = pose.skeleton
    if coordinates is None:
        coordinates = Coordinates.of(skeleton)
    _check(pose, tasks, coordinates, capsules)
    from kinema.ik import frame_kernels as kernels  # imported here because numba is slow to import
    from kinema.ik.least_squares_kernels import Bounds

    frames = len(pose)
    local, start = on_hinges(skeleton, pose.local_rotations, coordinates)
    translations = np.array(pose.local_translations, np.float64)
    costs = np.zeros((frames, 2))
    kernels.solve_frames(
        kernels.LocalPoses(local, translations),
        _tree(skeleton, coordinates),
        Bounds(
            start,
            coordinates.lower,
            coordinates.upper,
            coordinates.stay,
            coordinates.nominal,
            coordinates.lean,
            coordinates.limbs,
            _cones(skeleton, cones, coordinates),
        ),
        _task_arrays(skeleton, tasks, capsules, frames),
        iterations,
        follow and bool(skeleton.hinges),
        restart,
        costs,
    )
    return local, translations, costs


def _check(pose: Pose, tasks: Sequence[Task], coordinates: Coordinates, capsules: Capsules) -> None:
    """Raise SkeletonError where shapes or indices do not fit, because compiled code does not check bounds."""
    if len(pose.shape) != 1:
        raise SkeletonError(f"poses to solve must have shape [frames], not {list(pose.shape)}")
    _check_indices(pose.skeleton, tasks, coordinates, capsules)
    for task in tasks:
        for given, expected in shapes_of(task, pose.shape, pose.skeleton.joint_count):
            if np.shape(given) != expected:
                joint = "" if isinstance(task, Balance | Posture) else f" of {_name(pose.skeleton, task)!r}"
                raise SkeletonError(f"a task{joint} has targets {list(np.shape(given))}, expected {list(expected)}")


def shapes_of(task: Task, lead: tuple[int, ...], joints: int) -> list[tuple[ArrayLike, tuple[int, ...]]]:
    """The targets of a task, each with the shape that it needs for poses `lead`."""
    if isinstance(task, Above):
        return [(task.height, lead)]
    if isinstance(task, Hold):
        return [(task.start, (*lead, 3)), (task.end, (*lead, 3))]
    if isinstance(task, Orient):
        return [(task.target, (*lead, 4))]
    if isinstance(task, Posture):
        return [(task.target, (*lead, joints, 4))]
    return [(task.target, (*lead, 3))]


def _name(skeleton: Skeleton, task: OnJoint) -> str:
    return skeleton.names[joint_index(skeleton, task.joint)]


def _check_indices(skeleton: Skeleton, tasks: Sequence[Task], coordinates: Coordinates, capsules: Capsules) -> None:
    named = [task.joint for task in tasks if isinstance(task, OnJoint)]
    for joint in (*named, *capsules.joints.tolist(), *coordinates.joints.tolist()):
        joint_index(skeleton, joint)
    pairs = np.asarray(capsules.pairs)
    if pairs.size and not 0 <= pairs.min() <= pairs.max() < len(capsules.joints):
        raise SkeletonError(f"capsule {pairs.max()} of a pair does not exist; there are {len(capsules.joints)}")


def _tree(skeleton: Skeleton, coordinates: Coordinates) -> Tree:
    from kinema.ik.jacobian_kernels import Tree

    every = np.arange(skeleton.joint_count)
    return Tree(
        skeleton.parents.astype(np.int64),
        np.searchsorted(coordinates.joints, every).astype(np.int64),
        np.bincount(coordinates.joints, minlength=len(every)).astype(np.int64),
        np.isin(every, [hinge.joint for hinge in skeleton.hinges]),
        np.ascontiguousarray(coordinates.axes, np.float64),
        coordinates.slides,
    )


def _cones(skeleton: Skeleton, cones: Sequence[Cone], coordinates: Coordinates) -> Cones:
    """The limits of joints that have coordinates; others do not move."""
    from kinema.ik.cone_kernels import Cones

    turning = set(coordinates.joints[~coordinates.slides].tolist())
    used = [cone for cone in cones if cone.joint in turning]
    joints = np.array([cone.joint for cone in used], np.int64)
    return Cones(
        joints,
        rotations.normalize(skeleton.rest_rotations[joints].astype(np.float64)),
        np.array([cone.axis for cone in used], np.float64).reshape(-1, 3),
        np.array([cone.swing for cone in used], np.float64),
        np.array([cone.twist[0] for cone in used], np.float64),
        np.array([cone.twist[1] for cone in used], np.float64),
    )


def _task_arrays(skeleton: Skeleton, tasks: Sequence[Task], capsules: Capsules, frames: int) -> TaskArrays:
    from kinema.ik.task_kernels import Aims, Floors, Orientations, Rails, Reaches, TaskArrays

    reaches, orients, above = _of(tasks, Reach), _of(tasks, Orient), _of(tasks, Above)
    holds, looks = _of(tasks, Hold), _of(tasks, LookAt)

    def joints(tasks: Sequence[OnJoint]) -> Ints:
        return np.array([joint_index(skeleton, task.joint) for task in tasks], np.int64)

    def weights(tasks: Sequence[OnJoint]) -> Floats:
        return _over(frames, [task.weight for task in tasks])

    return TaskArrays(
        Reaches(joints(reaches), _points(reaches), _over(frames, [t.target for t in reaches], 3), weights(reaches)),
        Orientations(joints(orients), _over(frames, [t.target for t in orients], 4), weights(orients)),
        Floors(joints(above), _points(above), _over(frames, [t.height for t in above]), weights(above)),
        _obstacles(capsules),
        Rails(
            joints(holds),
            _points(holds),
            _over(frames, [t.start for t in holds], 3),
            _over(frames, [t.end for t in holds], 3),
            weights(holds),
        ),
        Aims(
            joints(looks),
            _points(looks),
            np.array([t.direction for t in looks], np.float64).reshape(-1, 3),
            _over(frames, [t.target for t in looks], 3),
            weights(looks),
        ),
        _balances(skeleton, _of(tasks, Balance), frames),
        _postures(skeleton, _of(tasks, Posture), frames),
    )


def _obstacles(capsules: Capsules) -> Obstacles:
    from kinema.ik.task_kernels import Obstacles

    return Obstacles(
        capsules.joints.astype(np.int64),
        capsules.ends.astype(np.float64),
        capsules.radii.astype(np.float64),
        capsules.pairs.astype(np.int64).reshape(-1, 2),
        capsules.slack.astype(np.float64),
        float(capsules.weight),
    )


def _balances(skeleton: Skeleton, balances: Sequence[Balance], frames: int) -> Balances:
    from kinema.ik.task_kernels import Balances

    count, joints = len(balances), skeleton.joint_count
    masses = [mass_shares(skeleton) if task.masses is None else np.asarray(task.masses) for task in balances]
    centres = mass_centres(skeleton) if count else np.zeros((joints, 3))
    return Balances(
        np.array(masses, np.float64).reshape(count, joints),
        np.tile(centres, (count, 1, 1)),
        _over(frames, [task.target for task in balances], 3),
        _over(frames, [task.weight for task in balances]),
    )


def _postures(skeleton: Skeleton, postures: Sequence[Posture], frames: int) -> Postures:
    """One pull for each joint of each task."""
    from kinema.ik.task_kernels import Postures

    joints = skeleton.joint_count
    weights = [np.broadcast_to(np.asarray(task.weight, np.float64), (joints,)) for task in postures]
    return Postures(
        np.tile(np.arange(joints), len(postures)).astype(np.int64),
        _over(frames, [task.target for task in postures], joints, 4).reshape(frames, -1, 4),
        np.tile(np.concatenate([*weights, np.zeros(0)]), (frames, 1)),
    )


def _of(tasks: Sequence[Task], kind: type[_T]) -> list[_T]:
    return [task for task in tasks if isinstance(task, kind)]


def _points(tasks: Sequence[Reach | Above | Hold | LookAt]) -> Floats:
    """Points of tasks `[G, 3]`."""
    return np.array([task.offset for task in tasks], np.float64).reshape(-1, 3)


def _over(frames: int, values: Sequence[ArrayLike], *shape: int) -> Floats:
    """Values of tasks over time `[F, G, ...]`."""
    out = np.zeros((frames, len(values), *shape))
    for index, value in enumerate(values):
        out[:, index] = value
    return out
