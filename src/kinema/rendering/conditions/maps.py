"""Maps of a picture for ControlNets and their kin: depth, normals, parts, mask, edges, and the picture without a body.

All take buffers of a `kinema.rendering.frame.Frame` and return uint8 pictures of the same size, `[H, W, 3]`, rows from
the top.
"""

from __future__ import annotations

import numpy as np

from kinema.arrays import Bools, Bytes, Indices, Reals, Singles
from kinema.rendering.camera import Camera
from kinema.rendering.film.output import Pixels
from kinema.rendering.parts import PARTS

FLAT = (128, 128, 255)
"""Normals of what has none, such as the sky: it faces the viewer."""

HOLE = (127, 127, 127)
"""What inpainting models take for "paint here"."""

_SKIN = {
    "background": (0, 0, 0), "other": (128, 128, 128), "pelvis": (150, 75, 0), "torso": (255, 128, 0),
    "neck": (255, 200, 120), "head": (255, 255, 0),
    "left_shoulder": (0, 60, 120), "left_upper_arm": (0, 90, 255), "left_forearm": (0, 170, 255),
    "left_hand": (0, 255, 255), "left_thigh": (0, 120, 60), "left_shin": (0, 200, 60), "left_foot": (140, 255, 0),
    "right_shoulder": (110, 0, 60), "right_upper_arm": (255, 0, 60), "right_forearm": (255, 60, 140),
    "right_hand": (255, 150, 200), "right_thigh": (110, 0, 160), "right_shin": (170, 40, 255),
    "right_foot": (220, 150, 255),
}  # fmt: skip

PART_COLORS: Bytes = np.array([_SKIN[name] for name in PARTS], np.uint8)
"""sRGB `[20, 3]` of `kinema.rendering.parts.PARTS`: blue and green on the left, red and violet on the right."""

_LUMA = np.array([0.299, 0.587, 0.114])
_LOW, _HIGH = 40.0, 80.0  # thresholds, for 8-bit grey: those of ControlNet (100, 200) for a picture that is softened
_SOFTEN = 1.0  # pixels, of the Gaussian in Canny's method
_BLUR = 1 / 40  # of the shorter side
_TANGENTS = (np.tan(np.pi / 8), np.tan(3 * np.pi / 8))


def depth_map(depth: Singles, nearest: float, farthest: float) -> Pixels:
    """Inverse depth as MiDaS has it: white up to `nearest`, black from `farthest` on and where nothing is.

    Args:
        depth: `[H, W]`, metres, infinite where nothing is.
        nearest, farthest: metres, the same for a whole clip, so that nothing flickers.
    """
    inverse = 1.0 / np.maximum(depth.astype(np.float64), 1e-6)
    grey = (inverse - 1.0 / farthest) / max(1.0 / nearest - 1.0 / farthest, 1e-12)
    return _grey(np.rint(255 * np.clip(grey, 0.0, 1.0)))


def normals_map(normals: Singles, camera: Camera) -> Pixels:
    """Normals of the camera's space as ControlNet's normal-bae has them: red is left, green up, blue to the viewer.

    Args:
        normals: `[H, W, 3]`, unit, world; zero where there are none.
    """
    axes = np.stack([camera.left, camera.up, -camera.ahead], axis=1)
    seen = normals.astype(np.float64) @ axes
    colors = np.rint(np.clip(127.5 + 127.5 * seen, 0, 255)).astype(np.uint8)
    colors[~normals.any(axis=-1)] = FLAT
    return colors


def parts_map(parts: Indices) -> Pixels:
    """Body parts in `PART_COLORS`, from the part buffer `[H, W]`."""
    return PART_COLORS[parts]


def mask_map(entities: Indices) -> Pixels:
    """White where a character is seen, black elsewhere, from the entity buffer `[H, W]`."""
    return _grey(np.where(entities > 0, 255, 0))


def body_map(color: Pixels, entities: Indices) -> Pixels:
    """The picture `[H, W, 3 or 4]` with nothing but the body, on black."""
    return np.where((entities > 0)[..., None], color[..., :3], 0).astype(np.uint8)


def inpaint_map(background: Pixels, entities: Indices) -> Pixels:
    """The picture without the body, and `HOLE` where the body is."""
    return np.where((entities > 0)[..., None], np.array(HOLE, np.uint8), background[..., :3])


def blurred_map(color: Pixels) -> Pixels:
    """The picture, so blurred that it says no more than layout and colours."""
    from scipy.ndimage import gaussian_filter

    sigma = _BLUR * min(color.shape[:2])
    soft = gaussian_filter(color[..., :3].astype(np.float32), (sigma, sigma, 0), mode="nearest")
    return np.rint(np.clip(soft, 0, 255)).astype(np.uint8)


def edges_map(color: Pixels) -> Pixels:
    """Edges of the picture by Canny's method, white on black: thin, and strong or joined to strong ones."""
    from scipy.ndimage import gaussian_filter, label, sobel

    grey = gaussian_filter(color[..., :3].astype(np.float64) @ _LUMA, _SOFTEN, mode="nearest")
    across, down = sobel(grey, axis=1, mode="nearest"), sobel(grey, axis=0, mode="nearest")
    strength = np.abs(across) + np.abs(down)
    thin = strength * _ridges(strength, across, down)
    pieces = np.zeros(grey.shape, np.int32)
    label(thin > _LOW, np.ones((3, 3)), output=pieces)
    strong = np.unique(pieces[thin > _HIGH])
    return _grey(np.where(np.isin(pieces, strong), 255, 0))


def face_map(color: Pixels, box: tuple[int, int, int, int], size: int) -> Pixels:
    """A square of the picture, `[size, size, 3]`; what lies outside of the picture is black.

    Args:
        box: left, top, right and bottom, pixels.
    """
    from PIL import Image

    crop = Image.fromarray(np.ascontiguousarray(color[..., :3])).crop(box)
    return np.asarray(crop.resize((size, size), Image.Resampling.BICUBIC))


def _ridges(strength: Reals, across: Reals, down: Reals) -> Bools:
    """Where the gradient is not less than that of its neighbours along its direction."""
    padded = np.pad(strength, 1)
    height, width = strength.shape
    shifted = lambda y, x: padded[1 + y : 1 + y + height, 1 + x : 1 + x + width]  # noqa: E731
    slope = np.abs(down) / np.maximum(np.abs(across), 1e-9)
    falling = across * down >= 0  # the gradient points down and right, or up and left
    ways = [
        (slope < _TANGENTS[0], (0, 1)),
        (slope > _TANGENTS[1], (1, 0)),
        ((slope >= _TANGENTS[0]) & (slope <= _TANGENTS[1]) & falling, (1, 1)),
        ((slope >= _TANGENTS[0]) & (slope <= _TANGENTS[1]) & ~falling, (1, -1)),
    ]
    ridge = np.zeros(strength.shape, np.bool_)
    for along, (y, x) in ways:
        ridge |= along & (strength > shifted(-y, -x)) & (strength >= shifted(y, x))
    return ridge


def _grey(values: Reals) -> Pixels:
    return np.repeat(values.astype(np.uint8)[..., None], 3, axis=-1)
