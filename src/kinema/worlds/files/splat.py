"""Scenes in `.splat` files: 32 bytes a Gaussian, without a header (K. Kwok's viewer, 2023)."""

from __future__ import annotations

import numpy as np

from kinema.errors import FormatError
from kinema.worlds.files.packing import colour_to_harmonic, harmonic_to_colour, logit
from kinema.worlds.gaussians import GaussianScene

_ROW = np.dtype([("mean", "<f4", 3), ("scale", "<f4", 3), ("colour", "u1", 4), ("rotation", "u1", 4)])
_SMALLEST = 1e-12


def read(data: bytes | memoryview) -> GaussianScene:
    """The scene of a file, in its axes.

    Raises:
        FormatError: it is no whole number of Gaussians.
    """
    if not len(data) or len(data) % _ROW.itemsize:
        raise FormatError(f"has {len(data)} bytes, which is no whole number of Gaussians of {_ROW.itemsize}")
    rows = np.frombuffer(data, _ROW)
    colour = rows["colour"].astype(np.float32) / np.float32(255)
    turn = (rows["rotation"].astype(np.float32) - np.float32(128)) / np.float32(128)
    turn[~turn.any(axis=-1), 0] = 1.0
    return GaussianScene(
        rows["mean"].copy(),
        turn,
        np.log(np.maximum(rows["scale"], np.float32(_SMALLEST))),
        logit(colour[:, 3]),
        colour_to_harmonic(colour[:, :3])[:, None],
    )


def write(scene: GaussianScene) -> list[bytes]:
    """The bytes of a file; colours lose what depends on the view. The most conspicuous come first."""
    scene = scene.taken(np.argsort(-scene.opacities * scene.scales.prod(axis=-1), kind="stable"))
    rows = np.empty(len(scene), _ROW)
    colour = np.concatenate([harmonic_to_colour(scene.harmonics[:, 0]), scene.opacities[:, None]], axis=-1)
    rows["mean"], rows["scale"] = scene.means, scene.scales
    rows["colour"] = np.rint(np.clip(colour, 0.0, 1.0) * 255.0)
    rows["rotation"] = np.clip(np.rint(scene.rotations * 128.0) + 128.0, 0, 255)
    return [rows.tobytes()]
