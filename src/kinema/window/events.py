"""Events of a window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """A key went down (again, if `repeat`) or up; `code` as in `kinema.window.keys.CODES`."""

    code: str
    down: bool
    repeat: bool = False


@dataclass(frozen=True)
class Text:
    """A character was typed."""

    character: str


@dataclass(frozen=True)
class Button:
    """A mouse button (0 left, 1 right, 2 middle) went down or up."""

    button: int
    down: bool


@dataclass(frozen=True)
class Pointer:
    """The mouse moved, in points from the top left; far outside when it left the window."""

    x: float
    y: float


@dataclass(frozen=True)
class Scroll:
    """The mouse wheel moved, in notches."""

    x: float
    y: float


@dataclass(frozen=True)
class Focus:
    """The window gained or lost the keyboard focus."""

    focused: bool


@dataclass(frozen=True)
class Drop:
    """Files were dropped on the window."""

    paths: tuple[str, ...]


Event = Key | Text | Button | Pointer | Scroll | Focus | Drop

OUTSIDE = Pointer(-1e6, -1e6)
