"""Pictures of Gaussian scenes, drawn by the processor: colour, depth, coverage and which Gaussian is seen."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Indices, Singles
from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.rendering.splats import kernels
from kinema.workers import available_cores
from kinema.worlds import harmonics
from kinema.worlds.gaussians import GaussianScene

T = TypeVar("T")

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
    hidden: Singles | None = None,
    dimmed: Singles | None = None,
    smooth: bool = False,
    threads: int | None = None,
) -> SplatPicture:
    """Draw a scene.

    Args:
        width, height: pixels.
        background: `[3]` or `[H, W, 3]`, sRGB.
        hidden: float32 `[H, W]`: depth of something opaque, such as a character that is in `background`; what is
            farther away is not drawn. None: nothing is.
        dimmed: float32 `[N]`: by how much the light of each Gaussian is multiplied; None: 1.
        smooth: make what is smaller than a pixel fainter instead of larger (Z. Yu et al., "Mip-Splatting", 2024); for
            small pictures of scenes that were not trained at that size.
        threads: how many work; None takes one a processor.

    Raises:
        SceneError: the picture has no size, or too much.
    """
    if not (0 < width <= _TALLEST and 0 < height <= _TALLEST):
        raise SceneError(f"a picture of {width} by {height} pixels; 1 to {_TALLEST} to each side can be drawn")
    limit = np.full((height, width), np.inf, np.float32) if hidden is None else np.asarray(hidden, np.float32)
    workers = 1 if len(scene) < _FEW else threads or available_cores()
    with ThreadPoolExecutor(workers) as pool:
        seen, named = _nearest_first(scene, camera, width, height, smooth, workers, pool)
        colours = colours_seen(scene, camera, named, dimmed)
        shape = (-(-height // kernels.TILE), -(-width // kernels.TILE))
        counts, ends, lists = _tiled(seen, shape, workers, pool)
        light, depth = np.empty((height, width, 3), np.float32), np.empty((height, width), np.float32)
        clear, owner = np.empty((height, width), np.float32), np.empty((height, width), np.int32)

        flat = camera.height is not None

        def blend(first: int, stop: int) -> None:
            out = light, depth, clear, owner
            kernels.blend(ends, counts, lists, seen, named, colours, first, stop, flat, limit, *out)

        _shared(pool, blend, counts.size, min(16 * workers, counts.size))
    alpha = 1.0 - clear
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(owner >= 0, depth / alpha, np.inf).astype(np.float32)
    light += clear[..., None] * np.asarray(background, np.float32)
    return SplatPicture(light, alpha, far, owner)


def _nearest_first(
    scene: GaussianScene,
    camera: Camera,
    width: int,
    height: int,
    smooth: bool,
    workers: int,
    pool: ThreadPoolExecutor,
) -> tuple[Singles, Indices]:
    """What is seen of Gaussians `[N, COLUMNS]` and their numbers `[N]`, nearest first; see `kernels.project`."""
    covariances, opacities, widths = shapes_of(scene)
    axes = np.stack([-camera.left, -camera.up, camera.ahead])
    scale, half = height / 2.0 / camera.half_height, np.asarray([width / 2.0, height / 2.0])
    position, flat = camera.position.astype(np.float32), camera.height is not None
    seen, who = np.empty((len(scene), kernels.COLUMNS), np.float32), np.empty(len(scene), np.int32)

    def project(first: int, stop: int) -> tuple[int, int]:
        fixed = (scene.means, covariances, opacities, widths, axes, position, scale, half, camera.near, flat, smooth)
        return first, kernels.project(*fixed, first, stop, seen, who)

    parts = _shared(pool, project, len(scene), workers)
    rows = np.concatenate([np.arange(first, first + count, dtype=np.int32) for first, count in parts])
    order = rows[kernels.nearest_first(seen[rows, kernels.DEPTH])]
    ordered, named = np.empty((len(order), kernels.COLUMNS), np.float32), np.empty(len(order), np.int32)

    def arrange(first: int, stop: int) -> None:
        kernels.arrange(order, seen, who, first, stop, ordered, named)

    _shared(pool, arrange, len(order), workers)
    return ordered, named


def _tiled(
    seen: Singles, shape: tuple[int, int], workers: int, pool: ThreadPoolExecutor
) -> tuple[np.ndarray, np.ndarray, Indices]:
    """How many Gaussians reach each tile `[down, across]`, where its list ends, and all lists, one after the other."""

    def count(first: int, stop: int) -> np.ndarray:
        found = np.zeros(shape, np.int64)
        kernels.count_tiles(seen, first, stop, found)
        return found

    parts = np.stack(_shared(pool, count, len(seen), workers))
    counts = parts.sum(axis=0)
    ends = np.cumsum(counts).reshape(shape)
    begins = ends - counts + np.cumsum(parts, axis=0) - parts
    lists = np.empty(int(counts.sum()), np.int32)
    limits = np.linspace(0, len(seen), workers + 1).astype(int)

    def fill(first: int, stop: int) -> None:
        kernels.fill_tiles(seen, first, stop, begins[int(np.searchsorted(limits[1:-1], first, side="right"))], lists)

    _shared(pool, fill, len(seen), workers)
    return counts, ends, lists


_SHAPES: WeakKeyDictionary[GaussianScene, tuple[Singles, Singles, Singles]] = WeakKeyDictionary()


def shapes_of(scene: GaussianScene) -> tuple[Singles, Singles, Singles]:
    """What `kernels.shapes` gives of a scene; it is worked out once."""
    found = _SHAPES.get(scene)
    if found is None:
        count = len(scene)
        found = np.empty((count, 6), np.float32), np.empty(count, np.float32), np.empty(count, np.float32)
        kernels.shapes(scene.quaternions, scene.log_scales, scene.logits, 0, count, *found)
        _SHAPES[scene] = found
    return found


def _shared(pool: ThreadPoolExecutor, work: Callable[[int, int], T], count: int, parts: int) -> list[T]:
    """The results of work on parts of a range."""
    ends = np.linspace(0, count, parts + 1).astype(int).tolist()
    return list(pool.map(lambda part: work(*part), pairwise(ends)))


def colours_seen(scene: GaussianScene, camera: Camera, named: Indices, dimmed: Singles | None = None) -> Singles:
    """Colours `[N, 3]` of some Gaussians as the camera sees them.

    Args:
        named: `[N]`: their numbers. dimmed: see `rasterise`.
    """
    if scene.degree == 0:
        colours = np.float32(0.5) + np.float32(harmonics.MEAN) * scene.harmonics[named, 0]
    else:
        toward = scene.means[named] - camera.position.astype(np.float32)
        toward /= np.maximum(np.linalg.norm(toward, axis=-1, keepdims=True), 1e-9)
        if camera.height is not None:
            toward[:] = camera.ahead
        colours = harmonics.colours(scene.harmonics[named], toward)
    shown = np.maximum(colours, 0.0, dtype=np.float32)
    return shown if dimmed is None else shown * (dimmed[named] ** np.float32(1.0 / 2.2))[:, None]
