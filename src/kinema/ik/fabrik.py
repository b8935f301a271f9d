"""FABRIK: chains and branching chains that reach for positions, by passes over their points.

A free chain ends exactly at every target in its reach. Plain FABRIK does not: it stays where a chain and its target
are in one line, and it creeps where the chain is nearly stretched or folded. So a few passes find the shape, and the
rest of the distance is closed by blending the directions of the bones with a straight or a folded chain, which has an
exact root. A pole rotates the whole chain about the line from its root to its end, which leaves both in place.

Chains with limits, and several targets, take more passes, with rotations within limits on the way out. What these do
not bring to their targets is solved by least squares from there.

Aristidou and Lasenby, "FABRIK: a fast, iterative solver for the inverse kinematics problem", 2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Ints, Reals
from kinema.errors import SkeletonError
from kinema.ik.limits import Cone, Limit, joint_index, resolved
from kinema.ik.solve import numbers, solve, spread
from kinema.ik.tasks import Joint, Reach
from kinema.pose import Pose
from kinema.rotations import Array, alike
from kinema.skeleton import Skeleton

TOLERANCE = 1e-4  # metres: passes end here; a free chain is then closed exactly
RESTARTS = 8  # other postures from which least squares start where limits are in the way


def fabrik_positions(
    points: Reals, targets: Reals, poles: Reals | None = None, iterations: int = 8, tolerance: float = TOLERANCE
) -> Reals:
    """New points `[..., N, 3]` of chains whose ends are at the targets; bone lengths and first points stay.

    Exact for every target in reach, whatever the number of iterations, which only shape the chain: with none it bends
    as little as possible from where it was turned to the target. Chains point at targets out of reach.

    Args:
        points: `[..., N, 3]`, metres: the joints of each chain and its end.
        targets: `[..., 3]`.
        poles: directions `[..., 3]`, of any length but zero, to which the inner joints bend, in the mean; None keeps
            the bend of the chain.
        iterations: largest number of passes.
        tolerance: metres: distance at which passes end.

    Raises:
        ValueError: shapes do not fit.
    """
    from kinema.ik.fabrik_kernels import solve_chains  # imported here because numba is slow to import

    bends = targets if poles is None else poles
    ends = {targets.shape[-1:], bends.shape[-1:]}
    if points.ndim < 2 or points.shape[-1] != 3 or points.shape[-2] < 2 or ends != {(3,)}:
        shapes = ", ".join(str(list(array.shape)) for array in (points, targets, bends))
        raise ValueError(f"fabrik_positions needs points [..., N, 3], targets and poles [..., 3], not {shapes}")
    # One kind of arrays, so that the kernel is compiled once. NumPy takes as long to find it as the kernel for a chain.
    kind = points.dtype if points.dtype.char in "fd" else np.result_type(points, np.float32)
    if points.ndim == 2 and targets.ndim == bends.ndim == 1:
        goal, side = np.asarray(targets, kind), np.asarray(bends, kind)
        one = np.asarray(points, kind)[None]
        return solve_chains(one, goal[None], side[None], poles is not None, iterations, tolerance)[0]
    count = points.shape[-2]
    batch = np.broadcast_shapes(points.shape[:-2], targets.shape[:-1], bends.shape[:-1])
    flat = np.require(np.broadcast_to(points, (*batch, count, 3)).reshape(-1, count, 3), kind, ("C", "W"))
    goals, sides = (
        np.require(np.broadcast_to(array, (*batch, 3)).reshape(-1, 3), kind, ("C", "W")) for array in (targets, bends)
    )
    solved = solve_chains(flat, goals, sides, poles is not None, iterations, tolerance)
    return solved.reshape(*batch, count, 3)


def fabrik(
    pose: Pose,
    tasks: Sequence[Reach],
    limits: Sequence[Limit] = (),
    *,
    root: Joint,
    poles: Array | None = None,
    iterations: int = 8,
    restarts: int = RESTARTS,
) -> Pose:
    """Poses whose joints below `root` reach for targets; same leading dimensions, every pose for itself.

    Args:
        pose: poses `[...]` to start from, in NumPy.
        tasks: the targets. Weights and levels are not used: where targets cannot all be reached, least squares weigh
            them.
        limits: cones, and hinges beside those of the skeleton.
        root: the first joint that rotates, such as an upper arm. It and all joints between it and the targets move.
        poles: global directions `[..., 3]` to which the chain bends, for one target.
        iterations: largest number of passes of a free chain. With limits or several targets there are eight times more.
        restarts: see `kinema.ik.solve`; 0 to take what passes and least squares find from here.

    Raises:
        SkeletonError: a target is not below the root, or shapes do not fit.
    """
    if not tasks:
        return pose
    skeleton, cones = resolved(pose.skeleton, limits)
    tree = _Tree.of(skeleton, joint_index(skeleton, root), tasks, cones)
    lead, count = pose.shape, int(np.prod(pose.shape))
    turned, placed, local = (
        numbers(part).reshape(count, skeleton.joint_count, -1)
        for part in (pose.global_rotations, pose.global_positions, pose.local_rotations)
    )
    targets = np.stack([spread(numbers(task.target), (*lead, 3), len(lead)) for task in tasks], axis=1)
    rotation, places = turned[:, tree.joints], tree.places(turned, placed)
    if len(tasks) == 1:
        sides = None if poles is None else spread(numbers(poles), (*lead, 3), len(lead))
        places = tree.bend(rotation, places, fabrik_positions(places, targets[:, 0], sides, iterations))
    elif poles is not None:
        raise SkeletonError("poles are for one target; give inner joints of several chains targets of their own")
    above = tree.above(turned)
    missed = np.zeros(count, np.bool_)
    if len(tasks) > 1 or len(tree.cones):
        missed = tree.passes(above, places, rotation, targets, 8 * iterations) > TOLERANCE
    local[:, tree.joints[tree.moving]] = tree.to_local(above, rotation)
    found = pose.replace(local_rotations=alike(local.reshape(*lead, *local.shape[1:]), pose.local_rotations))
    return _finished(found, tasks, limits, missed.reshape(lead), tree.joints[tree.moving].tolist(), restarts)


def _finished(
    pose: Pose, tasks: Sequence[Reach], limits: Sequence[Limit], missed: Bools, moving: Sequence[int], restarts: int
) -> Pose:
    """The poses, with those that missed a target solved by least squares."""
    if not missed.any():
        return pose
    some = [replace(task, target=np.broadcast_to(numbers(task.target), (*missed.shape, 3))[missed]) for task in tasks]
    some = [replace(task, weight=np.broadcast_to(numbers(task.weight), missed.shape)[missed]) for task in some]
    solved = solve(pose[missed], some, limits, moving=moving, stay=0.003, restarts=restarts)
    local = np.array(pose.local_rotations)
    local[missed] = solved.local_rotations
    return pose.replace(local_rotations=local)


@dataclass(frozen=True, eq=False)
class _Tree:
    """Joints between a root and targets, and the points on them that have targets.

    Attributes:
        joints: `[K]`, the joint of each node, or the one that a point is on.
        parents: `[K]`, nodes; -1 for the root.
        offsets: `[K, 3]`, of points in the frames of their joints.
        goals: `[K]`, numbers of targets; -1 for a node without one.
        moving: `[K]`, whether a node is a joint that has others below it.
        cones: limits of these joints, hinges too.
        base: the joint above the root; -1 for none.
    """

    skeleton: Skeleton
    joints: Ints
    parents: Ints
    offsets: Floats
    goals: Ints
    moving: Bools
    cones: Sequence[Cone]
    base: int

    @staticmethod
    def of(skeleton: Skeleton, root: int, tasks: Sequence[Reach], cones: Sequence[Cone]) -> _Tree:
        """The tree from the root to the targets.

        Raises:
            SkeletonError: a target is not below the root.
        """
        ends = [joint_index(skeleton, task.joint) for task in tasks]
        offsets = [np.asarray(task.offset, np.float64) for task in tasks]
        for end, offset in zip(ends, offsets, strict=True):
            if root not in skeleton.ancestors(end) and not (end == root and offset.any()):
                raise SkeletonError(f"joint {skeleton.names[end]!r} is not below {skeleton.names[root]!r}")
        joints = np.flatnonzero(skeleton.above(ends) & skeleton.below([root])).tolist()
        parents = [joints.index(int(skeleton.parents[joint])) if joint != root else -1 for joint in joints]
        goals, points = [-1] * len(joints), [np.zeros(3)] * len(joints)
        for number, (end, offset) in enumerate(zip(ends, offsets, strict=True)):
            node = joints.index(end)
            if not offset.any() and goals[node] < 0:
                goals[node] = number
                continue
            joints, parents, goals = [*joints, end], [*parents, node], [*goals, number]
            points.append(offset)
        moving = np.isin(np.arange(len(joints)), parents)
        turning = {joints[node] for node in np.flatnonzero(moving)}
        limits = [cone for cone in cones if cone.joint in turning]
        limits += [
            Cone(hinge.joint, 0.0, (hinge.lower, hinge.upper), hinge.axis)
            for hinge in skeleton.hinges
            if hinge.joint in turning
        ]
        arrays = (np.array(joints), np.array(parents), np.array(points), np.array(goals))
        return _Tree(skeleton, *arrays, moving, limits, int(skeleton.parents[root]))

    def places(self, turned: Floats, placed: Floats) -> Floats:
        """Positions of the nodes `[F, K, 3]`, from global transforms of all joints."""
        return placed[:, self.joints] + rotations.rotate(turned[:, self.joints], self.offsets)

    def above(self, turned: Floats) -> Floats:
        """Global rotations `[F, 4]` of what the root is attached to."""
        return turned[:, self.base] if self.base >= 0 else rotations.identity(turned.shape[:1], turned)

    def bend(self, rotation: Floats, places: Floats, solved: Reals) -> Floats:
        """Rotate the joints of a chain, in place, from their positions to solved ones, which are returned."""
        from kinema.ik.fabrik_kernels import turn_chains

        found = np.asarray(solved, np.float64)
        turn_chains(places, found, rotation)
        return found

    def passes(self, above: Floats, places: Floats, rotation: Floats, targets: Floats, iterations: int) -> Floats:
        """Passes within limits, in place; the largest distance from a target `[F]`."""
        from kinema.ik.cone_kernels import Cones
        from kinema.ik.fabrik_kernels import Branches, solve_branches

        row = {cone.joint: number for number, cone in enumerate(self.cones)}
        rests = self.skeleton.rest_rotations[[int(cone.joint) for cone in self.cones]]
        cones = Cones(
            np.array([cone.joint for cone in self.cones], np.int64),
            rotations.normalize(rests.astype(np.float64)),
            np.array([cone.axis for cone in self.cones], np.float64).reshape(-1, 3),
            np.array([cone.swing for cone in self.cones], np.float64),
            *np.array([cone.twist for cone in self.cones], np.float64).reshape(-1, 2).T.copy(),
        )
        bones = rotations.inverse_rotate(rotation[:, self.parents], places - places[:, self.parents])
        limited = np.array([row.get(joint, -1) for joint in self.joints.tolist()])
        branches = Branches(self.parents, bones, self.moving, np.where(self.moving, limited, -1), cones, self.goals)
        return solve_branches(branches, above, places, rotation, targets, iterations, TOLERANCE)

    def to_local(self, above: Floats, rotation: Floats) -> Floats:
        """Local rotations `[F, M, 4]` of the joints that move."""
        outer = np.where((self.parents < 0)[:, None], above[:, None], rotation[:, self.parents])
        return rotations.relative(outer, rotation)[:, self.moving]
