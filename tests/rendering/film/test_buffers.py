"""Buffers as training data."""

from __future__ import annotations

import types
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from kinema.errors import KinemaError
from kinema.formats.atomic import WriteError
from kinema.rendering.camera import Camera
from kinema.rendering.film.buffers import BUFFERS, BufferWriter

CAMERA = Camera.look_at([0, 1, 4], [0, 1, 0])


@pytest.fixture
def frame(rng: np.random.Generator):
    depth = rng.uniform(1, 9, (6, 8)).astype(np.float32)
    depth[0] = np.inf
    normals = rng.normal(size=(6, 8, 3)).astype(np.float32)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return types.SimpleNamespace(
        depth=depth,
        normals=normals,
        entities=rng.integers(0, 300, (6, 8)).astype(np.int32),
        parts=rng.integers(0, 20, (6, 8)).astype(np.int32),
        motion=rng.normal(size=(6, 8, 2)).astype(np.float32),
    )


def test_arrays_come_back_with_their_camera(frame, tmp_path: Path):
    with BufferWriter(tmp_path / "out", BUFFERS) as writer:
        writer.add(frame, CAMERA, 8 / 6)
        writer.add(frame, CAMERA, 8 / 6)
        assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["00000.npz", "00001.npz"]
    with np.load(tmp_path / "out" / "00001.npz", allow_pickle=False) as file:
        for name in BUFFERS:
            np.testing.assert_array_equal(file[name], getattr(frame, name))
        point = np.array([0.3, 1.2, 0.5, 1.0])
        clip = file["projection"] @ file["view"] @ point
        x, y, _ = CAMERA.project(point[:3], 8, 6)
    np.testing.assert_allclose([4 + 4 * clip[0] / clip[3], 3 - 3 * clip[1] / clip[3]], [x, y])
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_pictures(frame, tmp_path: Path):
    with BufferWriter(tmp_path / "out", ("depth", "normals", "entities", "parts"), "png") as writer:
        writer.add(frame, CAMERA, 8 / 6)
    read = {path.name.partition("_")[0]: np.asarray(Image.open(path)) for path in (tmp_path / "out").iterdir()}
    assert (read["depth"][0] == 0).all()
    np.testing.assert_allclose(read["depth"][1:] / 1000, frame.depth[1:], atol=6e-4)
    np.testing.assert_allclose(read["normals"] / 127.5 - 1, frame.normals, atol=5e-3)
    np.testing.assert_array_equal(read["entities"], frame.entities)
    np.testing.assert_array_equal(read["parts"], frame.parts)


def test_trouble_leaves_what_was_there(frame, tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    with pytest.raises(RuntimeError), BufferWriter(tmp_path / "out", ("depth",)) as writer:
        writer.add(frame, CAMERA, 1.0)
        raise RuntimeError
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "mine"]
    with BufferWriter(tmp_path / "out", ("depth",)) as writer:
        writer.add(frame, CAMERA, 1.0)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["00000.npz", "out"]


def test_what_cannot_be_written(tmp_path: Path):
    with pytest.raises(KinemaError, match="no buffer 'albedo'; there are depth"):
        BufferWriter(tmp_path / "out", ("albedo",))
    with pytest.raises(KinemaError, match="motion vectors do not fit"):
        BufferWriter(tmp_path / "out", ("motion",), "png")
    with pytest.raises(WriteError, match="cannot be written"), BufferWriter(tmp_path / "gone" / "out", ("depth",)):
        pass
