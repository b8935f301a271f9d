"""Poses of everything drawn, in batches: all figures of one character lie in the same arrays."""

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


@dataclass(eq=False)
class PoseBatch:
    """`n` entities that show the same character.

    Systems write `rotations` and `positions` in place; the world fills the others at the end of a step, with new
    arrays each time, so that what was handed out (to a picture in the making) never changes.

    Attributes:
        ids: `[n]`, ascending.
        rotations, positions: float32 `[n, J, 4]`, `[n, J, 3]`: of all joints in the frame of their entity.
        global_rotations, global_positions: the same in the world, at the end of the last step.
        previous_rotations, previous_positions: the same one step before.
        tints: float32 `[n, 4]`, linear; None where nobody has a `Tint`.
        morphs, previous_morphs: float32 `[n, M]`, weights of the character's morph targets; None: those at rest.
        cut: bool `[n]`: set it where the new pose does not follow from the old one; nothing is drawn in between.
    """

    character: Character
    ids: NDArray[np.int64]
    rotations: NDArray[np.float32]
    positions: NDArray[np.float32]
    global_rotations: NDArray[np.float32]
    global_positions: NDArray[np.float32]
    previous_rotations: NDArray[np.float32]
    previous_positions: NDArray[np.float32]
    cut: NDArray[np.bool_]
    tints: NDArray[np.float32] | None = None
    morphs: NDArray[np.float32] | None = None
    previous_morphs: NDArray[np.float32] | None = None

    @staticmethod
    def at_rest(character: Character, ids: NDArray[np.int64], transforms: TransformColumns) -> PoseBatch:
        """Entities in the rest pose, where their Transforms are: a picture may be made before the next step."""
        turned, placed = character.skeleton.rest_pose.global_rotations, character.skeleton.rest_pose.global_positions
        rotations = np.tile(np.asarray(turned, np.float32), (len(ids), 1, 1))
        positions = np.tile(np.asarray(placed, np.float32), (len(ids), 1, 1))
        cut = np.ones(len(ids), np.bool_)
        made = PoseBatch(character, ids, rotations, positions, rotations, positions, rotations, positions, cut)
        made.place(transforms)
        made.previous_rotations, made.previous_positions = made.global_rotations.copy(), made.global_positions.copy()
        made.cut[:] = True
        return made

    def with_ids(self, ids: NDArray[np.int64], transforms: TransformColumns) -> PoseBatch:
        """Other members; those that stay keep their poses."""
        made = PoseBatch.at_rest(self.character, ids, transforms)
        _, here, there = np.intersect1d(self.ids, ids, assume_unique=True, return_indices=True)
        for mine, new in zip(self._arrays(), made._arrays(), strict=True):
            new[there] = mine[here]
        if self.morphs is not None:
            made.face(there, self.morphs[here])
        return made

    def face(self, rows: NDArray[np.integer], weights: NDArray[np.float32] | None) -> None:
        """The faces of this step: weights `[r, M]` of some rows; all others, or all where None, are at rest.

        A row that is cut takes its new face at once.
        """
        before, rest = self.morphs, self.character.rest_weights
        if weights is None:
            self.morphs = None if before is None else np.tile(rest, (len(self.ids), 1))
        else:
            self.morphs = np.tile(rest, (len(self.ids), 1))
            self.morphs[rows] = weights
        if self.morphs is None or before is None:
            self.previous_morphs = self.morphs
        else:
            self.previous_morphs = np.where(self.cut[:, None], self.morphs, before)
            if weights is None and (before == rest).all():  # a step to come to rest
                self.morphs = self.previous_morphs = None

    def _arrays(self) -> tuple[NDArray, ...]:
        return (
            self.rotations,
            self.positions,
            self.global_rotations,
            self.global_positions,
            self.previous_rotations,
            self.previous_positions,
            self.cut,
        )

    def place(self, transforms: TransformColumns, keep: bool = True) -> None:
        """Bring the poses into the world; the old ones become the previous ones unless `keep` is false."""
        rotations, positions = np.empty_like(self.rotations), np.empty_like(self.positions)
        kernels.place(
            transforms.rows(self.ids),
            transforms.global_positions,
            transforms.global_rotations,
            self.rotations,
            self.positions,
            rotations,
            positions,
        )
        if keep and not self.cut.all():
            cut = self.cut[:, None, None]
            some = bool(cut.any())
            self.previous_rotations = np.where(cut, rotations, self.global_rotations) if some else self.global_rotations
            self.previous_positions = np.where(cut, positions, self.global_positions) if some else self.global_positions
        else:
            self.previous_rotations, self.previous_positions = rotations, positions
        self.global_rotations, self.global_positions = rotations, positions
        self.cut[:] = False


