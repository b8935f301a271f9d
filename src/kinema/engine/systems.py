"""Systems: functions that declare their phase and what they read and write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from kinema.errors import WorldError

if TYPE_CHECKING:
    from kinema.engine.world import World

Phase = Literal["input", "control", "animate", "physics", "late", "present"]
PHASES: tuple[Phase, ...] = get_args(Phase)
"""In the order in which they run. All but the last belong to a fixed step; `present` runs once per picture."""


@dataclass(frozen=True, eq=False)
class System:
    """A function of the world and the elapsed seconds, with its declarations.

    Attributes:
        name: the name in the profiler and in messages.
        run: the function.
        phase: see `PHASES`.
        reads, writes: types of components and resources. Types that are written may be read as well.
        after: systems of the same phase that write the same types and must run before this one.
    """

    name: str
    run: Callable[[World, float], object]
    phase: Phase
    reads: tuple[type, ...] = ()
    writes: tuple[type, ...] = ()
    after: tuple[System, ...] = ()

    def __call__(self, world: World, dt: float) -> None:
        """Run the system once, outside the order of the world."""
        self.run(world, dt)


def system(
    phase: Phase,
    reads: tuple[type, ...] = (),
    writes: tuple[type, ...] = (),
    after: tuple[System, ...] = (),
    name: str | None = None,
) -> Callable[[Callable[[World, float], object]], System]:
    """Turn a function `(world, dt)` into a system. Add it with `world.systems.add`.

    Raises:
        WorldError: there is no such phase, or a declaration is not a type.
    """
    if phase not in PHASES:
        raise WorldError(f"there is no phase {phase!r}; the phases are {', '.join(PHASES)}")
    for kind in (*reads, *writes):
        if not isinstance(kind, type):
            raise WorldError(f"a system reads and writes types, such as Transform, not {kind!r}")

    def wrap(run: Callable[[World, float], object]) -> System:
        return System(name or getattr(run, "__name__", phase), run, phase, tuple(reads), tuple(writes), tuple(after))

    return wrap


class Systems:
    """The systems of one world. Within a phase they run in the order in which they were added."""

    def __init__(self, systems: Iterable[System] = ()) -> None:
        self._by_phase: dict[Phase, list[System]] = {phase: [] for phase in PHASES}
        for entry in systems:
            self.add(entry)

    def __iter__(self) -> Iterator[System]:
        """The systems in the order in which they run."""
        return (entry for phase in PHASES for entry in tuple(self._by_phase[phase]))

    def of(self, phase: Phase) -> tuple[System, ...]:
        """The systems of one phase, in order."""
        return tuple(self._by_phase[phase])

    def add(self, entry: System) -> System:
        """Run a system from the next step on.

        Raises:
            WorldError: it is not a system, it or its name is already there, or a system in its `after` is missing.
        """
        if not isinstance(entry, System):
            raise WorldError(f"{entry!r} is not a system; decorate the function with @system(phase=...)")
        if any(entry.name == other.name for other in self):
            raise WorldError(f"there is a system {entry.name!r} already; give one of them another name")
        for other in entry.after:
            if other not in self._by_phase[entry.phase]:
                raise WorldError(f"system {entry.name!r} runs after {other.name!r}; add that to {entry.phase} first")
        self._by_phase[entry.phase].append(entry)
        return entry

    def remove(self, entry: System) -> None:
        """Stop running a system. WorldError when it was not added."""
        if entry not in self._by_phase[entry.phase]:
            raise WorldError(f"there is no system {entry.name!r} to remove")
        self._by_phase[entry.phase].remove(entry)

    def check(self) -> None:
        """WorldError when two systems of a phase write the same type and neither runs after the other."""
        for phase in PHASES:
            entries = self._by_phase[phase]
            for index, later in enumerate(entries):
                for earlier in entries[:index]:
                    both = [kind.__name__ for kind in later.writes if kind in earlier.writes]
                    if both and earlier not in later.after:
                        raise WorldError(
                            f"systems {earlier.name!r} and {later.name!r} both write {', '.join(both)} in {phase}; "
                            f"declare @system(..., after=({earlier.name},)) or use another phase"
                        )
