"""Input from any screen, and the commands it means."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from kinema.control.command import Commands

MOVE_KEYS: dict[str, tuple[float, float]] = {
    "KeyW": (0, 1),
    "ArrowUp": (0, 1),
    "KeyS": (0, -1),
    "ArrowDown": (0, -1),
    "KeyA": (-1, 0),
    "ArrowLeft": (-1, 0),
    "KeyD": (1, 0),
    "ArrowRight": (1, 0),
}
"""Direction `(right, forward)` of each movement key (DOM `KeyboardEvent.code`)."""

RUN_KEYS = frozenset({"ShiftLeft", "ShiftRight", "PadRun"})
SLOW_KEYS = frozenset({"AltLeft", "AltRight", "KeyC", "PadSlow"})
BRAKE_KEYS = frozenset({"Space", "PadBrake"})


@dataclass(frozen=True)
class InputState:
    """Keys and sticks at one moment.

    Attributes:
        keys: DOM codes of the keys held, such as `KeyW`.
        move: left stick `(right, forward)`, length at most 1.
        look: right stick, the same.
        client: number of the browser it comes from, if known; directions are relative to its camera.
        device: name of the gamepad; empty if there is none.
    """

    keys: frozenset[str] = field(default_factory=frozenset)
    move: tuple[float, float] = (0.0, 0.0)
    look: tuple[float, float] = (0.0, 0.0)
    client: int | None = None
    device: str = ""

    @property
    def idle(self) -> bool:
        return not self.keys and self.move == (0.0, 0.0) and self.look == (0.0, 0.0)


@dataclass
class Steering:
    """Turns input into commands; keeps the facing while the character strafes.

    Attributes:
        walk, run, slow: speeds in m/s.
        turn_rate: turning speed of Q and E, rad/s.
    """

    walk: float = 1.4
    run: float = 3.2
    slow: float = 0.7
    turn_rate: float = math.radians(150)
    _facing: float | None = None

    def command(self, state: InputState, camera_heading: float, heading: float, dt: float) -> Commands:
        """The command for one character.

        Args:
            camera_heading: heading of the camera, radians from +Z toward +X; "forward" means this direction.
            heading: heading of the character, radians.
            dt: seconds since the last command.
        """
        right, forward = self._direction(state)
        speed = self._speed(state, math.hypot(right, forward))
        velocity = np.zeros(3, np.float32)
        if speed > 0:
            velocity[[0, 2]] = np.multiply(speed, _ground(right, forward, camera_heading))
        self._turn(state, camera_heading, heading, dt, moving=speed > 0)
        facing = None
        if self._facing is not None:
            facing = np.array([math.sin(self._facing), 0.0, math.cos(self._facing)], np.float32)
        return Commands.create(velocity, facing)

    def _direction(self, state: InputState) -> tuple[float, float]:
        pressed = [MOVE_KEYS[key] for key in state.keys if key in MOVE_KEYS]
        if not pressed:
            return state.move
        x, y = sum(move[0] for move in pressed), sum(move[1] for move in pressed)
        length = math.hypot(x, y)
        return (x / length, y / length) if length else (0.0, 0.0)

    def _speed(self, state: InputState, deflection: float) -> float:
        if state.keys & BRAKE_KEYS or deflection < 1e-3:
            return 0.0
        if state.keys & SLOW_KEYS:
            return self.slow * deflection
        if state.keys & RUN_KEYS:
            return self.run * deflection
        if state.keys & MOVE_KEYS.keys():
            return self.walk
        # Sticks have no Shift: the outer third goes from walking to running.
        return float(np.interp(deflection, [0.0, 0.67, 1.0], [0.0, self.walk, self.run]))

    def _turn(self, state: InputState, camera_heading: float, heading: float, dt: float, moving: bool) -> None:
        side = ("KeyQ" in state.keys) - ("KeyE" in state.keys)
        if math.hypot(*state.look) > 0.3:
            x, z = _ground(*state.look, camera_heading)
            self._facing = math.atan2(x, z)
        elif side:
            self._facing = (heading if self._facing is None else self._facing) + side * self.turn_rate * dt
        elif not moving:
            # The facing is kept while the character strafes and dropped when it stops.
            self._facing = None


def _ground(right: float, forward: float, camera_heading: float) -> tuple[float, float]:
    """Unit direction `(x, z)` on the ground of a stick relative to a camera; +X is left of +Z."""
    sine, cosine = math.sin(camera_heading), math.cos(camera_heading)
    x, z = forward * sine - right * cosine, forward * cosine + right * sine
    length = math.hypot(x, z) or 1.0
    return x / length, z / length
