"""The pose of a skeleton, in one form for one moment, a clip, a crowd, or a batch of clips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace

from kinema import kinematics, rotations
from kinema.errors import SkeletonError
from kinema.rotations import Array, alike

if TYPE_CHECKING:
    from kinema.skeleton import Skeleton

_LOCAL = ("local_rotations", "local_translations")
_EXTRAS = ("root_positions", "root_rotations", "contacts", "morph_weights")


class Pose:
    """Poses of one skeleton with any leading dimensions `[...]`, in NumPy or torch.

    A pose is immutable: its arrays do not change after it is created. All transforms are available in three spaces:

    - *local*: each joint relative to its parent, top joints relative to the root frame;
    - *model*: each joint relative to the root frame;
    - *global*: each joint in the world.

    Create a pose from local transforms, or with `from_model` from transforms in model space. The other spaces are
    computed on first use and cached. Under torch they are differentiable.

    Args:
        skeleton: the joints.
        local_rotations: `[..., J, 4]`, unit quaternions (wxyz).
        local_translations: `[..., J, 3]` or `[J, 3]`, metres; None: those of the rest pose.
        root_positions: `[..., 3]`, metres: position of the root frame in the world; None: the origin.
        root_rotations: `[..., 4]`: rotation of the root frame in the world; None: the identity.
        contacts: `[..., C]` in 0 to 1, one column per foot; None: no columns, contacts are unknown.
        morph_weights: `[..., M]`: weights of the character's morph targets; None: those of the rest pose.

    Raises:
        SkeletonError: the arrays do not match the skeleton's joints.
    """

    skeleton: Skeleton
    morph_weights: Array | None

    def __init__(
        self,
        skeleton: Skeleton,
        local_rotations: Array,
        local_translations: Array | None = None,
        *,
        root_positions: Array | None = None,
        root_rotations: Array | None = None,
        contacts: Array | None = None,
        morph_weights: Array | None = None,
    ) -> None:
        if local_translations is None:
            local_translations = alike(skeleton.rest_translations, local_rotations)
        self._begin(skeleton, root_positions, root_rotations, contacts, morph_weights)
        self._local = _checked(skeleton, local_rotations, local_translations)

    @classmethod
    def from_model(
        cls,
        skeleton: Skeleton,
        model_rotations: Array,
        model_positions: Array,
        *,
        root_positions: Array | None = None,
        root_rotations: Array | None = None,
        contacts: Array | None = None,
        morph_weights: Array | None = None,
    ) -> Pose:
        """Create a pose from rotations `[..., J, 4]` and positions `[..., J, 3]` of all joints in the root frame.

        With the root at the origin these are the global transforms.

        Raises:
            SkeletonError: the arrays do not match the skeleton's joints.
        """
        pose = cls.__new__(cls)
        pose._begin(skeleton, root_positions, root_rotations, contacts, morph_weights)
        pose._model = _checked(skeleton, model_rotations, model_positions)
        return pose

    def _begin(self, skeleton: Skeleton, *parts: Array | None) -> None:
        self.skeleton = skeleton
        self._root_positions, self._root_rotations, self._contacts, self.morph_weights = parts
        self._local: tuple[Array, Array] | None = None
        self._model: tuple[Array, Array] | None = None
        self._global: tuple[Array, Array] | None = None

    @property
    def local_rotations(self) -> Array:
        """`[..., J, 4]`, each joint relative to its parent."""
        return self._locals()[0]

    @property
    def local_translations(self) -> Array:
        """`[..., J, 3]`, metres, in the frames of the parents."""
        return _broadcast(self._locals()[1], self.shape, 2)

    @property
    def root_positions(self) -> Array:
        """`[..., 3]`, metres: position of the root frame in the world."""
        return self._or_default(self._root_positions, (0.0, 0.0, 0.0))

    @property
    def root_rotations(self) -> Array:
        """`[..., 4]`: rotation of the root frame in the world."""
        return self._or_default(self._root_rotations, (1.0, 0.0, 0.0, 0.0))

    @property
    def contacts(self) -> Array:
        """`[..., C]` in 0 to 1, one column per foot; no columns if contacts are unknown."""
        return self._or_default(self._contacts, ())

    @property
    def model_rotations(self) -> Array:
        """`[..., J, 4]`, relative to the root frame."""
        return self._models()[0]

    @property
    def model_positions(self) -> Array:
        """`[..., J, 3]`, metres, in the root frame."""
        return self._models()[1]

    @property
    def global_rotations(self) -> Array:
        """`[..., J, 4]`, in the world."""
        return self._globals()[0]

    @property
    def global_positions(self) -> Array:
        """`[..., J, 3]`, metres, in the world."""
        return self._globals()[1]

    def _locals(self) -> tuple[Array, Array]:
        if self._local is None:
            assert self._model is not None  # a pose begins with one of the two
            self._local = kinematics.to_local(*self._model, self.skeleton.parents)
        return self._local

    def _models(self) -> tuple[Array, Array]:
        if self._model is None:
            assert self._local is not None
            self._model = kinematics.forward(*self._local, self.skeleton.parents, checked=True)
        return self._model

    def _globals(self) -> tuple[Array, Array]:
        if self._global is None:
            if self._root_positions is None and self._root_rotations is None:
                self._global = self._models()
            else:
                self._global = kinematics.place(*self._models(), self.root_positions, self.root_rotations)
        return self._global

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading dimensions: `()` for one pose, `(F,)` for the frames of a clip."""
        return tuple(self._given.shape[:-2])

    @property
    def _extras(self) -> tuple[Array | None, ...]:
        return self._root_positions, self._root_rotations, self._contacts, self.morph_weights

    @property
    def _given(self) -> Array:
        given = self._local or self._model
        assert given is not None
        return given[0]

    def _or_default(self, array: Array | None, values: tuple[float, ...]) -> Array:
        return _broadcast(alike(values, self._given) if array is None else array, self.shape, 1)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single pose has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        lead = "x".join(map(str, self.shape)) or "one"
        return f"<Pose {lead} of {self.skeleton.joint_count} joints>"

    def __getitem__(self, index: Any) -> Pose:
        """Select poses by an index over the leading dimensions: `pose[3]`, `pose[10:20]`, `pose[mask]`."""
        shape = self.shape
        parts = index if isinstance(index, tuple) else (index,)
        if any(part is Ellipsis for part in parts):
            given = sum(1 for part in parts if part is not Ellipsis and part is not None)
            filling = (slice(None),) * (len(shape) - given)
            parts = tuple(fill for part in parts for fill in (filling if part is Ellipsis else (part,)))

        def chosen(array: Array | None, tail: int) -> Array | None:
            return None if array is None else _broadcast(array, shape, tail)[parts]

        def both(space: tuple[Array, Array] | None) -> tuple[Array, Array] | None:
            return None if space is None else (chosen(space[0], 2), chosen(space[1], 2))

        made = Pose.__new__(Pose)
        made._begin(self.skeleton, *(chosen(part, 1) for part in self._extras))
        made._local, made._model, made._global = both(self._local), both(self._model), both(self._global)
        return made

    def replace(self, **changes: Array | None) -> Pose:
        """A copy of this pose with some parts replaced. Dependent parts are recomputed.

        Args:
            changes: any arguments of `Pose` except the skeleton.

        Raises:
            TypeError: there is no such part.
        """
        unknown = sorted(changes.keys() - {*_LOCAL, *_EXTRAS})
        if unknown:
            raise TypeError(f"a pose has no part {unknown[0]!r} to replace; it has {', '.join((*_LOCAL, *_EXTRAS))}")
        made = Pose.__new__(Pose)
        made._begin(self.skeleton, *(changes.get(name, part) for name, part in zip(_EXTRAS, self._extras, strict=True)))
        if changes.keys() & set(_LOCAL):
            rotation, translation = (changes.get(name, mine) for name, mine in zip(_LOCAL, self._locals(), strict=True))
            made._local = _checked(self.skeleton, rotation, translation)
            return made
        made._local, made._model = self._local, self._model
        if not changes.keys() & {"root_positions", "root_rotations"}:
            made._global = self._global
        return made

    def in_world(self) -> Pose:
        """The same poses with the root frame at the origin. Top joints are relative to the world, as in a motion."""
        if self._root_positions is None and self._root_rotations is None:
            return self
        local_rotations, local_translations = self._locals()
        xp = array_namespace(local_rotations)
        rotation, position = kinematics.place(
            local_rotations, self.local_translations, self.root_positions, self.root_rotations
        )
        top = alike((self.skeleton.parents < 0)[:, None], local_rotations, np.bool_)
        made = Pose.__new__(Pose)
        made._begin(self.skeleton, None, None, self._contacts, self.morph_weights)
        made._local = xp.where(top, rotation, local_rotations), xp.where(top, position, local_translations)
        made._model = made._global = self._global
        return made

    def on_root(self, root_positions: Array, root_rotations: Array) -> Pose:
        """The same poses in the world with another root frame `[..., 3]` and `[..., 4]`. The inverse of `in_world`."""
        xp = array_namespace(self._given)
        root = root_rotations[..., None, :]
        rotation = rotations.relative(root, self.global_rotations)
        position = rotations.inverse_rotate(root, self.global_positions - root_positions[..., None, :])
        top = alike((self.skeleton.parents < 0)[:, None], rotation, np.bool_)
        made = Pose.__new__(Pose)
        made._begin(self.skeleton, root_positions, root_rotations, self._contacts, self.morph_weights)
        made._local = xp.where(top, rotation, self.local_rotations), xp.where(top, position, self.local_translations)
        made._model, made._global = (rotation, position), (self.global_rotations, self.global_positions)
        return made

    @staticmethod
    def concatenate(poses: Sequence[Pose]) -> Pose:
        """Concatenate poses of one skeleton along the first leading dimension.

        Contacts and morph weights are dropped unless all poses have them.

        Raises:
            SkeletonError: there are no poses, or their skeletons differ.
        """
        if not poses:
            raise SkeletonError("there are no poses to concatenate")
        first = poses[0]
        if any(not pose.skeleton.same_topology(first.skeleton) for pose in poses):
            raise SkeletonError("poses of different skeletons cannot be concatenated")
        xp = array_namespace(first._given)

        def joined(name: str) -> Array | None:
            arrays = [getattr(pose, name) for pose in poses]
            known = all(array is not None for array in arrays) and len({array.shape[-1] for array in arrays}) == 1
            return xp.concat(arrays, axis=0) if known else None

        return Pose(first.skeleton, *(joined(name) for name in _LOCAL), **{name: joined(name) for name in _EXTRAS})


def _checked(skeleton: Skeleton, rotation: Array, position: Array) -> tuple[Array, Array]:
    joints = skeleton.joint_count
    if tuple(rotation.shape[-2:]) != (joints, 4) or tuple(position.shape[-2:]) != (joints, 3):
        raise SkeletonError(
            f"a pose of {joints} joints needs rotations [..., {joints}, 4] and positions [..., {joints}, 3], "
            f"not {list(rotation.shape)} and {list(position.shape)}"
        )
    return rotation, position


def _broadcast(array: Array, shape: tuple[int, ...], tail: int) -> Array:
    if tuple(array.shape[: array.ndim - tail]) == shape:
        return array
    return array_namespace(array).broadcast_to(array, (*shape, *array.shape[array.ndim - tail :]))
