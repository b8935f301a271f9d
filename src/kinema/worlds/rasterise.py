"""Pictures of Gaussian scenes, drawn by the processor: colour, depth, coverage and which Gaussian is seen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Indices, Singles
from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.workers import available_cores
from kinema.worlds import harmonics, splat_kernels
from kinema.worlds.gaussians import GaussianScene

_TALLEST = 16_384  # pixels of a side
_FEW = 20_000  # Gaussians for which threads are not worth it


@dataclass(frozen=True, eq=False)
class SplatPicture:
    """A picture of a scene.

    Attributes:
        colour: float32 `[H, W, 3]`, sRGB, over the background.
        alpha: float32 `[H, W]`: how much of the background the scene covers.
        depth: float32 `[H, W]`: mean distance ahead of the camera of what is seen, metres; infinite where nothing is.
        owner: int32 `[H, W]`: the Gaussian with the largest share in a pixel; -1 for none.
    """

    colour: Singles
    alpha: Singles
    depth: Singles
    owner: Indices


def rasterise(
    scene: GaussianScene,
    camera: Camera,
    width: int,
    height: int,
    *,
    background: ArrayLike = (0.0, 0.0, 0.0),
    smooth: bool = False,
    threads: int | None = None,
) -> SplatPicture:
    """Draw a scene.

    Args:
        width, height: pixels.
        background: `[3]`, sRGB.
        smooth: make what is smaller than a pixel fainter instead of larger (Z. Yu et al., "Mip-Splatting", 2024); for
            small pictures of scenes that were not trained at that size.
        threads: how many work; None takes one a processor.

    Raises:
        SceneError: the picture has no size, or too much.
    """
    if not (0 < width <= _TALLEST and 0 < height <= _TALLEST):
        raise SceneError(f"a picture of {width} by {height} pixels; 1 to {_TALLEST} to each side can be drawn")
    workers = 1 if len(scene) < _FEW else threads or available_cores()
    with ThreadPoolExecutor(workers) as pool:
        seen, reach = _projected(scene, camera, width, height, smooth, workers, pool)
        visible = np.flatnonzero(reach[:, 0] > 0)
        order = visible[np.argsort(seen[visible, 2], kind="stable")].astype(np.int32)
        shape = (-(-height // splat_kernels.TILE), -(-width // splat_kernels.TILE))
        counts = np.zeros(shape, np.int64)
        splat_kernels.count_tiles(order, seen, reach, counts)
        ends = np.cumsum(counts).reshape(shape)
        begins = ends - counts
        lists = np.empty(int(counts.sum()), np.int32)
        splat_kernels.fill_tiles(order, seen, reach, begins, lists)
        light, depth = np.empty((height, width, 3), np.float32), np.empty((height, width), np.float32)
        clear, owner = np.empty((height, width), np.float32), np.empty((height, width), np.int32)
        colours = _colours(scene, camera, visible)
        tiles = np.linspace(0, counts.size, 4 * workers + 1).astype(int).tolist()
        jobs = [
            pool.submit(splat_kernels.blend, ends, counts, lists, seen, colours, a, b, light, depth, clear, owner)
            for a, b in pairwise(tiles)
        ]
        for job in jobs:
            job.result()
    alpha = 1.0 - clear
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(owner >= 0, depth / alpha, np.inf).astype(np.float32)
    over = light + clear[..., None] * np.asarray(background, np.float32)
    return SplatPicture(over.astype(np.float32), alpha.astype(np.float32), far, owner)


def _projected(
    scene: GaussianScene,
    camera: Camera,
    width: int,
    height: int,
    smooth: bool,
    workers: int,
    pool: ThreadPoolExecutor,
) -> tuple[Singles, Singles]:
    """What `splat_kernels.project` gives, of all Gaussians."""
    seen, reach = splat_kernels.empty(len(scene))
    axes = np.stack([-camera.left, -camera.up, camera.ahead]).astype(np.float32)
    scale, half = height / 2.0 / camera.half_height, np.asarray([width / 2.0, height / 2.0], np.float32)
    parts = np.linspace(0, len(scene), workers + 1).astype(int).tolist()
    jobs = [
        pool.submit(
            splat_kernels.project,
            scene.means,
            scene.quaternions,
            scene.log_scales,
            scene.logits,
            axes,
            camera.position.astype(np.float32),
            np.float32(scale),
            half,
            np.float32(camera.near),
            camera.height is not None,
            smooth,
            first,
            stop,
            seen,
            reach,
        )
        for first, stop in pairwise(parts)
    ]
    for job in jobs:
        job.result()
    return seen, reach


def _colours(scene: GaussianScene, camera: Camera, visible: np.ndarray) -> Singles:
    """Colours `[N, 3]` as the camera sees them; of those that are not visible, anything."""
    out = np.empty((len(scene), 3), np.float32)
    if scene.degree == 0:
        np.multiply(scene.harmonics[:, 0], np.float32(harmonics.MEAN), out=out)
        out += np.float32(0.5)
    else:
        toward = scene.means[visible] - camera.position.astype(np.float32)
        toward /= np.maximum(np.linalg.norm(toward, axis=-1, keepdims=True), 1e-9)
        if camera.height is not None:
            toward[:] = camera.ahead
        out[visible] = harmonics.colours(scene.harmonics[visible], toward)
    return np.maximum(out, 0.0, out=out)
