"""Gamepads: the first one that GLFW reports."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from kinema.session.steering import InputState

DEAD_ZONE = 0.18
"""Deflection below which a stick counts as released: old sticks do not return to the exact centre."""

BUTTONS = {"PadBrake": 0, "PadRun": 5, "PadSlow": 4, "PadReset": 7}
"""Names of `kinema.session.steering` and GLFW's button numbers: A, right and left bumper, Start."""

TRIGGERS = {"PadSlow": 4, "PadRun": 5}
"""Trigger axes: they rest at -1 and count as pressed above 0."""


def read_pad(glfw: Any) -> InputState | None:
    """The first connected gamepad, or None."""
    for number in range(glfw.JOYSTICK_1, glfw.JOYSTICK_LAST + 1):
        if not glfw.joystick_present(number) or not glfw.joystick_is_gamepad(number):
            continue
        state = glfw.get_gamepad_state(number)
        if state is None:
            continue
        name = glfw.get_gamepad_name(number)
        name = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
        return interpret(name, list(state.buttons), list(state.axes))
    return None


def interpret(name: str, buttons: list[int], axes: list[float]) -> InputState:
    """Interpret GLFW's 15 buttons and 6 axes; down is positive on its sticks."""
    keys = {key for key, number in BUTTONS.items() if buttons[number]}
    keys |= {key for key, axis in TRIGGERS.items() if axes[axis] > 0.0}
    return InputState(frozenset(keys), stick(axes[0], -axes[1]), stick(axes[2], -axes[3]), device=name)


def input_state(keys: frozenset[str], pad: InputState | None) -> InputState:
    """Keys and gamepad together, as sessions take them."""
    return InputState(keys) if pad is None else replace(pad, keys=keys | pad.keys)


def stick(x: float, y: float) -> tuple[float, float]:
    """A deflection without the round dead zone, rescaled to 0 to 1 in every direction."""
    length = math.hypot(x, y)
    if not math.isfinite(length) or length <= DEAD_ZONE:
        return 0.0, 0.0
    scale = min((length - DEAD_ZONE) / (1.0 - DEAD_ZONE), 1.0) / length
    return x * scale, y * scale
