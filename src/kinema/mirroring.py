"""Mirroring of motions across the plane x = 0 on any rig with named sides.

A mirrored world turns the global rotation `G` of the partner joint into `M G M` (`M` the reflection). Rigs differ
in how the frames of left and right joints relate, so a constant correction `C` per joint brings the result back into
the joint's own frame: `G' = (M G M) C`. Offsets fix it, since `C o = M o_partner` must hold for the offset `o` of
every child. A rest pose that is symmetric in nearly all bones gives it at once, turned a little where its bones are not
quite symmetric; otherwise it is looked for among the reflections of one local axis and the point reflection, then
solved for if none of them fits.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.naming import swap_sides
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.motion import Motion

_REFLECT_ROTATION = np.array([1, 1, -1, -1], np.float32)
_REFLECT_VECTOR = np.array([-1, 1, 1], np.float32)
_SYMMETRIC = 0.02  # share of a bone's length by which it may miss its mirror image and still be taken as symmetric
_CANDIDATES = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0]], np.float32)


def reflect_rotation(q: NDArray[np.float32]) -> NDArray[np.float32]:
    """Quaternions `[..., 4]` of the rotations seen in the mirror."""
    return q * _REFLECT_ROTATION


def reflect_vector(v: NDArray[np.float32]) -> NDArray[np.float32]:
    """Vectors `[..., 3]` seen in the mirror."""
    return v * _REFLECT_VECTOR


def partners(skeleton: Skeleton, pairs: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
    """int32 `[J]`: mirror partner of each joint, the joint itself where partners do not hang on partner parents.

    Args:
        pairs: mirror map `[J]`, its own inverse; the skeleton's own where None.
    """
    pairs = (skeleton.mirror_map if pairs is None else pairs).copy()
    for joint in range(skeleton.joint_count):
        parent, other = int(skeleton.parents[joint]), int(skeleton.parents[pairs[joint]])
        if (pairs[parent] if parent >= 0 else -1) != other:
            pairs[pairs[joint]] = pairs[joint]
            pairs[joint] = joint
    return pairs


def corrections(skeleton: Skeleton, pairs: NDArray[np.int32] | None = None) -> NDArray[np.float32]:
    """Quaternions `[J, 4]`: the constant `C` of each joint described in the module's head."""
    pairs = partners(skeleton, pairs)
    rest = skeleton.rest_pose.global_rotations
    from_rest = rotations.relative(reflect_rotation(rest[pairs]), rest)
    above = np.maximum(skeleton.parents, 0)
    # What hangs in one hand only, such as a sword, says nothing about the hand.
    alone = (pairs == np.arange(skeleton.joint_count)) & (pairs[above] != above)
    bones = (skeleton.parents >= 0) & (skeleton.bone_lengths > 1e-5) & ~alone
    target = reflect_vector(skeleton.rest_translations[pairs])
    misfit = np.linalg.norm(rotations.rotate(from_rest[above], skeleton.rest_translations) - target, axis=-1)
    fits = misfit < 0.1 * skeleton.bone_lengths + 0.01
    # A few bones may differ (a face, a wrong name); files without a true rest pose fit in under two thirds of theirs.
    rest_is_true = not bones.any() or bool(fits[bones].mean() >= 0.8)
    off = misfit > _SYMMETRIC * skeleton.bone_lengths
    moved_along = _subtree_sizes(skeleton) + _subtree_sizes(skeleton)[pairs]  # joints that a bone takes with it
    found = np.empty((skeleton.joint_count, 4), np.float32)
    for joint in range(skeleton.joint_count):
        children = [child for child in skeleton.children[joint] if bones[child]]
        own, wanted = skeleton.rest_translations[children], target[children]
        if rest_is_true and fits[children].all():
            found[joint] = from_rest[joint]
            if off[children].any():
                turn = _procrustes(rotations.rotate(from_rest[joint], own), wanted, moved_along[children])
                found[joint] = rotations.multiply(turn, from_rest[joint])
            continue
        parent = int(skeleton.parents[joint])
        inherited = found[parent] if parent >= 0 else _CANDIDATES[0]
        if not children:
            found[joint] = inherited
            continue
        # Bones that run the opposite way on the other side come from rigs whose mirrored joints turn all three axes.
        opposed = np.abs(own + skeleton.rest_translations[pairs[children]]).max() < 0.05 * np.abs(own).max()
        options = np.stack([_CANDIDATES[3] if opposed else inherited, inherited, *_CANDIDATES])
        errors = np.linalg.norm(rotations.rotate(options[:, None], own[None]) - wanted, axis=-1).sum(-1)
        errors /= np.linalg.norm(own, axis=-1).sum()
        best = int(np.argmin(errors + 1e-4 * np.arange(len(options))))
        found[joint] = options[best] if errors[best] < 0.1 else _procrustes(own, wanted)
    return found


