"""The surfaces that cameras see in a fitted scene, as discs: fog that only looks like a surface becomes one."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Singles
from kinema.errors import SceneError
from kinema.rendering.reconstruction.numbers import Numbers
from kinema.rendering.reconstruction.photos import Lens
from kinema.rendering.reconstruction.picture import draw
from kinema.worlds.files.packing import colour_to_harmonic, logit
from kinema.worlds.gaussians import GaussianScene

MOST = 400_000
"""Discs at most; of more, some are drawn by lot."""

_COVERED, _SPREAD, _SLANTED = 0.9, 0.1, 0.1  # least coverage; most deviation of depth, over it; least slope of the view
_OPACITY, _WIDE, _FLAT = 0.6, 0.6, 0.05  # of discs; deviations along and across, over the size of a pixel there


def seen_surfaces(
    scene: GaussianScene, lenses: list[Lens], near: float, *, smooth: bool = True, seed: int = 0
) -> GaussianScene:
    """Discs on what cameras see of a scene: one for a pixel, at its depth, as large as it is there.

    Pixels do not count that are covered by less than nine tenths, whose depths differ much within, or whose surface is
    seen from its edge.

    Args:
        lenses: cameras, of the sizes of the pictures that the scene was fitted to. near: metres, below which nothing
            is drawn. smooth: see `rasterise`. seed: of the lot.

    Raises:
        SceneError: nothing of the scene is seen.
    """
    numbers = Numbers.of(scene)
    parts = [_discs(numbers, lens, near, smooth) for lens in lenses]
    places, normals, sizes, colours = (np.concatenate(part) for part in zip(*parts, strict=True))
    if not len(places):
        raise SceneError("nothing of the scene is seen by any camera")
    chosen = np.arange(len(places))
    if len(places) > MOST:
        chosen = np.random.default_rng(seed).choice(len(places), MOST, replace=False)
        sizes = sizes * np.sqrt(len(places) / MOST)
    scales = np.log(np.asarray([_WIDE, _WIDE, _FLAT]) * sizes[chosen, None]).astype(np.float32)
    return GaussianScene(
        places[chosen].astype(np.float32),
        rotations.between(np.asarray([0.0, 0.0, 1.0]), normals[chosen]).astype(np.float32),
        scales,
        np.full(len(chosen), logit(np.asarray([_OPACITY]))[0], np.float32),
        colour_to_harmonic(colours[chosen])[:, None],
        name=scene.name,
    )


def _discs(numbers: Numbers, lens: Lens, near: float, smooth: bool) -> tuple[Floats, Floats, Floats, Singles]:
    """Places `[N, 3]`, normals `[N, 3]`, sizes of pixels there, metres, `[N]`, and colours `[N, 3]`."""
    drawn = draw(numbers, lens, near, smooth)
    alpha = np.maximum(1.0 - drawn.clear, 1e-6)
    inverse = np.maximum(drawn.sums[..., 3] / alpha, 1e-9).astype(np.float64)
    spread = np.sqrt(np.maximum(drawn.sums[..., 4] / alpha - inverse**2, 0.0)) / inverse
    row, column = np.indices(inverse.shape)
    rays = lens.rays(np.stack([column + 0.5, row + 0.5], axis=-1).astype(np.float64))
    places = lens.position + rays / inverse[..., None]
    across, down = (np.gradient(places, axis=axis) for axis in (1, 0))
    normals = np.cross(across, down)
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-12)
    facing = np.abs((normals * rays).sum(axis=-1)) / np.linalg.norm(rays, axis=-1)
    kept: Bools = (alpha > _COVERED) & (spread < _SPREAD) & (facing > _SLANTED)
    sizes = 1.0 / (inverse * float(lens.focal.mean())) / np.sqrt(np.maximum(facing, _SLANTED))
    colours = (drawn.sums[..., :3] / alpha[..., None]).astype(np.float32)
    return places[kept], normals[kept], sizes[kept], colours[kept]
