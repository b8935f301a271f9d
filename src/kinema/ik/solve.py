"""Poses that fit tasks and limits: the solver for any body, with any leading dimensions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from kinema import rotations
from kinema.arrays import Bools, Floats
from kinema.errors import SkeletonError
from kinema.ik.coordinates import Coordinates
from kinema.ik.full_body import shapes_of, solve_frames
from kinema.ik.limits import Cone, Limit, joint_index, resolved
from kinema.ik.tasks import NO_CAPSULES, Above, Balance, Capsules, Hold, Joint, OnJoint, Orient, Posture, Task
from kinema.pose import Pose
from kinema.rotations import alike
from kinema.skeleton import Skeleton

RATIO = 30.0  # how many times more a level weighs than the next one
CLOSING = 1e-3  # pull to where the passes that close the remaining error begin, per radian or metre
SOLVED = 1e-8  # cost that counts as solved: a residual of 0.14 mm


def solve(
    pose: Pose,
    tasks: Sequence[Task],
    limits: Sequence[Limit] = (),
    *,
    moving: Collection[Joint] | None = None,
    sliding: Collection[Joint] = (),
    capsules: Capsules = NO_CAPSULES,
    stay: float = 0.03,
    iterations: int = 100,
    restarts: int = 0,
) -> Pose:
    """Poses near the given ones that fit tasks within limits; same leading dimensions, every pose for itself.

    All tasks are solved together by Levenberg-Marquardt, near the given pose. Then what is left of them is closed
    without a pull to it, so that what can be reached is reached exactly. Tasks of a lower `level` come first: they
    weigh more, and are closed last, so that tasks of higher levels do not disturb them.

    Args:
        pose: poses `[...]` to start from. Joints keep their limits even if these poses do not.
        tasks: what to fit; see `kinema.ik.tasks`. Their targets broadcast to `[...]`.
        limits: cones, and hinges beside those of the skeleton.
        moving: the joints that may rotate; None: those that a task depends on.
        sliding: the joints that may translate, such as the hips of a person whose feet have tasks.
        capsules: shapes that must not penetrate.
        stay: weight of the pull to the given pose, per radian or metre.
        iterations: largest number of iterations of each pass.
        restarts: number of other postures to start from where tasks are not met. Bodies with tight limits need some;
            a result may then be far from the given pose.

    Returns:
        The poses in the root frames of `pose`. Torch tensors are solved on the CPU, without gradients.

    Raises:
        SkeletonError: a joint does not exist, or shapes do not fit.
    """
    skeleton, cones = resolved(pose.skeleton, limits)
    lead, count = pose.shape, int(np.prod(pose.shape))
    start = Pose(skeleton, *_flat(pose, count))
    frames = _RootFrames.of(pose)
    flat_tasks = [frames.task(_broadcast(skeleton, task, lead)) for task in tasks]
    turning = _moving(skeleton, tasks, capsules) if moving is None else {joint_index(skeleton, j) for j in moving}
    coordinates = Coordinates.of(skeleton, sorted(turning), [joint_index(skeleton, j) for j in sliding], stay)
    problem = _Problem(flat_tasks, coordinates, capsules, cones, frames.up, iterations)
    found = problem.solve(start)
    for attempt in range(restarts):
        costs = problem.cost(found)
        missed = costs > SOLVED
        if not missed.any():
            break
        some = problem.at(missed)
        again = some.solve(_other_start(start[missed], coordinates, cones, attempt))
        found = _better(found, again, missed, some.cost(again) < costs[missed])
    turned, moved = (
        alike(part.reshape(*lead, *part.shape[1:]), pose.local_rotations)
        for part in (found.local_rotations, found.local_translations)
    )
    return pose.replace(local_rotations=turned, local_translations=moved)


@dataclass(frozen=True, eq=False)
class _RootFrames:
    """Root frames `[F]`. Everything is solved in them, so that the result moves with its root."""

    positions: Floats
    rotations: Floats

    @staticmethod
    def of(pose: Pose) -> _RootFrames:
        return _RootFrames(numbers(pose.root_positions).reshape(-1, 3), numbers(pose.root_rotations).reshape(-1, 4))

    @property
    def up(self) -> Floats:
        """The direction that is up in the world, `[F, 3]`."""
        return rotations.inverse_rotate(self.rotations, np.array([0.0, 1.0, 0.0]))

    def task(self, task: Task) -> Task:
        """A task with targets in the world as one in the root frames."""
        if isinstance(task, Posture):
            return task
        if isinstance(task, Above):
            return replace(task, height=np.asarray(task.height) - self.positions[:, 1])
        if isinstance(task, Orient):
            return replace(task, target=rotations.relative(self.rotations, np.asarray(task.target)))
        if isinstance(task, Hold):
            return replace(task, start=self._point(task.start), end=self._point(task.end))
        return replace(task, target=self._point(task.target))

    def _point(self, point: ArrayLike) -> Floats:
        return rotations.inverse_rotate(self.rotations, np.asarray(point) - self.positions)


class _Problem:
    """Tasks and limits of poses `[F]`."""

    def __init__(
        self,
        tasks: Sequence[Task],
        coordinates: Coordinates,
        capsules: Capsules,
        cones: Sequence[Cone],
        up: Floats,
        iterations: int,
    ) -> None:
        self.tasks, self.coordinates, self.capsules = tasks, coordinates, capsules
        self.cones, self.up, self.iterations = cones, up, iterations
        self.levels = sorted({task.level for task in tasks}) or [0]

    def at(self, chosen: Bools) -> _Problem:
        """The problem of some of the poses."""
        tasks = [_select(task, chosen) for task in self.tasks]
        return _Problem(tasks, self.coordinates, self.capsules, self.cones, self.up[chosen], self.iterations)

    def solve(self, pose: Pose) -> Pose:
        """All tasks near the given poses, then level by level what is left, the most important level last."""
        pose = self._pass(pose, self.levels[-1], self.coordinates)[0]
        closing = replace(self.coordinates, stay=np.full(len(self.coordinates.stay), CLOSING))
        for level in reversed(self.levels):
            pose = self._pass(pose, level, closing)[0]
        return pose

    def cost(self, pose: Pose) -> Floats:
        """Half the sum of squared residuals of all tasks, by level, `[F]`."""
        return self._pass(pose, self.levels[-1], self.coordinates, iterations=0)[1][:, 0]

    def _pass(
        self, pose: Pose, level: int, coordinates: Coordinates, iterations: int | None = None
    ) -> tuple[Pose, Floats]:
        last = self.levels.index(level)
        tasks = [
            replace(task, weight=np.asarray(task.weight) * RATIO ** (last - self.levels.index(task.level)))
            for task in self.tasks
            if task.level <= level
        ]
        most = self.iterations if iterations is None else iterations
        turned, moved, costs = solve_frames(
            pose, tasks, coordinates, self.capsules, most, False, 0, self.cones, self.up
        )
        return Pose(pose.skeleton, turned, moved), costs


def _flat(pose: Pose, count: int) -> tuple[Floats, Floats]:
    """Local rotations `[F, J, 4]` and translations `[F, J, 3]` in float64."""
    joints = pose.skeleton.joint_count
    turned, moved = numbers(pose.local_rotations), numbers(pose.local_translations)
    return turned.reshape(count, joints, 4), moved.reshape(count, joints, 3)


def numbers(array: object) -> Floats:
    """An array or a tensor as NumPy numbers."""
    detach = getattr(array, "detach", None)
    return np.asarray(detach().cpu().numpy() if detach is not None else array, np.float64)


def _broadcast(skeleton: Skeleton, task: Task, lead: tuple[int, ...]) -> Task:
    """The task with its joint by index and with targets for poses `[F]`.

    Raises:
        SkeletonError: targets or weights do not broadcast to the poses.
    """
    names = _targets(task)
    changes: dict[str, object] = {}
    for name, (given, shape) in zip(names, shapes_of(task, lead, skeleton.joint_count), strict=True):
        changes[name] = spread(numbers(given), shape, len(lead))
    if isinstance(task, Posture):
        changes["weight"] = np.broadcast_to(numbers(task.weight), (skeleton.joint_count,))
    else:
        changes["weight"] = spread(numbers(task.weight), lead, len(lead))
    if isinstance(task, OnJoint):
        changes["joint"] = joint_index(skeleton, task.joint)
    return replace(task, **changes)


def spread(given: Floats, shape: tuple[int, ...], lead: int) -> Floats:
    """Targets as an array for poses `[F]`, whose shape has `lead` leading dimensions in place of `F`.

    Raises:
        SkeletonError: they do not broadcast to the shape.
    """
    try:
        whole = np.broadcast_to(given, shape)
    except ValueError:
        shapes = f"{list(given.shape)}, expected {list(shape)}"
        raise SkeletonError(f"targets of a task have shape {shapes}") from None
    return whole.reshape(int(np.prod(shape[:lead])), *shape[lead:])


def _targets(task: Task) -> tuple[str, ...]:
    """The fields that `kinema.ik.full_body.shapes_of` describes."""
    return ("height",) if isinstance(task, Above) else ("start", "end") if isinstance(task, Hold) else ("target",)


def _select(task: Task, chosen: Bools) -> Task:
    """A task of some of the poses."""
    names = [*_targets(task), *([] if isinstance(task, Posture) else ["weight"])]
    return replace(task, **{name: np.asarray(getattr(task, name))[chosen] for name in names})


def _moving(skeleton: Skeleton, tasks: Sequence[Task], capsules: Capsules) -> set[int]:
    """The joints that tasks depend on."""
    if any(isinstance(task, Balance | Posture) for task in tasks) or len(capsules.joints):
        return set(range(skeleton.joint_count))
    found: set[int] = set()
    for task in tasks:
        if isinstance(task, OnJoint):
            joint = joint_index(skeleton, task.joint)
            own = isinstance(task, Orient) or hasattr(task, "direction") or np.any(np.asarray(task.offset))
            found.update([*skeleton.ancestors(joint), *([joint] if own else [])])
    return found


def _other_start(pose: Pose, coordinates: Coordinates, cones: Sequence[Cone], attempt: int) -> Pose:
    """Poses to start from instead, the same for all: the middle of the limits first, then random within them."""
    rng = np.random.default_rng(attempt)
    skeleton, turned = pose.skeleton, np.array(pose.local_rotations)
    spans = {cone.joint: (cone.axis, cone.swing, cone.twist) for cone in cones}
    spans |= {hinge.joint: (hinge.axis, 0.0, (hinge.lower, hinge.upper)) for hinge in skeleton.hinges}
    rest = skeleton.rest_rotations.astype(np.float64)
    for joint in np.unique(coordinates.joints[~coordinates.slides]).tolist():
        axis, swing, twist = spans.get(joint, ((0.0, 1.0, 0.0), np.pi, (-np.pi, np.pi)))
        share = rng.uniform(-1, 1, size=4) if attempt else np.zeros(4)
        lower, upper = max(twist[0], -np.pi), min(twist[1], np.pi)
        along = np.asarray(axis)
        angle = np.asarray(0.5 * (lower + upper + share[0] * (upper - lower)))
        tilt = np.cross(along, rotations.normalize_vector(share[1:])) * min(swing, np.pi)
        turn = rotations.multiply(rotations.exp(tilt), rotations.from_axis_angle(along, angle))
        turned[:, joint] = rotations.multiply(rest[joint], turn)
    return pose.replace(local_rotations=turned)


def _better(found: Pose, again: Pose, missed: Bools, improved: Bools) -> Pose:
    """The poses with those that another start improved."""
    turned, moved = found.local_rotations.copy(), found.local_translations.copy()
    places = np.flatnonzero(missed)[improved]
    turned[places], moved[places] = again.local_rotations[improved], again.local_translations[improved]
    return found.replace(local_rotations=turned, local_translations=moved)
