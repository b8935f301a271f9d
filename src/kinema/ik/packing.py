"""Skeletons, limits and tasks as arrays for the compiled solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Floats, Ints
from kinema.ik.coordinates import Coordinates
from kinema.ik.limits import Cone, joint_index
from kinema.ik.masses import mass_centres, mass_shares
from kinema.ik.tasks import Above, Balance, Capsules, Hold, LookAt, OnJoint, Orient, Posture, Reach, Task
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.ik.cone_kernels import Cones
    from kinema.ik.jacobian_kernels import Tree
    from kinema.ik.task_kernels import Balances, Obstacles, Postures, TaskArrays

_T = TypeVar("_T", bound=Task)


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
    from kinema.ik.task_kernels import Aims, Floors, Orientations, Rails, Reaches, TaskArrays

    reaches, orients, above = _of(tasks, Reach), _of(tasks, Orient), _of(tasks, Above)
    holds, looks = _of(tasks, Hold), _of(tasks, LookAt)

    frames = len(up)

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
        np.ascontiguousarray(up, np.float64),
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
        _over(frames, [task.target for task in postures], joints, 4).reshape(frames, len(postures) * joints, 4),
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
