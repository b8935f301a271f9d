"""One feature: some numbers about a pose or a trajectory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from kinema import mirroring, rotations
from kinema.arrays import Indices, Ints, Singles
from kinema.errors import DatabaseError, SkeletonError
from kinema.features.kinds import KINDS, FeatureKind, find_kind
from kinema.skeleton import Skeleton

ReferenceFrame = Literal["root", "root@t", "world"]

_SIDES = ("left", "right")


@dataclass(frozen=True)
class Feature:
    """Some numbers about a motion at the frame t of a sample.

    Attributes:
        name: unique in its spec; slices, statistics and errors use it.
        kind: one of `kinema.features.kinds.KINDS`.
        joints: joint names or roles ("hips", "left_foot", "right_toe"); empty means all joints, for kinds about joints.
        times: seconds after t; times beyond the clip clamp to its ends (see `kinema.features.valid_frames`).
            For "guidance" the first and last are the window that is averaged.
        frame: "root" (the root frame at t), "root@t" (each time's own root frame) or "world".
        weight: importance of the group after normalisation; motion matching squares weighted differences.
        labels: for kind "label": label or tag names, for kind "style": names of styles, one number each.
    """

    name: str
    kind: str
    joints: tuple[str, ...] = ()
    times: tuple[float, ...] = (0.0,)
    frame: ReferenceFrame = "root"
    weight: float = 1.0
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "joints", tuple(self.joints))
        object.__setattr__(self, "times", tuple(float(time) for time in self.times))
        object.__setattr__(self, "weight", float(self.weight))
        object.__setattr__(self, "labels", tuple(self.labels))
        handler = find_kind(self.kind)
        if handler is None:
            known = ", ".join(sorted(KINDS))
            raise DatabaseError(f"feature {self.name!r} has kind {self.kind!r}; the kinds are: {known}")
        problem = self._problem(handler)
        if problem:
            raise DatabaseError(f"feature {self.name!r} ({self.kind}) {problem}")

    def _problem(self, handler: FeatureKind) -> str | None:
        """What is wrong with the feature, as the end of a sentence; None if nothing is."""
        if not self.times or list(self.times) != sorted(self.times) or not np.isfinite(self.times).all():
            return "needs at least one time, in seconds, ascending"
        if not (np.isfinite(self.weight) and self.weight > 0):
            return f"has weight {self.weight}; weights are positive"
        if handler.windowed and len(self.times) != 2:
            return "needs two times: where its window begins and ends"
        if handler.per == "label" and not self.labels:
            return "needs the names of its labels"
        return self._frame_problem(handler)

    def _frame_problem(self, handler: FeatureKind) -> str | None:
        """What is wrong with the frame of reference, as the end of a sentence; None if nothing is."""
        if self.frame not in ("root", "root@t", "world"):
            return f"has frame {self.frame!r}; the frames are: root, root@t, world"
        if handler.carry in ("step", "planar point") and self.frame == "root@t":
            return 'is zero in each time\'s own root frame; use frame "root"'
        if handler.carry == "step" and self.frame == "world":
            return 'is relative by nature; use frame "root"'
        # Most of what is not carried is the same in every frame; what a mirror turns around, such as a joint's rotation
        # vector, is not.
        if handler.carry == "none" and handler.per == "joint" and min(handler.signs) < 0:
            moving = self.frame == "world" or (self.frame == "root" and any(self.times) and not handler.windowed)
            if moving:
                return 'exists in each time\'s own root frame only; use frame "root@t"'
        return None

    @property
    def handler(self) -> FeatureKind:
        """What the kind does."""
        return KINDS[self.kind]

    @property
    def samples(self) -> int:
        """Number of times T of the feature in its vector (1 for a window that is averaged)."""
        return 1 if self.handler.windowed else len(self.times)

    def entries(self, skeleton: Skeleton) -> int:
        """Number of joints or labels at one time (1 if the feature belongs to the frame)."""
        if self.handler.per == "joint":
            return len(self.joint_indices(skeleton))
        return len(self.labels) if self.handler.per == "label" else 1

    def shape(self, skeleton: Skeleton) -> tuple[int, int, int]:
        """(times, entries, components): the order of the numbers in the vector, components running fastest."""
        return self.samples, self.entries(skeleton), self.handler.components

    def dim(self, skeleton: Skeleton) -> int:
        """Number of numbers in the feature."""
        times, entries, components = self.shape(skeleton)
        return times * entries * components

    def joint_indices(self, skeleton: Skeleton) -> Indices:
        """Joint indices `[K]` of `joints` (all joints if empty).

        Raises:
            SkeletonError: a name is neither a role that this skeleton has nor a joint of it.
        """
        if not self.joints:
            return np.arange(skeleton.joint_count, dtype=np.int32)
        return np.array([find_joint(skeleton, name) for name in self.joints], np.int32)

    def offsets(self, fps: float) -> Ints:
        """Times as whole frames [len(times)], nearest frame.

        Raises:
            DatabaseError: two times fall on the same frame, because the rate is too low for this feature.
        """
        frames = np.rint(np.asarray(self.times) * fps).astype(np.int64)
        collapsed = ((frames == 0) & (np.asarray(self.times) != 0.0)).any()
        if collapsed or len(set(frames.tolist())) != len(set(self.times)):
            raise DatabaseError(f"feature {self.name!r}: its times are less than a frame apart at {fps:g} fps")
        return frames

    def mirror(self, skeleton: Skeleton) -> tuple[Ints, Singles]:
        """Permutation `[dim]` and signs [dim]: the mirrored vector is `x[..., permutation] * signs`.

        Raises:
            DatabaseError: the mirror image of the kind does not follow from its numbers.
            SkeletonError: a joint's mirror partner is not part of the feature, or the frames of a joint and its partner
                are not mirror images up to the direction of axes.
        """
        if 0 in self.handler.signs:
            raise DatabaseError(f"feature {self.name!r} cannot be mirrored: compute it for mirrored clips")
        times, entries, components = self.shape(skeleton)
        partner = np.arange(entries)
        signs = np.tile(np.asarray(self.handler.signs, np.float32), (entries, 1))
        if self.handler.per == "joint":
            partner = self._partners(skeleton)
            signs *= self._axis_signs(skeleton)
        order = np.arange(components) if self.handler.swap is None else np.asarray(self.handler.swap)
        index = np.arange(times * entries * components).reshape(times, entries, components)
        permutation = index[:, partner][:, :, order].reshape(-1)
        return permutation, np.tile(signs, (times, 1, 1)).reshape(-1)

    def _partners(self, skeleton: Skeleton) -> Ints:
        joints = self.joint_indices(skeleton).tolist()
        pairs = mirroring.partners(skeleton)
        for joint in joints:
            if pairs[joint] not in joints:
                other = skeleton.names[pairs[joint]]
                raise SkeletonError(f"feature {self.name!r} has {skeleton.names[joint]!r} without its mirror {other!r}")
        return np.array([joints.index(pairs[joint]) for joint in joints], np.int64)

    def _axis_signs(self, skeleton: Skeleton) -> Singles:
        """Signs `[K, components]` by which a rig's left and right joint frames differ from plain mirror images."""
        joints = self.joint_indices(skeleton)
        axes = {"axes": (2, 1), "rotation6d": (0, 1), "rotation_log": (0, 1, 2)}.get(self.kind)
        if axes is None:
            return np.ones((len(joints), self.handler.components), np.float32)
        turns = rotations.to_matrix(mirroring.corrections(skeleton)[joints])  # G' = (M G M) C
        diagonal = np.einsum("jkk->jk", turns)
        bad = np.abs(diagonal).min(axis=1) < 0.9999
        if self.kind == "rotation_log":
            bad |= diagonal.min(axis=1) < 0
        if bad.any():
            name = skeleton.names[joints[int(np.argmax(bad))]]
            raise SkeletonError(f"feature {self.name!r} cannot be mirrored: {name!r} has axes unlike its partner's")
        if self.kind == "rotation_log":
            return np.ones((len(joints), 3), np.float32)
        return np.repeat(np.sign(diagonal[:, list(axes)]), 3, axis=1).astype(np.float32)

    def decode(self, values: Singles, skeleton: Skeleton) -> Any:
        """Arrays from vectors `[..., dim]` of this feature.

        Positions, velocities, guidance `[..., T, K, 3]` m; axes, rotation6d, rotation_log: unit quaternions
        `[..., T, K, 4]`; trajectory `[..., T, 2]` (x, z); root_delta: root positions `[..., T, 3]` and rotations
        `[..., T, 4]` in the sample's root frame; contact `[..., T, K]` in 0 to 1; phase `[..., T]` in 0 to 1;
        local_phase `[..., T, K, 2]`.
        """
        shaped = np.asarray(values).reshape(*values.shape[:-1], *self.shape(skeleton))
        return shaped if self.handler.decode is None else self.handler.decode(shaped)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Feature:
        """The inverse of `to_dict`.

        Raises:
            DatabaseError: a key is unknown or missing.
        """
        known = set(Feature.__dataclass_fields__)
        if set(values) - known or not {"name", "kind"} <= set(values):
            raise DatabaseError(f"a feature has keys {sorted(values)}; it needs name and kind, of {sorted(known)}")
        return Feature(**{key: tuple(v) if isinstance(v, list) else v for key, v in values.items()})  # type: ignore[arg-type]


def find_joint(skeleton: Skeleton, name: str) -> int:
    """Joint index of a role ("hips", "neck", "head", "left_foot", "right_upper_leg", ...) or of an exact joint name.

    Raises:
        SkeletonError: the skeleton has neither.
    """
    side, _, part = name.partition("_")
    found: int | None = None
    if name in ("hips", "neck", "head"):
        found = getattr(skeleton.roles, name)
    elif side in _SIDES and part:
        field = part.removesuffix("_leg").removesuffix("_arm")
        group = skeleton.roles.arms if part in ("upper_arm", "lower_arm", "hand", "shoulder") else skeleton.roles.legs
        limbs = [limb for limb in group if limb.side == side]
        found = getattr(limbs[0], field, None) if limbs else None
    return skeleton.index(name) if found is None else int(found)
