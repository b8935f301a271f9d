"""The world: entities are numbers, components are dataclasses, systems are functions. There may be many worlds."""

from __future__ import annotations

import hashlib
import os
import time as _time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from kinema.engine.access import Guard
from kinema.engine.clock import FixedClock
from kinema.engine.components import Figure, Tint, Transform
from kinema.engine.entities import Entities
from kinema.engine.events import Events
from kinema.engine.fingerprint import pieces
from kinema.engine.groups import Groups, step_groups
from kinema.engine.players import Players, play_clips
from kinema.engine.poses import Poses
from kinema.engine.profiler import Profiler
from kinema.engine.resources import Resources
from kinema.engine.systems import PHASES, Phase, System, Systems
from kinema.errors import WorldError
from kinema.terrain import Ground

A = TypeVar("A")

STANDARD: tuple[System, ...] = (step_groups, play_clips)
"""The default systems of a world: controlled characters and clip players."""


class World(Entities):
    """Everything that lives together in one run.

    Args:
        seed: seed of `random`, the only source of random numbers that systems should use.
        step: length of one fixed step, seconds.
        strict: check in every step that systems touch only what they declare (slow; for tests).
        systems: the systems to start with.
        ground: see the attribute.

    Attributes:
        ground: what characters stand on and what pictures show; may be replaced at any time. None: controllers keep
            their own ground, and pictures show level ground. Files do not contain it.
        systems: the systems; add your own with `world.systems.add`.
        resources: objects of which the world has one, by class.
        profiler: the time taken by each system.
        random: a generator seeded with `seed`.
        steps: number of fixed steps made so far.

    Raises:
        WorldError: the step is not a positive finite time, or the seed is negative.
    """

    def __init__(
        self,
        seed: int = 0,
        step: float = 1 / 60,
        strict: bool = False,
        systems: Iterable[System] = STANDARD,
        ground: Ground | None = None,
    ) -> None:
        if not (np.isfinite(step) and step > 0):
            raise WorldError(f"the step of a world must be positive and finite, not {step} s")
        if seed < 0:
            raise WorldError(f"a seed must be an integer of at least 0, not {seed}")
        super().__init__(strict)
        self.seed, self.step_seconds, self.strict = int(seed), float(step), strict
        self.random = np.random.default_rng(seed)
        self.steps = 0
        self.systems = Systems(systems)
        self.ground = ground
        self.profiler = Profiler()
        self.resources = Resources(self._guard)
        for thing in (Poses(), Groups(), Players()):
            self.resources.add(thing)
        self._events = Events()
        self._clock = FixedClock(self.step_seconds, most=8)
        self._alpha = 1.0
        self._grouped = -1

    def __repr__(self) -> str:
        return f"<World: {len(self.entities)} entities, {len(list(self.systems))} systems, {self.time:.2f} s>"

    # Shortcuts to the resources of every world

    @property
    def poses(self) -> Poses:
        """Poses of everything drawn."""
        return self.resources[Poses]

    @property
    def groups(self) -> Groups:
        """Controllers and the entities that they move."""
        return self.resources[Groups]

    # Events

    def emit(self, event: object) -> None:
        """Emit an event. Systems that run later in the same step see it."""
        self._events.emit(event)

    def events(self, kind: type[A]) -> list[A]:
        """Events of one type in the current step, in order. Events emitted between steps belong to the next step."""
        return self._events.of(kind)

    def on(self, kind: type[A], handler: Callable[[A], object]) -> Callable[[], None]:
        """Call `handler` at once with each event of a type. Returns a function that removes the handler."""
        return self._events.on(kind, handler)

    # Time

    @property
    def time(self) -> float:
        """World time in seconds: the sum of all fixed steps so far."""
        return self.steps * self.step_seconds

    @property
    def alpha(self) -> float:
        """What to draw between the last two steps: 0 is the state before the last step, 1 the current state."""
        return self._alpha

    @property
    def dropped(self) -> float:
        """Seconds that `step(dt)` could not catch up with and dropped."""
        return self._clock.dropped

    def step(self, dt: float | None = None) -> int:
        """Make exactly one fixed step, or as many as fit in `dt` seconds plus the remainder of earlier calls.

        Returns:
            The number of steps made. It is at most eight; time beyond that is dropped (`dropped`).

        Raises:
            WorldError: the time is negative or not finite, or a strict world finds an undeclared access.
        """
        if dt is None:
            self._fixed_step()
            self._alpha = 1.0
            return 1
        if not (np.isfinite(dt) and dt >= 0):
            raise WorldError(f"a step needs a time of at least 0 s, not {dt}")
        steps = self._clock.advance(dt)
        for _ in range(steps):
            self._fixed_step()
        self._alpha = self._clock.alpha
        return steps

    def advance(self, steps: int, alpha: float) -> None:
        """Make fixed steps and set `alpha` for the next picture. For callers that have a clock of their own."""
        for _ in range(steps):
            self._fixed_step()
        self._alpha = min(max(float(alpha), 0.0), 1.0)

    def run_present(self, dt: float) -> None:
        """Run the systems of phase `present`, once per picture, with the seconds since the previous picture."""
        self._run("present", dt)

    def regroup_figures(self) -> None:
        """Update the batches of `poses`. Systems that pose figures call it first."""
        if self._grouped != self.structure:
            shown = [(entity, figure.character) for entity, (figure, _) in self.query(Figure, Transform)]
            self.poses.regroup(shown, self._columns, [(entity, tint.color) for entity, (tint,) in self.query(Tint)])
            self._grouped = self.structure

    def settle(self) -> None:
        """Update global transforms and poses without a step, to draw a world that was just built."""
        self.regroup_figures()
        self._columns.propagate(keep=False)
        self.poses.place(self._columns, keep=False)

    def digest(self) -> str:
        """A hash of the whole state: time, random generator, components, Transforms and poses, bit for bit."""
        hashed = hashlib.blake2b(digest_size=16)
        columns = self._columns
        state: list[Any] = [self.steps, self.random.bit_generator.state, self._next, sorted(self._disabled)]
        state += [columns.ids, columns.parents, columns.positions, columns.rotations, columns.scales]
        state += [columns.global_positions, columns.global_rotations]
        for kind in sorted(self._stores, key=lambda kind: kind.__qualname__):
            state += [kind.__qualname__, sorted(self._stores[kind].items())]
        # Hash each entity separately: after loading, identical characters are one object and share a batch.
        rows = {int(entity): (batch, row) for batch in self.poses.batches for row, entity in enumerate(batch.ids)}
        for entity, (batch, row) in sorted(rows.items(), key=lambda item: item[0]):
            for pose in (batch.pose[row], batch.shown[row]):
                state += [entity, pose.global_rotations, pose.global_positions]
        for piece in pieces(state):
            hashed.update(piece)
        return hashed.hexdigest()

    # Files

    def save(self, path: str | os.PathLike[str]) -> tuple[str, ...]:
        """Write the scene and return what of its assets is lost; see `kinema.engine.scene.save`."""
        from kinema.engine import scene

        return scene.save(self, path)

    @staticmethod
    def load(path: str | os.PathLike[str], components: Sequence[type] = (), strict: bool = False) -> World:
        """Read a scene; see `kinema.engine.scene.load`."""
        from kinema.engine import scene

        return scene.load(path, components, strict)

    # Inside

    def _fixed_step(self) -> None:
        if self._events.stepping:
            raise WorldError("a system cannot step the world that runs it")
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
