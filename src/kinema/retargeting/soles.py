"""Where the soles of a character's feet are, from its meshes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.character import Character
from kinema.pose import Pose
from kinema.retargeting.stance import Stance

_MOSTLY = 0.5  # weight of a foot from which a vertex is part of it


def sole_height(character: Character, stance: Stance, feet: Iterable[int]) -> float | None:
    """Height of the lowest vertex of the feet along the stance's up, metres, while the character stands so.

    Args:
        feet: joints that are feet; what hangs on them counts too.

    Returns:
        None where no mesh moves with the feet.
    """
    skeleton = character.skeleton
    chosen = np.zeros(skeleton.joint_count, bool)
    chosen[list(feet)] = True
    for joint, parent in enumerate(skeleton.parents.tolist()):
        chosen[joint] = chosen[joint] or (parent >= 0 and chosen[parent])
    up = rotations.rotate(stance.axes, np.array([0, 1, 0], np.float32))
    lowest: list[float] = []
    pose = Pose.from_model(skeleton, stance.global_rotations, stance.positions)
    for mesh in character.meshes:
        part = _of_joints(mesh.joints, mesh.weights, chosen, len(mesh.positions), mesh.joint)
        if part.any():
            points = mesh.skin(pose)[part]
            lowest.append(float((points @ up).min()))
    return min(lowest, default=None)


def _of_joints(
    joints: NDArray[np.int32] | None,
    weights: NDArray[np.float32] | None,
    chosen: NDArray[np.bool_],
    count: int,
    hung_on: int | None,
) -> NDArray[np.bool_]:
    if joints is None or weights is None:
        return np.full(count, hung_on is not None and bool(chosen[hung_on]))
    return (weights * chosen[joints]).sum(axis=1) > _MOSTLY