class Poses:
    """The batches of one world, in order of their first entities."""

    def __init__(self) -> None:
        self.batches: tuple[PoseBatch, ...] = ()
        self._batch_of: dict[int, PoseBatch] = {}

    def regroup(
        self,
        figures: Sequence[tuple[int, Character]],
        transforms: TransformColumns,
        tints: Sequence[tuple[int, Vector]] = (),
    ) -> None:
        """Who shows what, and in which colour, in ascending order of entities; poses of those that stay are kept."""
        members: dict[int, tuple[Character, list[int]]] = {}
        for entity, character in figures:
            members.setdefault(id(character), (character, []))[1].append(entity)
        old = {id(batch.character): batch for batch in self.batches}
        batches: list[PoseBatch] = []
        for key, (character, entities) in members.items():
            ids = np.asarray(entities, np.int64)
            batch = old.get(key)
            if batch is None:
                batch = PoseBatch.at_rest(character, ids, transforms)
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

    def find(self, entity: int) -> tuple[PoseBatch, int] | None:
        """The batch that an entity is in and its row there; None when it shows nothing."""
        batch = self._batch_of.get(entity)
        return None if batch is None else (batch, int(np.searchsorted(batch.ids, entity)))

    def of(self, entity: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Global rotations `[J, 4]` and positions `[J, 3]` of one entity at the end of the last step.

        Raises:
            WorldError: it shows nothing: it has no Figure, or is disabled.
        """
        found = self.find(entity)
        if found is None:
            raise WorldError(f"entity {entity} has no pose: it needs a Figure and a Transform, and to be enabled")
        batch, row = found
        return batch.global_rotations[row], batch.global_positions[row]

    def write(
        self,
        entities: NDArray[np.int64],
        rotations: NDArray[np.float32],
        positions: NDArray[np.float32],
        cut: NDArray[np.bool_] | None = None,
    ) -> None:
        """Set the poses `[n, J, 4]`, `[n, J, 3]` of entities `[n]` in their own frames.

        Entities that show nothing are passed over.

        Args:
            cut: `[n]`, where the new pose does not follow from the old one.

        Raises:
            WorldError: a figure has another number of joints than the poses.
        """
        for batch in self.batches:
            rows = np.searchsorted(batch.ids, entities)
            here = batch.ids[np.minimum(rows, len(batch.ids) - 1)] == entities
            if not here.any():
                continue
            if batch.rotations.shape[1] != rotations.shape[1]:
                joints, entity = batch.rotations.shape[1], int(entities[here][0])
                raise WorldError(
                    f"{batch.character.name!r} of entity {entity} has {joints} joints, its pose {rotations.shape[1]}"
                )
            rows = rows[here]
            batch.rotations[rows], batch.positions[rows] = rotations[here], positions[here]
            if cut is not None:
                batch.cut[rows] |= cut[here]

    def place(self, transforms: TransformColumns, keep: bool = True) -> None:
        """Bring all poses into the world; see `PoseBatch.place`."""
        for batch in self.batches:
            batch.place(transforms, keep)
