"""Poses relative to the root frame: the layout that databases and controllers share.

The root frame stands on the ground under the character and faces where it faces. Rigs hang their hips below zero,
one or several joints, and files animate any of them. In the root layout the ancestors of the hips coincide with the
root frame, and their other children (usually the hips alone) take over their motion. The global transforms of all
other joints stay as they were.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.pose import Pose
from kinema.skeleton import Skeleton

_IDENTITY = np.asarray([1, 0, 0, 0], np.float32)


@dataclass(frozen=True)
class RootLayout:
    """Which joints follow the root frame and which hang on it.

    Attributes:
        skeleton: the skeleton in root layout: `carriers` at the origin of the rest pose without rotation, the hips
            above them; otherwise the rest pose is unchanged in the world.
        carriers: int32, the ancestors of the hips, from the root down; often empty.
        tops: int32, ascending: joints whose frame is relative to the root frame; they include the hips.
    """

    skeleton: Skeleton
    carriers: NDArray[np.int32]
    tops: NDArray[np.int32]


def root_layout(skeleton: Skeleton) -> RootLayout:
    """The root layout of a skeleton; applying it twice changes nothing."""
    carriers = np.asarray(skeleton.ancestors(skeleton.roles.hips)[::-1], dtype=np.int32)
    carried = np.zeros(skeleton.joint_count + 1, dtype=bool)
    carried[carriers] = True
    carried[-1] = True  # parent -1
    tops = np.flatnonzero(carried[skeleton.parents] & ~carried[:-1]).astype(np.int32)
    positions = skeleton.rest_pose.global_positions
    rest_rotations, rest_translations = skeleton.rest_rotations.copy(), skeleton.rest_translations.copy()
    rest_rotations[carriers], rest_translations[carriers] = _IDENTITY, 0.0
    # Some files write the first frame's place in the world as the offset of the hips.
    offset = positions[skeleton.roles.hips] * np.asarray([1, 0, 1], np.float32)
    rest_rotations[tops], rest_translations[tops] = skeleton.rest_pose.global_rotations[tops], positions[tops] - offset
    tips = list(zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True))
    rooted = Skeleton.create(skeleton.names, skeleton.parents, rest_translations, rest_rotations, tips)
    return RootLayout(rooted, carriers, tops)


def to_root(
    layout: RootLayout, pose: Pose, root_positions: NDArray[np.float32], root_rotations: NDArray[np.float32]
) -> Pose:
    """Poses `[F]` of the world in root layout: the inverse of `Pose.in_world`.

    Args:
        pose: on the skeleton that `layout` is of, its root frame at the origin.
        root_positions, root_rotations: the root frame, `[F, 3]` and `[F, 4]`.
    """
    local, translations = pose.local_rotations.copy(), pose.local_translations.copy()
    local[:, layout.carriers], translations[:, layout.carriers] = _IDENTITY, 0.0
    root, tops = root_rotations[:, None], layout.tops
    local[:, tops] = rotations.relative(root, pose.global_rotations[:, tops])
    translations[:, tops] = rotations.inverse_rotate(root, pose.global_positions[:, tops] - root_positions[:, None])
    return Pose(layout.skeleton, local, translations, root_positions=root_positions, root_rotations=root_rotations)
