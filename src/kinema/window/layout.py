"""The layout of a window. The scene comes first: panes that do not fit beside it are left out."""

from __future__ import annotations

from dataclasses import dataclass

TOP, STATUS = 42.0, 26.0
LEFT, RIGHT = 272.0, 300.0
LEAST_SCENE = (280.0, 180.0)
"""Sizes in points at scale 1."""


@dataclass(frozen=True)
class Rect:
    """A rectangle of the window, in points from its top left corner."""

    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        """Whether it contains a point."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True)
class Layout:
    """The panes of a window; None for those that are not shown."""

    scene: Rect
    top: Rect | None = None
    left: Rect | None = None
    right: Rect | None = None
    bottom: Rect | None = None
    status: Rect | None = None


def arrange(
    size: tuple[float, float],
    scale: float = 1.0,
    bottom: float = 0.0,
    shown: bool = True,
    left: bool = True,
    right: bool = True,
) -> Layout:
    """Lay out a window of `size` points.

    Args:
        scale: scale of text and spacing.
        bottom: height of the pane below the scene, points at scale 1.
        shown: False leaves only the scene.
        left, right: whether the columns have anything to show.
    """
    width, height = size
    if not shown:
        return Layout(Rect(0, 0, width, height))
    beside, below = width - scale * LEAST_SCENE[0], height - scale * LEAST_SCENE[1]
    top = _fitting(scale * TOP, below)
    status = _fitting(scale * STATUS, below - top)
    bottom = _fitting(scale * bottom, below - top - status)
    right_width = _fitting(scale * RIGHT * right, beside)
    left_width = _fitting(scale * LEFT * left, beside - right_width)
    middle = height - top - status
    scene = Rect(left_width, top, max(width - left_width - right_width, 1.0), max(middle - bottom, 1.0))
    panes = {
        "top": Rect(0, 0, width, top),
        "left": Rect(0, top, left_width, middle),
        "right": Rect(width - right_width, top, right_width, middle),
        "bottom": Rect(left_width, top + scene.height, scene.width, bottom),
        "status": Rect(0, height - status, width, status),
    }
    return Layout(scene, **{name: rect for name, rect in panes.items() if rect.width and rect.height})


def _fitting(length: float, room: float) -> float:
    """The length, or 0 if it does not fit."""
    return length if length <= room else 0.0
