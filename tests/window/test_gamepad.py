"""Gamepads."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from kinema.window.gamepad import DEAD_ZONE, interpret, read_pad, stick

REST = [0.0, 0.0, 0.0, 0.0, -1.0, -1.0]


def test_the_dead_zone_is_round_and_what_is_left_is_whole():
    assert stick(0.9 * DEAD_ZONE, 0.0) == (0.0, 0.0)
    assert stick(0.7 * DEAD_ZONE, 0.7 * DEAD_ZONE) == (0.0, 0.0)
    assert math.hypot(*stick(DEAD_ZONE + 1e-6, 0)) < 1e-4
    assert stick(0.0, 1.0) == pytest.approx((0.0, 1.0))
    assert math.hypot(*stick(1.0, 1.0)) == pytest.approx(1.0)
    assert stick(math.nan, 0.0) == (0.0, 0.0)


def test_up_is_forward_and_buttons_have_names():
    buttons = [0] * 15
    buttons[5] = 1
    pad = interpret("pad", buttons, [0.5, -1.0, *REST[2:]])
    assert pad.move[1] > 0.8 and pad.move[0] > 0 and pad.look == (0.0, 0.0)
    assert pad.keys == {"PadRun"}
    assert interpret("pad", [0] * 15, [*REST[:4], 0.5, -1.0]).keys == {"PadSlow"}
    assert not interpret("pad", [0] * 15, REST).keys


class Plugs:
    """GLFW with joysticks that are plugged in and out."""

    JOYSTICK_1, JOYSTICK_LAST = 0, 15

    def __init__(self) -> None:
        self.plugged: set[int] = set()

    def joystick_present(self, number: int) -> bool:
        return number in self.plugged

    def joystick_is_gamepad(self, number: int) -> bool:
        return number != 0

    def get_gamepad_name(self, number: int) -> bytes:
        return b"Pad %d" % number

    def get_gamepad_state(self, number: int) -> SimpleNamespace:
        return SimpleNamespace(buttons=[1] + [0] * 14, axes=REST)


def test_a_pad_that_is_plugged_in_later_is_found():
    plugs = Plugs()
    assert read_pad(plugs) is None
    plugs.plugged = {0}
    assert read_pad(plugs) is None, "a joystick without a mapping is no gamepad"
    plugs.plugged = {0, 3}
    pad = read_pad(plugs)
    assert pad is not None and pad.device == "Pad 3" and pad.keys == {"PadBrake"}
