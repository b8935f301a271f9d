"""Files of captured scenes. To add a format, write a module like `splat` and add it to the table here."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np

from kinema.errors import FormatError, UsageError
from kinema.formats.atomic import atomic_write_all
from kinema.formats.checks import naming
from kinema.formats.sources import Source, open_source
from kinema.worlds.files import compressed_ply, gaussian_ply, ply, sog, splat, spz
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.obstacles import read_things, things_data, things_path

__all__ = ["FORMATS", "SceneFormat", "check_written", "is_scene_file", "read_scene", "write_scene"]

_LARGEST = 80.0  # logarithm of a standard deviation: the square of a larger one is no finite number


@dataclass(frozen=True)
class SceneFormat:
    """A format of scenes.

    Attributes:
        suffix: end of file names. about: in a few words.
        axis: half a turn about it leads from the axes of files to Kinema's, and back.
        read: the scene of a source, in the axes of the file.
        write: the pieces of a file, from a scene in the axes of files; None if it is only read.
    """

    suffix: str
    about: str
    axis: str
    read: Callable[[Source], GaussianScene]
    write: Callable[[GaussianScene], list[bytes]] | None = None


def _read_ply(source: Source) -> GaussianScene:
    tables = ply.read(source.read())
    module = compressed_ply if compressed_ply.is_compressed(tables) else gaussian_ply
    return module.decode(tables)


def _read_bundle(source: Source) -> GaussianScene:
    return _read_meta(Source(f"{source.path}/meta.json", source.file, "meta.json", limit=source.limit))


def _read_meta(source: Source) -> GaussianScene:
    return sog.read(source.read(), source.sibling)


FORMATS: tuple[SceneFormat, ...] = (
    SceneFormat(".compressed.ply", "PLY of SuperSplat, 16 bytes a splat", "z", _read_ply, compressed_ply.encode),
    SceneFormat(".ply", "PLY of 3D Gaussian Splatting, nothing lost", "z", _read_ply, gaussian_ply.encode),
    SceneFormat(".splat", "32 bytes a splat", "z", lambda source: splat.read(source.read()), splat.write),
    SceneFormat(".spz", "compressed, of Niantic", "y", lambda source: spz.read(source.read()), spz.write),
    SceneFormat(".sog", "compressed, of PlayCanvas, in one file", "z", _read_bundle),
    SceneFormat("meta.json", "compressed, of PlayCanvas, in a folder", "z", _read_meta),
)
"""The first whose suffix fits a file name is its format."""


def read_scene(path: str | os.PathLike[str] | Source) -> GaussianScene:
    """The scene of a file. Gaussians with numbers that are not finite are left out, which `notes` say.

    A file `<name>.things.json` beside it says what stands in it; see `kinema.worlds.obstacles`.

    Args:
        path: a file of one of `FORMATS`; it may be in a zip archive.

    Raises:
        FormatError: it is not there, damaged, empty or of no known format.
        MissingError: a package that unpacks it is not installed.
    """
    source = path if isinstance(path, Source) else open_source(path)
    form = _format_of(source.path)
    if form is None:
        raise FormatError(f"is of no known format of scenes; there are: {_suffixes()}", path=source.path)
    with naming(source.path), np.errstate(all="ignore"):  # what is not finite is left out below
        scene = form.read(source)
        kept = _finite(scene)
        gone = len(scene) - int(kept.sum())
        if gone:
            if gone == len(scene):
                raise FormatError("has no Gaussian whose numbers are all finite")
            note = f"{gone:,} of {len(scene):,} Gaussians left out: their numbers are not finite"
            scene = replace(scene.taken(kept), notes=(note,))
        scene = replace(scene.half_turned(form.axis), name=source.stem.removesuffix(".compressed"))
    beside = things_path(source.path)
    return replace(scene, things=read_things(beside)) if beside.is_file() else scene


def write_scene(scene: GaussianScene, path: str | os.PathLike[str]) -> None:
    """Write a file of a scene, in the format of its suffix, and beside it `<name>.things.json` if it has named things.

    Neither is written where the other cannot be.

    Raises:
        UsageError: no format that can be written has this suffix.
        FormatError: the format cannot hold the scene.
        WriteError: the file cannot be written.
    """
    write, axis = _writer(path)
    with naming(os.fspath(path)):
        pieces = write(scene.half_turned(axis, back=True))
    beside = {things_path(path): things_data(scene.things)} if scene.things else {}
    atomic_write_all({path: pieces, **beside})


def check_written(path: str | os.PathLike[str]) -> None:
    """Raises UsageError unless scenes can be written under this name."""
    _writer(path)


def is_scene_file(path: str | os.PathLike[str]) -> bool:
    """Whether the name is one of a format of scenes."""
    return _format_of(os.fspath(path)) is not None


def _writer(path: str | os.PathLike[str]) -> tuple[Callable[[GaussianScene], list[bytes]], str]:
    """What writes the format of a file, and the axis of its half turn."""
    form = _format_of(os.fspath(path))
    if form is None or form.write is None:
        raise UsageError(f"{os.fspath(path)}: scenes are written as {_suffixes(written=True)}")
    return form.write, form.axis


def _format_of(path: str) -> SceneFormat | None:
    name = PurePath(path).name.lower()
    return next((form for form in FORMATS if name.endswith(form.suffix)), None)


def _suffixes(written: bool = False) -> str:
    return ", ".join(form.suffix for form in FORMATS if form.write is not None or not written)


def _finite(scene: GaussianScene) -> np.ndarray:
    """Which Gaussians `[N]` have finite numbers, finite sizes and a rotation that is not 0."""
    length = np.square(scene.quaternions).sum(axis=-1)
    kept = (length > 0) & np.isfinite(length) & np.isfinite(scene.logits) & (scene.log_scales < _LARGEST).all(axis=-1)
    for numbers in (scene.means, scene.quaternions, scene.log_scales, scene.harmonics.reshape(len(scene), -1)):
        kept &= np.isfinite(numbers).all(axis=-1)
    return kept
