"""Cameras and points of COLMAP (J. Schönberger and J.-M. Frahm, 2016): its text and binary files.

Files of scenes that were trained with these cameras have the same axes, which half a turn about Z leads to Kinema's.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.errors import FormatError, one_line
from kinema.formats.checks import require
from kinema.rendering.reconstruction.shots import CameraModel, PosedPicture, placed

_MODELS = {
    0: ("SIMPLE_PINHOLE", 3),
    1: ("PINHOLE", 4),
    2: ("SIMPLE_RADIAL", 4),
    3: ("RADIAL", 5),
    4: ("OPENCV", 8),
    5: ("OPENCV_FISHEYE", 8),
    6: ("FULL_OPENCV", 12),
    7: ("FOV", 5),
    8: ("SIMPLE_RADIAL_FISHEYE", 4),
    9: ("RADIAL_FISHEYE", 5),
    10: ("THIN_PRISM_FISHEYE", 12),
}
_READ = ("SIMPLE_PINHOLE", "PINHOLE", "SIMPLE_RADIAL", "RADIAL", "OPENCV")
_HALF_TURN = np.diag([-1.0, -1.0, 1.0])
_LONGEST_NAME = 4096


def cameras(data: bytes, binary: bool) -> dict[int, CameraModel]:
    """The lenses of `cameras.bin` or `cameras.txt` by their numbers.

    Raises:
        FormatError: the file is damaged, or a lens is of a model that is not read.
    """
    return dict(_binary_cameras(data) if binary else _text_cameras(data))


def shots(data: bytes, binary: bool, models: dict[int, CameraModel]) -> list[PosedPicture]:
    """The pictures of `images.bin` or `images.txt`.

    Raises:
        FormatError: the file is damaged.
    """
    found = []
    for number, (turn, shift, camera, name) in enumerate(_binary_images(data) if binary else _text_images(data)):
        node = f"image {number + 1}"
        require(camera in models, f"names the camera {camera}, which is not there", node=node)
        length = float(np.linalg.norm(turn))
        require(1e-6 < length < 1e6, "has no rotation", node=node)
        axes = np.asarray(rotations.to_matrix(turn / length))
        found.append(placed(name, models[camera], -(axes.T @ shift) @ _HALF_TURN, axes @ _HALF_TURN, node))
    return found


def points(data: bytes, binary: bool) -> tuple[Singles, Singles]:
    """The places `[P, 3]` and colours `[P, 3]` of `points3D.bin` or `points3D.txt`; those that are not finite are left
    out.

    Raises:
        FormatError: the file is damaged.
    """
    rows = list(_binary_points(data) if binary else _text_points(data))
    table = np.asarray(rows, np.float64).reshape(-1, 6)
    table = table[(np.abs(table) < 1e9).all(axis=1)]
    colours = np.clip(table[:, 3:] / 255.0, 0.0, 1.0)
    return (table[:, :3] @ _HALF_TURN).astype(np.float32), colours.astype(np.float32)


def _model(name: str, size: tuple[int, int], numbers: tuple[float, ...], node: str) -> CameraModel:
    if name not in _READ:
        raise FormatError(
            f"has a lens of the model {one_line(name)!r}; {', '.join(_READ)} are read, "
            "and `colmap image_undistorter` makes PINHOLE of others",
            node=node,
        )
    count = dict(_MODELS.values())[name]
    require(len(numbers) == count, f"has {len(numbers)} numbers of a {name} lens, not {count}", node=node)
    if name in ("PINHOLE", "OPENCV"):
        focal, middle, bent = numbers[:2], numbers[2:4], numbers[4:]
    else:
        focal, middle, bent = (numbers[0], numbers[0]), numbers[1:3], numbers[3:]
    k1, k2, p1, p2 = (*bent, 0.0, 0.0, 0.0, 0.0)[:4]
    model = CameraModel(size, (focal[0], focal[1]), (middle[0], middle[1]), (k1, k2, p1, p2))
    model.check(node)
    return model


# ---- binary ----------------------------------------------------------------------------------------------------------


@dataclass
class _Reader:
    data: bytes
    at: int = 0

    def take(self, form: str) -> tuple[float, ...]:
        """The next numbers, little-endian."""
        size = struct.calcsize("<" + form)
        if size > len(self.data) - self.at:
            raise FormatError(f"ends after {len(self.data)} bytes, in the middle of a record: it was cut")
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += size
        return values

    def skip(self, size: int) -> None:
        """Leave out bytes."""
        if size > len(self.data) - self.at:
            raise FormatError(
                f"states {size} more bytes, and has {len(self.data) - self.at}: it was cut, or is damaged"
            )
        self.at += size

    def name(self) -> str:
        """Text that a zero byte ends."""
        end = self.data.find(b"\0", self.at, self.at + _LONGEST_NAME)
        require(end >= 0, "has a name without an end")
        text = self.data[self.at : end].decode("utf-8", "replace")
        self.at = end + 1
        return text


def _records(data: bytes) -> Iterator[_Reader]:
    """The reader before each record, as many as the file states."""
    reader = _Reader(data)
    (count,) = reader.take("Q")
    for _ in range(int(count)):
        yield reader


def _binary_cameras(data: bytes) -> Iterator[tuple[int, CameraModel]]:
    for reader in _records(data):
        number, model, width, height = reader.take("iiQQ")
        require(model in _MODELS, f"has a lens of the unknown model {model}", node=f"camera {number}")
        name, count = _MODELS[int(model)]
        size = (int(width), int(height))
        yield int(number), _model(name, size, reader.take(f"{count}d"), f"camera {number}")


def _binary_images(data: bytes) -> Iterator[tuple[Floats, Floats, int, str]]:
    for reader in _records(data):
        values = reader.take("i7di")
        name = reader.name()
        (count,) = reader.take("Q")
        reader.skip(24 * int(count))
        yield np.asarray(values[1:5]), np.asarray(values[5:8]), int(values[8]), name


def _binary_points(data: bytes) -> Iterator[tuple[float, ...]]:
    for reader in _records(data):
        values = reader.take("Q3d3BdQ")
        reader.skip(8 * int(values[-1]))
        yield values[1:7]


# ---- text ------------------------------------------------------------------------------------------------------------


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Lines without comments, and their numbers."""
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        if not line.startswith("#"):
            yield number, line.strip()


