"""The skeleton: names, tree and rest pose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import naming, rotations
from kinema.errors import SkeletonError
from kinema.pose import Pose
from kinema.rotations import Array

if TYPE_CHECKING:
    from kinema.roles import Roles

MAX_JOINTS = 100_000
"""Largest number of joints. No rig has more, but hostile files do."""


MOST_ROLES = 32
"""Skeletons whose roles are remembered: the files of a folder usually have one skeleton."""

_roles: dict[tuple[Any, ...], Roles] = {}  # by content, the latest last


@dataclass(frozen=True)
class Hinge:
    """A joint that rotates about one axis only, as in robots.

    Attributes:
        joint: index of the joint.
        axis: unit vector in the joint's rest frame. A pose is the rest rotation followed by a rotation about it.
        lower: smallest angle, radians; minus infinity for no limit.
        upper: largest angle, radians; infinity for no limit.
    """

    joint: int
    axis: tuple[float, float, float]
    lower: float = -float("inf")
    upper: float = float("inf")


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton:
    """A tree (or several trees) of named joints in their rest pose. Use `create`, which validates its input.

    Attributes:
        names: `J` unique joint names.
        parents: int32 `[J]`; -1 for a root; parents come before their children.
        rest_translations: float32 `[J, 3]`, metres, in the parent's frame.
        rest_rotations: float32 `[J, 4]`, wxyz, relative to the parent.
        tip_joints: int32 `[T]`: joints that end in a tip (a BVH end site).
        tip_offsets: float32 `[T, 3]`, metres: position of the tip in the joint's frame.
        hints: roles by joint name, stated by the file or the user, such as `{"J_Bip_L_Foot": "left_foot"}`. They
            override recognised `roles`.
        hinges: joints with one axis, ascending. All other joints rotate freely.
        known_roles: roles that `roles` returns instead of recognising them; see `with_roles`.
    """

    names: tuple[str, ...]
    parents: NDArray[np.int32]
    rest_translations: NDArray[np.float32]
    rest_rotations: NDArray[np.float32]
    tip_joints: NDArray[np.int32]
    tip_offsets: NDArray[np.float32]
    hints: Mapping[str, str] = field(default_factory=dict)
    hinges: tuple[Hinge, ...] = ()
    known_roles: Roles | None = None

    @staticmethod
    def create(
        names: Sequence[str],
        parents: ArrayLike,
        rest_translations: ArrayLike,
        rest_rotations: ArrayLike | None = None,
        tips: Iterable[tuple[int, ArrayLike]] = (),
        hints: Mapping[str, str] | None = None,
        hinges: Iterable[Hinge] = (),
    ) -> Skeleton:
        """Validate the input and build a skeleton.

        Raises:
            SkeletonError: no joints, repeated names, a parent after its child, wrong shapes, or non-finite values.
        """
        count = len(names)
        if not 0 < count <= MAX_JOINTS:
            raise SkeletonError(f"a skeleton must have 1 to {MAX_JOINTS} joints, not {count}")
        if rest_rotations is None:
            rest_rotations = np.tile(np.array([1, 0, 0, 0], np.float32), (count, 1))
        tip_list = list(tips)
        made = Skeleton(
            tuple(names),
            np.asarray(parents, dtype=np.int32),
            np.ascontiguousarray(rest_translations, dtype=np.float32),
            np.ascontiguousarray(rest_rotations, dtype=np.float32),
            np.asarray([joint for joint, _ in tip_list], dtype=np.int32),
            np.asarray([offset for _, offset in tip_list], dtype=np.float32).reshape(-1, 3),
            dict(hints or {}),
            tuple(sorted(hinges, key=lambda hinge: hinge.joint)),
        )
        _check_names(made)
        _check_arrays(made)
        _check_hinges(made)
        return made

    def with_hints(self, hints: Mapping[str, str]) -> Skeleton:
        """This skeleton with stated roles for some joints. They override earlier ones.

        Raises:
            SkeletonError: there is no joint with such a name.
        """
        for name in hints:
            self.index(name)
        return replace(self, hints={**self.hints, **hints}, known_roles=None)

    def with_hinges(self, hinges: Iterable[Hinge]) -> Skeleton:
        """This skeleton with other hinges, for joints that have none in their file.

        Raises:
            SkeletonError: a joint does not exist or has two of them, or an axis or limits make no sense.
        """
        changed = replace(self, hinges=tuple(sorted(hinges, key=lambda hinge: hinge.joint)))
        _check_hinges(changed)
        return changed

    def with_roles(self, roles: Roles) -> Skeleton:
        """This skeleton with known roles, which `roles` returns from then on.

        Raises:
            SkeletonError: the roles are for another number of joints.
        """
        if len(roles.parts) != self.joint_count:
            raise SkeletonError(f"roles of {len(roles.parts)} joints do not fit a skeleton of {self.joint_count}")
        return replace(self, known_roles=roles)

    def __repr__(self) -> str:
        return f"<Skeleton of {self.joint_count} joints, {self.height:.2f} m high, from {self.names[0]!r}>"

    @property
    def joint_count(self) -> int:
        return len(self.names)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: joint for joint, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """The index of a joint by name.

        Raises:
            SkeletonError: there is no such joint. The message lists the joints.
        """
        try:
            return self._index[name]
        except KeyError:
            listed = ", ".join(self.names[:40]) + (", ..." if self.joint_count > 40 else "")
            raise SkeletonError(f"no joint is named {name!r}; the joints are: {listed}") from None

    def indices(self, names: Iterable[str]) -> NDArray[np.int32]:
        """Indices `[N]` of several joints by name."""
        return np.asarray([self.index(name) for name in names], dtype=np.int32)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each joint."""
        lists: list[list[int]] = [[] for _ in self.names]
        for joint, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                lists[parent].append(joint)
        return tuple(tuple(row) for row in lists)

    @cached_property
    def depths(self) -> NDArray[np.int32]:
        """int32 `[J]`: number of ancestors of each joint."""
        depths = np.zeros(self.joint_count, dtype=np.int32)
        for joint, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                depths[joint] = depths[parent] + 1
        return depths

    def ancestors(self, joint: int) -> list[int]:
        """The ancestors of a joint, nearest first."""
        found: list[int] = []
        joint = int(self.parents[joint])
        while joint >= 0:
            found.append(joint)
            joint = int(self.parents[joint])
        return found

    def below(self, joints: Iterable[int]) -> NDArray[np.bool_]:
        """Which joints `[J]` are in `joints` or are descendants of one of them."""
        found = np.zeros(self.joint_count + 1, np.bool_)  # the last element is the parent of roots
        found[list(joints)] = True
        for joint, parent in enumerate(self.parents.tolist()):
            found[joint] |= found[parent]
        return found[:-1]

    def above(self, joints: Iterable[int]) -> NDArray[np.bool_]:
        """Which joints `[J]` are in `joints` or are ancestors of one of them."""
        found = np.zeros(self.joint_count + 1, np.bool_)
        found[list(joints)] = True
        for joint in range(self.joint_count - 1, -1, -1):
            found[self.parents[joint]] |= found[joint]
        return found[:-1]

    @cached_property
    def rest_pose(self) -> Pose:
        """The rest pose."""
        return Pose(self, self.rest_rotations, self.rest_translations)

    def translations(self, joints: NDArray[np.integer], moved: NDArray[np.float32]) -> NDArray[np.float32]:
        """Local translations `[..., J, 3]`, metres: `moved` `[..., T, 3]` for `joints` `[T]`, others at rest."""
        whole = np.empty((*moved.shape[:-2], self.joint_count, 3), np.float32)
        whole[:] = self.rest_translations
        whole[..., joints, :] = moved
        return whole

    @cached_property
    def bone_lengths(self) -> NDArray[np.float32]:
        """float32 `[J]`, metres: distance from each joint to its parent; 0 for roots."""
        lengths = np.linalg.norm(self.rest_translations, axis=-1).astype(np.float32)
        return np.where(self.parents < 0, np.float32(0), lengths)

    @cached_property
    def height(self) -> float:
        """Vertical extent of the rest pose with its tips, metres."""
        return self.extent(self.rest_pose)

    def extent(self, pose: Pose) -> float:
        """Vertical extent of one pose with its tips, metres."""
        heights = np.concatenate([pose.global_positions[:, 1], self.tip_positions(pose)[:, 1]])
        return float(heights.max() - heights.min())

    def tip_positions(self, pose: Pose) -> Array:
        """Global positions `[..., T, 3]` of the tips in poses `[...]`, metres."""
        turns = rotations.rotate(pose.global_rotations[..., self.tip_joints, :], self.tip_offsets)
        return pose.global_positions[..., self.tip_joints, :] + turns

    @cached_property
    def mirror_map(self) -> NDArray[np.int32]:
        """int32 `[J]`: the partner of each joint on the other side, by name or else by `roles`, or the joint itself.

        Serial numbers that exporters append to all names (`LeftFoot_017`, `RightFoot_021`) may differ.
        """
        pairs = _partners_by_name(self.names)
        sided = [naming.side(name) is not None for name in self.names]
        silent = not any(sided)
        if silent or any(pairs[joint] == joint for joint, has in enumerate(sided) if has):
            for joint, other in enumerate(self.roles.partners.tolist()):
                unpaired = pairs[joint] == joint and pairs[other] == other
                if unpaired and (sided[joint] or sided[other] or silent):
                    pairs[joint], pairs[other] = other, joint
        return np.asarray(pairs, dtype=np.int32)

    @cached_property
    def roles(self) -> Roles:
        """The role of each joint, from hints, names and shape. `kinema.roles.find_roles` can also use a motion."""
        if self.known_roles is not None:
            return self.known_roles
        from kinema.roles import find_roles  # imported here because it is slow to import

        arrays = (self.parents, self.rest_translations, self.rest_rotations, self.tip_joints, self.tip_offsets)
        key = (self.names, *(array.tobytes() for array in arrays), tuple(sorted(self.hints.items())), self.hinges)
        found = _roles.get(key) or find_roles(self)
        _roles.pop(key, None)
        _roles[key] = found
        if len(_roles) > MOST_ROLES:
            _roles.pop(next(iter(_roles)), None)
        return found

    def same_topology(self, other: Skeleton) -> bool:
        """Whether names and parents are the same. Proportions may differ."""
        return self.names == other.names and bool(np.array_equal(self.parents, other.parents))


