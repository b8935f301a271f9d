"""Poses relative to the root frame: the layout that databases and controllers share.

The root frame stands on the ground under the character and faces where it faces. Rigs hang their hips below zero,
one or several joints, and files animate any of them. In the root layout the ancestors of the hips coincide with the
root frame, and their other children (usually the hips alone) take over their motion. The global transforms of all
other joints stay as they were.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kinema.arrays import Indices, Singles
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.subset import Subset

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
    carriers: Indices
    tops: Indices


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
    rest = {"rest_translations": rest_translations, "rest_rotations": rest_rotations}
    return RootLayout(replace(skeleton, **rest, hints={}, hinges=(), known_roles=None), carriers, tops)


def to_root(layout: RootLayout, pose: Pose, root_positions: Singles, root_rotations: Singles) -> Pose:
    """Poses `[F]` in root layout.

    Args:
        pose: in the world, on the skeleton that `layout` is of.
        root_positions, root_rotations: `[F, 3]` and `[F, 4]`, of the root frame.
    """
    upper = Subset.create(pose.skeleton, [*layout.carriers, *layout.tops])
    top = np.isin(upper.joints, layout.tops)
    placed = upper.pose(pose).on_root(root_positions, root_rotations)
    local, translations = pose.local_rotations.copy(), pose.local_translations.copy()
    local[:, layout.carriers], translations[:, layout.carriers] = _IDENTITY, 0.0
    local[:, layout.tops] = placed.model_rotations[:, top]
    translations[:, layout.tops] = placed.model_positions[:, top]
    return Pose(layout.skeleton, local, translations, root_positions=root_positions, root_rotations=root_rotations)
