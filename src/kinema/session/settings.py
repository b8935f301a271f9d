"""What a person may change in a session, described once: the window and the browser make widgets of it.

`put` is the only way in. It checks the value, so a slider of a stranger's browser cannot set what the session does not
offer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kinema.errors import ControlError


@dataclass(frozen=True)
class SessionSetting:
    """One entry of a group.

    Attributes:
        group: the heading that it stands under.
        label: its name, unique in the group.
        hint: one line about it.
    """

    group: str
    label: str
    hint: str = ""


@dataclass(frozen=True)
class Switch(SessionSetting):
    """On or off."""

    get: Callable[[], bool] = lambda: False
    set: Callable[[bool], object] = lambda value: None

    def put(self, value: object) -> None:
        """Switch it; ControlError for anything but a truth value."""
        if not isinstance(value, bool):
            raise ControlError(f"{self.label} is on or off, not {value!r:.40}")
        self.set(value)


@dataclass(frozen=True)
class Slider(SessionSetting):
    """A number between two limits.

    Attributes:
        step: between two values that can be chosen.
        form: how it is written, as `%` takes it.
        logarithmic: whether equal ways of the hand are equal factors.
    """

    get: Callable[[], float] = lambda: 0.0
    set: Callable[[float], object] = lambda value: None
    low: float = 0.0
    high: float = 1.0
    step: float = 0.1
    form: str = "%.2f"
    logarithmic: bool = False

    def put(self, value: object) -> None:
        """Set it, clamped to the limits; ControlError for anything but a finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ControlError(f"{self.label} is a number from {self.low:g} to {self.high:g}, not {value!r:.40}")
        self.set(min(max(float(value), self.low), self.high))


def attribute_slider(
    owner: object, name: str, group: str, label: str, low: float, high: float, step: float, form: str, hint: str = ""
) -> Slider:
    """A slider for an attribute of `owner`."""
    return Slider(
        group,
        label,
        hint,
        lambda: getattr(owner, name),
        lambda value: setattr(owner, name, value),
        low,
        high,
        step,
        form,
    )


@dataclass(frozen=True)
class Choice(SessionSetting):
    """One of some options, by its place among them."""

    get: Callable[[], int] = lambda: 0
    set: Callable[[int], object] = lambda value: None
    options: Callable[[], Sequence[str]] = tuple

    def put(self, value: object) -> None:
        """Choose an option by its place or its text; ControlError when there is no such option."""
        options = self.options()
        if isinstance(value, str) and value in options:
            value = list(options).index(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(options):
            raise ControlError(f"{self.label} has no option {value!r:.40}")
        self.set(value)


@dataclass(frozen=True)
class Action(SessionSetting):
    """Something to do at once."""

    act: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Facts(SessionSetting):
    """Lines to read: names and texts."""

    rows: Callable[[], Sequence[tuple[str, str]]] = tuple


def switches(group: str, values: Mapping[str, bool], change: Callable[[str, bool], object]) -> tuple[Switch, ...]:
    """A switch for each entry, by number keys too; `change` is called with its name and its new value."""
    return tuple(
        Switch(group, name, f"key {key}", lambda name=name: values[name], lambda value, name=name: change(name, value))
        for key, name in enumerate(values, 1)
    )
