"""The suite `scenes`: pictures of a street of Gaussian splats, its ground, and files of large scenes, on one thread."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

from kinema import rotations
from kinema.benchmarks import plain_scenes
from kinema.benchmarks.measure import Row, best_seconds
from kinema.rendering.camera import Camera
from kinema.rendering.splats.rasterise import rasterise
from kinema.worlds.files import read_scene, write_scene
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.grounding import recover_ground
from kinema.worlds.made import make_world

SPACING = {"126,000": 0.1386, "390,000": 0.0791}
"""Metres between the splats of a street, by their number."""

LARGE = 3_000_000
CAMERA = Camera.look_at((0.5, 1.6, -6.5), (0.0, 1.0, 2.0), fov=0.9)
_READS = """
import pathlib, resource, sys
from kinema.worlds.files import read_scene
scene = read_scene(sys.argv[1]) if len(sys.argv) > 1 else None
status = pathlib.Path("/proc/self/status")
if status.exists():  # getrusage would count the process that started this one, too
    print(next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) / 1024)
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2)
"""


@cache
def _street(count: str) -> GaussianScene:
    return make_world("street", 3).scene(SPACING[count])


def _picture(count: str, width: int, height: int, goal: float) -> Row:
    scene = _street(count)
    plain = best_seconds(lambda: plain_scenes.picture(scene, CAMERA, width, height), repeats=1)
    ours = best_seconds(lambda: rasterise(scene, CAMERA, width, height, threads=1))
    name = f"a picture of {count} splats, {width}x{height}"
    return Row(name, 1e3 * ours, "ms", goal, 1e3 * plain, "the same in NumPy, splat by splat", "lower")


def small_picture() -> Row:
    """A picture for networks."""
    return _picture("126,000", 64, 64, 10.0)


def picture() -> Row:
    """A picture for people."""
    return _picture("126,000", 640, 360, 100.0)


def picture_of_more() -> Row:
    """The same of three times as many."""
    return _picture("390,000", 640, 360, 100.0)


def ground() -> Row:
    """Where one can walk; the baseline only samples the scene and sorts the samples into voxels."""
    scene = _street("390,000")
    scales = scene.scales.astype(np.float64)
    axes = rotations.to_matrix(scene.rotations.astype(np.float64)) * scales[:, None]
    large = np.sort(scales, axis=-1)[:, 1:]
    counts = np.ceil(np.prod(np.maximum(4.0 * large / 0.05, 1.0), axis=-1)).astype(np.int64)
    shift = np.random.default_rng(0).random((len(scene), 3))

    def plain() -> None:
        of, places = plain_scenes.samples(scene.means.astype(np.float64), axes, counts, shift)
        cells = np.floor((places - places.min(axis=0)) / (0.1, 0.05, 0.1)).astype(np.int64)
        sides = cells.max(axis=0) + 1
        weights = [scene.opacities[of], scales[of, 0], places[:, 1]]
        plain_scenes.in_voxels((cells[:, 2] * sides[0] + cells[:, 0]) * sides[1] + cells[:, 1], weights)

    ours, theirs = best_seconds(lambda: recover_ground(scene)), best_seconds(plain, repeats=1)
    return Row("ground of 390,000 splats", ours, "s", 2.0, theirs, "its samples alone, in NumPy", "lower")


def reading(suffix: str) -> Callable[[], Row]:
    """A row for reading a large scene from a file."""

    def row() -> Row:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"large{suffix}")
            write_scene(_large(), path)
            ours, bytes_alone = best_seconds(lambda: read_scene(path)), best_seconds(path.read_bytes)
        name = f"reading {LARGE:,} splats from {suffix}"
        return Row(name, ours, "s", 5.0, max(bytes_alone, 1e-6), "reading its bytes", "lower")

    return row


def memory() -> Row:
    """The most memory that a process takes to read a large scene."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.ply")
        write_scene(_large(), path)
        ours, empty = (
            float(subprocess.run([sys.executable, "-c", _READS, *args], check=True, capture_output=True).stdout)
            for args in ([str(path)], [])
        )
    return Row(f"peak of reading {LARGE:,} splats", ours, "MB", 1024.0, empty, "a process that reads none", "lower")


@cache
def _large() -> GaussianScene:
    rng = np.random.default_rng(0)
    means, turns, sizes = (rng.normal(size=(LARGE, width)).astype(np.float32) for width in (3, 4, 3))
    return GaussianScene(
        means,
        turns,
        sizes,
        logits=rng.normal(1.0, 2.0, LARGE).astype(np.float32),
        harmonics=rng.normal(0.0, 0.5, (LARGE, 1, 3)).astype(np.float32),
    )


ROWS: tuple[Callable[[], Row], ...] = (
    small_picture,
    picture,
    picture_of_more,
    ground,
    reading(".ply"),
    reading(".splat"),
    reading(".spz"),
    memory,
)


def run() -> Iterator[Row]:
    """Measure all rows, one by one."""
    for row in ROWS:
        yield row()
