"""From textures to arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bytes, Singles
from kinema.rendering.camera import Camera
from kinema.rendering.frame import Frame
from kinema.rendering.lens import metres
from kinema.rendering.targets import Targets


def read_buffers(targets: Targets, camera: Camera, buffers: Sequence[str], opaque: bytes | None = None) -> Frame:
    """The requested buffers; all but colour take one of several samples in a pixel, since they have no average.

    Args:
        opaque: the depth buffer before transparent things were drawn, if there were any.
    """
    found: dict[str, Any] = {}
    if "color" in buffers:
        found["color"] = _color(targets)
    if "depth" in buffers or "normals" in buffers:
        raw = _plain(targets, targets.depth.read(alignment=4) if opaque is None else opaque, np.float32, 1)[..., 0]
        found["depth"] = metres(raw, camera)
    if "normals" in buffers:
        folded = _plain(targets, targets.normal.read(), np.float16, 4)[..., :2].astype(np.float32)
        found["normals"] = np.where(raw[..., None] < 1.0, unfold(folded), np.float32(0.0))
    if targets.ids is not None:
        ids = _plain(targets, targets.ids.read(), np.int32, 2)
        found["entities"], found["parts"] = np.ascontiguousarray(ids[..., 0]), np.ascontiguousarray(ids[..., 1])
    if targets.motion is not None:
        found["motion"] = np.ascontiguousarray(_plain(targets, targets.motion.read(), np.float32, 2))
    return Frame(**{name: array for name, array in found.items() if name in buffers})


def _color(targets: Targets) -> Bytes:
    width, height = targets.output
    raw = targets.color_frame.read(components=4, alignment=1)
    color = np.ascontiguousarray(np.frombuffer(raw, np.uint8).reshape(height, width, 4)[::-1])
    clear = color[..., 3] < 255
    if clear.any():
        color[clear] = straight(color[clear])
    return color


def unfold(folded: Singles) -> Singles:
    """Unit normals `[..., 3]` from their octahedral form `[..., 2]`; the reverse of `fold` in `common.glsl`."""
    normal = np.concatenate([folded, 1.0 - np.abs(folded).sum(-1, keepdims=True)], axis=-1)
    under = np.maximum(-normal[..., 2:], 0.0)
    normal[..., :2] -= np.where(normal[..., :2] >= 0, under, -under)
    return (normal / np.linalg.norm(normal, axis=-1, keepdims=True)).astype(np.float32)


def straight(color: Bytes) -> Bytes:
    """Pixels `[..., 4]` with their alpha divided out; black where there is nothing."""
    alpha = color[..., 3:].astype(np.float32)
    rgb = np.where(alpha > 0, np.minimum(color[..., :3] * (255.0 / np.maximum(alpha, 1.0)), 255.0), 0.0)
    return np.concatenate([np.round(rgb), alpha], axis=-1).astype(np.uint8)


def _plain(targets: Targets, raw: bytes, kind: type, parts: int) -> NDArray:
    """Rows from the top, one sample a pixel."""
    (width, height), samples = targets.size, targets.size[0] // targets.output[0]
    array = np.frombuffer(raw, kind).reshape(height, width, parts)
    return array[::-1][samples // 2 :: samples, samples // 2 :: samples]
