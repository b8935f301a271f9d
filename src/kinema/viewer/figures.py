"""The live figures beside a steered character: the viewer's own and those of the controller."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

UNITS: dict[str, tuple[str, str, int]] = {
    "tracking_cm": ("tracking", "cm", 1),
    "tracking_deg": ("turning error", "°", 1),
    "search_us": ("search", "µs", 0),
    "cost": ("match cost", "", 2),
}
"""How figures of controllers are shown: name, unit, digits; others are shown as they are named."""


class Figures:
    """Averages of about a second; what a controller counts (`transitions`) becomes a rate."""

    def __init__(self, rate: float) -> None:
        self._step_ms: deque[float] = deque(maxlen=int(rate))
        self._speed: deque[float] = deque(maxlen=int(rate / 2))
        self._skate: deque[float] = deque(maxlen=int(rate))
        self._feet: NDArray[np.floating] | None = None
        self._root: NDArray[np.floating] | None = None
        self._frames: deque[float] = deque(maxlen=64)
        self._counts: deque[tuple[float, float]] = deque(maxlen=16)

    def stepped(self, seconds: float) -> None:
        """A step of the controller took this long."""
        self._step_ms.append(1e3 * seconds)

    def drew(self, now: float) -> None:
        """A frame went out."""
        self._frames.append(now)

    def moved(
        self, root: NDArray[np.floating], feet: NDArray[np.floating], contacts: NDArray[np.floating], dt: float
    ) -> None:
        """Root `[3]`, feet `[C, 3]` and contacts `[C]` after a step of `dt` seconds, in the world."""
        if self._root is not None and self._feet is not None and len(self._feet) == len(feet):
            self._speed.append(float(np.hypot(*(root - self._root)[[0, 2]])) / dt)
            slid = np.linalg.norm((feet - self._feet)[:, [0, 2]], axis=-1) / dt
            self._skate.extend(100.0 * slid[: len(contacts)][np.asarray(contacts[: len(slid)]) > 0.5])
        self._root, self._feet = root.copy(), feet.copy()

    def restarted(self) -> None:
        """The character was put elsewhere: what was measured across the jump would be wrong."""
        self._root = self._feet = None

    @property
    def step_ms(self) -> float:
        return _mean(self._step_ms)

    @property
    def frames_per_second(self) -> float:
        frames = list(self._frames)
        return (len(frames) - 1) / (frames[-1] - frames[0]) if len(frames) > 1 and frames[-1] > frames[0] else 0.0

    def rows(self, now: float, diagnostics: Mapping[str, float]) -> list[tuple[str, str]]:
        """Name and text of every figure, in the order to show them."""
        rows = [
            ("speed", f"{_mean(self._speed):.2f} m/s"),
            ("step", f"{self.step_ms:.2f} ms"),
            ("foot skate", f"{_mean(self._skate):.1f} cm/s"),
        ]
        for name, value in diagnostics.items():
            if name == "transitions":
                rows.append(("transitions", f"{self._rate(now, value):.1f} /s"))
            else:
                label, unit, digits = UNITS.get(name, (name.replace("_", " "), "", 2))
                rows.append((label, f"{value:.{digits}f} {unit}".rstrip()))
        rows.append(("updates", f"{self.frames_per_second:.0f} /s"))
        return rows

    def _rate(self, now: float, count: float) -> float:
        if self._counts and count < self._counts[-1][1]:
            self._counts.clear()
        self._counts.append((now, count))
        (first, low), (last, high) = self._counts[0], self._counts[-1]
        return (high - low) / (last - first) if last > first else 0.0


def _mean(values: deque[float]) -> float:
    return float(np.mean(values)) if values else 0.0
