"""Grounds by name and from files; files that are no grounds."""

import io
import struct
import zipfile
import zlib

import numpy as np
import pytest
from PIL import Image

from kinema import Skeleton, formats
from kinema.character import Character, Mesh
from kinema.errors import FormatError, KinemaError, UsageError
from kinema.terrain import NAMED, Heightmap, Plane, open_ground


@pytest.fixture
def heights(rng):
    return rng.uniform(0, 1, (5, 7)).astype(np.float32)


def png_header(width: int, height: int) -> bytes:
    """A PNG that declares a size and holds nothing."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    return b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))


@pytest.mark.parametrize("name", NAMED)
def test_named_grounds_are_level_where_characters_start(name):
    points = np.array([[0, 0, 0], [0.1, 0, 0.1], [-0.1, 0, -0.1]])
    np.testing.assert_allclose(open_ground(name).height(points), 0, atol=0.02)


def test_a_deep_image_keeps_its_depth(tmp_path, heights):
    deep = np.round(heights * 65535).astype(np.uint16)
    Image.fromarray(deep).save(tmp_path / "a.png")
    ground = open_ground(tmp_path / "a.png", cell=0.5, relief=10.0)
    assert isinstance(ground, Heightmap) and ground.cell == 0.5 and ground.origin == (-1.5, -1.0)
    np.testing.assert_allclose(ground.heights, 10 * (deep / 65535), rtol=1e-6)


def test_a_plain_image_and_a_coloured_one_are_brightness(tmp_path, heights):
    shallow = np.round(heights * 255).astype(np.uint8)
    Image.fromarray(shallow).save(tmp_path / "a.png")
    Image.fromarray(np.repeat(shallow[..., None], 3, -1)).save(tmp_path / "b.png")
    for name in ("a.png", "b.png"):
        ground = open_ground(tmp_path / name)
        assert isinstance(ground, Heightmap) and ground.cell == 0.1
        np.testing.assert_allclose(ground.heights, 2 * (shallow / 255), atol=2e-2 if name == "b.png" else 1e-6)


def test_arrays_are_metres(tmp_path, heights):
    np.save(tmp_path / "a.npy", heights)
    np.savez(tmp_path / "b.npz", heights=heights, cell=0.25)
    for name, cell in (("a.npy", 0.1), ("b.npz", 0.25)):
        ground = open_ground(tmp_path / name)
        assert isinstance(ground, Heightmap) and ground.cell == cell
        np.testing.assert_array_equal(ground.heights, heights)
    overruled = open_ground(tmp_path / "b.npz", cell=1.0)
    assert isinstance(overruled, Heightmap) and overruled.cell == 1.0


def test_a_mesh_is_its_highest_surface(tmp_path):
    corners = np.float32([[-2, 0, -2], [2, 0, -2], [2, 1, 2], [-2, 1, 2]])
    mesh = Mesh("ramp", corners, np.tile(np.float32([0, 1, 0]), (4, 1)), np.uint32([[0, 2, 1], [0, 3, 2]]), joint=0)
    character = Character("ramp", Skeleton.create(["root"], [-1], [[0.0, 0.5, 0.0]]), (mesh,))
    formats.save(character, tmp_path / "ramp.glb")
    ground = open_ground(tmp_path / "ramp.glb", cell=0.25)
    points = np.array([[0, 0, 0], [1, 0, 1], [-1, 0, -1.5]])
    np.testing.assert_allclose(ground.height(points), 0.5 + (points[:, 2] + 2) / 4, atol=1e-5)


def bomb(path, shape):
    """An archive of zeros that declares and unpacks to a large array."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("heights.npy", "w") as member:
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": shape})
        member.write(header.getvalue())
        for _ in range(shape[0]):
            member.write(bytes(4 * shape[1]))


@pytest.mark.parametrize(
    ("name", "make", "words"),
    [
        ("a.png", lambda path: path.write_bytes(b"no image"), "image"),
        ("a.png", lambda path: path.write_bytes(png_header(60000, 60000)), "pixels"),
        ("a.png", lambda path: path.write_bytes(png_header(9000, 9000)), "pixels"),
        ("a.png", lambda path: path.write_bytes(png_header(20, 20)), "image"),
        ("a.png", lambda path: Image.new("L", (1, 1)).save(path), "2 x 2"),
        ("a.tif", lambda path: Image.fromarray(np.full((4, 4), np.nan, np.float32)).save(path), "finite"),
        ("a.npy", lambda path: path.write_bytes(b"\x93NUMPY"), "NumPy"),
        ("a.npy", lambda path: np.save(path, np.array([[{}]], object), allow_pickle=True), "pickled"),
        ("a.npy", lambda path: np.save(path, np.zeros(4)), "dimensions"),
        ("a.npy", lambda path: np.save(path, np.full((4, 4), np.inf)), "finite"),
        ("a.npz", lambda path: np.savez(path, other=np.zeros((4, 4))), "missing"),
        ("a.npz", lambda path: np.savez(path, heights=np.zeros((4, 4)), cell=-1.0), "above zero"),
        ("a.npz", lambda path: bomb(path, (9000, 9000)), "more than|larger|too"),
        ("a.glb", lambda path: path.write_bytes(b"glTF"), "glb|GLB|glTF|short"),
        ("a.png", lambda path: None, "no such file"),
    ],
)
def test_what_is_no_ground_is_refused_with_its_path(tmp_path, name, make, words):
    make(tmp_path / name)
    with pytest.raises(FormatError, match=words) as caught:
        open_ground(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))


def test_a_motion_without_a_mesh_is_refused(tmp_path, biped):
    formats.save(Character("bare", biped), tmp_path / "a.glb")
    with pytest.raises(KinemaError, match=r"mesh|character"):
        open_ground(tmp_path / "a.glb")


def test_unknown_names_say_which_there_are():
    with pytest.raises(UsageError, match=r"flat, stairs, slope, hills, lift.*\.png"):
        open_ground("mountains")


def test_options_that_do_not_fit_are_refused(tmp_path, heights):
    np.save(tmp_path / "a.npy", heights)
    with pytest.raises(UsageError, match="takes no cell and no relief"):
        open_ground("stairs", cell=1.0, relief=2.0)
    with pytest.raises(KinemaError, match="takes no relief"):
        open_ground(tmp_path / "a.npy", relief=2.0)
    assert open_ground("flat") == Plane()
