"""Pictures of Gaussian scenes, drawn by the processor: colour, depth, coverage and which Gaussian is seen."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Indices, Singles
from kinema.errors import SceneError
from kinema.rendering.camera import Camera
from kinema.rendering.splats import blending, kernels, seeing
from kinema.workers import available_cores
from kinema.worlds.gaussians import GaussianScene

T = TypeVar("T")

_TALLEST = 16_384  # pixels of a side
_FEW = 20_000  # Gaussians for which threads are not worth it
_MOST_THREADS = 16  # the lists of more take longer to merge
_SHARES = 4  # of a picture that each thread blends, so that none waits long for another


@dataclass(frozen=True, eq=False)
class SplatPicture:
    """A picture of a scene.

    Attributes:
        light: float32 `[H, W, 4]`: colour and alpha.
        depth: float32 `[H, W]`: mean distance ahead of the camera of what is seen, metres; infinite where nothing is.
        owner: int32 `[H, W]`: the Gaussian with the largest share in a pixel; -1 for none.
    """

    light: Singles
    depth: Singles
    owner: Indices

    @property
    def colour(self) -> Singles:
        """`[H, W, 3]`, sRGB, over the background."""
        return self.light[..., :3]

    @property
    def alpha(self) -> Singles:
        """`[H, W]`: how much of the background the scene covers."""
        return self.light[..., 3]


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
    upward: bool = False,
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
        upward: all rows, those of the arguments too, are from the bottom up, as graphics cards keep them.
        threads: how many work; None takes one a processor.

    Raises:
        SceneError: the picture has no size, or too much; or an array does not fit the picture or the scene.
    """
    if not (0 < width <= _TALLEST and 0 < height <= _TALLEST):
        raise SceneError(f"a picture of {width} by {height} pixels; 1 to {_TALLEST} to each side can be drawn")
    behind = _fitting("background", background, (3,), (height, width, 3))
    limit = _fitting("hidden", np.inf if hidden is None else hidden, (), (height, width))
    light = _fitting("dimmed", np.empty(0) if dimmed is None else dimmed, (0,), (len(scene),))
    workers = 1 if len(scene) < _FEW else min(threads or available_cores(), _MOST_THREADS)
    desk, flat = _DESK, camera.height is not None
    begins, ends = _listed(scene, camera, (width, height), light, (smooth, upward), workers, desk)
    picture = SplatPicture(
        np.empty((height, width, 4), np.float32),
        np.empty((height, width), np.float32),
        np.empty((height, width), np.int32),
    )
    given = begins, ends, desk.lists, desk.seen, desk.who
    out = picture.light, picture.depth, picture.owner
    around = np.atleast_2d(limit), behind.reshape(1, 1, 3) if behind.ndim == 1 else behind
    shares = 1 if workers == 1 else _SHARES * workers
    effort = np.cumsum((ends - begins).sum(axis=-1).ravel() + kernels.TILE**2)
    limits = np.searchsorted(effort, np.linspace(0, effort[-1], shares + 1), side="right").tolist()

    def blend(share: int) -> None:
        blending.blend(*given, limits[share], limits[share + 1], flat, *around, *out)

    _shared(workers, blend, shares)
    return picture


