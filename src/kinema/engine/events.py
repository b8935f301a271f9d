"""Things that happened: any object, by its type, for one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

E = TypeVar("E")


class Events:
    """Events of the present step. Those emitted between two steps belong to the step that follows.

    Handlers are called at once, in the order in which they were added.
    """

    def __init__(self) -> None:
        self._now: dict[type, list[Any]] = {}
        self._early: dict[type, list[Any]] = {}
        self._handlers: dict[type, list[Callable[[Any], object]]] = {}
        self.stepping = False  # between begin and end

    def emit(self, event: object) -> None:
        """Something happened."""
        (self._now if self.stepping else self._early).setdefault(type(event), []).append(event)
        for handler in tuple(self._handlers.get(type(event), ())):
            handler(event)

    def of(self, kind: type[E]) -> list[E]:
        """Events of exactly this type in the present step so far (between steps: of the last one), in order."""
        return list(self._now.get(kind, ()))

    def on(self, kind: type[E], handler: Callable[[E], object]) -> Callable[[], None]:
        """Call `handler` with each event of this type from now on; returns what takes it off again."""
        handlers = self._handlers.setdefault(kind, [])
        handlers.append(handler)

        def off() -> None:
            if handler in handlers:
                handlers.remove(handler)

        return off

    def begin(self) -> None:
        """A step begins."""
        self._now, self._early, self.stepping = self._early, {}, True

    def end(self) -> None:
        """The step is over."""
        self.stepping = False
