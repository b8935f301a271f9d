"""Resources: objects of which a world has one, stored by class."""

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
        self._objects: dict[type, Any] = {}

    def add(self, thing: R, kind: type | None = None) -> R:
        """Store an object under its class, or under a base class `kind`. It replaces an older one."""
        if kind is not None and not isinstance(thing, kind):
            raise WorldError(f"{thing!r} is not a {kind.__name__}")
        self._objects[kind or type(thing)] = thing
        return thing

    def find(self, kind: type[R]) -> R | None:
        """The object of a class, or None."""
        if self._guard is not None:
            self._guard.read(kind)
        return self._objects.get(kind)

    def __getitem__(self, kind: type[R]) -> R:
        found = self.find(kind)
        if found is None:
            existing = ", ".join(sorted(other.__name__ for other in self._objects))
            raise WorldError(f"the world has no {kind.__name__} (it has {existing}); add one with world.resources.add")
        return found

    def __contains__(self, kind: type) -> bool:
        return kind in self._objects

    def __iter__(self) -> Iterator[type]:
        return iter(tuple(self._objects))
