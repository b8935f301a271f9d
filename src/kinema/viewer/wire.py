"""Parses messages of the page: input and orders of the editor."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from kinema.errors import ControlError
from kinema.session.steering import InputState

MAX_KEYS = 32
"""Maximum number of keys held at once."""


@dataclass(frozen=True)
class Put:
    """A value for a setting of the panel, by group and label."""

    group: str
    label: str
    value: Any


def parse(text: str) -> InputState | Put | dict[str, Any]:
    """Parse a message: input, a value for a setting (`{"put": {"group": ..., "label": ..., "value": ...}}`), or an
    order of the editor (`{"edit": {"do": ...}}`), which is returned as a dictionary.

    Raises:
        ControlError: the message is invalid.
    """
    try:
        message = json.loads(text)
        if "put" in message:
            return _put(**message["put"])
        return _order(message["edit"]) if "edit" in message else _input(message)
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ControlError(f"message not understood: {text[:80]!r}") from error


def _input(message: Any) -> InputState:
    keys, client = message.get("keys", []), message.get("client")
    if not isinstance(keys, list) or len(keys) > MAX_KEYS or not all(isinstance(key, str) for key in keys):
        raise ValueError("keys")
    move, look = (_stick(message.get(name, (0, 0))) for name in ("move", "look"))
    return InputState(frozenset(keys), move, look, client if isinstance(client, int) else None)


def _order(order: Any) -> dict[str, Any]:
    if not (isinstance(order, dict) and isinstance(order.get("do"), str)):
        raise ValueError("an order says what to do")
    return order


def _put(group: object, label: object, value: object) -> Put:
    if not (isinstance(group, str) and isinstance(label, str)):
        raise ValueError("a setting has a group and a label")
    return Put(group, label, value)


def _stick(values: object) -> tuple[float, float]:
    if not isinstance(values, list | tuple) or len(values) != 2:
        raise ValueError("a stick is two numbers")
    x, y = float(values[0]), float(values[1])
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a stick is two finite numbers")
    length = max(math.hypot(x, y), 1.0)
    return x / length, y / length
