"""A part of a skeleton's joints. What is left out is folded into what hangs on it, so nothing that is kept moves.

Global rotations and positions of the joints that are kept are those of the whole skeleton. A joint whose parent is left
out hangs on its nearest ancestor that is kept, and takes over the rotations and translations between the two.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Indices, Singles
from kinema.errors import SkeletonError, listed
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.motion import Motion

ALL, BODY = "all", "body"
Joints = str | tuple[str, ...]
"""Which joints to keep: `ALL`, `BODY`, or their names."""

_BODY_CHAINS = frozenset({"spine", "neck", "head", "tail", "leg", "arm", "front_leg", "wing", "fin"})
_NO_BODY = frozenset({"twist", "helper", "prop", "face", "hair", "jaw", "eye", "ear"})
_STILL = 1e-6  # metres from the rest pose
_LARGEST = 16 * 1024**2  # bytes of a file with names


@dataclass(frozen=True, eq=False)
class Subset:
    """Some joints of a skeleton as a skeleton of their own. Use `create`.

    Attributes:
        whole: the skeleton with all joints.
        joints: int32 `[K]`, ascending: those that are kept.
    """

    whole: Skeleton
    joints: Indices

    @staticmethod
    def create(whole: Skeleton, joints: Iterable[int]) -> Subset:
        """The subset of some joints, by index.

        Raises:
            SkeletonError: there are none, or one that does not exist.
        """
        kept = np.unique(np.asarray(list(joints), dtype=np.int32))
        if not kept.size or kept[0] < 0 or kept[-1] >= whole.joint_count:
            raise SkeletonError(
                f"cannot keep {kept.size} joints of a skeleton of {whole.joint_count}: none, or a wrong index"
            )
        return Subset(whole, kept)

    @cached_property
    def _number(self) -> Indices:
        """int32 `[J + 1]`: the new index of each joint, -1 for those left out and for the parent of roots."""
        number = np.full(self.whole.joint_count + 1, -1, np.int32)
        number[self.joints] = np.arange(self.joints.size)
        return number

    @cached_property
    def folded(self) -> Indices:
        """int32, ascending: joints of the subset whose parent is left out."""
        above = self.whole.parents[self.joints]
        return np.flatnonzero((above >= 0) & (self._number[above] < 0)).astype(np.int32)

    @cached_property
    def skeleton(self) -> Skeleton:
        """The joints that are kept, in the same rest pose. A hinge is kept with its parent."""
        whole, number = self.whole, self._number
        above = whole.parents[self.joints]
        while (number[above[above >= 0]] < 0).any():
            above = np.where((above >= 0) & (number[above] < 0), whole.parents[above], above)
        rest_rotations, rest_translations = self._folded(whole.rest_pose)
        names = tuple(whole.names[joint] for joint in self.joints.tolist())
        on_kept = number[whole.tip_joints] >= 0
        free = {int(self.joints[joint]) for joint in self.folded}
        return replace(
            whole,
            names=names,
            parents=number[above],
            rest_rotations=rest_rotations,
            rest_translations=rest_translations,
            tip_joints=number[whole.tip_joints[on_kept]],
            tip_offsets=whole.tip_offsets[on_kept],
            hints={name: role for name, role in whole.hints.items() if name in set(names)},
            hinges=tuple(
                replace(hinge, joint=int(number[hinge.joint]))
                for hinge in whole.hinges
                if number[hinge.joint] >= 0 and hinge.joint not in free
            ),
            known_roles=None,
        )

    def _folded(self, pose: Pose) -> tuple[Singles, Singles]:
        """Local rotations `[..., K, 4]` and translations `[..., K, 3]` of the kept joints in poses `[...]`."""
        local_rotations = pose.local_rotations[..., self.joints, :]
        local_translations = pose.local_translations[..., self.joints, :]
        parents, folded = self.whole.parents, self.folded
        above = parents[self.joints]
        while folded.size:
            over = above[folded]
            rotation, translation = pose.local_rotations[..., over, :], pose.local_translations[..., over, :]
            offset = rotations.rotate(rotation, local_translations[..., folded, :])
            local_translations[..., folded, :] = translation + offset
            local_rotations[..., folded, :] = rotations.multiply(rotation, local_rotations[..., folded, :])
            above[folded] = parents[over]
            folded = folded[(above[folded] >= 0) & (self._number[above[folded]] < 0)]
        return local_rotations, local_translations

    def pose(self, pose: Pose) -> Pose:
        """Poses `[...]` of the joints that are kept, in the same root frame."""
        root = {"root_positions": pose.root_positions, "root_rotations": pose.root_rotations}
        return Pose(self.skeleton, *self._folded(pose), **root)

    def motion(self, motion: Motion) -> Motion:
        """A motion of the whole skeleton on the joints that are kept."""
        number, skeleton = self._number, self.skeleton
        local_rotations, local_translations = self._folded(motion[:])
        offsets = local_translations[:, self.folded] - skeleton.rest_translations[self.folded]
        reach = np.abs(offsets).max(axis=(0, 2), initial=0.0)
        loose = self.folded[(reach > _STILL) | (skeleton.parents[self.folded] < 0)]
        own = number[motion.translated]
        translated = np.union1d(np.setdiff1d(own[own >= 0], self.folded), loose).astype(np.int32)
        return motion.replace(
            skeleton=skeleton,
            local_rotations=np.ascontiguousarray(local_rotations, np.float32),
            local_translations=np.ascontiguousarray(local_translations[:, translated], np.float32),
            translated=translated,
        )

    def pairs(self, pairs: Indices) -> Indices:
        """A mirror map `[K]` from one `[J]`; what has lost its partner is its own."""
        partners = self._number[pairs[self.joints]]
        return np.where(partners >= 0, partners, np.arange(self.joints.size)).astype(np.int32)


def body_joints(skeleton: Skeleton) -> Indices:
    """The joints int32 `[K]` of the body: those above the hips, and the chains of trunk, neck, head, limbs, tail, wings
    and fins. Fingers, twist bones, face, hair, clothes, helpers and ends are not among them.

    Raises:
        SkeletonError: no body with limbs or a tail was recognised.
    """
    roles = skeleton.roles
    chains = [chain for chain in roles.chains if chain.kind in _BODY_CHAINS]
    if roles.plan == "unknown" or all(chain.kind in ("spine", "neck", "head") for chain in chains):
        raise SkeletonError("no body was recognised to reduce it to; name the joints to keep, or keep all")
    found = {joint for chain in chains for joint in chain.joints if roles.parts[joint] not in _NO_BODY}
    # Feet that are moved by inverse kinematics may hang on the root, outside of their chain.
    limbs = [joint for leg in roles.legs for joint in (leg.upper, leg.lower, leg.foot, leg.toe)]
    limbs += [joint for arm in roles.arms for joint in (arm.shoulder, arm.upper, arm.lower, arm.hand)]
    found |= {roles.hips, *skeleton.ancestors(roles.hips), *(joint for joint in limbs if joint is not None)}
    return np.asarray(sorted(found), np.int32)


def subset(skeleton: Skeleton, joints: Joints) -> Subset | None:
    """The joints of a skeleton that a choice keeps; None if that is all of them.

    Raises:
        SkeletonError: it has no joint of such a name, or no recognisable body.
    """
    if joints == ALL:
        return None
    kept = body_joints(skeleton) if joints == BODY else skeleton.indices(joints)
    return None if len(set(kept.tolist())) == skeleton.joint_count else Subset.create(skeleton, kept)


def chosen(joints: str | os.PathLike[str] | Iterable[str]) -> Joints:
    """A choice of joints from what a user gives: `all`, `body`, names, or a file of names (one a line, or a JSON list).

    Raises:
        SkeletonError: the file cannot be read, or there are no names.
    """
    if isinstance(joints, str) and joints in (ALL, BODY):
        return joints
    names = _read_names(Path(joints)) if isinstance(joints, str | os.PathLike) else tuple(joints)
    if not names or not all(isinstance(name, str) for name in names):
        raise SkeletonError(
            f"the joints to keep must be {ALL!r}, {BODY!r} or a list of names, which is empty or no list of text"
        )
    return tuple(dict.fromkeys(names))


def _read_names(path: Path) -> tuple[str, ...]:
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read(_LARGEST)
        given = json.loads(text) if path.suffix.lower() == ".json" else [line.strip() for line in text.splitlines()]
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "it is no list of names"
        known = listed([ALL, BODY], 2)
        raise SkeletonError(f"{path}: cannot be read as a list of joints: {reason}; else give {known}") from None
    return tuple(name for name in given if name) if isinstance(given, list) else ()
