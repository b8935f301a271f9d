"""Real time cut into steps of one length."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class FixedClock:
    """How many steps are due; time that cannot be caught up is let go, so a stall never becomes a burst.

    Attributes:
        step: seconds of one step.
        most: steps that one call may ask for.
    """

    step: float
    most: int = 4
    _last: float | None = None
    _owed: float = 0.0
    dropped: float = 0.0
    """Seconds let go so far."""

    def due(self, now: float) -> int:
        """Steps to make at ``now``, seconds on any clock that does not run backwards."""
        if self._last is None:
            self._last = now
            return 1
        self._owed += max(now - self._last, 0.0)
        self._last = now
        steps = int(self._owed / self.step + 1e-6)
        self._owed = max(self._owed - steps * self.step, 0.0)
        if steps > self.most:
            self.dropped += (steps - self.most) * self.step
            steps = self.most
        return steps

    def wait(self, now: float) -> float:
        """Seconds from ``now`` until the next step is due."""
        if self._last is None:
            return 0.0
        return max(self.step - self._owed - (now - self._last), 0.0)
