"""A skeleton as generation sees it: any tree of joints, aligned with the axes, in units of its own size.

Rotations are measured from the rest pose and along the axes of the world, so neither the roll of a bone nor the frame
that an exporter gave a joint changes anything: a leg that swings forward has the same numbers in every rig.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kinema import kinematics, rotations
from kinema.arrays import Bools, Indices, Singles
from kinema.errors import SkeletonError
from kinema.mocap.creatures.anatomy import CreatureAnatomy, anatomy_of
from kinema.pose import Pose
from kinema.roles import rest_pose
from kinema.roles.view import detached_foot
from kinema.roles.vocabulary import read_name
from kinema.skeleton import Skeleton

MOST_JOINTS = 160
"""Joints that are animated. In larger rigs, faces, hair and the smallest branches follow the joint above them."""

_LESSER = frozenset(("twist", "helper", "prop", "face", "hair", "eye", "ear"))
_LIMBS = frozenset(("leg", "front_leg", "arm"))
_BODY, _LOW, _STEEP = 0.5, 0.1, 0.5  # shares of the joints and of the height, and a cosine
_LEAST = 1e-6  # metres; smaller skeletons have no size of their own
_IDENTITY = np.asarray([1.0, 0.0, 0.0, 0.0], np.float32)


@dataclass(frozen=True, eq=False)
class AnyRig:
    """The animated joints of a skeleton, the hips first. Use `of`.

    The ancestors of the hips carry no body: they go along with it over the ground, and whatever else hangs on them
    hangs on the hips instead. Feet and hands that hang elsewhere than on their limbs hang on these.

    Attributes:
        skeleton: the whole skeleton.
        joints: int32 `[K]`: the animated joints; the hips are the first.
        parents: int32 `[K]`: -1 for the hips; parents come before their children.
        rest_positions: float32 `[K, 3]` in units, in the rest pose that stands on y = 0 with the hips over the origin,
            facing +Z.
        rest_rotations: float32 `[J, 4]`: global rotations of all joints in that rest pose.
        followed: int32 `[J]`: which animated joint, from 0 to `K`, each joint moves with; -1 for ancestors of the hips.
        stance: the rest pose of the skeleton, or the pose that stands in for it.
        unit: metres a unit: half of the largest distance between two joints or tips at rest.
    """

    skeleton: Skeleton
    joints: Indices
    parents: Indices
    rest_positions: Singles
    rest_rotations: Singles
    followed: Indices
    stance: Pose
    unit: float

    @staticmethod
    def of(skeleton: Skeleton, most: int = MOST_JOINTS, stance: Pose | None = None) -> AnyRig:
        """The rig of a skeleton.

        Args:
            most: largest number of animated joints.
            stance: a pose in which the body stands upright on level ground and faces +Z, for skeletons whose rest pose
                does not stand; see `kinema.generation.stance`. None is the rest pose.
        """
        root = body_root(skeleton)
        above = _tree(skeleton, root, stance)
        controls = _controls(skeleton, above, root)
        joints = _animated(skeleton, above, root, most, controls)
        followed = _followed(above, joints)
        turn = _to_axes(skeleton) if stance is None else _IDENTITY
        rest = skeleton.rest_pose if stance is None else stance
        positions = rotations.rotate(turn, rest.global_positions)
        tips = rotations.rotate(turn, skeleton.tip_positions(rest))
        points = np.concatenate([positions[~controls], tips[~controls[skeleton.tip_joints]]])
        unit = _unit(points)
        hips = joints[0]
        floor = float(points[:, 1].min()) if stance is None else _floor(skeleton, stance, positions, tips)
        origin = np.asarray([positions[hips, 0], floor, positions[hips, 2]], np.float32)
        return AnyRig(
            skeleton,
            joints,
            np.concatenate([np.full(1, -1, np.int32), followed[above[joints[1:]]]]).astype(np.int32),
            ((positions[joints] - origin) / unit).astype(np.float32),
            rotations.multiply(turn, rest.global_rotations).astype(np.float32),
            followed,
            rest,
            unit,
        )

    @property
    def count(self) -> int:
        """Number of animated joints, `K`."""
        return len(self.joints)

    @cached_property
    def offsets(self) -> Singles:
        """float32 `[K, 3]` in units: from the parent to the joint at rest; the hips' is their rest position."""
        offsets = self.rest_positions - self.rest_positions[self.parents]
        offsets[0] = self.rest_positions[0]
        return offsets

    @cached_property
    def depths(self) -> Indices:
        """int32 `[K]`: number of animated ancestors."""
        depths = np.zeros(self.count, np.int32)
        for joint, parent in enumerate(self.parents.tolist()):
            depths[joint] = depths[parent] + 1 if parent >= 0 else 0
        return depths

    def forward(self, local_turns: Singles, hips: Singles) -> tuple[Singles, Singles]:
        """Global turns `[..., K, 4]` and positions `[..., K, 3]`, in units.

        Args:
            local_turns: `[..., K, 4]`: of each joint from its rest pose, relative to that of its parent.
            hips: `[..., 3]`: position of the hips, in units.
        """
        offsets = np.broadcast_to(self.offsets, (*local_turns.shape[:-1], 3)).copy()
        offsets[..., 0, :] = hips
        return kinematics.forward(local_turns, offsets, self.parents, checked=True)


