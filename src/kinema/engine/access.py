"""The checks of a strict world: a system may touch only what it declares."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from kinema.engine.fingerprint import pieces
from kinema.engine.systems import System
from kinema.errors import WorldError


class Guard:
    """Watches one system at a time.

    Args:
        state: returns the objects to watch, keyed by type and entity.
    """

    def __init__(self, state: Callable[[], dict[tuple[type, int], Any]]) -> None:
        self._state = state
        self._system: System | None = None
        self._before: dict[tuple[type, int], bytes] = {}

    def enter(self, entry: System) -> None:
        """Start watching a system."""
        self._system, self._before = None, self._marks(entry)
        self._system = entry

    def leave(self) -> None:
        """Stop watching the system. WorldError when it changed something that it does not declare as written."""
        entry, self._system = self._system, None
        if entry is None:
            return
        after = self._marks(entry)
        for (kind, entity), mark in self._before.items():
            if after.get((kind, entity), mark) != mark:
                raise WorldError(
                    f"system {entry.name!r} changed {kind.__name__} of entity {entity}; declare "
                    f"writes=({kind.__name__},)"
                )

    def dismiss(self) -> None:
        """Stop watching without a check, because the system failed."""
        self._system = None

    def read(self, kind: type) -> None:
        """Check that the running system may read a type."""
        entry = self._system
        if entry is not None and kind not in entry.reads and kind not in entry.writes:
            raise WorldError(f"system {entry.name!r} reads {kind.__name__}; declare reads=({kind.__name__},)")

    def write(self, kind: type) -> None:
        """Check that the running system may add or remove components of a type."""
        entry = self._system
        if entry is not None and kind not in entry.writes:
            raise WorldError(f"system {entry.name!r} writes {kind.__name__}; declare writes=({kind.__name__},)")

    def _marks(self, entry: System) -> dict[tuple[type, int], bytes]:
        return {
            place: hashlib.blake2b(b"".join(pieces(value)), digest_size=16).digest()
            for place, value in self._state().items()
            if place[0] not in entry.writes
        }
