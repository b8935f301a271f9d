"""What a world has one of: typed by class."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from kinema.engine.access import Guard
from kinema.errors import WorldError

R = TypeVar("R")


class Resources:
    """Objects by their class: `world.resources.add(Terrain())`, `world.resources[Terrain]`."""

    def __init__(self, guard: Guard | None = None) -> None:
        self._guard = guard
        self._things: dict[type, Any] = {}

    def add(self, thing: R, kind: type | None = None) -> R:
        """Keep a thing under its class, or under `kind` that it is an instance of; an older one is replaced."""
        if kind is not None and not isinstance(thing, kind):
            raise WorldError(f"{thing!r} is no {kind.__name__}")
        self._things[kind or type(thing)] = thing
        return thing

    def find(self, kind: type[R]) -> R | None:
        """The thing of a class, or None."""
        if self._guard is not None:
            self._guard.read(kind)
        return self._things.get(kind)

    def __getitem__(self, kind: type[R]) -> R:
        found = self.find(kind)
        if found is None:
            there = ", ".join(sorted(other.__name__ for other in self._things))
            raise WorldError(f"the world has no {kind.__name__} (it has {there}); give it one by world.resources.add")
        return found

    def __contains__(self, kind: type) -> bool:
        return kind in self._things

    def __iter__(self) -> Iterator[type]:
        return iter(tuple(self._things))