def body_root(skeleton: Skeleton) -> int:
    """The joint that carries the body: the highest that is not a mere reference, such as one on the ground below it.

    A reference is named as one; or it is the root of the tree and has nothing but single joints besides the body; or
    its name says nothing, and it has a body that branches above it or around it and nothing else.
    """
    children, sizes = skeleton.children, _sizes(skeleton)
    joint = [skeleton.roles.hips, *skeleton.ancestors(skeleton.roles.hips)][-1]
    while children[joint]:
        body = max(children[joint], key=lambda child: sizes[child])
        if sizes[body] < _BODY * sizes[joint] or not _is_reference(skeleton, joint, body):
            break
        joint = body
    return joint


def _is_reference(skeleton: Skeleton, joint: int, body: int) -> bool:
    if skeleton.roles.parts[joint] == "root" and _only_leaves_beside(skeleton, joint, body):
        return True
    meant = read_name(skeleton.names[joint]).parts
    if meant:
        return max(meant, key=lambda part: meant[part]) == "root"
    places = skeleton.rest_pose.global_positions
    way = places[body] - places[joint]
    length = float(np.linalg.norm(way))
    low = places[joint, 1] <= places[:, 1].min() + _LOW * skeleton.height
    if not (skeleton.below([joint]) & np.asarray([len(below) > 1 for below in skeleton.children])).any():
        return False  # a mere chain is all body
    return len(skeleton.children[joint]) == 1 and (length <= _LEAST or bool(low and way[1] > _STEEP * length))


def _only_leaves_beside(skeleton: Skeleton, joint: int, body: int) -> bool:
    """Whether a joint has nothing but single joints, such as targets of constraints, besides a child."""
    return all(child == body or not skeleton.children[child] for child in skeleton.children[joint])


def _sizes(skeleton: Skeleton) -> Indices:
    """Number of joints `[J]` at and below each joint."""
    sizes = np.ones(skeleton.joint_count, np.int32)
    for joint in range(skeleton.joint_count - 1, -1, -1):
        if (parent := int(skeleton.parents[joint])) >= 0:
            sizes[parent] += sizes[joint]
    return sizes


def _tree(skeleton: Skeleton, root: int, stance: Pose | None) -> Indices:
    """int32 `[J]`: what each joint hangs on: the root on nothing, as do its ancestors, which are left out.

    Feet and hands that rigs with inverse kinematics hang elsewhere hang on their limbs.
    """
    roles = skeleton.roles
    above = skeleton.parents.copy()
    carriers = skeleton.ancestors(root)
    above[(above < 0) | np.isin(above, carriers)] = root
    for limb in roles.chains:
        if limb.kind in _LIMBS and (end := detached_foot(skeleton, roles, limb)) is not None:
            above[end] = limb.joints[-1]
    anatomy = _anatomy(skeleton, stance)
    for leg in anatomy.legs if anatomy is not None else ():
        if leg.detached:
            above[leg.joints[-1]] = leg.joints[-2]
    above[[root, *carriers]] = -1
    return above