def _numbers(words: list[str], line: int) -> tuple[float, ...]:
    try:
        values = tuple(float(word) for word in words)
    except ValueError:
        raise FormatError(f"has {one_line(' '.join(words)[:60])!r} in place of numbers", line=line) from None
    require(all(map(math.isfinite, values)), "has a number that is not finite", line=line)
    return values


def _text_cameras(data: bytes) -> Iterator[tuple[int, CameraModel]]:
    for number, line in _lines(data):
        words = line.split()
        if not words:
            continue
        require(len(words) > 4, "has a camera of fewer than five words", line=number)
        camera, width, height = _numbers([words[0], *words[2:4]], number)
        size = (int(width), int(height))
        yield int(camera), _model(words[1], size, _numbers(words[4:], number), f"camera {int(camera)}")


def _text_images(data: bytes) -> Iterator[tuple[Floats, Floats, int, str]]:
    lines = _lines(data)
    for number, line in lines:
        words = line.split(maxsplit=9)
        if not words:
            continue
        require(len(words) == 10, "has an image of fewer than ten words", line=number)
        values = _numbers(words[1:9], number)
        next(lines, None)  # where points are seen
        yield np.asarray(values[:4]), np.asarray(values[4:7]), int(values[7]), words[9]


def _text_points(data: bytes) -> Iterator[tuple[float, ...]]:
    for number, line in _lines(data):
        words = line.split(maxsplit=7)
        if words:
            require(len(words) >= 7, "has a point of fewer than seven words", line=number)
            yield _numbers(words[1:7], number)
