"""What the window had to say."""

from __future__ import annotations

from kinema.session.session import Session
from kinema.window.desk import Desk
from kinema.window.panels.panel import Panel


class MessagesPanel(Panel):
    """The last messages, newest first; the status bar shows only the newest."""

    title = "Messages"
    open = False

    def draw(self, desk: Desk, session: Session) -> None:
        """One line a message."""
        if not desk.log.lines:
            desk.muted("nothing so far")
        colors = {"note": desk.look.ink, "warning": desk.look.warn, "error": desk.look.bad}
        for line in list(desk.log.lines)[-1:-30:-1]:
            desk.wrapped(line.text + (f"  ({line.count}\u00d7)" if line.count > 1 else ""), colors[line.level])
