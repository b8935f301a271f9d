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

A = TypeVar("A")

STANDARD: tuple[System, ...] = (step_groups, play_clips)
"""Systems that a world begins with: controlled characters and clip players."""


class World(Entities):
    """Everything that lives together in one run.

    Args:
        seed: of `random`, the only source of chance that systems should use.
        step: seconds of one fixed step.
        strict: check in every step that systems touch only what they declare (slow; for tests).
        systems: that it begins with.

    Attributes:
        systems: the systems; add your own with `world.systems.add`.
        resources: things there is one of, by class.
        profiler: where the time goes, by system.
        random: a generator seeded by `seed`.
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
        super().__init__(strict)
        self.seed, self.step_seconds, self.strict = int(seed), float(step), strict
        self.random = np.random.default_rng(seed)
        self.steps = 0
        self.systems = Systems(systems)
        self.profiler = Profiler()
        self.resources = Resources(self._guard)
        for thing in (Poses(), Groups(), Players()):
            self.resources.add(thing)
        self._events = Events()
        self._clock = FixedClock(self.step_seconds, most=8)
        self._alpha = 1.0
        self._grouped = -1

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
        """Call `handler` at once with each event of a type; returns what takes it off again."""
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
        """Seconds that `step(dt)` could not catch up with and let go."""
        return self._clock.dropped

    def step(self, dt: float | None = None) -> int:
        """Exactly one fixed step; or as many as fit in `dt` seconds and what was left over from before.

        Returns:
            The number of steps made: at most eight, time beyond that is let go (`dropped`).

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
        """Run the systems of phase `present`: once a picture, with the seconds since the picture before."""
        self._run("present", dt)

    def regroup_figures(self) -> None:
        """Bring the batches of `poses` up to date with who shows what; systems that pose figures call it."""
        if self._grouped != self.structure:
            shown = [(entity, figure.character) for entity, (figure, _) in self.query(Figure, Transform)]
            self.poses.regroup(shown, self._columns, [(entity, tint.color) for entity, (tint,) in self.query(Tint)])
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
        # Entity by entity: bodies that are alike are one after loading, and their batches with them.
        rows = {int(entity): (batch, row) for batch in self.poses.batches for row, entity in enumerate(batch.ids)}
        for entity, (batch, row) in sorted(rows.items(), key=lambda item: item[0]):
            poses = batch.rotations, batch.positions, batch.global_rotations, batch.global_positions
            state += [entity, *(array[row] for array in poses)]
        for piece in pieces(state):
            hashed.update(piece)
        return hashed.hexdigest()

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the scene; see `kinema.engine.scene.save`."""
        from kinema.engine import scene

        scene.save(self, path)

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