def _anatomy(skeleton: Skeleton, stance: Pose | None) -> CreatureAnatomy | None:
    """The anatomy; None where nothing is recognised."""
    try:
        return anatomy_of(skeleton, stance)
    except SkeletonError:
        return None


def _floor(skeleton: Skeleton, stance: Pose, positions: Singles, tips: Singles) -> float:
    """Height of the ground in a stance: of the feet, as the mean tail of a motion may hang lower; or the lowest."""
    anatomy = _anatomy(skeleton, stance)
    on = np.ones(skeleton.joint_count, np.bool_)
    if anatomy is not None and anatomy.legs:
        on = skeleton.below([leg.joints[-1] for leg in anatomy.legs])
    return float(np.concatenate([positions[on, 1], tips[on[skeleton.tip_joints], 1]]).min())


def _controls(skeleton: Skeleton, above: Indices, root: int) -> Bools:
    """Which joints `[J]` are no part of the body: targets of constraints, that hang on nothing of it."""
    carriers = [-1, *skeleton.ancestors(root)]
    parts = skeleton.roles.parts
    beside = (above == root) & np.isin(skeleton.parents, carriers)
    return np.asarray([on and part == "helper" for on, part in zip(beside.tolist(), parts, strict=True)], np.bool_)


def _depths(above: Indices) -> Indices:
    """Number of joints `[J]` above each joint of a tree in any order."""
    depths = np.zeros(len(above), np.int32)
    upper = above.copy()
    while (upper >= 0).any():
        depths += upper >= 0
        upper = np.where(upper >= 0, above[upper], -1).astype(np.int32)
    return depths


def _animated(skeleton: Skeleton, above: Indices, root: int, most: int, controls: Bools) -> Indices:
    """The animated joints, the root first, parents before their children."""
    others = np.flatnonzero((above >= 0) & ~controls)
    if len(others) >= most:
        lesser = np.asarray([skeleton.roles.parts[joint] in _LESSER for joint in others.tolist()])
        others = np.sort(others[np.lexsort((-_reach(skeleton)[others], lesser))][: most - 1])
    joints = np.concatenate([[root], others])
    return joints[np.argsort(_depths(above)[joints], kind="stable")].astype(np.int32)


def _reach(skeleton: Skeleton) -> Singles:
    """Metres `[J]` from the parent of each joint to the farthest end below it, along the bones."""
    reach = skeleton.bone_lengths.copy()
    for tip, offset in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True):
        reach[tip] += np.linalg.norm(offset)
    below = np.zeros_like(reach)
    for joint in range(skeleton.joint_count - 1, 0, -1):
        parent = int(skeleton.parents[joint])
        if parent >= 0:
            below[parent] = max(below[parent], reach[joint] + below[joint])
    return reach + below


def _followed(above: Indices, joints: Indices) -> Indices:
    """For each joint `[J]` the animated one that it moves with: itself, or the nearest above it; -1 above the hips."""
    followed = np.full(len(above), -1, np.int32)
    followed[joints] = np.arange(len(joints))
    upper = above.copy()
    while (waiting := (followed < 0) & (upper >= 0)).any():
        followed[waiting] = followed[upper[waiting]]
        upper = np.where(waiting, above[upper], upper).astype(np.int32)
    return followed


def _unit(points: Singles) -> float:
    """Half of the largest distance between two points `[N, 3]`, metres; 1 where they are all in one place."""
    largest = max(float(np.linalg.norm(points - point, axis=-1).max()) for point in points)
    return 0.5 * largest if largest > _LEAST else 1.0


def _to_axes(skeleton: Skeleton) -> Singles:
    """The rotation `[4]`, by quarter turns, after which the rest pose stands along +Y and faces +Z."""
    stance = rest_pose(skeleton)
    up = _nearest_axis(stance.up)
    forward = _nearest_axis(np.where(up != 0, 0, stance.forward))
    return rotations.inverse(rotations.look_rotation(forward, up)).astype(np.float32)


def _nearest_axis(direction: Singles) -> Singles:
    axis = np.zeros(3, np.float32)
    largest = int(np.abs(direction).argmax())
    axis[largest] = 1.0 if direction[largest] >= 0 else -1.0
    return axis
