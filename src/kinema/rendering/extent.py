"""Where in a picture bodies are, so that what is done to them is not done to all of it.

Drivers that draw on the processor run a shader for all pixels of a pass, whatever its conditions say.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from kinema.arrays import Reals
from kinema.rendering.camera import Camera
from kinema.rendering.targets import Size

if TYPE_CHECKING:
    import moderngl

Extent = tuple[int, int, int, int]
"""A rectangle: its left and lower ends, then width and height, pixels."""

_MARGIN = 16  # pixels; more than the passes look to the sides


def whole(size: Size) -> Extent:
    """All of a picture."""
    return (0, 0, *size)


def parts(where: Extent, size: Size) -> list[tuple[Extent, bool]]:
    """What is drawn one after the other, and whether as bodies need it: all of a picture without that, then a part."""
    return [(where, True)] if where == whole(size) else [(whole(size), False), (where, True)]


def extent(camera: Camera, size: Size, centers: Reals, radii: Reals) -> Extent:
    """The part of a picture that spheres can be seen in, with a margin; without width where there are none.

    Args:
        centers, radii: `[M, 3]` and `[M]`: spheres, metres, world.
    """
    if not len(centers):
        return (0, 0, 0, 0)
    width, height = size
    away = np.asarray(centers, np.float64) - camera.position
    radius = np.asarray(radii, np.float64)
    ahead = away @ camera.ahead
    seen = ahead + radius >= camera.near
    if (seen & (ahead - radius < camera.near)).any() and camera.height is None:
        return whole(size)
    away, radius, ahead = away[seen], radius[seen], ahead[seen]
    ends = []
    for axis, pixels in ((-camera.left, width), (camera.up, height)):
        at = away @ axis
        low, high = at - radius, at + radius
        if camera.height is None:
            # Of a box around the sphere, the corner that is seen farthest out.
            low = low / np.where(low < 0, ahead - radius, ahead + radius)
            high = high / np.where(high > 0, ahead - radius, ahead + radius)
        scale, middle = height / 2.0 / camera.half_height, pixels / 2.0
        first = np.floor(middle + scale * low.min(initial=np.inf)) - _MARGIN
        last = np.ceil(middle + scale * high.max(initial=-np.inf)) + _MARGIN
        ends.append((int(np.clip(first, 0, pixels)), int(np.clip(last, 0, pixels))))
    (left, right), (bottom, top) = ends
    return (left, bottom, max(right - left, 0), max(top - bottom, 0))


@contextmanager
def within(frame: moderngl.Framebuffer, where: Extent, shrunk: int = 1) -> Iterator[None]:
    """Draw into a part of a framebuffer, which is smaller than the picture by a factor."""
    left, bottom, width, height = where
    right, top = -(-(left + width) // shrunk), -(-(bottom + height) // shrunk)
    left, bottom = left // shrunk, bottom // shrunk
    frame.use()
    frame.scissor = (left, bottom, right - left, top - bottom)
    try:
        yield
    finally:
        frame.scissor = None  # pyright: ignore[reportAttributeAccessIssue]
