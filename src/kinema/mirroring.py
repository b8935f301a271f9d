"""Mirrors poses and motions across the plane x = 0, on any rig with mirror partners.

Mirroring changes the global rotation `G` of the partner joint to `M G M` (`M` is the reflection). Rigs differ in how
the frames of left and right joints relate, so a constant correction `C` per joint converts the result to the joint's
own frame: `G' = (M G M) C`. Bones determine it: `C o = M o_partner` for the offset `o` of every child.

If nearly all bones of the rest pose are symmetric, the rest pose gives `C` directly, with a small rotation where bones
are not quite symmetric. Otherwise the reflections of one local axis and the point reflection are tried. If none of them
fits, `C` is solved for.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Floats, Indices, Singles
from kinema.naming import swap_sides
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.motion import Motion

_REFLECT_ROTATION = np.array([1, 1, -1, -1], np.float32)
_REFLECT_VECTOR = np.array([-1, 1, 1], np.float32)
_SYMMETRIC = 0.02  # error of a mirrored bone, as a fraction of its length, that still counts as symmetric
_CANDIDATES = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0]], np.float32)


def reflect_rotation(q: Singles) -> Singles:
    """Mirror images of rotations: quaternions `[..., 4]`."""
    return q * _REFLECT_ROTATION


def reflect_vector(v: Singles) -> Singles:
    """Mirror images of vectors `[..., 3]`."""
    return v * _REFLECT_VECTOR


def partners(skeleton: Skeleton, pairs: Indices | None = None) -> Indices:
    """int32 `[J]`: mirror partner of each joint. A joint is its own partner if the parents are not partners.

    Args:
        skeleton: any skeleton.
        pairs: mirror map `[J]`, its own inverse; None: that of the skeleton.
    """
    pairs = (skeleton.mirror_map if pairs is None else pairs).copy()
    for joint in range(skeleton.joint_count):
        parent, other = int(skeleton.parents[joint]), int(skeleton.parents[pairs[joint]])
        if (pairs[parent] if parent >= 0 else -1) != other:
            pairs[pairs[joint]] = pairs[joint]
            pairs[joint] = joint
    return pairs


def corrections(skeleton: Skeleton, pairs: Indices | None = None) -> Singles:
    """The correction `C` of each joint, quaternions `[J, 4]`; see the module's documentation."""
    pairs = partners(skeleton, pairs)
    rest = skeleton.rest_pose.global_rotations
    from_rest = rotations.relative(reflect_rotation(rest[pairs]), rest)
    above = np.maximum(skeleton.parents, 0)
    # A joint in one hand only, such as a sword, says nothing about the hand.
    alone = (pairs == np.arange(skeleton.joint_count)) & (pairs[above] != above)
    bones = (skeleton.parents >= 0) & (skeleton.bone_lengths > 1e-5) & ~alone
    target = reflect_vector(skeleton.rest_translations[pairs])
    misfit = np.linalg.norm(rotations.rotate(from_rest[above], skeleton.rest_translations) - target, axis=-1)
    fits = misfit < 0.1 * skeleton.bone_lengths + 0.01
    # A few bones may differ (a face, a wrong name). In files without a true rest pose, fewer than two thirds fit.
    rest_is_true = not bones.any() or bool(fits[bones].mean() >= 0.8)
    asymmetric = misfit > _SYMMETRIC * skeleton.bone_lengths
    sizes = _subtree_sizes(skeleton)
    weights = sizes + sizes[pairs]
    found = np.empty((skeleton.joint_count, 4), np.float32)
    for joint, below in enumerate(skeleton.children):
        children = [child for child in below if bones[child]]
        # Beside bones that fit, what does not hangs on one side: a sword at the hip, a ribbon.
        children = [child for child in children if rest_is_true and fits[child]] or children
        own, wanted = skeleton.rest_translations[children], target[children]
        if rest_is_true and fits[children].all():
            found[joint] = from_rest[joint]
            if asymmetric[children].any():
                turn = _procrustes(rotations.rotate(from_rest[joint], own), wanted, weights[children])
                found[joint] = rotations.multiply(turn, from_rest[joint])
        else:
            inherited = found[above[joint]] if skeleton.parents[joint] >= 0 else _CANDIDATES[0]
            other = skeleton.rest_translations[pairs[children]]
            found[joint] = _solved(own, wanted, other, inherited) if children else inherited
    return found


