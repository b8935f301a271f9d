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
        """What `undo` would take back; None where there is nothing."""
        return self._past[-1].name if self._past else None

    @property
    def redo_name(self) -> str | None:
        """What `redo` would do again; None where there is nothing."""
        return self._future[-1].name if self._future else None

    def do(self, edits: Edits, name: str = "change", group: str | None = None) -> bool:
        """Go on to new edits. Returns whether anything changed; what was undone before is forgotten then."""
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
        """Take the last step back. Returns its name, or None where there is none."""
        if not self._past:
            return None
        step = self._past.pop()
        self._future.append(_Step(self._now, step.name, None))
        self._now = step.edits
        return step.name

    def redo(self) -> str | None:
        """Do again what was undone last. Returns its name, or None where there is nothing."""
        if not self._future:
            return None
        step = self._future.pop()
        self._past.append(_Step(self._now, step.name, None))
        self._now = step.edits
        return step.name

    def mark_saved(self) -> None:
        """The edits of now are on disk."""
        self._saved = self._now
