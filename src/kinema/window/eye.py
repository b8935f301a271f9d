"""The cameras of the window and the hand that moves them."""

from __future__ import annotations

import math

import numpy as np

from kinema.render.camera import Camera
from kinema.window.events import Button, Event, Pointer, Scroll
from kinema.window.layout import Rect


class Eyes:
    """Where the scene is seen from."""

    def __init__(self) -> None:
        self.azimuth, self.elevation, self.distance = 0.6, 0.22, 2.4
        self.target = np.array([0.0, 0.9, 0.0])
        self.size = 1.7
        self.moving = False
        self._grip: int | None = None
        self._at = (0.0, 0.0)

    @property
    def heading(self) -> float:
        return math.atan2(-math.sin(self.azimuth), -math.cos(self.azimuth))

    def camera(self, aspect: float) -> Camera:
        way = np.array([
            math.sin(self.azimuth) * math.cos(self.elevation), math.sin(self.elevation),
            math.cos(self.azimuth) * math.cos(self.elevation),
        ])  # fmt: skip
        return Camera.look_at(self.target + self.distance * self.size * way, self.target)

    def update(self, seconds: float, place: tuple[float, float, float], heading: float, size: float) -> None:
        self.size = size
        self.target = np.array([place[0], 0.5 * size, place[2]])

    def next(self) -> None:
        pass

    def pointed(self, event: Event, scene: Rect, taken: bool, shift: bool) -> None:
        if isinstance(event, Button):
            self._grip = event.button if event.down and not taken else None
        elif isinstance(event, Pointer):
            dx, dy = event.x - self._at[0], event.y - self._at[1]
            self._at = event.x, event.y
            if self._grip == 0:
                self.azimuth -= 0.008 * dx
                self.elevation = min(max(self.elevation + 0.008 * dy, -0.3), 1.5)
        elif isinstance(event, Scroll) and not taken:
            self.distance *= 0.9**event.y
