"""The cameras of the window, and how the mouse moves them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.camera import Camera
from kinema.rendering.rigs import STEEPEST, FixedRig, FollowRig, FreeRig, OrbitRig, ThirdPersonRig
from kinema.session.target import CameraTarget
from kinema.terrain import Ground, is_void
from kinema.window.events import OUTSIDE, Button, Event, Pointer, Scroll
from kinema.window.layout import Rect

TURN = 0.007
"""Radians per point of mouse movement."""

NAMES = ("Orbit", "Behind", "Frame", "Tripod", "Fly")
"""Names of the cameras, in the order in which the key V goes through them."""

HINTS = (
    "Around the character",
    "Behind the character, turning with it",
    "Keeps all of the character in the picture",
    "Stands still and looks after the character",
    "Flies by itself: drag to look, wheel and W A S D to go",
)

_FLY_KEYS = {
    "KeyW": (2, 1.0),
    "KeyS": (2, -1.0),
    "KeyA": (0, 1.0),
    "KeyD": (0, -1.0),
    "KeyE": (1, 1.0),
    "KeyQ": (1, -1.0),
}
_SETTLED = 2e-4


class Cameras:
    """The cameras that a scene can be seen from.

    Args:
        behind: begin behind the character (to steer it) instead of in front of it (to look at it).

    Attributes:
        name: name of the active camera. camera: its current state.
    """

    def __init__(self, behind: bool = False) -> None:
        self._behind = behind
        self.name = NAMES[0]
        self.orbit, self.third = OrbitRig(floor=0.0), ThirdPersonRig(turn_halflife=0.9)
        self.follow, self.tripod, self.free = FollowRig(), FixedRig(), FreeRig(floor=0.0)
        self.camera = Camera.look_at((2.0, 1.4, 3.0), (0.0, 0.9, 0.0))
        self.moving = True
        self._subject: CameraTarget | None = None
        self._pan = np.zeros(3)
        self._above, self._aspect = 0.9, 1.6
        self._grip: int | None = None
        self._at = OUTSIDE.x, OUTSIDE.y
        self._push = 0.0

    @property
    def heading(self) -> float:
        """Where the camera looks, radians from +Z toward +X."""
        ahead = self.camera.ahead
        return math.atan2(float(ahead[0]), float(ahead[2]))

    @property
    def rig(self) -> OrbitRig | ThirdPersonRig | FollowRig | FixedRig | FreeRig:
        """The rig of the active camera."""
        rigs = (self.orbit, self.third, self.follow, self.tripod, self.free)
        return rigs[NAMES.index(self.name)]

    def meet(self, target: CameraTarget) -> None:
        """Point all cameras at a new target, each from its default distance."""
        low, high = target.points.min(axis=0), target.points.max(axis=0)
        self._above = float(low[1] + high[1]) / 2 - target.lift - float(target.position[1])
        aside = float(np.linalg.norm((target.points - target.position)[:, [0, 2]], axis=-1).max())
        # The distance fits high targets as well as flat and wide ones.
        size = max(float(high[1] - low[1]), 1.7 * aside / self._aspect, 0.5 * target.size)
        azimuth = target.heading + (0.0 if self._behind else math.pi - 0.6)
        elevation = 0.24 if self._behind else 0.16
        self.orbit = OrbitRig(azimuth, elevation, (2.75 if self._behind else 2.5) * size, floor=0.0)
        self.third = ThirdPersonRig(2.0 * size, 1.4 * self._above + target.lift, turn_halflife=0.9, floor=0.0)
        self.follow = FollowRig(azimuth, elevation)
        self._pan = np.zeros(3)
        self._subject = target
        start = self.orbit.update(self._middle(target), 0.0)
        self.tripod = FixedRig(start.position.copy(), fov=start.fov)
        self.free = FreeRig(start.position.copy(), azimuth, elevation, floor=0.0)
        self.camera = start

    def choose(self, name: str) -> None:
        """Switch to another camera. Free cameras start where the current one is."""
        if name == self.name:
            return
        ahead = self.camera.ahead
        azimuth, elevation = self.heading, -math.asin(float(np.clip(ahead[1], -1, 1)))
        if name == "Tripod":
            self.tripod = FixedRig(self.camera.position.copy(), azimuth, elevation, self.camera.fov)
        elif name == "Fly":
            self.free = FreeRig(self.camera.position.copy(), azimuth, elevation, self.camera.fov, floor=0.0)
        elif name == "Frame":
            self.follow = FollowRig(azimuth, elevation)
        elif name == "Orbit":
            self.orbit.azimuth, self.orbit.elevation = azimuth, elevation
        self.name = name

    def next(self) -> None:
        """Switch to the next camera."""
        self.choose(NAMES[(NAMES.index(self.name) + 1) % len(NAMES)])

    def update(self, seconds: float, target: CameraTarget, aspect: float, held: frozenset[str] = frozenset()) -> Camera:
        """Advance the active camera by some seconds.

        Args:
            aspect: width over height of the picture.
            held: keys that steer the flying camera, if they are free.
        """
        self._aspect = aspect
        known = self._subject
        if known is None or known.empty != target.empty or not 0.8 < target.size / known.size < 1.25:
            self.meet(target)
        self._subject = target
        before = self.camera
        middle = self._middle(target)
        self._stay_above(target.ground)
        match self.name:
            case "Orbit":
                camera = self.orbit.update(middle + self._pan, seconds)
            case "Behind":
                camera = self.third.update(target.position, target.heading, seconds)
            case "Frame":
                self.follow.aspect = aspect
                camera = self.follow.update(target.points, seconds)
            case "Tripod":
                camera = self.tripod.update(middle, seconds)
            case _:
                camera = self._fly(seconds, held)
        self._push = 0.0
        moved = float(np.abs(camera.position - before.position).max())
        self.moving = moved > _SETTLED * target.size or abs(float(camera.ahead @ before.ahead) - 1.0) > 1e-9
        self.camera = camera
        return camera

    def _stay_above(self, ground: Ground) -> None:
        """Keep the cameras above the ground where they are."""
        height = ground.height(self.camera.position)
        floor = None if is_void(height) else float(height)
        self.orbit.floor = self.third.floor = self.follow.floor = self.free.floor = floor

    def _middle(self, target: CameraTarget) -> NDArray[np.float64]:
        return np.asarray(target.position, np.float64) + np.array([0.0, self._above + target.lift, 0.0])

    def _fly(self, seconds: float, held: frozenset[str]) -> Camera:
        size = self._subject.size if self._subject is not None else 1.7
        move = np.zeros(3)
        for key in held & _FLY_KEYS.keys():
            axis, way = _FLY_KEYS[key]
            move[axis] += way
        move *= 2.0 * size
        if self._push:  # a notch of the wheel moves ahead
            self.free.position = self.free.position + self._push * 0.3 * size * self.camera.ahead
        return self.free.update(move, np.zeros(2), seconds)

    # ---- the mouse -------------------------------------------------------------------------------------------------

    def pointed(self, event: Event, scene: Rect, taken: bool, shift: bool) -> None:
        """React to the mouse: the left button turns, the right one (or Shift, or the middle) pans, the wheel zooms.

        Args:
            scene: the area of the scene. taken: whether the GUI uses the mouse. shift: whether Shift is held.
        """
        match event:
            case Button(button, True) if not taken and scene.holds(*self._at):
                self._grip = 1 if button == 0 and shift else button
            case Button(_, False):
                self._grip = None
            case Pointer(x, y):
                self._drag(x - self._at[0], y - self._at[1], max(scene.height, 1.0))
                self._at = x, y
            case Scroll(_, y) if not taken:
                self._zoom(y)

    def _drag(self, dx: float, dy: float, height: float) -> None:
        """Turn or pan by a movement in points, for a scene of a height in points."""
        if self._grip == 0:
            self._turn(-TURN * dx, TURN * dy)
        elif self._grip is not None:
            self._shift(dx / height, dy / height)

    def _turn(self, azimuth: float, elevation: float) -> None:
        if self.name == "Tripod":  # it turns by itself: the mouse moves it around the target
            self._carry(azimuth, elevation)
            return
        rig = self.rig
        rig.azimuth += azimuth
        rig.elevation = float(np.clip(rig.elevation + elevation, -STEEPEST, STEEPEST))

    def _carry(self, azimuth: float, elevation: float) -> None:
        if self._subject is None:
            return
        middle = self._middle(self._subject)
        away = self.tripod.position - middle
        distance = float(np.linalg.norm(away))
        around = math.atan2(float(away[0]), float(away[2])) + azimuth
        up = float(np.clip(math.asin(float(np.clip(away[1] / max(distance, 1e-6), -1, 1))) + elevation, -1.4, 1.4))
        way = [math.sin(around) * math.cos(up), math.sin(up), math.cos(around) * math.cos(up)]
        self.tripod.position = middle + distance * np.array(way)

    def _shift(self, right: float, down: float) -> None:
        """Pan by fractions of the height, so that what is under the pointer stays there."""
        camera = self.camera
        away = self.orbit.distance if self.name == "Orbit" else 2.5 * (self._subject.size if self._subject else 1.7)
        high = 2 * math.tan(camera.fov / 2) * away
        step = high * (right * camera.left + down * camera.up)
        match self.name:
            case "Orbit":
                self._pan = self._pan + step
            case "Tripod":
                self.tripod.position = self.tripod.position + step
            case "Fly":
                self.free.position = self.free.position + step
            case "Behind":
                self.third.shoulder += high * right
                self.third.height += high * down

    def _zoom(self, notches: float) -> None:
        factor = 0.9**notches
        match self.name:
            case "Orbit":
                self.orbit.zoom(factor)
            case "Behind":
                self.third.distance *= factor
            case "Frame":
                self.follow.margin = float(np.clip(self.follow.margin - 0.02 * notches, 0.0, 0.4))
            case "Tripod":
                self.tripod.fov = float(np.clip(self.tripod.fov * factor, 0.05, 2.0))
            case _:
                self._push += notches
