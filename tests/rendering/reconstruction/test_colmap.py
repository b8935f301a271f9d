from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.rendering.reconstruction import colmap
from kinema.rendering.reconstruction.photos import Capture

from . import written
from .conftest import captured

POINTS = np.asarray([[1, 2, 3], [-4, 5, -6]], np.float32)
ENDING = {True: "bin", False: "txt"}


@cache
def taken() -> Capture:
    return replace(captured(4), points=POINTS, colours=POINTS)


@cache
def written_files(binary: bool) -> dict[str, bytes]:
    return written.colmap_binary(taken()) if binary else written.colmap_text(taken())


@pytest.mark.parametrize("binary", [True, False])
def test_cameras_and_points_are_read_in_own_axes(binary: bool) -> None:
    files, ending = written_files(binary), ENDING[binary]
    models = colmap.cameras(files[f"cameras.{ending}"], binary)
    assert models[7].size == (48, 48) and models[7].focal == tuple(taken().photos[0].lens.focal)
    shots = colmap.shots(files[f"images.{ending}"], binary, models)
    assert [shot.name for shot in shots] == ["1.png", "2.png", "3.png", "4.png"]
    for shot, photo in zip(shots, taken().photos, strict=True):
        assert np.allclose(shot.position, photo.lens.position) and np.allclose(shot.axes, photo.lens.axes)
    points, colours = colmap.points(files[f"points3D.{ending}"], binary)
    assert np.allclose(points, POINTS) and np.allclose(colours, [1.0, 0.0, 0.2])


@pytest.mark.parametrize("name", ["cameras", "images", "points3D"])
def test_files_that_were_cut_are_refused(name: str) -> None:
    parse = {
        "cameras": lambda data: colmap.cameras(data, True),
        "images": lambda data: colmap.shots(data, True, colmap.cameras(written_files(True)["cameras.bin"], True)),
        "points3D": lambda data: colmap.points(data, True),
    }[name]
    data = written_files(True)[f"{name}.bin"]
    for end in (0, 5, 9, len(data) // 2, len(data) - 1):
        with pytest.raises(FormatError, match=r"cut|end"):
            parse(data[:end])
    with pytest.raises(FormatError):
        parse(b"\xff" * 8 + data[8:])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 OPENCV_FISHEYE 64 48 50 50 32 24 0 0 0 0", "image_undistorter"),
        ("1 PINHOLE 64 48 50 50 32", "3 numbers of a PINHOLE lens, not 4"),
        ("1 PINHOLE 64 48 0 50 32 24", "focal length"),
        ("1 PINHOLE 64 48 x 50 32 24", "in place of numbers"),
        ("1 PINHOLE 0 48 50 50 32 24", "pixels"),
        ("1 PINHOLE", "five words"),
    ],
)
def test_lenses_that_cannot_be_read_are_refused(line: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        colmap.cameras(line.encode(), False)


def test_lenses_with_distortion_are_read() -> None:
    lines = b"1 OPENCV 64 48 50 51 32 24 0.1 0.2 0.3 0.4\n2 SIMPLE_RADIAL 64 48 50 32 24 0.1\n"
    models = colmap.cameras(lines, False)
    assert models[1].distortion == (0.1, 0.2, 0.3, 0.4) and models[1].focal == (50.0, 51.0)
    assert models[2].distortion == (0.1, 0.0, 0.0, 0.0) and models[2].middle == (32.0, 24.0)


def test_a_camera_that_is_not_there_is_named() -> None:
    with pytest.raises(FormatError, match="image 1: names the camera 7"):
        colmap.shots(written_files(False)["images.txt"], False, {})
