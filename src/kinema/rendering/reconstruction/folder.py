"""Captures in folders: pictures with cameras of COLMAP, or with a `transforms.json`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kinema.arrays import Singles
from kinema.errors import FormatError, listed
from kinema.formats.checks import naming
from kinema.formats.sources import Source, open_source
from kinema.rendering.reconstruction import colmap, transforms
from kinema.rendering.reconstruction.photos import Capture, Photo
from kinema.rendering.reconstruction.shots import PosedPicture, taken
from kinema.worlds.files import ply

Progress = Callable[[int, int], None]

MODELS = ("sparse/0", "sparse", "colmap/sparse/0", ".")
"""Where in a folder the files of COLMAP are looked for, in this order."""

JSONS = ("transforms.json", "transforms_train.json")
PICTURES = ("images", ".")


def read_capture(folder: str | os.PathLike[str], longest: int, progress: Progress | None = None) -> Capture:
    """The pictures of a folder and their cameras, in Kinema's axes, without distortion.

    Args:
        folder: with `sparse/0/cameras.bin` and so on of COLMAP, or their `.txt`, and pictures in `images`; or with a
            `transforms.json`; or that file.
        longest: pixels to the longer side, at most.
        progress: called with the number of pictures read and of all pictures.

    Raises:
        FormatError: there are no cameras or no pictures, or a file is damaged.
    """
    place = Path(folder)
    found = [place] if place.suffix.lower() == ".json" else [place / name for name in JSONS]
    for file in found:
        if file.is_file():
            return _of_transforms(file, longest, progress)
    for name in MODELS:
        for binary in (True, False):
            if (place / name / f"cameras.{_ending(binary)}").is_file():
                return _of_colmap(place, place / name, binary, longest, progress)
    raise FormatError(
        f"has no cameras: neither {listed(JSONS)} nor {listed(f'{name}/cameras.bin' for name in MODELS[:2])} or .txt",
        path=os.fspath(folder),
    )


def _ending(binary: bool) -> str:
    return "bin" if binary else "txt"


def _of_colmap(place: Path, model: Path, binary: bool, longest: int, progress: Progress | None) -> Capture:
    ending = _ending(binary)
    lenses = _parsed(model / f"cameras.{ending}", lambda data: colmap.cameras(data, binary))
    shots = _parsed(model / f"images.{ending}", lambda data: colmap.shots(data, binary, lenses))
    points, colours = np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32)
    if (model / f"points3D.{ending}").is_file():
        points, colours = _parsed(model / f"points3D.{ending}", lambda data: colmap.points(data, binary))
    beside = next((place / name for name in PICTURES if (place / name).is_dir()), place)
    return _with_pictures(shots, beside, points, colours, longest, progress)


def _of_transforms(file: Path, longest: int, progress: Progress | None) -> Capture:
    said = _parsed(file, transforms.read)
    points, colours = np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32)
    if said.points is not None:
        data = open_source(file).sibling(said.points)
        with naming(f"{file.parent}/{said.points}"):
            points, colours = _cloud(data)
    return _with_pictures(said.shots, file.parent, points, colours, longest, progress)


def _parsed(file: Path, parse: Callable[[bytes], object]) -> ...:
    source = open_source(file)
    with naming(source.path):
        return parse(source.read())


def _cloud(data: bytes) -> tuple[Singles, Singles]:
    """Places and colours of a PLY file of points whose Z is up."""
    table = ply.read(data).get("vertex")
    names = table.dtype.names or () if table is not None else ()
    if table is None or not {"x", "y", "z"} <= set(names):
        raise FormatError("has no 'vertex' with x, y and z")
    places = np.stack([table[axis].astype(np.float64) for axis in "xyz"], axis=-1) @ transforms.TO_Y_UP.T
    kept = (np.abs(places) < 1e9).all(axis=-1)
    colours = np.full(places.shape, 0.5)
    if {"red", "green", "blue"} <= set(names):
        colours = np.stack([table[name].astype(np.float64) / 255.0 for name in ("red", "green", "blue")], axis=-1)
    return places[kept].astype(np.float32), np.clip(np.nan_to_num(colours[kept]), 0.0, 1.0).astype(np.float32)


def _with_pictures(
    shots: list[PosedPicture], folder: Path, points: Singles, colours: Singles, longest: int, progress: Progress | None
) -> Capture:
    beside = Source(str(folder / "pictures"), str(folder / "pictures"))
    photos: list[Photo] = []
    missing = []
    for number, shot in enumerate(shots):
        name = shot.name if Path(shot.name).suffix else f"{shot.name}.png"
        if (folder / name).is_file():
            photos.append(taken(shot, beside.sibling(name), longest))
        else:
            missing.append(name)
        if progress is not None:
            progress(number + 1, len(shots))
    if not photos:
        raise FormatError(f"has none of the {len(shots)} pictures of its cameras, such as {listed(missing, 1)}",
                          path=str(folder))  # fmt: skip
    notes = (f"{len(missing)} of {len(shots)} pictures are not there: {listed(missing, 3)}",) if missing else ()
    return Capture(tuple(photos), points, colours, notes)
