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
        scale: of text and spacing.
        bottom: height of the pane below the scene, points at scale 1.
        shown: False leaves only the scene.
        left, right: whether the columns have anything to show.
    """
    width, height = size
    if not shown:
        return Layout(Rect(0, 0, width, height))
    least_width, least_height = (scale * value for value in LEAST_SCENE)
    room = height - least_height
    top = scale * TOP if room >= scale * TOP else 0.0
    status = scale * STATUS if room - top >= scale * STATUS else 0.0
    below = scale * bottom if bottom and room - top - status >= scale * bottom else 0.0
    beside = width - least_width
    right_width = scale * RIGHT if right and beside >= scale * RIGHT else 0.0
    left_width = scale * LEFT if left and beside - right_width >= scale * LEFT else 0.0
    middle = height - top - status
    scene = Rect(left_width, top, max(width - left_width - right_width, 1.0), max(middle - below, 1.0))
    return Layout(
        scene,
        Rect(0, 0, width, top) if top else None,
        Rect(0, top, left_width, middle) if left_width else None,
        Rect(width - right_width, top, right_width, middle) if right_width else None,
        Rect(left_width, top + scene.height, scene.width, below) if below else None,
        Rect(0, height - status, width, status) if status else None,
    )
