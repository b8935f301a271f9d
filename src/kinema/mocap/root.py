"""Poses relative to the root frame: the layout that databases and controllers share.

The root frame stands on the ground under the character and faces where it faces. Rigs hang their hips below zero,
one or several joints, each file animating another of them. In the root layout the ancestors of the hips coincide with
the root frame, and every joint that hangs on them (the hips, as a rule alone) carries what they did. Nothing but those
ancestors moves in the world.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
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
    turned, positions = skeleton.rest_pose.global_rotations, skeleton.rest_pose.global_positions
    rest_rotations, rest_translations = skeleton.rest_rotations.copy(), skeleton.rest_translations.copy()
    rest_rotations[carriers], rest_translations[carriers] = _IDENTITY, 0.0
    # Some files write the first frame's place in the world as the offset of the hips.
    beside = positions[skeleton.roles.hips] * np.asarray([1, 0, 1], np.float32)
    rest_rotations[tops], rest_translations[tops] = turned[tops], positions[tops] - beside
    tips = list(zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True))
    rooted = Skeleton.create(skeleton.names, skeleton.parents, rest_translations, rest_rotations, tips)
    return RootLayout(rooted, carriers, tops)


def to_root(
    layout: RootLayout,
    root_positions: NDArray[np.float32],
    root_rotations: NDArray[np.float32],
    local_rotations: NDArray[np.float32],
    global_rotations: NDArray[np.float32],
    global_positions: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Local rotations `[F, J, 4]` in root layout and translations `[F, tops, 3]` of the top joints.

    Args:
        root_positions, root_rotations: the root frame, `[F, 3]` and `[F, 4]`.
        local_rotations, global_rotations, global_positions: of the motion, `[F, J, ...]`.
    """
    turned = local_rotations.copy()
    turned[:, layout.carriers] = _IDENTITY
    root = root_rotations[:, None]
    turned[:, layout.tops] = rotations.relative(root, global_rotations[:, layout.tops])
    moved = rotations.inverse_rotate(root, global_positions[:, layout.tops] - root_positions[:, None])
    return turned, moved.astype(np.float32)
