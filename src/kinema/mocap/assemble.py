"""Many ingested clips become one database: one skeleton, one size, one ground."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Indices
from kinema.errors import DatabaseError
from kinema.mocap.contacts import leg_length
from kinema.mocap.ground import clearance
from kinema.mocap.ingest import ClipInfo
from kinema.mocap.root import root_layout
from kinema.pose import Pose
from kinema.skeleton import Skeleton

SAME_SIZE = 1e-4  # relative difference of leg lengths that does not count


_SAME_REST = float(np.cos(np.radians(40.0)))
"""Cosine beyond which two bones point elsewhere; takes of one rig differ by less, rest poses of two rigs by more."""


@dataclass(frozen=True, eq=False)
class DatabaseLayout:
    """What all clips of a database share, and how clips are fitted to it.

    Attributes:
        skeleton: the skeleton in root layout.
        translated: int32 `[T]`.
        contact_joints: int32 `[C]`.
        clearance: metres, see `kinema.mocap.ground`.
        leg: leg length of `skeleton`, metres.
    """

    skeleton: Skeleton
    translated: Indices
    contact_joints: Indices
    clearance: float
    leg: float

    def scale(self, info: ClipInfo) -> float:
        """How much larger the database's skeleton is than the clip's."""
        ratio = self.leg / leg_length(info.skeleton)
        return 1.0 if abs(ratio - 1.0) < SAME_SIZE else ratio

    def ground(self, info: ClipInfo) -> float:
        """Height of the ground in the clip, metres, at the size of the database; the clip is lowered by this."""
        return self.scale(info) * info.stance_height - self.clearance

    def refuses(self, info: ClipInfo) -> str | None:
        """Why a clip does not fit the database's skeleton; None if it does."""
        if key(info) == (self.skeleton.names, self.skeleton.parents.tobytes(), self.contact_joints.tobytes()):
            return self._other_rest(info)
        return (
            f"another skeleton: it has {_summary(info.skeleton)}; the database's has {_summary(self.skeleton)}; "
            "retarget it (kinema build --to FILE)"
        )

    def _other_rest(self, info: ClipInfo) -> str | None:
        """Why equal rotations would not give equal poses: a bone with another direction at rest; None without one."""
        own, other = self.skeleton.rest_translations, info.skeleton.rest_translations
        lengths = np.linalg.norm(own, axis=-1) * np.linalg.norm(other, axis=-1)
        fixed = lengths > (0.02 * self.leg) ** 2
        fixed[[*root_layout(info.skeleton).tops, *info.translated, *self.translated]] = False
        cosine = np.where(fixed, (own * other).sum(-1) / np.maximum(lengths, 1e-12), 1.0)
        worst = int(np.argmin(cosine))
        if cosine[worst] >= _SAME_REST:
            return None
        off = np.degrees(np.arccos(np.clip(cosine[worst], -1, 1)))
        return (
            f"another rest pose: bone {self.skeleton.names[worst]!r} leaves its parent {off:.0f} degrees off the "
            "database's; build a database of these clips alone, or retarget them (kinema build --to FILE)"
        )

    def fit(self, info: ClipInfo, pose: Pose) -> dict[str, NDArray[Any]]:
        """The clip's arrays for the database: unchanged rotations, movement scaled to its skeleton."""
        scale, ground, joints = np.float32(self.scale(info)), np.float32(self.ground(info)), self.translated
        values = pose.local_translations[:, joints]
        moved = self.skeleton.rest_translations[joints] + scale * (values - info.skeleton.rest_translations[joints])
        tops = np.isin(joints, root_layout(info.skeleton).tops)
        moved[:, tops] = scale * values[:, tops]
        moved[:, tops, 1] -= ground
        return {
            "root_positions": scale * pose.root_positions,
            "root_rotations": pose.root_rotations,
            "local_rotations": pose.local_rotations,
            "local_translations": moved,
            "contacts": pose.contacts.astype(np.uint8),
        }


def make_layout(infos: Sequence[ClipInfo], base: DatabaseLayout | None = None) -> DatabaseLayout:
    """The layout for a database of these clips.

    Without `base` the topology with most frames gives the skeleton, in the proportions of the clip with the median
    leg length. With `base`, a database that is added to, all stays but the set of translated joints, which may grow.
    """
    if not infos:
        raise DatabaseError("there is no clip to make a database of")
    if base is None:
        frames: Counter[tuple[Any, ...]] = Counter()
        for info in infos:
            frames[key(info)] += info.frames
        winner = max(frames, key=lambda group: frames[group])  # the first of equals: insertion order
        members = [info for info in infos if key(info) == winner]
        middle = sorted(members, key=lambda info: leg_length(info.skeleton))[(len(members) - 1) // 2]
        skeleton, joints, leg = middle.skeleton, middle.contact_joints, leg_length(middle.skeleton)
        heights = [leg / leg_length(info.skeleton) * info.stance_height for info in members]
        base = DatabaseLayout(skeleton, members[0].translated, joints, clearance(heights, skeleton, leg), leg)
    else:
        members = [info for info in infos if base.refuses(info) is None]
    translated = np.unique(np.concatenate([base.translated, *(info.translated for info in members)])).astype(np.int32)
    return DatabaseLayout(base.skeleton, translated, base.contact_joints, base.clearance, base.leg)


def key(info: ClipInfo) -> tuple[Any, ...]:
    """Clips with equal keys can share a database."""
    return info.skeleton.names, info.skeleton.parents.tobytes(), info.contact_joints.tobytes()


def shapes(layout: DatabaseLayout, frames: int) -> dict[str, tuple[int, ...]]:
    """Shapes of a database's arrays."""
    joints = layout.skeleton.joint_count
    return {
        "root_positions": (frames, 3),
        "root_rotations": (frames, 4),
        "local_rotations": (frames, joints, 4),
        "local_translations": (frames, len(layout.translated), 3),
        "contacts": (frames, len(layout.contact_joints)),
    }


def skeleton_to_json(skeleton: Skeleton) -> dict[str, Any]:
    """Plain values for JSON; exact, as float32 survives decimal notation."""
    return {
        "names": list(skeleton.names),
        "parents": skeleton.parents.tolist(),
        "rest_translations": skeleton.rest_translations.tolist(),
        "rest_rotations": skeleton.rest_rotations.tolist(),
        "tip_joints": skeleton.tip_joints.tolist(),
        "tip_offsets": skeleton.tip_offsets.tolist(),
    }


def skeleton_from_json(values: Mapping[str, Any]) -> Skeleton:
    """The inverse of `skeleton_to_json`; SkeletonError, KeyError, TypeError or ValueError on damaged values."""
    tips = zip(values["tip_joints"], values["tip_offsets"], strict=True)
    return Skeleton.create(
        values["names"], values["parents"], values["rest_translations"], values["rest_rotations"], tips
    )


def _summary(skeleton: Skeleton) -> str:
    listed = ", ".join(skeleton.names[:4]) + (", ..." if skeleton.joint_count > 4 else "")
    return f"{skeleton.joint_count} joints ({listed})"
