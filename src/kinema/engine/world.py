"""The world: entities are numbers, components are dataclasses, systems are functions. There may be many worlds."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import time as _time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar, overload

import numpy as np

from kinema.engine.access import Guard
from kinema.engine.clock import FixedClock
from kinema.engine.components import Figure, Transform
from kinema.engine.events import Events
from kinema.engine.fingerprint import pieces
from kinema.engine.groups import Groups, step_groups
from kinema.engine.players import Players, play_clips
from kinema.engine.poses import Poses
from kinema.engine.profiler import Profiler
from kinema.engine.resources import Resources
from kinema.engine.systems import PHASES, Phase, System, Systems
from kinema.engine.transforms import Placed, TransformColumns, relative_to
from kinema.errors import WorldError

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")

STANDARD: tuple[System, ...] = (step_groups, play_clips)
"""Systems that a world begins with: controlled characters and clip players."""


class World:
    """Everything that lives together in one run.

    Args:
        seed: of :attr:`random`, the only source of chance that systems should use.
        step: seconds of one fixed step.
        strict: check in every step that systems touch only what they declare (slow; for tests).
        systems: that it begins with.

    Attributes:
        systems: the systems; add your own with ``world.systems.add``.
        resources: things there is one of, by class.
        profiler: where the time goes, by system.
        random: a generator seeded by ``seed``.
        steps: fixed steps made so far.

    Raises:
        WorldError: the step is not a positive time or the seed is negative.
    """

    def __init__(
        self, seed: int = 0, step: float = 1 / 60, strict: bool = False, systems: Iterable[System] = STANDARD
    ) -> None:
        if not (np.isfinite(step) and step > 0):
            raise WorldError(f"a world needs a step of some seconds, not {step}")
        if seed < 0:
            raise WorldError(f"a seed is a whole number from 0 up, not {seed}")
        self.seed, self.step_seconds, self.strict = int(seed), float(step), strict
        self.random = np.random.default_rng(seed)
        self.steps = 0
        self.structure = 0  # grows whenever who has what changes
        self.systems = Systems(systems)
        self.profiler = Profiler()
        self._guard = Guard(self._watched) if strict else None
        self.resources = Resources(self._guard)
        for thing in (Poses(), Groups(), Players()):
            self.resources.add(thing)
        self._events = Events()
        self._clock = FixedClock(self.step_seconds, most=8)
        self._alpha = 1.0
        self._next = 1
        self._alive: dict[int, None] = {}
        self._disabled: set[int] = set()
        self._columns = TransformColumns()
        self._stores: dict[type, dict[int, Any]] = {}
        self._off: set[int] = set()
        self._queries: dict[tuple[type, ...], list[int]] = {}
        self._seen = self._grouped = -1

    # Entities and components

    @property
    def entities(self) -> tuple[int, ...]:
        """All entities, ascending, disabled ones too."""
        return tuple(self._alive)

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
        if isinstance(component, Transform):
            self._columns.set(entity, component)
        else:
            self._stores.setdefault(kind, {})[entity] = component
        self.structure += 1

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
            placed: Any = Placed(self._columns, entity) if entity in self._columns else None
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
    def query(
        self, a: type[A], b: type[B], c: type[C], d: type[D], /
    ) -> Iterator[tuple[int, tuple[A, B, C, D]]]: ...
    def query(self, *kinds: type) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Enabled entities with all these components, ascending, and the components.

        Entities may come and go meanwhile: those gone are left out, those new are for the next query.
        """
        if self._guard is not None:
            for kind in kinds:
                self._guard.read(kind)
        for entity in self._found(kinds):
            parts = tuple(self.find(entity, kind) for kind in kinds)
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

    # Shortcuts to the resources of every world

    @property
    def poses(self) -> Poses:
        """Poses of everything drawn."""
        return self.resources[Poses]

    @property
    def groups(self) -> Groups:
        """Controllers and whom they move."""
        return self.resources[Groups]

    # Events

    def emit(self, event: object) -> None:
        """Something happened; what systems emit is seen by those that run later in the same step."""
        self._events.emit(event)

    def events(self, kind: type[A]) -> list[A]:
        """What happened in this step so far, by type, in order; emitted between steps counts for the step after."""
        return self._events.of(kind)

    def on(self, kind: type[A], handler: Callable[[A], object]) -> Callable[[], None]:
        """Call ``handler`` at once with each event of a type; returns what takes it off again."""
        return self._events.on(kind, handler)

    # Time

    @property
    def time(self) -> float:
        """Seconds that the fixed steps have made so far."""
        return self.steps * self.step_seconds

    @property
    def alpha(self) -> float:
        """Share of the way from the state before the last step to the present state that is to be drawn, 0 to 1."""
        return self._alpha

    @property
    def dropped(self) -> float:
        """Seconds that ``step(dt)`` could not catch up with and let go."""
        return self._clock.dropped

    def step(self, dt: float | None = None) -> int:
        """Exactly one fixed step; or as many as fit in ``dt`` seconds and what was left over from before.

        Returns:
            The number of steps made: at most eight, time beyond that is let go (:attr:`dropped`).

        Raises:
            WorldError: the time is negative or not finite; a strict world finds something undeclared.
        """
        if dt is None:
            self._fixed_step()
            self._alpha = 1.0
            return 1
        if not (np.isfinite(dt) and dt >= 0):
            raise WorldError(f"a world moves on by a time from 0 s up, not {dt}")
        steps = self._clock.advance(dt)
        for _ in range(steps):
            self._fixed_step()
        self._alpha = self._clock.alpha
        return steps

    def advance(self, steps: int, alpha: float) -> None:
        """Make fixed steps and say where between the last two the next picture is; for those who keep the time."""
        for _ in range(steps):
            self._fixed_step()
        self._alpha = min(max(float(alpha), 0.0), 1.0)

    def run_present(self, dt: float) -> None:
        """Run the systems of phase ``present``: once a picture, with the seconds since the picture before."""
        self._run("present", dt)

    def regroup_figures(self) -> None:
        """Bring the batches of :attr:`poses` up to date with who shows what; systems that pose figures call it."""
        if self._grouped != self.structure:
            shown = [(entity, figure.character) for entity, (figure, _) in self.query(Figure, Transform)]
            self.resources[Poses].regroup(shown)
            self._grouped = self.structure

    def settle(self) -> None:
        """Bring places and poses of the world up to date without a step, for a picture of what was just built."""
        self.regroup_figures()
        self._columns.propagate(keep=False)
        self.poses.place(self._columns, keep=False)

    def digest(self) -> str:
        """A hash of all that the world is: time, chance, components, Transforms and poses, bit for bit."""
        hashed = hashlib.blake2b(digest_size=16)
        columns = self._columns
        state: list[Any] = [self.steps, self.random.bit_generator.state, self._next, sorted(self._disabled)]
        state += [columns.ids, columns.parents, columns.positions, columns.rotations, columns.scales]
        state += [columns.global_positions, columns.global_rotations]
        for kind in sorted(self._stores, key=lambda kind: kind.__qualname__):
            state += [kind.__qualname__, sorted(self._stores[kind].items())]
        for batch in self.poses.batches:
            state += [batch.ids, batch.rotations, batch.positions, batch.global_rotations, batch.global_positions]
        for piece in pieces(state):
            hashed.update(piece)
        return hashed.hexdigest()

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scene; see :func:`kinema.engine.scene.save`."""
        from kinema.engine import scene

        scene.save(self, path)

    @staticmethod
    def load(path: str | os.PathLike[str], components: Sequence[type] = (), strict: bool = False) -> World:
        """Read a scene; see :func:`kinema.engine.scene.load`."""
        from kinema.engine import scene

        return scene.load(path, components, strict)

    # Inside

    def _fixed_step(self) -> None:
        if self.strict:
            self.systems.check()
        self._events.begin()
        try:
            for phase in PHASES[:-1]:
                self._run(phase, self.step_seconds)
        finally:
            self._events.end()
        began = _time.perf_counter_ns()
        self.regroup_figures()
        self._columns.propagate()
        self.poses.place(self._columns)
        self.profiler.add("places and poses", _time.perf_counter_ns() - began)
        self.steps += 1

    def _run(self, phase: Phase, dt: float) -> None:
        for entry in self.systems.of(phase):
            began = _time.perf_counter_ns()
            if self._guard is None:
                entry.run(self, dt)
            else:
                self._guarded(self._guard, entry, dt)
            self.profiler.add(entry.name, _time.perf_counter_ns() - began)

    def _guarded(self, guard: Guard, entry: System, dt: float) -> None:
        guard.enter(entry)
        try:
            entry.run(self, dt)
        except BaseException:
            guard.dismiss()
            raise
        guard.leave()

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
            found = [
                entity for entity in ids if entity not in self._off and all(entity in store for store in stores)
            ]
            self._queries[kinds] = found
        return found

    def _refresh(self) -> None:
        if self._seen != self.structure:
            self._queries.clear()
            self._off = self._disabled | set(self._columns.below(self._disabled).tolist()) if self._disabled else set()
            self._seen = self.structure
