"""Undo and redo."""

from __future__ import annotations

from typing import NamedTuple

from kinema.mocap.edits.model import Edits

MOST_STEPS = 5_000
"""Steps that can be undone; older ones are forgotten. Steps share what they did not change, so they are small."""


class _Step(NamedTuple):
    edits: Edits  # before (to undo) or after (to redo)
    name: str
    group: str | None


class History:
    """Edits with undo and redo. Equal edits add no step, and steps of one `group` (a drag) count as one."""

    def __init__(self, first: Edits) -> None:
        self._now = self._saved = first
        self._past: list[_Step] = []
        self._future: list[_Step] = []

    @property
    def now(self) -> Edits:
        return self._now

    @property
    def dirty(self) -> bool:
        """Whether the edits differ from those that were saved."""
        return self._now != self._saved

    @property
    def undo_name(self) -> str | None:
        """Name of the step that `undo` would undo; None where there is none."""
        return self._past[-1].name if self._past else None

    @property
    def redo_name(self) -> str | None:
        """Name of the step that `redo` would redo; None where there is none."""
        return self._future[-1].name if self._future else None

    def do(self, edits: Edits, name: str = "change", group: str | None = None) -> bool:
        """Apply new edits. Returns whether anything changed; undone steps are then forgotten."""
        if edits == self._now:
            return False
        joins = group is not None and self._past and self._past[-1].group == group and not self._future
        if joins:
            if edits == self._past[-1].edits:  # dragged back to where it began: no step at all
                self._past.pop()
        else:
            self._past.append(_Step(self._now, name, group))
            del self._past[:-MOST_STEPS]
        self._future.clear()
        self._now = edits
        return True

    def undo(self) -> str | None:
        """Undo the last step. Returns its name, or None where there is none."""
        return self._step(self._past, self._future)

    def redo(self) -> str | None:
        """Redo the last undone step. Returns its name, or None where there is none."""
        return self._step(self._future, self._past)

    def _step(self, source: list[_Step], target: list[_Step]) -> str | None:
        if not source:
            return None
        step = source.pop()
        target.append(_Step(self._now, step.name, None))
        self._now = step.edits
        return step.name

    def mark_saved(self) -> None:
        """Mark the current edits as saved."""
        self._saved = self._now