def _check_names(skeleton: Skeleton) -> None:
    seen: set[str] = set()
    for name in skeleton.names:
        if name in seen:
            raise SkeletonError(f"joint name {name!r} occurs twice; names must be unique")
        seen.add(name)
    unknown = [name for name in skeleton.hints if name not in seen]
    if unknown:
        raise SkeletonError(f"a hint names joint {unknown[0]!r}, which does not exist")


def _check_arrays(skeleton: Skeleton) -> None:
    count, parents = skeleton.joint_count, skeleton.parents
    for label, width in (("parents", ()), ("rest_translations", (3,)), ("rest_rotations", (4,))):
        array, shape = getattr(skeleton, label), (count, *width)
        if array.shape != shape:
            raise SkeletonError(f"{label} must have shape {shape} for {count} joints, not {array.shape}")
        if not np.isfinite(array).all():
            raise SkeletonError(f"{label} holds a value that is not finite")
    misplaced = np.flatnonzero((parents >= np.arange(count)) | (parents < -1))
    if misplaced.size:
        joint = int(misplaced[0])
        raise SkeletonError(
            f"joint {skeleton.names[joint]!r} must come after its parent (parent index {parents[joint]})"
        )
    inside = bool(((skeleton.tip_joints >= 0) & (skeleton.tip_joints < count)).all())
    if not inside or not np.isfinite(skeleton.tip_offsets).all():
        raise SkeletonError("tips must belong to joints of the skeleton and have finite offsets")


