"""The base of panels."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from kinema.session.session import Session
from kinema.window.widgets import Widgets

Place = Literal["left", "right", "bottom", "over"]
"""A column beside the scene, the pane below it, or over everything."""


S = TypeVar("S", bound=Session)


class Panel(Generic[S]):
    """A part of the GUI. Each window has one instance, which keeps its own state, such as a search text.

    Attributes:
        title: title in its header. place: where it is. kind: type of the sessions that show it.
        open: whether it is unfolded (or shown, if its place is `over`).
        height: height of a panel at the bottom, points at scale 1.
    """

    title: str
    place: Place = "right"
    kind: type[Session] = Session
    height: float = 0.0
    open: bool = True

    def wanted(self, session: Session) -> bool:
        """Whether the panel has anything to show."""
        return isinstance(session, self.kind)

    def draw(self, ui: Widgets, session: S) -> None:
        """Draw it with imgui. If this raises, open imgui scopes are closed."""
        raise NotImplementedError
