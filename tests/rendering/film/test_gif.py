"""GIF files as a browser reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.rendering.film.writers import open_writer

pytest.importorskip("av")


def write(path: Path, pictures: list[np.ndarray], fps: float = 25.0, alpha: bool = False) -> Image.Image:
    height, width = pictures[0].shape[:2]
    with open_writer(path, width, height, fps=fps, alpha=alpha) as writer:
        for pixels in pictures:
            writer.write(pixels)
    return Image.open(path)


def moving(count: int) -> list[np.ndarray]:
    """A disc over a smooth gradient that does not move."""
    y, x = np.mgrid[0:60, 0:80]
    pictures = []
    for number in range(count):
        pixels = np.stack([150 + y, 170 + y, 190 + y], axis=-1).astype(np.uint8)
        pixels[np.hypot(x - 10 - 2 * number, y - 30) < 9] = (200, 80, 40)
        pictures.append(pixels)
    return pictures


def test_it_loops_and_keeps_time(tmp_path: Path):
    image = write(tmp_path / "a.gif", moving(20))
    assert image.n_frames == 20 and image.info["loop"] == 0 and image.info["duration"] == 40


def test_rates_that_are_no_hundredths_keep_time_on_the_whole(tmp_path: Path):
    image = write(tmp_path / "a.gif", moving(31), fps=30.0)
    total = 0
    for frame in range(30):
        image.seek(frame)
        assert image.info["duration"] in (30, 40)
        total += image.info["duration"]
    assert total == 1000


def test_players_are_not_asked_for_more_than_fifty_pictures_a_second(tmp_path: Path):
    image = write(tmp_path / "a.gif", moving(31), fps=100.0)
    assert image.n_frames == 16 and image.info["duration"] == 20


def test_pictures_are_what_they_were_and_the_still_part_stands_still(tmp_path: Path):
    pictures = moving(16)
    image = write(tmp_path / "a.gif", pictures)
    shown = []
    for frame, wanted in enumerate(pictures):
        image.seek(frame)
        shown.append(np.asarray(image.convert("RGB")).astype(int))
        assert np.abs(shown[-1] - wanted).max() < 24 and np.abs(shown[-1] - wanted).mean() < 4
    np.testing.assert_array_equal(*(picture[:18] for picture in (shown[0], shown[-1])))


def test_one_palette_for_all_pictures(tmp_path: Path):
    data = write(tmp_path / "a.gif", moving(8)).filename
    raw = Path(data).read_bytes()
    assert raw[10] & 0x80 and raw.count(b"NETSCAPE2.0") == 1
    image, tables = Image.open(data), set()
    for frame in range(image.n_frames):
        image.seek(frame)
        tables.add(bytes(image.global_palette.palette))
    assert len(tables) == 1


def test_transparency(tmp_path: Path):
    pictures = []
    for pixels in moving(6):
        alpha = np.where(np.abs(pixels.astype(int) - (200, 80, 40)).max(axis=-1) < 5, 255, 0)
        pictures.append(np.dstack([pixels, alpha.astype(np.uint8)]))
    image = write(tmp_path / "a.gif", pictures, alpha=True)
    for frame, wanted in enumerate(pictures):
        image.seek(frame)
        np.testing.assert_array_equal(np.asarray(image.convert("RGBA"))[..., 3], wanted[..., 3])
