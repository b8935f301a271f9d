"""Names of keys: GLFW's numbers, the codes of browsers that sessions use, and imgui's names."""

from __future__ import annotations

_LETTERS = {65 + index: f"Key{letter}" for index, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
_DIGITS = {48 + digit: f"Digit{digit}" for digit in range(10)}
_FUNCTIONS = {289 + number: f"F{number}" for number in range(1, 13)}

CODES: dict[int, str] = {
    **_LETTERS, **_DIGITS, **_FUNCTIONS,
    32: "Space", 39: "Quote", 44: "Comma", 45: "Minus", 46: "Period", 47: "Slash", 59: "Semicolon", 61: "Equal",
    91: "BracketLeft", 92: "Backslash", 93: "BracketRight", 96: "Backquote",
    256: "Escape", 257: "Enter", 258: "Tab", 259: "Backspace", 260: "Insert", 261: "Delete",
    262: "ArrowRight", 263: "ArrowLeft", 264: "ArrowDown", 265: "ArrowUp",
    266: "PageUp", 267: "PageDown", 268: "Home", 269: "End",
    320: "Numpad0", 330: "NumpadDecimal", 331: "NumpadDivide", 332: "NumpadMultiply", 333: "NumpadSubtract",
    334: "NumpadAdd", 335: "NumpadEnter",
    340: "ShiftLeft", 341: "ControlLeft", 342: "AltLeft", 343: "MetaLeft",
    344: "ShiftRight", 345: "ControlRight", 346: "AltRight", 347: "MetaRight",
}  # fmt: skip
"""GLFW's number of a key and its code in browsers (`KeyboardEvent.code`): by position, not by letter."""

IMGUI: dict[str, str] = {
    **{f"Key{letter}": letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{f"Digit{digit}": f"_{digit}" for digit in range(10)},
    **{f"F{number}": f"f{number}" for number in range(1, 13)},
    "Space": "space", "Quote": "apostrophe", "Comma": "comma", "Minus": "minus", "Period": "period",
    "Slash": "slash", "Semicolon": "semicolon", "Equal": "equal", "BracketLeft": "left_bracket",
    "Backslash": "backslash", "BracketRight": "right_bracket", "Backquote": "grave_accent", "Escape": "escape",
    "Enter": "enter", "Tab": "tab", "Backspace": "backspace", "Insert": "insert", "Delete": "delete",
    "ArrowRight": "right_arrow", "ArrowLeft": "left_arrow", "ArrowDown": "down_arrow", "ArrowUp": "up_arrow",
    "PageUp": "page_up", "PageDown": "page_down", "Home": "home", "End": "end", "NumpadEnter": "keypad_enter",
    "ShiftLeft": "left_shift", "ShiftRight": "right_shift", "ControlLeft": "left_ctrl", "ControlRight": "right_ctrl",
    "AltLeft": "left_alt", "AltRight": "right_alt", "MetaLeft": "left_super", "MetaRight": "right_super",
}  # fmt: skip
"""Codes and the corresponding members of `imgui.Key`."""

MODIFIERS: tuple[tuple[str, str], ...] = (
    ("Control", "mod_ctrl"),
    ("Shift", "mod_shift"),
    ("Alt", "mod_alt"),
    ("Meta", "mod_super"),
)
"""Prefixes of the codes of modifier keys, and imgui's names."""


def held(keys: frozenset[str] | set[str], modifier: str) -> bool:
    """Whether the left or the right of a modifier (`Control`, `Shift`, `Alt`, `Meta`) is held."""
    return f"{modifier}Left" in keys or f"{modifier}Right" in keys
