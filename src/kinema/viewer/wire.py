"""Messages of the page: what is held, and what is to be edited."""

from __future__ import annotations

import json
import math
from typing import Any

from kinema.errors import ControlError
from kinema.session.steering import InputState

MAX_KEYS = 32
"""More keys than this at once are refused: no hand holds them."""


def parse(text: str) -> InputState:
    """The state in a message of the page.

    Raises:
        ControlError: the message is not what the page sends.
    """
    try:
        message = json.loads(text)
        keys = message.get("keys", [])
        if not isinstance(keys, list) or len(keys) > MAX_KEYS or not all(isinstance(key, str) for key in keys):
            raise ValueError("keys")
        client = message.get("client")
        return InputState(
            frozenset(keys),
            _stick(message.get("move", (0, 0))),
            _stick(message.get("look", (0, 0))),
            client if isinstance(client, int) else None,
        )
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ControlError(f"input message not understood: {text[:80]!r}") from error


def parse_order(text: str) -> dict[str, Any] | None:
    """What a message of the page asks to edit (`{"edit": {"do": ...}}`); None for a message of another kind.

    Raises:
        ControlError: the message is not what the page sends.
    """
    if not text.startswith('{"edit"'):
        return None
    try:
        order = json.loads(text)["edit"]
        if not (isinstance(order, dict) and isinstance(order.get("do"), str)):
            raise ValueError("an order says what to do")
    except (ValueError, RecursionError) as error:
        raise ControlError(f"edit message not understood: {text[:80]!r}") from error
    return order


def _stick(values: object) -> tuple[float, float]:
    if not isinstance(values, list | tuple) or len(values) != 2:
        raise ValueError("a stick is two numbers")
    x, y = float(values[0]), float(values[1])
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a stick is two finite numbers")
    length = max(math.hypot(x, y), 1.0)
    return x / length, y / length
