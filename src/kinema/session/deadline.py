"""When a screen ends by itself."""

from __future__ import annotations

from kinema.session.session import Session


class Deadline:
    """Ends a screen when nothing can be shown, or some seconds after everything was loaded.

    Attributes:
        seconds: how long to show the session; None for no limit.
        ready: time at which everything was loaded, seconds of the screen's clock; None before.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.seconds: float | None = None
        self.ready: float | None = None

    def over(self, now: float) -> bool:
        """Whether the screen should end; call it once per frame with the time of the screen's clock."""
        if self.ready is None and not self._session.waiting:
            self.ready = now
        late = self.seconds is not None and self.ready is not None and now - self.ready >= self.seconds
        return late or self._session.failure is not None