def _check_hinges(skeleton: Skeleton) -> None:
    joints = [hinge.joint for hinge in skeleton.hinges]
    if len(set(joints)) < len(joints) or any(not 0 <= joint < skeleton.joint_count for joint in joints):
        raise SkeletonError("each hinge must belong to one joint of the skeleton, and each joint to at most one hinge")
    for hinge in skeleton.hinges:
        if abs(sum(value * value for value in hinge.axis) - 1) > 1e-3 or not hinge.lower <= hinge.upper:
            name = skeleton.names[hinge.joint]
            raise SkeletonError(f"the hinge of joint {name!r} needs a unit axis and lower <= upper")


def _partners_by_name(names: Sequence[str]) -> list[int]:
    """For each joint its partner on the other side by name, or itself."""
    index = {name: joint for joint, name in enumerate(names)}
    unnumbered: dict[str, list[int]] = {}
    for joint, name in enumerate(names):
        unnumbered.setdefault(naming.unnumbered(name), []).append(joint)

    def partner(joint: int, name: str) -> int:
        other = naming.mirrored(name)
        if other is None or other in index:
            return joint if other is None else index[other]
        alike = unnumbered.get(naming.unnumbered(other), [])
        return alike[0] if len(alike) == 1 else joint

    pairs = [partner(joint, name) for joint, name in enumerate(names)]
    return [other if pairs[other] == joint else joint for joint, other in enumerate(pairs)]
