"""Events: objects of any type that last for one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

E = TypeVar("E")


class Events:
    """The events of the current step. Events emitted between two steps belong to the step that follows.

    Handlers are called at once, in the order in which they were added.
    """

    def __init__(self) -> None:
        self._current: dict[type, list[Any]] = {}
        self._next: dict[type, list[Any]] = {}
        self._handlers: dict[type, list[Callable[[Any], object]]] = {}
        self.stepping = False  # between begin and end

    def emit(self, event: object) -> None:
        """Emit an event and call its handlers."""
        (self._current if self.stepping else self._next).setdefault(type(event), []).append(event)
        for handler in tuple(self._handlers.get(type(event), ())):
            handler(event)

    def of(self, kind: type[E]) -> list[E]:
        """Events of exactly this type in the current step so far, in order. Between steps: those of the last step."""
        return list(self._current.get(kind, ()))

    def on(self, kind: type[E], handler: Callable[[E], object]) -> Callable[[], None]:
        """Call `handler` with each future event of this type. Returns a function that removes the handler."""
        handlers = self._handlers.setdefault(kind, [])
        handlers.append(handler)

        def off() -> None:
            if handler in handlers:
                handlers.remove(handler)

        return off

    def begin(self) -> None:
        """Begin a step."""
        self._current, self._next, self.stepping = self._next, {}, True

    def end(self) -> None:
        """End the step."""
        self.stepping = False
