"""Entities are numbers; components are dataclasses, stored by type."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar, overload

from kinema.engine.access import Guard
from kinema.engine.components import Transform
from kinema.engine.transforms import TransformColumns, relative_to
from kinema.errors import WorldError

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")


class Entities:
    """The entities of a world and their components; the lower half of `kinema.engine.world.World`.

    Attributes:
        structure: a counter that grows when entities, their sets of components or their enabled states change.
    """

    def __init__(self, strict: bool = False) -> None:
        self.structure = 0
        self._guard = Guard(self._watched) if strict else None
        self._next = 1
        self._alive: dict[int, None] = {}
        self._disabled: set[int] = set()
        self._columns = TransformColumns()
        self._stores: dict[type, dict[int, Any]] = {}
        self._inactive: set[int] = set()
        self._queries: dict[tuple[type, ...], list[int]] = {}
        self._query_structure = -1

    @property
    def entities(self) -> tuple[int, ...]:
        """All entities in ascending order, including disabled ones."""
        return tuple(self._alive)

    @property
    def next_entity(self) -> int:
        """The number of the next entity."""
        return self._next

    def restore_next(self, entity: int) -> None:
        """Set the number of the next entity, so that entities of a scene get back their old numbers.

        Raises:
            WorldError: it is already used, or too large for the entity masks of pictures.
        """
        if entity >= 2**31:
            raise WorldError(f"the number of an entity must be below 2147483648, not {entity}")
        if entity < self._next:
            raise WorldError(f"the number {entity} of an entity is already used; the next free one is {self._next}")
        self._next = entity

    def components(self, entity: int) -> tuple[object, ...]:
        """All components of an entity, sorted by type name. WorldError when there is no such entity."""
        self._check(entity)
        kinds = [kind for kind, store in self._stores.items() if entity in store]
        kinds += [Transform] if entity in self._columns else []
        return tuple(self.get(entity, kind) for kind in sorted(kinds, key=lambda kind: kind.__name__))

    def spawn(self, *components: object) -> int:
        """Create an entity with these components. Its number is at least 1 and is never reused in this world."""
        entity = self._next
        self._next += 1
        self._alive[entity] = None
        self.structure += 1
        try:
            for component in components:
                self.add(entity, component)
        except BaseException:
            self._drop([entity])
            raise
        return entity

    def add(self, entity: int, component: object) -> None:
        """Give an entity a component. It replaces one of the same type.

        Raises:
            WorldError: there is no such entity, the component is not a dataclass, or a Transform is invalid.
        """
        self._check(entity)
        if isinstance(component, type) or not dataclasses.is_dataclass(component):
            raise WorldError(f"a component must be an instance of a dataclass, not {component!r}")
        kind = Transform if isinstance(component, Transform) else type(component)
        if self._guard is not None:
            self._guard.write(kind)
        # Replacing a mutable component by another does not change the structure.
        if isinstance(component, Transform):
            old = self._columns.view(entity)
            same = old is not None and old.parent == component.parent
            self._columns.set(entity, component)
        else:
            store = self._stores.setdefault(kind, {})
            same = entity in store and not kind.__dataclass_params__.frozen  # pyright: ignore[reportAttributeAccessIssue]
            store[entity] = component
        self.structure += not same

    def remove(self, entity: int, kind: type) -> None:
        """Remove a component.

        Raises:
            WorldError: the entity does not have it, or it is a Transform that other entities are parented to.
        """
        self._require(entity, kind)
        if self._guard is not None:
            self._guard.write(kind)
        if kind is Transform:
            children = self._columns.children(entity)
            if children:
                raise WorldError(f"cannot remove the Transform of entity {entity}: entity {children[0]} is its child")
            self._columns.delete([entity])
        else:
            del self._stores[kind][entity]
        self.structure += 1

    def despawn(self, entity: int) -> None:
        """Remove an entity and all its descendants. WorldError when there is no such entity."""
        self._check(entity)
        self._drop([entity, *self._columns.below([entity]).tolist()])

    def get(self, entity: int, kind: type[A]) -> A:
        """A component of an entity. A Transform writes through to the columns.

        Raises:
            WorldError: there is no such entity, or it has no such component.
        """
        found = self.find(entity, kind)
        if found is None:
            self._require(entity, kind)
            raise WorldError(f"entity {entity} has no {kind.__name__}")
        return found

    def find(self, entity: int, kind: type[A]) -> A | None:
        """A component of an entity, or None if the entity or the component does not exist."""
        if self._guard is not None:
            self._guard.read(kind)
        if kind is Transform:
            view: Any = self._columns.view(entity)
            return view
        store = self._stores.get(kind)
        return None if store is None else store.get(entity)

    def has(self, entity: int, kind: type) -> bool:
        """Whether an entity exists and has such a component."""
        return self.find(entity, kind) is not None

    def enable(self, entity: int, enabled: bool = True) -> None:
        """Show an entity and its descendants to queries and systems, or hide them.

        An entity that was disabled itself stays disabled when its parent is enabled again.
        """
        self._check(entity)
        (self._disabled.discard if enabled else self._disabled.add)(entity)
        self.structure += 1

    def enabled(self, entity: int) -> bool:
        """Whether an entity and all its ancestors are enabled."""
        self._check(entity)
        self._refresh()
        return entity not in self._inactive

    def disabled_itself(self, entity: int) -> bool:
        """Whether an entity was disabled itself, not only through an ancestor."""
        self._check(entity)
        return entity in self._disabled

    def reparent(self, entity: int, parent: int | None, keep_place: bool = False) -> None:
        """Make an entity the child of another, or of the world if `parent` is None.

        Args:
            keep_place: change the local values so that the entity keeps its place in the world.

        Raises:
            WorldError: one of them has no Transform, or the entity would become its own ancestor.
        """
        if self._guard is not None:
            self._guard.write(Transform)
        position, rotation, scale = self._columns.global_of(entity)
        self._columns.reparent(entity, parent)
        self.structure += 1
        if keep_place:
            above = None if parent is None else self._columns.global_of(parent)
            self._columns.set(entity, relative_to(above, position, rotation, scale, parent))

    def children(self, entity: int) -> tuple[int, ...]:
        """The direct children of an entity, ascending."""
        return self._columns.children(entity)

    @overload
    def query(self, a: type[A], /) -> Iterator[tuple[int, tuple[A]]]: ...
    @overload
    def query(self, a: type[A], b: type[B], /) -> Iterator[tuple[int, tuple[A, B]]]: ...
    @overload
    def query(self, a: type[A], b: type[B], c: type[C], /) -> Iterator[tuple[int, tuple[A, B, C]]]: ...
    @overload
    def query(self, a: type[A], b: type[B], c: type[C], d: type[D], /) -> Iterator[tuple[int, tuple[A, B, C, D]]]: ...
    def query(self, *kinds: type) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Enabled entities that have all these components, in ascending order, with the components.

        Entities may be added and removed during iteration. Removed ones are skipped; added ones are in the next query.
        """
        if self._guard is not None:
            for kind in kinds:
                self._guard.read(kind)
        getters = [self._columns.view if kind is Transform else self._stores.get(kind, {}).get for kind in kinds]
        for entity in self._matching(kinds):
            parts = tuple([get(entity) for get in getters])
            if None not in parts:
                yield entity, parts

    def first(self, kind: type[A]) -> tuple[int, A] | None:
        """The first enabled entity with a component, and the component, or None if there is none."""
        for entity, (component,) in self.query(kind):
            return entity, component
        return None

    def columns(self, kind: type = Transform) -> TransformColumns:
        """All Transforms as arrays, for work on many entities at once. Includes disabled entities."""
        if kind is not Transform:
            raise WorldError(f"{kind.__name__} is not stored in columns; only Transform is")
        if self._guard is not None:
            self._guard.read(kind)
        return self._columns

    # Inside

    def _watched(self) -> dict[tuple[type, int], Any]:
        columns = self._columns
        state: dict[tuple[type, int], Any] = {
            (kind, entity): component for kind, store in self._stores.items() for entity, component in store.items()
        }
        for row, entity in enumerate(columns.ids.tolist()):
            local = (columns.positions[row], columns.rotations[row], columns.scales[row], columns.parents[row])
            state[Transform, entity] = local
        return state

    def _check(self, entity: int) -> None:
        if entity not in self._alive:
            what = "was removed" if isinstance(entity, int) and 0 < entity < self._next else "does not exist"
            raise WorldError(f"entity {entity!r} {what}")

    def _require(self, entity: int, kind: type) -> None:
        self._check(entity)
        present = entity in self._columns if kind is Transform else entity in self._stores.get(kind, ())
        if not present:
            existing = [other.__name__ for other, store in self._stores.items() if entity in store]
            existing += ["Transform"] if entity in self._columns else []
            listed = ", ".join(sorted(existing)) or "nothing"
            raise WorldError(f"entity {entity} has no {kind.__name__}; it has {listed}")

    def _drop(self, entities: Iterable[int]) -> None:
        removed = set(entities)
        self._columns.delete(removed)
        for store in self._stores.values():
            for entity in removed:
                store.pop(entity, None)
        for entity in removed:
            self._alive.pop(entity, None)
        self._disabled -= removed
        self.structure += 1

    def _matching(self, kinds: tuple[type, ...]) -> list[int]:
        self._refresh()
        found = self._queries.get(kinds)
        if found is None:
            stores = [self._columns if kind is Transform else self._stores.get(kind, {}) for kind in kinds]
            smallest: Any = min(stores, key=len)
            ids = smallest.ids.tolist() if isinstance(smallest, TransformColumns) else sorted(smallest)
            active = [entity for entity in ids if entity not in self._inactive]
            found = [entity for entity in active if all(entity in store for store in stores)]
            self._queries[kinds] = found
        return found

    def _refresh(self) -> None:
        if self._query_structure != self.structure:
            self._queries.clear()
            descendants = self._columns.below(self._disabled).tolist() if self._disabled else ()
            self._inactive = self._disabled | set(descendants)
            self._query_structure = self.structure