def _listed(
    scene: GaussianScene,
    camera: Camera,
    size: tuple[int, int],
    dimmed: Singles,
    manner: tuple[bool, bool],
    workers: int,
    desk: _Desk,
) -> tuple[np.ndarray, np.ndarray]:
    """Fill a desk with what is seen of a scene, of which each thread takes a part.

    Args:
        manner: `smooth` and `upward` of `rasterise`.

    Returns:
        Where the list of each tile and part begins and ends, `[down, across, parts]`.
    """
    (width, height), (smooth, upward) = size, manner
    axes = np.stack([-camera.left, camera.up if upward else -camera.up, camera.ahead]).astype(np.float32)
    position, half = (
        camera.position.astype(np.float32),
        np.asarray([width, height], np.float32) / np.float32(2.0),
    )
    scale, near = np.float32(height / 2.0 / camera.half_height), np.float32(camera.near)
    lens = axes, position, scale, half, near, camera.height is not None
    desk.reserve(gaussians=len(scene))
    data, out = (
        (*shapes_of(scene), scene.harmonics, dimmed, *lens, smooth),
        (desk.seen, desk.who, desk.order, desk.boxes),
    )
    counts = np.zeros((workers, -(-height // kernels.TILE), -(-width // kernels.TILE)), np.int64)
    limits = np.linspace(0, len(scene), workers + 1).astype(int).tolist()

    def see(part: int) -> int:
        return seeing.see(*data, limits[part], limits[part + 1], *out, counts[part])

    stops = _shared(workers, see, workers)
    ends = np.cumsum(np.moveaxis(counts, 0, -1)).reshape(*counts.shape[1:], workers)
    begins = ends - np.moveaxis(counts, 0, -1)
    desk.reserve(entries=int(ends[-1, -1, -1]))
    at, order, boxes, lists = (
        np.moveaxis(begins, -1, 0).copy(),
        desk.order,
        desk.boxes,
        desk.lists,
    )

    def fill(part: int) -> None:
        seeing.list_tiles(order[limits[part] : stops[part]], boxes, at[part], lists)

    _shared(workers, fill, workers)
    return begins, ends


class _Desk(threading.local):
    """Arrays of a thread that stay from one picture to the next, because to find memory takes as long as to fill it.

    Attributes:
        seen, who, order, boxes: see `seeing.see`. lists: see `blending.blend`.
    """

    def __init__(self) -> None:
        self.seen = np.empty((0, seeing.WIDTH), np.float32)
        self.boxes = np.empty((0, 4), np.int16)
        self.who, self.order, self.lists = (np.empty(0, np.int32) for _ in range(3))

    def reserve(self, gaussians: int = 0, entries: int = 0) -> None:
        """Make room for as many."""
        if gaussians > len(self.who):
            self.seen = np.empty((gaussians, seeing.WIDTH), np.float32)
            self.who, self.order = (
                np.empty(gaussians, np.int32),
                np.empty(gaussians, np.int32),
            )
            self.boxes = np.empty((gaussians, 4), np.int16)
        if entries > len(self.lists):
            self.lists = np.empty(entries + entries // 2, np.int32)


_DESK = _Desk()


_SHAPES: WeakKeyDictionary[GaussianScene, tuple[Singles, Singles]] = WeakKeyDictionary()


def shapes_of(scene: GaussianScene) -> tuple[Singles, Singles]:
    """What `kernels.shapes` gives of a scene: places and forms; it is worked out once."""
    found = _SHAPES.get(scene)
    if found is None:
        count = len(scene)
        found = np.empty((count, 4), np.float32), np.empty((count, 8), np.float32)
        kernels.shapes(
            scene.means,
            scene.quaternions,
            scene.log_scales,
            scene.logits,
            0,
            count,
            *found,
        )
        _SHAPES[scene] = found
    return found


def _shared(workers: int, work: Callable[[int], T], parts: int) -> list[T]:
    """The results of work on each part."""
    if workers == 1:
        return [work(part) for part in range(parts)]
    return list(_pool(os.getpid(), workers).map(work, range(parts)))


@cache
def _pool(process: int, workers: int) -> ThreadPoolExecutor:
    """Threads of this process; one that was forked has none of those of its parent."""
    return ThreadPoolExecutor(workers, f"rasterise-{process}")


def _fitting(name: str, values: ArrayLike, *shapes: tuple[int, ...]) -> Singles:
    """An array of one of some shapes."""
    found = np.require(values, np.float32, ("C", "W"))
    if found.shape not in shapes:
        raise SceneError(f"{name} of a picture has the shape {found.shape}, not {' or '.join(map(str, shapes))}")
    return found
