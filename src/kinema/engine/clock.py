"""Real time cut into steps of one length."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class FixedClock:
    """How many steps are due; time that cannot be caught up is let go, so a stall never becomes a burst.

    Attributes:
        step: seconds of one step.
        most: steps that one call may ask for.
        dropped: seconds let go so far.
    """

    step: float
    most: int = 4
    dropped: float = 0.0
    _last: float | None = None
    _owed: float = 0.0

    @property
    def alpha(self) -> float:
        """How far time is beyond the last step that was due, as a share of a step (0 to 1)."""
        return min(self._owed / self.step, 1.0)

    def advance(self, seconds: float) -> int:
        """Steps to make when so many seconds have passed."""
        self._owed += max(seconds, 0.0)
        steps = int(self._owed / self.step + 1e-6)
        self._owed = max(self._owed - steps * self.step, 0.0)
        if steps > self.most:
            self.dropped += (steps - self.most) * self.step
            steps = self.most
        return steps

    def due(self, now: float) -> int:
        """Steps to make at `now`, seconds on any clock that does not run backwards; the first call makes one."""
        if self._last is None:
            self._last = now
            return 1
        passed = now - self._last
        self._last = now
        return self.advance(passed)

    def wait(self, now: float) -> float:
        """Seconds from `now` until the next step is due."""
        if self._last is None:
            return 0.0
        return max(self.step - self._owed - (now - self._last), 0.0)
