"""Settings of a session: the window and the browser make widgets from them.

`put` checks each value, because values may come from any browser.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from kinema.errors import ControlError


@dataclass(frozen=True)
class SessionSetting:
    """A setting in a group.

    Attributes:
        group: heading of its group. label: its name, unique in the group. hint: its tooltip.
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
        """Set it; ControlError if it is not a bool."""
        if not isinstance(value, bool):
            raise ControlError(f"{self.label} is on or off, not {value!r:.40}")
        self.set(value)


@dataclass(frozen=True)
class Slider(SessionSetting):
    """A number between two limits.

    Attributes:
        step: smallest difference of values. form: a `%` format. logarithmic: whether the scale is logarithmic.
    """

    get: Callable[[], float] = lambda: 0.0
    set: Callable[[float], object] = lambda value: None
    low: float = 0.0
    high: float = 1.0
    step: float = 0.1
    form: str = "%.2f"
    logarithmic: bool = False

    def put(self, value: object) -> None:
        """Set it, clamped to the limits; ControlError if it is not a finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ControlError(f"{self.label} is a number from {self.low:g} to {self.high:g}, not {value!r:.40}")
        self.set(min(max(float(value), self.low), self.high))


def attribute_slider(
    owner: object, name: str, group: str, label: str, low: float, high: float, step: float, form: str
) -> Slider:
    """A slider for an attribute of `owner`."""
    return Slider(group, label, "", partial(getattr, owner, name), partial(setattr, owner, name), low, high, step, form)


@dataclass(frozen=True)
class Choice(SessionSetting):
    """One of several options, by index."""

    get: Callable[[], int] = lambda: 0
    set: Callable[[int], object] = lambda value: None
    options: Callable[[], Sequence[str]] = tuple

    def put(self, value: object) -> None:
        """Choose an option by index or text; ControlError if there is no such option."""
        options = self.options()
        if isinstance(value, str) and value in options:
            value = list(options).index(value)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(options):
            raise ControlError(f"{self.label} has no option {value!r:.40}")
        self.set(value)


def text_choice(
    group: str, label: str, hint: str, get: Callable[[], str], set: Callable[[str], object], options: Sequence[str]
) -> Choice:
    """A choice whose value is the text of the option; the first option if it is none of them."""
    listed = list(options)
    index = {text: number for number, text in enumerate(listed)}
    return Choice(group, label, hint, lambda: index.get(get(), 0), lambda number: set(listed[number]), lambda: listed)


@dataclass(frozen=True)
class Pad(SessionSetting):
    """A point in a square, with places in it that have names; `(x, y)` from 0 to 1, y upwards."""

    get: Callable[[], tuple[float, float]] = lambda: (0.5, 0.5)
    set: Callable[[tuple[float, float]], object] = lambda value: None
    places: Callable[[], Mapping[str, tuple[float, float]]] = dict

    def put(self, value: object) -> None:
        """Set it, clamped to the square; ControlError if it is not two finite numbers."""
        numbers = value if isinstance(value, list | tuple) and len(value) == 2 else ()
        clamped = [
            min(max(float(one), 0.0), 1.0)
            for one in numbers
            if isinstance(one, int | float) and not isinstance(one, bool) and math.isfinite(one)
        ]
        if len(clamped) != 2:
            raise ControlError(f"{self.label} is a point of two numbers from 0 to 1, not {value!r:.40}")
        self.set((clamped[0], clamped[1]))


LONGEST_TEXT = 400
"""Characters of a `WordsSetting`, at most."""


@dataclass(frozen=True)
class WordsSetting(SessionSetting):
    """Words that a person types.

    Attributes:
        empty: shown while there are none.
    """

    get: Callable[[], str] = lambda: ""
    set: Callable[[str], object] = lambda value: None
    empty: str = ""

    def put(self, value: object) -> None:
        """Set it, without spaces around it; ControlError if it is no text or too long."""
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            raise ControlError(f"{self.label} is a text of at most {LONGEST_TEXT} characters, not {value!r:.40}")
        self.set(value.strip())


@dataclass(frozen=True)
class Action(SessionSetting):
    """A button."""

    act: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Facts(SessionSetting):
    """Lines of text: names and values."""

    rows: Callable[[], Sequence[tuple[str, str]]] = tuple


def switches(group: str, values: Mapping[str, bool], change: Callable[[str, bool], object]) -> tuple[Switch, ...]:
    """A switch for each entry; number keys switch them too. `change` is called with name and value."""
    return tuple(
        Switch(group, name, f"key {key}", lambda name=name: values[name], lambda value, name=name: change(name, value))
        for key, name in enumerate(values, 1)
    )