def _subtree_sizes(skeleton: Skeleton) -> NDArray[np.float64]:
    """How many joints each joint moves, itself included, `[J]`."""
    sizes = np.ones(skeleton.joint_count)
    for joint in range(skeleton.joint_count - 1, -1, -1):
        if skeleton.parents[joint] >= 0:
            sizes[skeleton.parents[joint]] += sizes[joint]
    return sizes


def _procrustes(
    own: NDArray[np.float32], target: NDArray[np.float32], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float32]:
    """The rotation `[4]` that brings vectors `own` `[N, 3]` nearest to `target` (Kabsch).

    Vectors along one line leave a turn about it open; it is the one that makes the rotation smallest.
    """
    weighted = target.astype(np.float64) * (1.0 if weights is None else weights[:, None])
    covariance = weighted.T @ own
    u, _, vt = np.linalg.svd(covariance + 1e-6 * np.linalg.norm(covariance) * np.eye(3))
    sign = np.sign(np.linalg.det(u @ vt))
    return rotations.from_matrix((u * [1, 1, sign]) @ vt).astype(np.float32)


def mirror_arrays(
    skeleton: Skeleton,
    local_rotations: NDArray[np.float32],
    local_translations: NDArray[np.float32],
    pairs: NDArray[np.int32] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mirror local rotations `[..., J, 4]` and translations `[..., J, 3]` of all joints."""
    pairs, own = partners(skeleton, pairs), corrections(skeleton, pairs)
    root = skeleton.parents < 0
    above = np.where(root[:, None], _CANDIDATES[0], own[np.maximum(skeleton.parents, 0)])
    turned = rotations.multiply(
        rotations.multiply(rotations.inverse(above), reflect_rotation(local_rotations[..., pairs, :])), own
    )
    moved = rotations.inverse_rotate(above, reflect_vector(local_translations[..., pairs, :]))
    return turned.astype(np.float32), moved.astype(np.float32)


_FACE_SIDE = re.compile(r"(?<![a-zA-Z])(?:left|right)(?![a-z])|(?<![A-Z])(?:Left|Right)(?![a-z])|(?<=[_.])[LR]$")
_OTHER = {"left": "right", "right": "left", "Left": "Right", "Right": "Left", "L": "R", "R": "L"}
_MIRRORED: dict[str, Callable[[NDArray], NDArray]] = {
    "phase": lambda values: (values + 0.5) % 1.0,
    "gaze.yaw": lambda values: -values,
}


def mirror_motion(motion: Motion, pairs: NDArray[np.int32] | None = None) -> Motion:
    """The motion seen in the mirror; labels and tags that name a side are swapped.

    Args:
        pairs: mirror map `[J]`; the skeleton's own where None.
    """
    turned, moved = mirror_arrays(motion.skeleton, motion.local_rotations, motion[:].local_translations, pairs)
    pairs = partners(motion.skeleton, pairs)
    joints = np.unique(np.concatenate([motion.translated, pairs[motion.translated]])).astype(np.int32)
    labels = {}
    for label, values in motion.labels.items():
        words = label.split(".")
        if words[0] in ("morph", "expression"):  # names of faces are written together: blinkLeft
            labels[_FACE_SIDE.sub(lambda found: _OTHER[found[0]], label)] = values
            continue
        labels[".".join(swap_sides(words))] = _MIRRORED[label](values) if label in _MIRRORED else values
    return dataclasses.replace(
        motion,
        local_rotations=turned,
        local_translations=np.ascontiguousarray(moved[:, joints]),
        translated=joints,
        labels=labels,
        tags=swap_sides(motion.tags),
    )
