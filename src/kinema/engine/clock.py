"""A clock that divides real time into steps of equal length."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class FixedClock:
    """Counts the steps that are due. Time beyond `most` steps is dropped, so a stall never causes a burst of steps.

    Attributes:
        step: length of one step, seconds.
        most: largest number of steps that one call returns.
        dropped: seconds dropped so far.
    """

    step: float
    most: int = 4
    dropped: float = 0.0
    _last: float | None = None
    _remainder: float = 0.0

    @property
    def alpha(self) -> float:
        """Time since the last step that was due, as a fraction of a step (0 to 1)."""
        return min(self._remainder / self.step, 1.0)

    def advance(self, seconds: float) -> int:
        """The number of steps to run after `seconds` have passed."""
        self._remainder += max(seconds, 0.0)
        steps = int(self._remainder / self.step + 1e-6)
        self._remainder = max(self._remainder - steps * self.step, 0.0)
        if steps > self.most:
            self.dropped += (steps - self.most) * self.step
            steps = self.most
        return steps

    def due(self, now: float) -> int:
        """The number of steps to run at `now`, in seconds on any monotonic clock. The first call returns one."""
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
        return max(self.step - self._remainder - (now - self._last), 0.0)
