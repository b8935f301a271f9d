"""The base of panels."""

from __future__ import annotations

from typing import Literal

from kinema.session.session import Session
from kinema.window.widgets import Widgets

Place = Literal["left", "right", "bottom", "over"]
"""A column beside the scene, the pane below it, or over everything."""


class Panel:
    """A part of the GUI. Each window has one instance, which keeps its own state, such as a search text.

    Attributes:
        title: of its header. place: where it is. sessions: names of the sessions that show it; empty: all.
        open: whether it is unfolded (or shown, if its place is `over`).
        height: of a panel at the bottom, points at scale 1.
    """

    title: str
    place: Place = "right"
    sessions: frozenset[str] = frozenset()
    height: float = 0.0
    open: bool = True

    def wanted(self, session: Session) -> bool:
        """Whether the panel has anything to show."""
        return not self.sessions or session.name in self.sessions

    def draw(self, ui: Widgets, session: Session) -> None:
        """Draw it with imgui. If this raises, open imgui scopes are closed."""
        raise NotImplementedError
