"""Options of a task, from the command line or a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from kinema.errors import LearningError


def make_options(kind: type[Any], values: Mapping[str, Any]) -> Any:
    """Options of a kind; values may be text, as on the command line.

    Args:
        kind: the `Options` of a task.

    Raises:
        LearningError: an option is unknown (the message lists those there are), has a value of another kind, or one
            that no model can have: whole numbers are counts and at least 1, others are finite and not below 0.
    """
    known = {field.name: type(field.default) for field in fields(kind)}
    for name in values:
        if name not in known:
            raise LearningError(f"no option is named {name!r}; the options are: {', '.join(known)}")
    return kind(**{name: _option(name, known[name], value) for name, value in values.items()})


def check_dropout(dropout: float) -> None:
    """LearningError unless it is a share of numbers that can be left out."""
    if not 0 <= dropout < 1:
        raise LearningError(f"option dropout is {dropout:g}; it must be at least 0 and below 1")


def _option(name: str, kind: type, value: Any) -> Any:
    """The value of an option, which may be text; LearningError if it is not of its kind or out of range."""
    try:
        made = {"true": True, "false": False}[str(value).lower()] if kind is bool else kind(value)
    except (ValueError, KeyError):
        raise LearningError(f"option {name} is {value!r}; it must be a {kind.__name__}") from None
    if kind is int and made < 1:
        raise LearningError(f"option {name} is {made}; it must be at least 1")
    if kind is float and not (math.isfinite(made) and made >= 0):
        raise LearningError(f"option {name} is {made:g}; it must be a finite number not below 0")
    return made
