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

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Floats
from kinema.errors import SkeletonError
from kinema.ik.coordinates import Coordinates, on_hinges
from kinema.ik.limits import Cone, joint_index
from kinema.ik.packing import cones_of, task_arrays, tree_of
from kinema.ik.tasks import NO_CAPSULES, Above, Balance, Capsules, Hold, OnJoint, Orient, Posture, Task
from kinema.pose import Pose
from kinema.skeleton import Skeleton

UP = (0.0, 1.0, 0.0)


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
    up: Floats | None = None,
) -> tuple[Floats, Floats, Floats]:
    """The local transforms of `full_body` in float64, and its costs.

    Args:
        up: directions `[F, 3]` in which heights are measured; None: the Y axis.
    """
    skeleton = pose.skeleton
    if coordinates is None:
        coordinates = Coordinates.of(skeleton)
    _check(pose, tasks, coordinates, capsules)
    from kinema.ik import frame_kernels as kernels  # imported here because numba is slow to import
    from kinema.ik.least_squares_kernels import Bounds

    frames = len(pose)
    local, start = on_hinges(skeleton, pose.local_rotations, coordinates)
    # One memory layout, whatever that of the pose: the solver takes seconds to compile for each.
    local, translations = np.ascontiguousarray(local), np.array(pose.local_translations, np.float64, order="C")
    costs = np.zeros((frames, 2))
    kernels.solve_frames(
        kernels.LocalPoses(local, translations),
        tree_of(skeleton, coordinates),
        Bounds(
            start,
            coordinates.lower,
            coordinates.upper,
            coordinates.stay,
            coordinates.nominal,
            coordinates.lean,
            coordinates.limbs,
            cones_of(skeleton, cones, coordinates),
        ),
        task_arrays(skeleton, tasks, capsules, np.tile(UP, (frames, 1)) if up is None else up),
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
