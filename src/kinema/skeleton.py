"""The skeleton: names, tree and rest pose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import naming, rotations
from kinema.errors import SkeletonError
from kinema.pose import Pose

if TYPE_CHECKING:
    from kinema.roles import Roles

MAX_JOINTS = 100_000
"""More joints than this are refused: no rig has them, and hostile files do."""


@dataclass(frozen=True)
class Hinge:
    """A joint that turns about one axis only, as the joints of robots do.

    Attributes:
        joint: its index.
        axis: unit vector in the joint's rest frame; a pose is the rest rotation followed by a turn about it.
        lower: smallest angle, radians; minus infinity where there is no limit.
        upper: largest angle, radians.
    """

    joint: int
    axis: tuple[float, float, float]
    lower: float = -float("inf")
    upper: float = float("inf")


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton:
    """A tree (or several trees) of named joints in their rest pose. Use `create`, which checks.

    Attributes:
        names: `J` unique joint names.
        parents: int32 `[J]`; -1 for a root; parents come before their children.
        rest_translations: float32 `[J, 3]`, metres, in the parent's frame.
        rest_rotations: float32 `[J, 4]`, wxyz, relative to the parent.
        tip_joints: int32 `[T]`: joints that end in a tip (a BVH end site).
        tip_offsets: float32 `[T, 3]`: where the tip is, metres, in the joint's frame.
        hints: roles by joint name that the file or the user states, such as `{"J_Bip_L_Foot": "left_foot"}`;
            they overrule what `roles` finds by itself.
        hinges: joints with one axis, ascending; every other joint turns freely.
        known_roles: what `roles` returns instead of finding roles; see `with_roles`.
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
        """Check and build a skeleton.

        Raises:
            SkeletonError: no joints, repeated names, a parent after its child, wrong shapes or values not finite.
        """
        count = len(names)
        if not 0 < count <= MAX_JOINTS:
            raise SkeletonError(f"a skeleton has 1 to {MAX_JOINTS} joints, this one has {count}")
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise SkeletonError(f"joint name {name!r} stands twice; names must be unique")
            seen.add(name)
        parent_array = np.asarray(parents, dtype=np.int32)
        translations = np.ascontiguousarray(rest_translations, dtype=np.float32)
        if rest_rotations is None:
            rest_rotations = np.tile(np.array([1, 0, 0, 0], np.float32), (count, 1))
        rotations_array = np.ascontiguousarray(rest_rotations, dtype=np.float32)
        tip_list = list(tips)
        tip_joints = np.asarray([joint for joint, _ in tip_list], dtype=np.int32)
        tip_offsets = np.asarray([offset for _, offset in tip_list], dtype=np.float32).reshape(-1, 3)
        for label, array, shape in (
            ("parents", parent_array, (count,)),
            ("rest_translations", translations, (count, 3)),
            ("rest_rotations", rotations_array, (count, 4)),
        ):
            if array.shape != shape:
                raise SkeletonError(f"{label} must have shape {shape} for {count} joints, not {array.shape}")
            if not np.isfinite(array).all():
                raise SkeletonError(f"{label} holds a value that is not finite")
        late = np.flatnonzero(parent_array >= np.arange(count))
        if late.size or (parent_array < -1).any():
            joint = int(late[0]) if late.size else int(np.argmax(parent_array < -1))
            raise SkeletonError(
                f"joint {names[joint]!r} must come after its parent (parent index {parent_array[joint]})"
            )
        inside = bool(((tip_joints >= 0) & (tip_joints < count)).all())
        if not inside or not np.isfinite(tip_offsets).all():
            raise SkeletonError("tips must belong to joints of the skeleton and have finite offsets")
        unknown = [name for name in hints or {} if name not in seen]
        if unknown:
            raise SkeletonError(f"hints name a joint {unknown[0]!r} that the skeleton does not have")
        hinge_list = tuple(sorted(hinges, key=lambda hinge: hinge.joint))
        hinged = [hinge.joint for hinge in hinge_list]
        if len(set(hinged)) < len(hinged) or any(not 0 <= joint < count for joint in hinged):
            raise SkeletonError("each hinge must belong to one joint of the skeleton, each joint to one hinge")
        for hinge in hinge_list:
            if abs(sum(value * value for value in hinge.axis) - 1) > 1e-3 or not hinge.lower <= hinge.upper:
                raise SkeletonError(f"the hinge of joint {names[hinge.joint]!r} needs a unit axis and lower <= upper")
        return Skeleton(
            tuple(names),
            parent_array,
            translations,
            rotations_array,
            tip_joints,
            tip_offsets,
            dict(hints or {}),
            hinge_list,
        )

    def with_hints(self, hints: Mapping[str, str]) -> Skeleton:
        """This skeleton with roles stated for some joints, over those stated before.

        Raises:
            SkeletonError: a name is not that of a joint.
        """
        for name in hints:
            self.index(name)
        return replace(self, hints={**self.hints, **hints}, known_roles=None)

    def with_roles(self, roles: Roles) -> Skeleton:
        """This skeleton with known roles, which `roles` returns from then on.

        Raises:
            SkeletonError: the roles are those of another number of joints.
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
            SkeletonError: there is no such joint; the message lists those there are.
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
        """For each joint, its children."""
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

    @cached_property
    def rest_pose(self) -> Pose:
        """The skeleton at rest."""
        return Pose(self, self.rest_rotations, self.rest_translations)

    def translations(self, joints: NDArray[np.integer], moved: NDArray[np.float32]) -> NDArray[np.float32]:
        """Local translations `[..., J, 3]`, metres: `moved` `[..., T, 3]` for the joints `[T]`, else those at rest."""
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
        positions = pose.global_positions
        tips = positions[self.tip_joints] + rotations.rotate(pose.global_rotations[self.tip_joints], self.tip_offsets)
        heights = np.concatenate([positions[:, 1], tips[:, 1]])
        return float(heights.max() - heights.min())

    @cached_property
    def mirror_map(self) -> NDArray[np.int32]:
        """int32 `[J]`: the joint on the other side by its name, else by `roles`, or the joint itself.

        Running numbers that exporters append to all names (`LeftFoot_017`, `RightFoot_021`) may differ.
        """
        plain: dict[str, list[int]] = {}
        for joint, name in enumerate(self.names):
            plain.setdefault(naming.unnumbered(name), []).append(joint)

        def partner(joint: int, name: str) -> int:
            other = naming.mirrored(name)
            if other is None or other in self._index:
                return joint if other is None else self._index[other]
            alike = plain.get(naming.unnumbered(other), [])
            return alike[0] if len(alike) == 1 else joint

        pairs = [partner(joint, name) for joint, name in enumerate(self.names)]
        pairs = [p if pairs[p] == j else j for j, p in enumerate(pairs)]
        sided = [naming.side(name) is not None for name in self.names]
        silent = not any(sided)
        if silent or any(pairs[joint] == joint for joint, has in enumerate(sided) if has):
            for joint, other in enumerate(self.roles.partners.tolist()):
                untold = sided[joint] or sided[other] or silent
                if untold and pairs[joint] == joint and pairs[other] == other:
                    pairs[joint], pairs[other] = other, joint
        return np.asarray(pairs, dtype=np.int32)

    @cached_property
    def roles(self) -> Roles:
        """The role of each joint, by hints, names and shape; `kinema.roles.find_roles` can use a motion too."""
        if self.known_roles is not None:
            return self.known_roles
        from kinema.roles import find_roles  # the recogniser is slow to import, and few skeletons need it

        return find_roles(self)

    def same_topology(self, other: Skeleton) -> bool:
        """Whether names and parents agree; proportions may differ."""
        return self.names == other.names and bool(np.array_equal(self.parents, other.parents))
