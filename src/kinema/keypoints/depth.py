"""How far limbs point towards the viewer: what flat limbs over half a second say of it, by a small network.

It was trained by `scripts/learned_depth.py` on motion capture seen from all sides. It sees limbs as shares of their
lengths, so neither the size of a person nor its proportions matter.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import numpy as np

from kinema.arrays import Floats, Reals, Singles
from kinema.errors import MissingError
from kinema.keypoints.proportions import LIMBS, PARTS, index, limb_ends, limb_parts
from kinema.keypoints.smoothing import interpolated

RATE = 30.0
"""Frames per second of what the network sees."""

OFFSETS = (-15, -11, -8, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8, 11, 15)
"""Frames around the one that is asked for."""

COUNT = len(LIMBS) + 3
"""Directions: limbs, then from the neck to between the ears, from there to the nose, from the right ear to the left."""

_BLOCK = 2048  # frames at a time


def directions(points: Reals, lengths: Reals) -> Floats:
    """Limbs and the head's directions as shares of their lengths, `[N, 18, D]`.

    Args:
        points: `[N, 21, D]`, metres, of `kinema.keypoints.proportions.NAMES`.
        lengths: metres, `[9]`, of `kinema.keypoints.proportions.PARTS`; or `[N, 9]`.
    """
    ends = limb_ends()
    limbs = (points[:, ends[:, 1]] - points[:, ends[:, 0]]) / lengths[..., limb_parts(), None]
    left, right, nose, neck = (points[:, index(name)] for name in ("left_ear", "right_ear", "nose", "neck"))
    head = np.stack([(left + right) / 2 - neck, nose - (left + right) / 2, left - right], axis=1)
    return np.concatenate([limbs, head / lengths[..., PARTS.index("head"), None, None]], axis=1)


def towards(flat: Reals, lengths: Reals, fps: float) -> Floats:
    """How far limbs point towards the viewer, shares of their lengths `[N, 18]`.

    Args:
        flat: `[N, 21, 2]`, metres: right in the picture, and up.
        lengths: metres, `[9]`.
        fps: frames per second.
    """
    seen = directions(flat, lengths).reshape(len(flat), -1)
    times = np.arange(max(round((len(seen) - 1) * RATE / fps), 0) + 1) / RATE
    seen = interpolated(seen, times * fps).astype(np.float32)
    blocks = [_guess(seen, np.arange(first, min(first + _BLOCK, len(seen)))) for first in range(0, len(seen), _BLOCK)]
    return interpolated(np.concatenate(blocks).astype(np.float64), np.arange(len(flat)) / fps * RATE)


def _guess(seen: Singles, frames: np.ndarray) -> Singles:
    around = np.clip(frames[:, None] + np.array(OFFSETS), 0, len(seen) - 1)
    values, (*inner, last) = seen[around].reshape(len(frames), -1), _layers()
    for weights, shift in inner:
        values = np.maximum(values @ weights + shift, 0.0)
    return values @ last[0] + last[1]


@cache
def _layers() -> tuple[tuple[Singles, Singles], ...]:
    try:
        from safetensors.numpy import load_file
    except ModuleNotFoundError:
        raise MissingError("depth from key points needs the package safetensors: pip install 'kinema[learn]'") from None
    file = resources.files("kinema").joinpath("weights", "depth", "model.safetensors")
    with resources.as_file(file) as path:
        stored = load_file(path)
    names = sorted(name.removeprefix("weights") for name in stored if name.startswith("weights"))
    return tuple(
        (stored[f"weights{name}"].astype(np.float32), stored[f"shift{name}"].astype(np.float32)) for name in names
    )
