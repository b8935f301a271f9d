"""What explains a motion: contacts, paths, arrows, bones and joint names.

Each overlay has a Draw of its own and can be hidden; hidden ones cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.draw import Draw
from kinema.session.feature_marks import FeatureFrame, draw_features
from kinema.skeleton import Skeleton
from kinema.viewer.draw import DrawNodes

if TYPE_CHECKING:
    import viser

Color = tuple[int, int, int]

TOUCHING: Color = (238, 108, 52)
TRAVELLED: Color = (120, 132, 150)
WANTED: Color = (63, 111, 216)
COMMANDED: Color = (34, 160, 107)
VELOCITY: Color = (214, 52, 110)


class Overlay:
    """Something drawn with a Draw of its own that can be hidden."""

    def __init__(self, server: viser.ViserServer, name: str, visible: bool = True) -> None:
        self.draw = Draw()
        self._canvas = DrawNodes(server, name, visible)

    def show(self) -> None:
        """Bring what was drawn into the browser."""
        self._canvas.show(self.draw)

    def retire(self) -> None:
        """Take it off the stage for good."""
        self._canvas.remove()

    @property
    def visible(self) -> bool:
        return self._canvas.visible

    @visible.setter
    def visible(self, value: bool) -> None:
        self._canvas.visible = value


class ContactDiscs(Overlay):
    """A disc on the ground under each foot: bright and full while it touches, a small pale ring otherwise."""

    def __init__(self, server: viser.ViserServer, name: str, radius: float) -> None:
        super().__init__(server, name)
        self._radius = radius

    def update(self, feet: NDArray[np.floating], contacts: NDArray[np.floating]) -> None:
        """Feet `[C, 3]` in the world and how much each touches `[C]`, 0 to 1."""
        self.draw.clear()
        self.draw.contacts(feet, contacts, srgb(TOUCHING), self._radius)
        self.show()


class Path(Overlay):
    """A line through points."""

    def __init__(self, server: viser.ViserServer, name: str, color: Color, thickness: float = 0.012) -> None:
        super().__init__(server, name)
        self._color, self._thickness = srgb(color), thickness

    def update(self, points: NDArray[np.floating]) -> None:
        """Points `[N, 3]` in the world, metres."""
        self.draw.clear()
        self.draw.line(points, self._color, self._thickness)
        self.show()


class Arrows(Overlay):
    """Arrows of one colour; those of no length vanish."""

    def __init__(self, server: viser.ViserServer, name: str, color: Color, size: float = 1.0) -> None:
        super().__init__(server, name)
        self._color, self._width = srgb(color), 0.016 * size

    def update(self, starts: NDArray[np.floating], vectors: NDArray[np.floating]) -> None:
        """Where arrows start and what they show, both `[N, 3]` in the world."""
        self.draw.clear()
        self.draw.arrows(starts, vectors, self._color, self._width)
        self.show()


class Bones(Overlay):
    """The skeleton as lines from parents to children. Hidden at first."""

    def __init__(self, server: viser.ViserServer, name: str, skeleton: Skeleton) -> None:
        super().__init__(server, name, visible=False)
        self._parents = skeleton.parents
        self._width = 0.006 * max(skeleton.height, 0.2)

    def update(self, positions: NDArray[np.floating]) -> None:
        """Joint positions `[J, 3]` in the world."""
        if self.visible:
            self.draw.clear()
            self.draw.skeleton(self._parents, positions, width=self._width, joints=1.0, on_top=True)
            self.show()


class JointNames(Overlay):
    """The name of each joint beside it; made when first shown, for they are many. Hidden at first."""

    def __init__(self, server: viser.ViserServer, name: str, names: Sequence[str]) -> None:
        super().__init__(server, name, visible=False)
        self._names = names

    def update(self, positions: NDArray[np.floating]) -> None:
        """Joint positions `[J, 3]` in the world."""
        if self.visible:
            self.draw.clear()
            self.draw.text(positions, self._names, 12.0, pixels=True, on_top=True, anchor=(0.0, 0.0))
            self.show()


class FeatureMarks(Overlay):
    """Features as points, arrows and a path. Hidden at first."""

    def __init__(self, server: viser.ViserServer, name: str, size: float) -> None:
        super().__init__(server, name, visible=False)
        self._size = size

    def update(self, seen: FeatureFrame | None, positions: NDArray[np.floating]) -> None:
        """Draw features at their root frame, or nothing where there are none."""
        self.draw.clear()
        if seen is not None:
            draw_features(self.draw, seen, positions, self._size)
        self.show()


def srgb(color: Color) -> tuple[float, float, float]:
    """A colour of bytes as shares of 1."""
    red, green, blue = color
    return red / 255, green / 255, blue / 255


def foot_joints(skeleton: Skeleton) -> list[int]:
    """The joint whose contact is shown for each foot: the toe where there is one; empty without legs."""
    return [leg.foot if leg.toe is None else leg.toe for leg in skeleton.roles.legs]


def smoothed(path: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """A path `[F, 3]` averaged over `reach` frames to either side, so that what follows it does not shake."""
    padded = np.concatenate([path[:1].repeat(reach + 1, 0), path, path[-1:].repeat(reach, 0)]).astype(np.float64)
    total = padded.cumsum(axis=0)
    return ((total[2 * reach + 1 :] - total[: -2 * reach - 1]) / (2 * reach + 1)).astype(np.float32)
