"""The shape of a skeleton: its tree with bone lengths, and a pose to look at.

Everything here is linear in the number of joints. Positions are in model space, metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Reals

if TYPE_CHECKING:
    from kinema.motion import Motion
    from kinema.skeleton import Skeleton


_FAR = 1e9  # metres; larger values are damaged numbers
_FRAMES = 24  # maximum number of frames of a motion that are used
_ONE_WAY = 0.72  # share of the bone length that points one way in a rest pose that is not a stance
_ONE_LINE = 0.93  # share of it along one level line in such a pose


@dataclass(frozen=True, eq=False)
class JointTree:
    """The shape of a skeleton.

    Attributes:
        parents: parent of each joint; -1 for a root.
        children: children of each joint.
        roots: joints without a parent.
        lengths: metres `[J]` to the parent; 0 for roots.
        reach: metres `[J]` of the longest path from a joint down to a tip.
        next: the child on that path; -1 at its end.
        size: joints in the subtree, including the joint itself.
        positions: `[J, 3]` in the rest pose.
        ends: positions `[J, 3]` of the longest tip at each joint, or of the joint itself.
        centres: mean position `[J, 3]` of each subtree.
        poses: positions `[K, J, 3]` in frames of a motion; `K` is 0 without a motion.
        extent: metres; diagonal of the bounding box.
        posed: whether the rest pose is a stance; if not, only lengths are evidence.
    """

    parents: list[int]
    children: tuple[tuple[int, ...], ...]
    roots: tuple[int, ...]
    lengths: list[float]
    reach: list[float]
    next: list[int]
    size: list[int]
    positions: Floats
    ends: Floats
    centres: Floats
    poses: Floats
    extent: float
    posed: bool

    def path(self, joint: int, most: int = 64) -> list[int]:
        """The joint and the longest path down from it."""
        found = [joint]
        while self.next[found[-1]] >= 0 and len(found) < most:
            found.append(self.next[found[-1]])
        return found

    def below(self, joint: int, most: int = 200_000) -> list[int]:
        """The joint and its descendants level by level, at most `most` of them."""
        found = [joint]
        for at in found:
            if len(found) >= most:
                break
            found.extend(self.children[at])
        return found[:most]

    def up_from(self, joint: int) -> list[int]:
        """The joint and its ancestors, nearest first."""
        found = []
        while joint >= 0:
            found.append(joint)
            joint = self.parents[joint]
        return found

    def total(self, joint: int) -> float:
        """Metres from the parent of a joint to the farthest tip below it."""
        return self.reach[joint] + self.lengths[joint]

    def path_end(self, joint: int) -> int:
        """The last joint of the longest path down."""
        return self.path(joint)[-1]


def unit(vector: Floats) -> Floats:
    """The vector `[3]` at length 1; zero stays zero."""
    return vector / max(float(np.linalg.norm(vector)), 1e-12)


def is_pose(skeleton: Skeleton, positions: Floats) -> bool:
    """Whether a body can stand like this.

    Some motion files have no stance as their rest pose: all bones lie along one direction or one level line.
    """
    parents = skeleton.parents
    inner = np.flatnonzero(parents >= 0)
    inner = inner[parents[parents[inner]] >= 0]  # the bone below a root is often an offset
    bones = positions[inner] - positions[parents[inner]]
    lengths = np.linalg.norm(bones, axis=1)
    total = float(lengths.sum())
    if not total > 0 or max(len(row) for row in skeleton.children) < 2:
        return total > 0
    resultant = bones.sum(axis=0)
    one_way = float(np.linalg.norm(resultant)) / total
    hanging = -resultant[1] > 0.9 * one_way * total and one_way < 0.95  # arms and legs, while the trunk rises
    if one_way > _ONE_WAY and not hanging:
        return False
    units = bones / np.maximum(lengths, 1e-12)[:, None]
    shares, axes = np.linalg.eigh((units * lengths[:, None]).T @ units / total)
    return bool(shares[-1] < _ONE_LINE or abs(axes[1, -1]) > 0.9)


def look(skeleton: Skeleton, poses: Floats | None = None) -> JointTree:
    """The shape of a skeleton in its rest pose, with positions `[K, J, 3]` in frames of a motion, if given, as `poses`.

    Where the rest pose is not a stance, lengths identify joints better than a single frame, which is rarely symmetric.
    All frames together decide which side is left.
    """
    parents = skeleton.parents.tolist()
    rest_rotations, rest_positions = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    positions = _bounded(rest_positions)
    tip_rotations = rest_rotations[skeleton.tip_joints].astype(np.float64)
    tips = positions[skeleton.tip_joints] + rotations.rotate(tip_rotations, skeleton.tip_offsets.astype(np.float64))
    lengths = [float(length) for length in skeleton.bone_lengths]
    reach, ends = [0.0] * len(parents), positions.copy()
    tip_lengths = np.linalg.norm(skeleton.tip_offsets.astype(np.float64), axis=-1).tolist()
    for joint, tip, length in zip(skeleton.tip_joints.tolist(), _bounded(tips), tip_lengths, strict=True):
        if length > reach[joint]:
            reach[joint], ends[joint] = length, tip
    following, size, centres = _gather(parents, lengths, reach, positions)
    return JointTree(
        parents=parents,
        children=skeleton.children,
        roots=tuple(joint for joint, parent in enumerate(parents) if parent < 0),
        lengths=lengths,
        reach=reach,
        next=following,
        size=size,
        positions=positions,
        ends=ends,
        centres=centres,
        poses=np.zeros((0, len(parents), 3)) if poses is None else poses,
        extent=float(np.linalg.norm(np.ptp(positions, axis=0))),
        posed=is_pose(skeleton, positions),
    )


def _bounded(positions: Reals) -> Floats:
    return np.clip(np.nan_to_num(positions.astype(np.float64)), -_FAR, _FAR)


def _gather(
    parents: list[int], lengths: list[float], reach: list[float], positions: Floats
) -> tuple[list[int], list[int], Floats]:
    """The next joint on each longest path, sizes and centres of subtrees; extends `reach` from the tips upwards."""
    following, size, sums = [-1] * len(parents), [1] * len(parents), positions.copy()
    for joint in range(len(parents) - 1, -1, -1):
        parent = parents[joint]
        if parent >= 0:
            size[parent] += size[joint]
            sums[parent] += sums[joint]
            total = reach[joint] + lengths[joint]
            if total > reach[parent] or (following[parent] < 0 and total >= reach[parent]):
                reach[parent], following[parent] = total, joint
    return following, size, sums / np.asarray(size, np.float64)[:, None]


def sampled(motion: Motion | None) -> Floats | None:
    """Positions `[K, J, 3]` in evenly spaced frames of a motion, if there is one."""
    if motion is None or not motion.frames:
        return None
    step = max(motion.frames // _FRAMES, 1)
    return _bounded(motion[slice(0, motion.frames, step)].global_positions)
