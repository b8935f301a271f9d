"""Names of keys."""

import pytest

from kinema.session.steering import BRAKE_KEYS, MOVE_KEYS, RUN_KEYS, SLOW_KEYS
from kinema.window.keys import CODES, IMGUI, MODIFIERS, held


def test_keys_that_steer_are_known():
    wanted = {key for key in (*MOVE_KEYS, *RUN_KEYS, *SLOW_KEYS, *BRAKE_KEYS) if not key.startswith("Pad")}
    assert wanted <= set(CODES.values())


def test_numbers_are_those_of_glfw():
    glfw = pytest.importorskip("glfw")
    assert CODES[glfw.KEY_W] == "KeyW" and CODES[glfw.KEY_LEFT_SHIFT] == "ShiftLeft"
    assert CODES[glfw.KEY_F12] == "F12" and CODES[glfw.KEY_KP_ENTER] == "NumpadEnter"
    assert CODES[glfw.KEY_SLASH] == "Slash" and CODES[glfw.KEY_0] == "Digit0"


def test_names_are_those_of_imgui():
    imgui = pytest.importorskip("imgui_bundle").imgui
    for name in [*IMGUI.values(), *(name for _, name in MODIFIERS)]:
        assert hasattr(imgui.Key, name), name
    assert set(IMGUI) <= set(CODES.values())


def test_modifiers_have_two_sides():
    assert held({"ShiftRight"}, "Shift") and held({"ShiftLeft"}, "Shift") and not held({"KeyS"}, "Shift")
