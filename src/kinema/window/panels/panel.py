"""What a panel is."""

from __future__ import annotations

from typing import Literal

from kinema.session.session import Session
from kinema.window.desk import Desk

Place = Literal["left", "right", "bottom", "over"]
"""A column beside the scene, the part below it, or a sheet over everything."""


class Panel:
    """A part of the GUI. One instance a window; what it remembers (a search text, an open tab) it keeps itself.

    Attributes:
        title: what its header says. place: where it is. sessions: names of the sessions that have it; empty: all.
        open: whether it is unfolded (or, `over`, shown).
        height: of a panel at the bottom, points at scale 1.
    """

    title: str
    place: Place = "right"
    sessions: frozenset[str] = frozenset()
    height: float = 0.0
    open: bool = True

    def wanted(self, session: Session) -> bool:
        """Whether there is anything to show now."""
        return not self.sessions or session.name in self.sessions

    def draw(self, desk: Desk, session: Session) -> None:
        """Draw it with imgui; the shell has made room and closes what is left open when this raises."""
        raise NotImplementedError
