"""Mirrors poses and motions across the plane x = 0, on any rig with mirror partners.

A mirrored world turns the global rotation `G` of the partner joint into `M G M` (`M` is the reflection). Rigs differ
in how the frames of left and right joints relate, so a constant correction `C` for each joint brings the result into
the joint's own frame: `G' = (M G M) C`. Bones determine it: `C o = M o_partner` for the offset `o` of every child.

If nearly all bones of the rest pose are symmetric, the rest pose gives `C` directly, with a small rotation where bones
are not quite symmetric. Otherwise the reflections of one local axis and the point reflection are tried, and if none of
them fits, `C` is solved for.
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
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.motion import Motion

_REFLECT_ROTATION = np.array([1, 1, -1, -1], np.float32)
_REFLECT_VECTOR = np.array([-1, 1, 1], np.float32)
_SYMMETRIC = 0.02  # error of the mirror image, as a share of a bone's length, that still counts as symmetric
_CANDIDATES = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0]], np.float32)


def reflect_rotation(q: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mirror images of rotations: quaternions `[..., 4]`."""
    return q * _REFLECT_ROTATION


def reflect_vector(v: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mirror images of vectors `[..., 3]`."""
    return v * _REFLECT_VECTOR


def partners(skeleton: Skeleton, pairs: NDArray[np.int32] | None = None) -> NDArray[np.int32]:
    """int32 `[J]`: mirror partner of each joint; the joint itself if its partner's parent is not its parent's partner.

    Args:
        skeleton: any.
        pairs: mirror map `[J]`, its own inverse; None for that of the skeleton.
    """
    pairs = (skeleton.mirror_map if pairs is None else pairs).copy()
    for joint in range(skeleton.joint_count):
        parent, other = int(skeleton.parents[joint]), int(skeleton.parents[pairs[joint]])
        if (pairs[parent] if parent >= 0 else -1) != other:
            pairs[pairs[joint]] = pairs[joint]
            pairs[joint] = joint
    return pairs


def corrections(skeleton: Skeleton, pairs: NDArray[np.int32] | None = None) -> NDArray[np.float32]:
    """Quaternions `[J, 4]`: the correction `C` of each joint; see the description of this module."""
    pairs = partners(skeleton, pairs)
    rest = skeleton.rest_pose.global_rotations
    from_rest = rotations.relative(reflect_rotation(rest[pairs]), rest)
    above = np.maximum(skeleton.parents, 0)
    # A joint in one hand only, such as a sword, is no evidence about the hand.
    alone = (pairs == np.arange(skeleton.joint_count)) & (pairs[above] != above)
    bones = (skeleton.parents >= 0) & (skeleton.bone_lengths > 1e-5) & ~alone
    target = reflect_vector(skeleton.rest_translations[pairs])
    misfit = np.linalg.norm(rotations.rotate(from_rest[above], skeleton.rest_translations) - target, axis=-1)
    fits = misfit < 0.1 * skeleton.bone_lengths + 0.01
    # A few bones may differ (a face, a wrong name); in files without a true rest pose under two thirds fit.
    rest_is_true = not bones.any() or bool(fits[bones].mean() >= 0.8)
    off = misfit > _SYMMETRIC * skeleton.bone_lengths
    sizes = _subtree_sizes(skeleton)
    weights = sizes + sizes[pairs]
    found = np.empty((skeleton.joint_count, 4), np.float32)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        children = [child for child in skeleton.children[joint] if bones[child]]
        own, wanted = skeleton.rest_translations[children], target[children]
        if rest_is_true and fits[children].all():
            found[joint] = from_rest[joint]
            if off[children].any():
                turn = _procrustes(rotations.rotate(from_rest[joint], own), wanted, weights[children])
                found[joint] = rotations.multiply(turn, from_rest[joint])
        else:
            inherited = found[parent] if parent >= 0 else _CANDIDATES[0]
            other = skeleton.rest_translations[pairs[children]]
            found[joint] = _solved(own, wanted, other, inherited) if children else inherited
    return found


def _solved(
    own: NDArray[np.float32], wanted: NDArray[np.float32], other: NDArray[np.float32], inherited: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The rotation `[4]` of offsets `own` `[N, 3]` to `wanted`: a simple one if it fits, else the best one.

    Args:
        own: offsets of children.
        wanted: their targets.
        other: offsets of the partners' children.
        inherited: the correction of the parent.
    """
    # Bones in opposite directions on the two sides come from rigs whose mirrored joints flip all three axes.
    opposed = np.abs(own + other).max() < 0.05 * np.abs(own).max()
    options = np.stack([_CANDIDATES[3] if opposed else inherited, inherited, *_CANDIDATES])
    errors = np.linalg.norm(rotations.rotate(options[:, None], own[None]) - wanted, axis=-1).sum(-1)
    errors /= np.linalg.norm(own, axis=-1).sum()
    best = int(np.argmin(errors + 1e-4 * np.arange(len(options))))
    return options[best] if errors[best] < 0.1 else _procrustes(own, wanted)


def _subtree_sizes(skeleton: Skeleton) -> NDArray[np.float64]:
    """The number of joints in each subtree `[J]`."""
    sizes = np.ones(skeleton.joint_count)
    for joint in range(skeleton.joint_count - 1, -1, -1):
        if skeleton.parents[joint] >= 0:
            sizes[skeleton.parents[joint]] += sizes[joint]
    return sizes


def _procrustes(
    own: NDArray[np.float32], target: NDArray[np.float32], weights: NDArray[np.float64] | None = None
) -> NDArray[np.float32]:
    """The rotation `[4]` that brings vectors `own` `[N, 3]` nearest to `target` (Kabsch).

    Vectors along one line leave the rotation about it free; the smallest rotation is chosen.
    """
    weighted = target.astype(np.float64) * (1.0 if weights is None else weights[:, None])
    covariance = weighted.T @ own
    u, _, vt = np.linalg.svd(covariance + 1e-6 * np.linalg.norm(covariance) * np.eye(3))
    sign = np.sign(np.linalg.det(u @ vt))
    return rotations.from_matrix((u * [1, 1, sign]) @ vt).astype(np.float32)


def mirror_pose(pose: Pose, pairs: NDArray[np.int32] | None = None) -> Pose:
    """The mirror images of poses `[...]`, without contacts and morph weights.

    Args:
        pose: any.
        pairs: mirror map `[J]`; None for that of the skeleton.
    """
    skeleton = pose.skeleton
    pairs, own = partners(skeleton, pairs), corrections(skeleton, pairs)
    root = skeleton.parents < 0
    above = np.where(root[:, None], _CANDIDATES[0], own[np.maximum(skeleton.parents, 0)])
    reflected = reflect_rotation(pose.local_rotations[..., pairs, :])
    rotation = rotations.multiply(rotations.multiply(rotations.inverse(above), reflected), own)
    moved = rotations.inverse_rotate(above, reflect_vector(pose.local_translations[..., pairs, :]))
    return Pose(
        skeleton,
        rotation.astype(np.float32),
        moved.astype(np.float32),
        root_positions=reflect_vector(pose.root_positions),
        root_rotations=reflect_rotation(pose.root_rotations),
    )


_FACE_SIDE = re.compile(r"(?<![a-zA-Z])(?:left|right)(?![a-z])|(?<![A-Z])(?:Left|Right)(?![a-z])|(?<=[_.])[LR]$")
_OTHER = {"left": "right", "right": "left", "Left": "Right", "Right": "Left", "L": "R", "R": "L"}
_MIRRORED: dict[str, Callable[[NDArray], NDArray]] = {
    "phase": lambda values: (values + 0.5) % 1.0,
    "gaze.yaw": lambda values: -values,
}


def mirror_motion(motion: Motion, pairs: NDArray[np.int32] | None = None) -> Motion:
    """The mirror image of a motion; labels and tags that name a side are swapped.

    Args:
        motion: any.
        pairs: mirror map `[J]`; None for that of the skeleton.
    """
    mirrored = mirror_pose(motion[:], pairs)
    pairs = partners(motion.skeleton, pairs)
    joints = np.unique(np.concatenate([motion.translated, pairs[motion.translated]])).astype(np.int32)
    labels = {}
    for label, values in motion.labels.items():
        words = label.split(".")
        if words[0] in ("morph", "expression"):  # names of expressions are written as one word: blinkLeft
            labels[_FACE_SIDE.sub(lambda found: _OTHER[found[0]], label)] = values
            continue
        labels[".".join(swap_sides(words))] = _MIRRORED[label](values) if label in _MIRRORED else values
    return dataclasses.replace(
        motion,
        local_rotations=mirrored.local_rotations,
        local_translations=np.ascontiguousarray(mirrored.local_translations[:, joints]),
        translated=joints,
        labels=labels,
        tags=swap_sides(motion.tags),
    )
