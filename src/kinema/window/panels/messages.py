"""The messages of the session."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.window.panels.panel import Panel
from kinema.window.widgets import Widgets


class MessagesPanel(Panel[Session]):
    """The last messages, newest first; the status bar shows only the newest."""

    title = "Messages"
    open = False

    def draw(self, ui: Widgets, session: Session) -> None:
        """One line per message."""
        if not ui.log.lines:
            ui.muted("nothing so far")
        for line in list(ui.log.lines)[-1:-30:-1]:
            ui.wrapped(str(line), ui.level_color(line.level))
