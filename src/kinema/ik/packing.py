"""Skeletons, limits and tasks as arrays for the compiled solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats
from kinema.ik.coordinates import Coordinates
from kinema.ik.limits import Cone, joint_index
from kinema.ik.masses import mass_centres, mass_shares
from kinema.ik.tasks import Above, Balance, Capsules, Hold, LookAt, Orient, Posture, Reach, Task
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.ik.cone_kernels import Cones
    from kinema.ik.jacobian_kernels import Tree
    from kinema.ik.task_kernels import Obstacles, TaskArrays

KINDS = (Reach, Orient, Above, Hold, LookAt, Balance, Posture)
"""Kinds of tasks in the order of `kinema.ik.task_kernels`."""


def tree_of(skeleton: Skeleton, coordinates: Coordinates) -> Tree:
    """The skeleton and its coordinates."""
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


def cones_of(skeleton: Skeleton, cones: Sequence[Cone], coordinates: Coordinates) -> Cones:
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


def task_arrays(skeleton: Skeleton, tasks: Sequence[Task], capsules: Capsules, up: Floats) -> TaskArrays:
    """Tasks for the frames `[F]` whose direction `up` is `[F, 3]`."""
    from kinema.ik.task_kernels import TaskArrays

    tasks = sorted(tasks, key=lambda task: KINDS.index(type(task)))
    balances = [task for task in tasks if isinstance(task, Balance)]
    joints, counts = [_joints(skeleton, task, balances) for task in tasks], np.zeros(len(KINDS), np.int64)
    for task, own in zip(tasks, joints, strict=True):
        counts[KINDS.index(type(task))] += len(own)
    frames, total = len(up), int(counts.sum())
    targets, weights = np.zeros((frames, total, 6)), np.zeros((frames, total))
    offsets, directions, end = np.zeros((total, 3)), np.zeros((total, 3)), 0
    for task, own in zip(tasks, joints, strict=True):
        place, end = end, end + len(own)
        for begin, part in zip((0, 3), _targets(task), strict=False):
            rows = np.asarray(part)
            rows = rows.reshape(frames, len(own), 1 if isinstance(task, Above) else rows.shape[-1])
            targets[:, place:end, begin : begin + rows.shape[-1]] = rows
        weight = np.asarray(task.weight, np.float64)
        weights[:, place:end] = weight if isinstance(task, Posture) else weight[..., None]
        offsets[place:end] = getattr(task, "offset", 0.0)
        directions[place:end] = getattr(task, "direction", 0.0)
    masses = [mass_shares(skeleton) if task.masses is None else np.asarray(task.masses) for task in balances]
    return TaskArrays(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.concatenate([*joints, np.zeros(0)]).astype(np.int64),
        offsets,
        directions,
        targets,
        weights,
        _obstacles(capsules),
        np.array(masses, np.float64).reshape(len(balances), skeleton.joint_count),
        mass_centres(skeleton) if balances else np.zeros((skeleton.joint_count, 3)),
        np.ascontiguousarray(up, np.float64),
    )


def _joints(skeleton: Skeleton, task: Task, balances: Sequence[Balance]) -> Sequence[int]:
    """The joints of a task, each with residuals of its own; for a balance its number."""
    if isinstance(task, Posture):
        return range(skeleton.joint_count)
    if isinstance(task, Balance):
        return [next(number for number, other in enumerate(balances) if other is task)]
    return [joint_index(skeleton, task.joint)]


def _targets(task: Task) -> tuple[ArrayLike, ...]:
    """One target, or the two of a rail."""
    if isinstance(task, Hold):
        return task.start, task.end
    return (task.height,) if isinstance(task, Above) else (task.target,)


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