def _solved(own: Singles, wanted: Singles, other: Singles, inherited: Singles) -> Singles:
    """The rotation `[4]` from offsets `own` `[N, 3]` to `wanted`: a simple one if it fits, otherwise the best one.

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


def _subtree_sizes(skeleton: Skeleton) -> Floats:
    """The number of joints in each subtree `[J]`."""
    sizes = np.ones(skeleton.joint_count)
    for joint in range(skeleton.joint_count - 1, -1, -1):
        if skeleton.parents[joint] >= 0:
            sizes[skeleton.parents[joint]] += sizes[joint]
    return sizes


def _procrustes(own: Singles, target: Singles, weights: Floats | None = None) -> Singles:
    """The rotation `[4]` that best aligns vectors `own` `[N, 3]` with `target` (Kabsch).

    If all vectors lie on one line, the rotation about it is free, and the smallest rotation is chosen.
    """
    weighted = target.astype(np.float64) * (1.0 if weights is None else weights[:, None])
    covariance = weighted.T @ own
    return rotations.nearest(covariance + 1e-6 * np.linalg.norm(covariance) * np.eye(3)).astype(np.float32)


def mirror_pose(pose: Pose, pairs: Indices | None = None) -> Pose:
    """The mirror images of poses `[...]`, without contacts and morph weights.

    Args:
        pose: poses of any skeleton.
        pairs: mirror map `[J]`; None: that of the skeleton.
    """
    image = MirrorImage.create(pose.skeleton, pairs)
    return Pose(
        pose.skeleton,
        image.rotations(pose.local_rotations),
        image.translations(pose.local_translations[..., image.pairs, :], slice(None)),
        root_positions=reflect_vector(pose.root_positions),
        root_rotations=reflect_rotation(pose.root_rotations),
    )


@dataclass(frozen=True, eq=False)
class MirrorImage:
    """How a skeleton is mirrored: `pairs` `[J]`, corrections `inner` `[J, 4]`, inverse ones of the parents `outer`."""

    pairs: Indices
    outer: Singles
    inner: Singles

    @staticmethod
    def create(skeleton: Skeleton, pairs: Indices | None) -> MirrorImage:
        pairs, inner = partners(skeleton, pairs), corrections(skeleton, pairs)
        root = skeleton.parents < 0
        above = np.where(root[:, None], _CANDIDATES[0], inner[np.maximum(skeleton.parents, 0)])
        return MirrorImage(pairs, rotations.inverse(above), inner)

    def rotations(self, local: Singles) -> Singles:
        """Local rotations `[..., J, 4]` of the mirror image; compiled, as it is most of the work of a build."""
        from kinema import kernels  # imported here because numba is slow to import

        flat = np.ascontiguousarray(local, np.float32).reshape(-1, *local.shape[-2:])
        return kernels.mirror(flat, self.pairs, self.outer, self.inner).reshape(local.shape)

    def rotations_reference(self, local: Singles) -> Singles:
        """The same in NumPy."""
        reflected = reflect_rotation(local[..., self.pairs, :])
        return rotations.multiply(rotations.multiply(self.outer, reflected), self.inner)

    def translations(self, of_partners: Singles, joints: Indices | slice) -> Singles:
        """Local translations `[..., N, 3]` of some joints from those of their partners."""
        return rotations.rotate(self.outer[joints], reflect_vector(of_partners)).astype(np.float32)


_FACE_SIDE = re.compile(r"(?<![a-zA-Z])(?:left|right)(?![a-z])|(?<![A-Z])(?:Left|Right)(?![a-z])|(?<=[_.])[LR]$")
_OTHER = {"left": "right", "right": "left", "Left": "Right", "Right": "Left", "L": "R", "R": "L"}
_MIRRORED: dict[str, Callable[[NDArray], NDArray]] = {
    "phase": lambda values: (values + 0.5) % 1.0,
    "gaze.yaw": lambda values: -values,
}


def mirror_motion(motion: Motion, pairs: Indices | None = None) -> Motion:
    """The mirror image of a motion. Labels and tags that name a side are swapped.

    Args:
        motion: any motion.
        pairs: mirror map `[J]`; None: that of the skeleton.
    """
    skeleton, moved = motion.skeleton, motion.translated
    image = MirrorImage.create(skeleton, pairs)
    joints = np.unique(np.concatenate([moved, image.pairs[moved]])).astype(np.int32)
    others = image.pairs[joints]
    of_partners = np.tile(skeleton.rest_translations[others], (motion.frames, 1, 1))
    moving = np.isin(others, moved)
    of_partners[:, moving] = motion.local_translations[:, np.searchsorted(moved, others[moving])]
    labels = {}
    for label, values in motion.labels.items():
        words = label.split(".")
        if words[0] in ("morph", "expression"):  # expression names are in camel case: blinkLeft
            labels[_FACE_SIDE.sub(lambda found: _OTHER[found[0]], label)] = values
            continue
        labels[".".join(swap_sides(words))] = _MIRRORED[label](values) if label in _MIRRORED else values
    return dataclasses.replace(
        motion,
        local_rotations=image.rotations(motion.local_rotations),
        local_translations=image.translations(of_partners, joints),
        translated=joints,
        labels=labels,
        tags=swap_sides(motion.tags),
    )
