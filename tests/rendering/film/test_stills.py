"""Single and numbered pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.errors import KinemaError
from kinema.rendering.film.stills import NUMBERED, png, present, split
from kinema.rendering.film.writers import open_writer


def pixels(value: int) -> np.ndarray:
    made = np.full((8, 12, 4), value, np.uint8)
    made[:4, :, 3] = 0
    return made


@pytest.mark.parametrize("alpha", [True, False])
def test_a_picture_is_what_was_given(alpha: bool, tmp_path: Path):
    with open_writer(tmp_path / "a.png", 12, 8, alpha=alpha) as writer:
        writer.write(pixels(90))
    with Image.open(tmp_path / "a.png") as image:
        assert image.mode == ("RGBA" if alpha else "RGB")
        np.testing.assert_array_equal(np.asarray(image), pixels(90)[..., : 4 if alpha else 3])


def test_a_second_picture_needs_a_number(tmp_path: Path):
    with pytest.raises(KinemaError, match=r"a_%04d\.png"), open_writer(tmp_path / "a.png", 12, 8) as writer:
        writer.write(pixels(1))
        writer.write(pixels(2))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "first"), [("take", "take/frame_00000.png"), ("take_%04d.png", "take_0000.png"), ("%d.png", "0.png")]
)
def test_sequences(name: str, first: str, tmp_path: Path):
    with open_writer(tmp_path / name, 12, 8, alpha=True) as writer:
        for value in range(5):
            writer.write(pixels(value))
    assert writer.outputs[0] == str(tmp_path / first) and len(writer.outputs) == 5
    for value, path in enumerate(writer.outputs):
        np.testing.assert_array_equal(np.asarray(Image.open(path)), pixels(value))
    assert [str(path) for path in present(tmp_path / name)] == writer.outputs


def test_a_shorter_run_does_not_end_in_a_longer_one(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("mine")
    for count in (5, 3):
        with open_writer(tmp_path / "a_%03d.png", 12, 8) as writer:
            for value in range(count):
                writer.write(pixels(value + count))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a_000.png", "a_001.png", "a_002.png", "notes.txt"]
    assert np.asarray(Image.open(tmp_path / "a_002.png"))[0, 0, 0] == 5


@pytest.mark.parametrize("name", ["a_%s.png", "a_%d_%d.png", "a%.png", "100%_%04d.png"])
def test_names_that_cannot_be_numbered(name: str, tmp_path: Path):
    with pytest.raises(KinemaError, match="one place for the number"):
        open_writer(tmp_path / name, 12, 8)
    assert not list(tmp_path.iterdir())


def test_split():
    assert split(Path("x/y")) == (Path("x/y"), NUMBERED)
    assert split(Path("x/y_%02d.png")) == (Path("x"), "y_%02d.png")
    assert present(Path("nowhere/y_%02d.png")) == []


def test_bytes_of_a_picture():
    assert png(pixels(3)) == png(pixels(3)) != png(pixels(4))
    assert png(pixels(3))[:4] == b"\x89PNG"
