"""The cameras of the window and the hand that moves them."""

from __future__ import annotations

import math

import numpy as np

from kinema.render.camera import Camera
from kinema.window.events import Event
from kinema.window.layout import Rect


class Eyes:
    """Where the scene is seen from."""

    def __init__(self) -> None:
        self.azimuth, self.elevation, self.distance = 0.5, 0.25, 4.0
        self.target = np.array([0.0, 0.9, 0.0])
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
        return Camera.look_at(self.target + self.distance * way, self.target)

    def update(self, seconds: float, place: tuple[float, float, float], heading: float, size: float) -> None:
        pass

    def next(self) -> None:
        pass

    def pointed(self, event: Event, scene: Rect, taken: bool, shift: bool) -> None:
        pass
