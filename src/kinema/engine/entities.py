"""Entities and their components: numbers, and dataclasses that are kept by type."""

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
    """Who is there and what it has; the lower half of `kinema.engine.world.World`.

    Attributes:
        structure: grows whenever it changes who is there, who has what, or who is enabled.
    """

    def __init__(self, strict: bool = False) -> None:
        self.structure = 0
        self._guard = Guard(self._watched) if strict else None
        self._next = 1
        self._alive: dict[int, None] = {}
        self._disabled: set[int] = set()
        self._columns = TransformColumns()
        self._stores: dict[type, dict[int, Any]] = {}
        self._off: set[int] = set()
        self._queries: dict[tuple[type, ...], list[int]] = {}
        self._seen = -1

    @property
    def entities(self) -> tuple[int, ...]:
        """All entities, ascending, disabled ones too."""
        return tuple(self._alive)

    @property
    def next_entity(self) -> int:
        """The number that the next entity gets."""
        return self._next

    def restore_next(self, entity: int) -> None:
        """Go on with this number, so that a scene gets back the numbers it had.

        Raises:
            WorldError: it is used already, or too large for the masks of pictures.
        """
        if entity >= 2**31:
            raise WorldError(f"the number of an entity is below 2147483648, not {entity}")
        if entity < self._next:
            raise WorldError(f"the number {entity} of an entity is used already; the next free one is {self._next}")
        self._next = entity

    def components(self, entity: int) -> tuple[object, ...]:
        """All that an entity has, by the names of the types. WorldError when there is no such entity."""
        self._check(entity)
        kinds = [kind for kind, store in self._stores.items() if entity in store]
        kinds += [Transform] if entity in self._columns else []
        return tuple(self.get(entity, kind) for kind in sorted(kinds, key=lambda kind: kind.__name__))

    def spawn(self, *components: object) -> int:
        """A new entity with these components; its number, from 1 up, is never used again in this world."""
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
        """Give an entity a component, in place of one of the same type.

        Raises:
            WorldError: there is no such entity, or the component is no dataclass or no sound Transform.
        """
        self._check(entity)
        if isinstance(component, type) or not dataclasses.is_dataclass(component):
            raise WorldError(f"a component is an instance of a dataclass, not {component!r}")
        kind = Transform if isinstance(component, Transform) else type(component)
        if self._guard is not None:
            self._guard.write(kind)
        # Who has what stays as it was if a component that may change anyway takes the place of another.
        if isinstance(component, Transform):
            old = self._columns.placed(entity)
            same = old is not None and old.parent == component.parent
            self._columns.set(entity, component)
        else:
            store = self._stores.setdefault(kind, {})
            same = entity in store and not kind.__dataclass_params__.frozen  # pyright: ignore[reportAttributeAccessIssue]
            store[entity] = component
        self.structure += not same

    def remove(self, entity: int, kind: type) -> None:
        """Take a component away.

        Raises:
            WorldError: the entity does not have it, or it is a Transform that others hang on.
        """
        self._require(entity, kind)
        if self._guard is not None:
            self._guard.write(kind)
        if kind is Transform:
            hanging = self._columns.children(entity)
            if hanging:
                raise WorldError(f"entity {entity} keeps its Transform while entity {hanging[0]} hangs on it")
            self._columns.delete([entity])
        else:
            del self._stores[kind][entity]
        self.structure += 1

    def despawn(self, entity: int) -> None:
        """Remove an entity and everything that hangs on it. WorldError when there is no such entity."""
        self._check(entity)
        self._drop([entity, *self._columns.below([entity]).tolist()])

    def get(self, entity: int, kind: type[A]) -> A:
        """A component. That of Transform writes through to the columns.

        Raises:
            WorldError: there is no such entity, or it has no such component.
        """
        found = self.find(entity, kind)
        if found is None:
            self._require(entity, kind)
            raise WorldError(f"entity {entity} has no {kind.__name__}")
        return found

    def find(self, entity: int, kind: type[A]) -> A | None:
        """A component, or None where the entity or the component is not there."""
        if self._guard is not None:
            self._guard.read(kind)
        if kind is Transform:
            placed: Any = self._columns.placed(entity)
            return placed
        store = self._stores.get(kind)
        return None if store is None else store.get(entity)

    def has(self, entity: int, kind: type) -> bool:
        """Whether an entity is there and has such a component."""
        return self.find(entity, kind) is not None

    def enable(self, entity: int, enabled: bool = True) -> None:
        """Let queries and systems see an entity and all that hangs on it, or not.

        What was disabled by itself stays so when its parent is enabled again.
        """
        self._check(entity)
        (self._disabled.discard if enabled else self._disabled.add)(entity)
        self.structure += 1

    def enabled(self, entity: int) -> bool:
        """Whether an entity and all it hangs on are enabled."""
        self._check(entity)
        return entity not in self._hidden()

    def disabled_itself(self, entity: int) -> bool:
        """Whether an entity was disabled by itself, not only by what it hangs on."""
        self._check(entity)
        return entity in self._disabled

    def reparent(self, entity: int, parent: int | None, keep_place: bool = False) -> None:
        """Hang an entity on another, or on nothing.

        Args:
            keep_place: change the local values so that it stays where it is in the world.

        Raises:
            WorldError: one of them has no Transform, or it would hang on itself.
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
        """Entities that hang directly on one, ascending."""
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
        """Enabled entities with all these components, ascending, and the components.

        Entities may come and go meanwhile: those gone are left out, those new are for the next query.
        """
        if self._guard is not None:
            for kind in kinds:
                self._guard.read(kind)
        getters = [self._columns.placed if kind is Transform else self._stores.get(kind, {}).get for kind in kinds]
        for entity in self._found(kinds):
            parts = tuple([get(entity) for get in getters])
            if None not in parts:
                yield entity, parts

    def first(self, kind: type[A]) -> tuple[int, A] | None:
        """The first enabled entity with a component, and the component; None where there is none."""
        for entity, (component,) in self.query(kind):
            return entity, component
        return None

    def columns(self, kind: type = Transform) -> TransformColumns:
        """All Transforms as arrays, for work on many entities at once; disabled entities are among them."""
        if kind is not Transform:
            raise WorldError(f"{kind.__name__} is not kept in columns; only Transform is")
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
            what = "is gone" if isinstance(entity, int) and 0 < entity < self._next else "was never there"
            raise WorldError(f"entity {entity!r} {what}")

    def _require(self, entity: int, kind: type) -> None:
        self._check(entity)
        has = entity in self._columns if kind is Transform else entity in self._stores.get(kind, ())
        if not has:
            there = [other.__name__ for other, store in self._stores.items() if entity in store]
            there += ["Transform"] if entity in self._columns else []
            listed = ", ".join(sorted(there)) or "nothing"
            raise WorldError(f"entity {entity} has no {kind.__name__}; it has {listed}")

    def _drop(self, entities: Iterable[int]) -> None:
        gone = set(entities)
        self._columns.delete(gone)
        for store in self._stores.values():
            for entity in gone:
                store.pop(entity, None)
        for entity in gone:
            self._alive.pop(entity, None)
        self._disabled -= gone
        self.structure += 1

    def _hidden(self) -> set[int]:
        self._refresh()
        return self._off

    def _found(self, kinds: tuple[type, ...]) -> list[int]:
        self._refresh()
        found = self._queries.get(kinds)
        if found is None:
            stores = [self._columns if kind is Transform else self._stores.get(kind, {}) for kind in kinds]
            smallest: Any = min(stores, key=len)
            ids = smallest.ids.tolist() if isinstance(smallest, TransformColumns) else sorted(smallest)
            found = [entity for entity in ids if entity not in self._off and all(entity in store for store in stores)]
            self._queries[kinds] = found
        return found

    def _refresh(self) -> None:
        if self._seen != self.structure:
            self._queries.clear()
            self._off = self._disabled | set(self._columns.below(self._disabled).tolist()) if self._disabled else set()
            self._seen = self.structure
