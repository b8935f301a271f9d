"""All transforms of a world as columns: one row per entity, sorted by entity."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.engine import kernels
from kinema.engine.components import Transform, vector
from kinema.engine.transform_view import TransformView, positive, unit
from kinema.errors import WorldError

_COLUMNS: dict[str, tuple[tuple[int, ...], type]] = {
    "ids": ((), np.int64),
    "parents": ((), np.int64),
    "positions": ((3,), np.float32),
    "rotations": ((4,), np.float32),
    "scales": ((), np.float32),
    "global_positions": ((3,), np.float32),
    "global_rotations": ((4,), np.float32),
    "global_scales": ((), np.float32),
    "previous_positions": ((3,), np.float32),
    "previous_rotations": ((4,), np.float32),
    "fresh": ((), np.bool_),
}


class TransformColumns:
    """Arrays `[N, ...]`. Write `positions`, `rotations` and `scales` in place to move many entities at once.

    The arrays stay valid until an entity gains or loses a Transform. `global_*` is the state in the world at the end of
    the last step, `previous_*` the state one step before.
    """

    def __init__(self) -> None:
        self._count = 0
        self._data = {name: np.zeros((16, *shape), dtype) for name, (shape, dtype) in _COLUMNS.items()}
        self._views = {name: array[:0] for name, array in self._data.items()}
        self._rows: dict[int, int] = {}
        self._tree: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return self._count

    def __contains__(self, entity: int) -> bool:
        return entity in self._rows

    @property
    def ids(self) -> NDArray[np.int64]:
        """Entities `[N]`, ascending."""
        return self._views["ids"]

    @property
    def parents(self) -> NDArray[np.int64]:
        """Parent entities `[N]` of the rows, 0 for the world. Read only; use `reparent`."""
        return self._views["parents"]

    @property
    def positions(self) -> NDArray[np.float32]:
        """`[N, 3]`, metres, relative to the parent."""
        return self._views["positions"]

    @property
    def rotations(self) -> NDArray[np.float32]:
        """`[N, 4]`, unit, relative to the parent."""
        return self._views["rotations"]

    @property
    def scales(self) -> NDArray[np.float32]:
        """`[N]`, relative to the parent."""
        return self._views["scales"]

    @property
    def global_positions(self) -> NDArray[np.float32]:
        """`[N, 3]`, metres, world."""
        return self._views["global_positions"]

    @property
    def global_rotations(self) -> NDArray[np.float32]:
        """`[N, 4]`, unit, world."""
        return self._views["global_rotations"]

    @property
    def global_scales(self) -> NDArray[np.float32]:
        """`[N]`, world."""
        return self._views["global_scales"]

    @property
    def previous_positions(self) -> NDArray[np.float32]:
        """`[N, 3]`, metres, world, one step before. For a new entity its current position."""
        return self._views["previous_positions"]

    @property
    def previous_rotations(self) -> NDArray[np.float32]:
        """`[N, 4]`, world, one step before."""
        return self._views["previous_rotations"]

    def view(self, entity: int) -> TransformView | None:
        """The Transform of one entity, to read and to write, or None."""
        return TransformView(self, entity) if entity in self._rows else None

    def row(self, entity: int) -> int:
        """The row of an entity; WorldError when it has no Transform."""
        try:
            return self._rows[entity]
        except KeyError:
            raise WorldError(f"entity {entity} has no Transform") from None

    def rows(self, entities: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of entities `[n]`; WorldError when one has no Transform."""
        found = np.searchsorted(self.ids, entities)
        if len(entities) and (not self._count or (self.ids[np.minimum(found, self._count - 1)] != entities).any()):
            missing = next(int(entity) for entity in entities if int(entity) not in self._rows)
            raise WorldError(f"entity {missing} has no Transform")
        return found

    def insert(self, entity: int, transform: Transform) -> None:
        """Add a row for an entity. WorldError for an invalid transform or a parent that does not exist."""
        values = _values(entity, transform)
        parent = self._checked_parent(entity, transform.parent)
        row = self._count if not self._count or entity > self.ids[-1] else int(np.searchsorted(self.ids, entity))
        if self._count == len(self._data["ids"]):
            self._data = {name: np.concatenate([old, np.zeros_like(old)]) for name, old in self._data.items()}
        for array in self._data.values():
            array[row + 1 : self._count + 1] = array[row : self._count].copy()
        self._resize(self._count + 1)
        for name, value in {**values, "ids": entity, "parents": parent, "fresh": True}.items():
            self._data[name][row] = value
        if row == self._count - 1:
            self._rows[entity] = row
        else:
            self._rows = {found: index for index, found in enumerate(self.ids.tolist())}
        self._update(np.array([row]))

    def set(self, entity: int, transform: Transform) -> None:
        """Set the transform of an entity. Adds a row if it has none."""
        if entity not in self._rows:
            self.insert(entity, transform)
            return
        values = _values(entity, transform)
        self.reparent(entity, transform.parent)
        for name, value in values.items():
            self._data[name][self._rows[entity]] = value

    def delete(self, entities: Iterable[int]) -> None:
        """Remove rows. Their children must be removed too, or already have another parent."""
        removed = [self._rows[entity] for entity in entities if entity in self._rows]
        if not removed:
            return
        kept = np.delete(np.arange(self._count), removed)
        for array in self._data.values():
            array[: len(kept)] = array[kept]
        self._resize(len(kept))
        self._rows = {entity: index for index, entity in enumerate(self.ids.tolist())}

    def reparent(self, entity: int, parent: int | None) -> None:
        """Change the parent of an entity. Its local values stay. WorldError for a cycle."""
        new_parent = self._checked_parent(entity, parent)
        row = self.row(entity)
        if self.parents[row] != new_parent:
            self.parents[row] = new_parent
            self._tree = None

    def children(self, entity: int) -> tuple[int, ...]:
        """The direct children of an entity, ascending."""
        return tuple(self.ids[self.parents == entity].tolist())

    def below(self, entities: Iterable[int]) -> NDArray[np.int64]:
        """The entities and all their descendants, ascending. Entities without a Transform are left out."""
        order, parents = self._topology()
        flags = np.zeros(self._count, np.bool_)
        flags[[self._rows[entity] for entity in entities if entity in self._rows]] = True
        kernels.inherit(order, parents, flags)
        return self.ids[flags]

    def global_of(self, entity: int) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
        """Position `[3]`, rotation `[4]` and scale in the world, computed now instead of read from the last step."""
        row = self.row(entity)
        position, rotation, scale = self.positions[row].copy(), self.rotations[row].copy(), float(self.scales[row])
        while self.parents[row]:
            row = self._rows[int(self.parents[row])]
            position = self.positions[row] + rotations.rotate(self.rotations[row], position * self.scales[row])
            rotation, scale = rotations.multiply(self.rotations[row], rotation), scale * float(self.scales[row])
        return position, rotation, scale

    def propagate(self, keep: bool = True) -> None:
        """Update the global transforms. The old ones become the previous ones unless `keep` is false."""
        if keep:
            self.previous_positions[:] = self.global_positions
            self.previous_rotations[:] = self.global_rotations
        order, parents = self._topology()
        kernels.propagate(
            order,
            parents,
            self.positions,
            self.rotations,
            self.scales,
            self.global_positions,
            self.global_rotations,
            self.global_scales,
        )
        fresh = self._views["fresh"]
        if fresh.any():
            self.previous_positions[fresh] = self.global_positions[fresh]
            self.previous_rotations[fresh] = self.global_rotations[fresh]
            fresh[:] = False

    def _resize(self, count: int) -> None:
        self._count, self._tree = count, None
        self._views = {name: array[:count] for name, array in self._data.items()}

    def _update(self, rows: NDArray[np.int64]) -> None:
        for row in rows.tolist():
            position, rotation, scale = self.global_of(int(self.ids[row]))
            self.global_positions[row] = self.previous_positions[row] = position
            self.global_rotations[row] = self.previous_rotations[row] = rotation
            self.global_scales[row] = scale

    def _topology(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self._tree is None:
            has_parent = self.parents > 0
            parents = np.where(has_parent, np.searchsorted(self.ids, self.parents), -1)
            order = np.arange(self._count)
            if (parents >= order).any():
                order = np.argsort(kernels.depths(parents), kind="stable")
            self._tree = order, parents
        return self._tree

    def _checked_parent(self, entity: int, parent: int | None) -> int:
        if parent is None:
            return 0
        if parent not in self._rows:
            raise WorldError(f"entity {entity} cannot be a child of {parent!r}, which has no Transform")
        ancestor = parent
        while ancestor:
            if ancestor == entity:
                raise WorldError(f"entity {entity} cannot be a child of {parent}: the parents would form a cycle")
            ancestor = int(self.parents[self._rows[ancestor]])
        return parent


def _values(entity: int, transform: Transform) -> dict[str, object]:
    return {
        "positions": vector(transform.position, 3, f"the position of entity {entity}"),
        "rotations": unit(transform.rotation),
        "scales": positive(transform.scale),
    }


def relative_to(
    above: tuple[NDArray[np.float32], NDArray[np.float32], float] | None,
    position: NDArray[np.float32],
    rotation: NDArray[np.float32],
    scale: float,
    parent: int | None,
) -> Transform:
    """The local Transform, under a parent at `above` (global position, rotation, scale), of a global transform."""
    if above is None:
        return Transform(position, rotation, scale)
    parent_position, parent_rotation, parent_scale = above
    local = rotations.inverse_rotate(parent_rotation, position - parent_position) / parent_scale
    return Transform(
        local, rotations.multiply(rotations.inverse(parent_rotation), rotation), scale / parent_scale, parent
    )
