"""Poses of everything that is drawn. All figures of one character are one batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.engine import kernels
from kinema.engine.components import Vector, vector
from kinema.engine.transforms import TransformColumns
from kinema.errors import WorldError
from kinema.pose import Pose


@dataclass(eq=False)
class Figures:
    """`n` entities that show the same character.

    Poses are immutable: a step sets new ones. A pose that was handed out, for example to the renderer, never changes.

    Attributes:
        ids: `[n]`, ascending.
        pose: `[n]`, in the frames of the entities. Systems set it with `write`.
        shown: the poses in world space, at the end of the last step.
        previous: `shown` one step before.
        cut: bool `[n]`: true where the new pose does not continue the old one. Such poses are not interpolated.
        tints: float32 `[n, 4]`, linear; None if no entity has a `Tint`.
    """

    character: Character
    ids: NDArray[np.int64]
    pose: Pose
    shown: Pose
    previous: Pose
    cut: NDArray[np.bool_]
    tints: NDArray[np.float32] | None = None

    @staticmethod
    def at_rest(character: Character, ids: NDArray[np.int64], transforms: TransformColumns) -> Figures:
        """Entities in the rest pose, placed at their Transforms, so that they can be drawn before the next step."""
        rest = character.skeleton.rest_pose
        model = (np.asarray(array, np.float32)[None] for array in (rest.model_rotations, rest.model_positions))
        pose = Pose.from_model(character.skeleton, *(np.repeat(array, len(ids), axis=0) for array in model))
        made = Figures(character, ids, pose, pose, pose, np.ones(len(ids), np.bool_))
        made.place(transforms)
        made.cut[:] = True
        return made

    def with_ids(self, ids: NDArray[np.int64], transforms: TransformColumns) -> Figures:
        """A batch with other members. Entities that remain keep their poses."""
        made = Figures.at_rest(self.character, ids, transforms)
        _, here, there = np.intersect1d(self.ids, ids, assume_unique=True, return_indices=True)
        made.pose = self._combined(made.pose, there, self.pose[here])
        made.shown = self._combined(made.shown, there, self.shown[here])
        made.previous = self._combined(made.previous, there, self.previous[here])
        made.cut[there] = self.cut[here]
        return made

    def write(self, rows: NDArray[np.integer], pose: Pose, cut: NDArray[np.bool_] | None = None) -> None:
        """Set the poses of `r` rows. The other rows keep theirs.

        Args:
            pose: `[r]`, in the frames of the entities. Its root is ignored.
            cut: `[r]`, true where the new pose does not continue the old one.
        """
        pose = Pose.from_model(
            self.character.skeleton, pose.model_rotations, pose.model_positions, morph_weights=pose.morph_weights
        )
        everyone = np.array_equal(rows, np.arange(len(self.ids)))
        self.pose = pose if everyone else self._combined(self.pose, rows, pose)
        if cut is not None:
            self.cut[rows] |= cut

    def place(self, transforms: TransformColumns, keep: bool = True) -> None:
        """Compute the poses in world space. The old ones become the previous ones unless `keep` is false."""
        rows, before = transforms.rows(self.ids), self.shown
        positions, rotations = transforms.global_positions[rows], transforms.global_rotations[rows]
        self.shown = self.pose.replace(root_positions=positions, root_rotations=rotations)
        if not keep or self.cut.all():
            self.previous = self.shown
        elif self.cut.any():
            jumped = np.flatnonzero(self.cut)
            self.previous = self._combined(before, jumped, self.shown[jumped])
        else:
            self.previous = before
        self.cut[:] = False

    def between(self, share: float) -> Pose:
        """The poses in world space, `share` (0 to 1) of the way from the previous step to the last one."""
        if share == 1.0:
            return self.shown
        before, now = self.previous, self.shown
        blended = kernels.blend(
            before.global_rotations,
            before.global_positions,
            now.global_rotations,
            now.global_positions,
            np.float32(share),
        )
        weights = None
        if before.morph_weights is not None or now.morph_weights is not None:
            start, end = self._morphs(before), self._morphs(now)
            weights = (start + share * (end - start)).astype(np.float32)
        return Pose.from_model(now.skeleton, *blended, morph_weights=weights)

    def _morphs(self, pose: Pose) -> NDArray[np.float32]:
        rest = np.broadcast_to(self.character.rest_weights, (*pose.shape, len(self.character.rest_weights)))
        return rest if pose.morph_weights is None else pose.morph_weights

    def _combined(self, poses: Pose, rows: NDArray[np.integer], others: Pose) -> Pose:
        """`poses` with some rows replaced by `others`, in world space."""
        rotations, positions = poses.global_rotations.copy(), poses.global_positions.copy()
        rotations[rows], positions[rows] = others.global_rotations, others.global_positions
        weights = None
        if poses.morph_weights is not None or others.morph_weights is not None:
            weights = self._morphs(poses).copy()
            weights[rows] = self._morphs(others)
        return Pose.from_model(poses.skeleton, rotations, positions, morph_weights=weights)


class Poses:
    """The batches of one world, ordered by their first entities."""

    def __init__(self) -> None:
        self.batches: tuple[Figures, ...] = ()
        self._batch_of: dict[int, Figures] = {}

    def regroup(
        self,
        figures: Sequence[tuple[int, Character]],
        transforms: TransformColumns,
        tints: Sequence[tuple[int, Vector]] = (),
    ) -> None:
        """Regroup the entities by character and set their tints. Entities that remain keep their poses."""
        members: dict[int, tuple[Character, list[int]]] = {}
        for entity, character in figures:
            members.setdefault(id(character), (character, []))[1].append(entity)
        old = {id(batch.character): batch for batch in self.batches}
        batches: list[Figures] = []
        for key, (character, entities) in members.items():
            ids = np.asarray(entities, np.int64)
            batch = old.get(key)
            if batch is None:
                batch = Figures.at_rest(character, ids, transforms)
            elif not np.array_equal(batch.ids, ids):
                batch = batch.with_ids(ids, transforms)
            batches.append(batch)
        self.batches = tuple(batches)
        self._batch_of = {int(entity): batch for batch in batches for entity in batch.ids}
        for batch in batches:
            batch.tints = None
        for entity, color in tints:
            found = self.find(entity)
            if found is not None:
                batch, row = found
                if batch.tints is None:
                    batch.tints = np.ones((len(batch.ids), 4), np.float32)
                batch.tints[row] = vector(color, 4, f"the tint of entity {entity}")

    def find(self, entity: int) -> tuple[Figures, int] | None:
        """The batch of an entity and its row there. None if the entity has no pose."""
        batch = self._batch_of.get(entity)
        return None if batch is None else (batch, int(np.searchsorted(batch.ids, entity)))

    def of(self, entity: int) -> Pose:
        """The pose of one entity in world space, at the end of the last step.

        Raises:
            WorldError: it has no pose because it has no Figure or Transform, or is disabled.
        """
        found = self.find(entity)
        if found is None:
            raise WorldError(f"entity {entity} has no pose: it needs a Figure and a Transform, and must be enabled")
        batch, row = found
        return batch.shown[row]

    def write(self, entities: NDArray[np.int64], pose: Pose, cut: NDArray[np.bool_] | None = None) -> None:
        """Set the poses of entities `[n]`. Entities without a pose are skipped.

        Args:
            pose: `[n]`, in the frames of the entities. Its root is ignored.
            cut: `[n]`, true where the new pose does not continue the old one.

        Raises:
            WorldError: a figure and its pose have different numbers of joints.
        """
        for batch in self.batches:
            rows = np.searchsorted(batch.ids, entities)
            here = batch.ids[np.minimum(rows, len(batch.ids) - 1)] == entities
            if not here.any():
                continue
            joints = batch.character.skeleton.joint_count
            if pose.skeleton.joint_count != joints:
                figure = f"{batch.character.name!r} of entity {int(entities[here][0])}"
                raise WorldError(f"{figure} has {joints} joints, but its pose has {pose.skeleton.joint_count}")
            chosen = pose if here.all() else pose[here]
            batch.write(rows[here], chosen, None if cut is None else cut[here])

    def place(self, transforms: TransformColumns, keep: bool = True) -> None:
        """Compute all poses in world space; see `Figures.place`."""
        for batch in self.batches:
            batch.place(transforms, keep)
