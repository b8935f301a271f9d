"""What a renderer returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kinema.arrays import Bytes, Indices, Singles

if TYPE_CHECKING:
    from kinema.rendering.splats.graphics import SplatLayer
    from kinema.rendering.view import View

BUFFERS = ("color", "depth", "normals", "entities", "parts", "motion")
"""What can be requested."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture; buffers that were not requested are None. Row 0 is the top. All but colour show what is opaque.

    Attributes:
        color: uint8 `[H, W, 4]`, sRGB, straight alpha.
        depth: float32 `[H, W]`, metres along the view direction; inf where nothing is.
        normals: float32 `[H, W, 3]`, unit, world; zero where nothing is, or a captured scene.
        entities: int32 `[H, W]`; 0 where no character is (floor and sky).
        parts: int32 `[H, W]`, index into `kinema.rendering.parts.PARTS`; 0 where no character is.
        motion: float32 `[H, W, 2]`, pixels (x right, y down) from where the point was in the previous picture.
    """

    color: Bytes | None = None
    depth: Singles | None = None
    normals: Singles | None = None
    entities: Indices | None = None
    parts: Indices | None = None
    motion: Singles | None = None


class Renders(Protocol):
    """Draws views: `kinema.rendering.renderer.Renderer`, or a stand-in."""

    def render(self, view: View, buffers: Sequence[str] = ("color",)) -> Any: ...


def empty_frame(width: int, height: int, buffers: Sequence[str]) -> Frame:
    """The picture of a renderer without area."""
    kinds: dict[str, tuple[tuple[int, ...], Any]] = {
        "color": ((4,), np.uint8),
        "depth": ((), np.float32),
        "normals": ((3,), np.float32),
        "entities": ((), np.int32),
        "parts": ((), np.int32),
        "motion": ((2,), np.float32),
    }
    arrays: dict[str, Any] = {name: np.zeros((height, width, *kinds[name][0]), kinds[name][1]) for name in buffers}
    return Frame(**arrays)


def covered(frame: Frame, layer: SplatLayer) -> Frame:
    """A frame whose buffers, all but colour, show a captured scene where it hides at least half of what is behind.

    Args:
        layer: what is before the bodies, a whole number of times as large as the frame.
    """
    if all(getattr(frame, name) is None for name in BUFFERS if name != "color"):
        return frame
    width, height = layer.size
    light, depths = (
        np.frombuffer(texture.read(), np.float32).reshape(height, width, -1)[::-1]
        for texture in (layer.light, layer.depth)
    )
    hides, far = light[..., 3] >= 0.5, depths[..., 0] / np.maximum(light[..., 3], np.float32(1e-9))
    changed: dict[str, Any] = {}
    for name in ("depth", "normals", "entities", "parts", "motion"):
        buffer = getattr(frame, name)
        if buffer is None:
            continue
        step = hides.shape[0] // buffer.shape[0]
        rows = slice(step // 2, None, step)
        hidden, depth = hides[rows, rows], far[rows, rows]
        if name == "depth":
            changed[name] = np.where(hidden, depth, buffer)
        elif name != "motion":
            changed[name] = np.where(hidden if buffer.ndim == 2 else hidden[..., None], buffer.dtype.type(0), buffer)
    return replace(frame, **changed)
