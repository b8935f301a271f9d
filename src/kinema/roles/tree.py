"""What the recogniser looks at: a skeleton's tree with lengths, reaches and a pose to see it in.

Everything here is linear in the number of joints. Positions are in the world of the pose, metres.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.motion import Motion
from kinema.skeleton import Skeleton

Floats = NDArray[np.float64]

_FAR = 1e9  # metres: beyond lie damaged numbers
_FRAMES = 24  # of a motion that are looked at
_ONE_WAY = 0.72  # share of all bone length that points one way in a rest pose that no body stands in
_ONE_LINE = 0.93  # share of it that lies along one level line in such a pose


@dataclass(frozen=True, eq=False)
class Tree:
    """A skeleton as its shape alone shows it.

    Attributes:
        parents: of each joint; -1 for a root.
        children: of each joint.
        roots: joints without parent.
        lengths: metres `[J]`: to the parent; 0 for roots.
        reach: metres `[J]`: the longest way from a joint down to a tip.
        next: the child on that way; -1 at its end.
        size: joints in the subtree, with itself.
        placed: positions `[J, 3]` in the rest pose.
        ends: positions `[J, 3]` of the tip of each joint's bone where it has one, else its own.
        centres: `[J, 3]`: mean position of each subtree.
        poses: positions `[K, J, 3]` of frames of a motion; `K` is 0 without one.
        extent: metres: size of the whole.
        posed: whether `placed` is how a body stands; if not, only lengths tell.
    """

    parents: list[int]
    children: tuple[tuple[int, ...], ...]
    roots: tuple[int, ...]
    lengths: list[float]
    reach: list[float]
    next: list[int]
    size: list[int]
    placed: Floats
    ends: Floats
    centres: Floats
    poses: Floats
    extent: float
    posed: bool

    def path(self, joint: int, most: int = 64) -> list[int]:
        """The joint and the longest way down from it."""
        found = [joint]
        while self.next[found[-1]] >= 0 and len(found) < most:
            found.append(self.next[found[-1]])
        return found

    def below(self, joint: int, most: int = 200_000) -> list[int]:
        """The joint and all under it, level by level, at most so many."""
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


def is_pose(skeleton: Skeleton, placed: Floats) -> bool:
    """Whether a body may stand like this: not with all its bones along one direction or one level line, as they lie
    in motion files whose rest pose is none."""
    parents = skeleton.parents
    inner = np.flatnonzero(parents >= 0)
    inner = inner[parents[parents[inner]] >= 0]  # bones from a root are often a placement
    bones = placed[inner] - placed[parents[inner]]
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


def look(skeleton: Skeleton, motion: Motion | None = None) -> Tree:
    """The tree of a skeleton in its rest pose, with frames of a motion, if given, as `poses`.

    Where the rest pose is none, lengths tell what a joint is better than one frame of a motion would, which is seldom
    its own mirror image; all frames together tell sides.
    """
    parents = skeleton.parents.tolist()
    turned, at = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    placed = np.clip(np.nan_to_num(at.astype(np.float64)), -_FAR, _FAR)
    tips = placed[skeleton.tip_joints] + rotations.rotate(
        turned[skeleton.tip_joints].astype(np.float64), skeleton.tip_offsets.astype(np.float64)
    )
    posed = is_pose(skeleton, placed)
    poses = np.zeros((0, skeleton.joint_count, 3))
    if motion is not None and motion.frames:
        step = max(motion.frames // _FRAMES, 1)
        poses = motion[slice(0, motion.frames, step)].global_positions.astype(np.float64)
        poses = np.clip(np.nan_to_num(poses), -_FAR, _FAR)
    tips = np.clip(np.nan_to_num(tips), -_FAR, _FAR)
    tip_lengths = np.linalg.norm(skeleton.tip_offsets.astype(np.float64), axis=-1)
    lengths = [float(length) for length in skeleton.bone_lengths]
    reach, longest, size = [0.0] * len(parents), [-1] * len(parents), [1] * len(parents)
    ends, sums = placed.copy(), placed.copy()
    for joint, tip, length in zip(skeleton.tip_joints.tolist(), tips, tip_lengths.tolist(), strict=True):
        if length > reach[joint]:
            reach[joint], ends[joint] = length, tip
    for joint in range(len(parents) - 1, -1, -1):
        parent = parents[joint]
        if parent >= 0:
            size[parent] += size[joint]
            sums[parent] += sums[joint]
            way = reach[joint] + lengths[joint]
            if way > reach[parent] or (longest[parent] < 0 and way >= reach[parent]):
                reach[parent], longest[parent] = way, joint
    seen = placed[np.isfinite(placed).all(axis=1)]
    extent = float(np.linalg.norm(np.ptp(seen, axis=0))) if len(seen) else 0.0
    roots = tuple(joint for joint, parent in enumerate(parents) if parent < 0)
    centres = sums / np.asarray(size, np.float64)[:, None]
    return Tree(
        parents, skeleton.children, roots, lengths, reach, longest, size, placed, ends, centres, poses, extent, posed
    )
