"""Meshes compressed with Draco: a small one that Draco made, promises that are not kept, and damage."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from kinema.errors import FormatError, MissingError
from kinema.formats import load

draco = pytest.importorskip("DracoPy", reason="DracoPy is not installed: pip install 'kinema[formats]'")

POINTS = np.float32([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5]])
FACES = np.uint32([[0, 1, 2], [2, 1, 3]])


@pytest.fixture
def packed() -> bytes:
    return draco.encode(POINTS, FACES, quantization_bits=14, compression_level=1)


def file_of(gltf_file, data: bytes, corners: int = 6, vertices: int = 4, **ids: int):
    file = gltf_file(nodes=[{"mesh": 0}], extensionsRequired=["KHR_draco_mesh_compression"])
    view = file.view(data)
    file.root["accessors"] = [
        {"componentType": 5126, "count": vertices, "type": "VEC3"},
        {"componentType": 5123, "count": corners, "type": "SCALAR"},
    ]
    extension = {"bufferView": view, "attributes": ids or {"POSITION": 0}}
    file.root["meshes"] = [
        {
            "primitives": [
                {
                    "attributes": {"POSITION": 0},
                    "indices": 1,
                    "extensions": {"KHR_draco_mesh_compression": extension},
                }
            ]
        }
    ]
    return file


def test_triangles_come_back(gltf_file, packed):
    mesh = file_of(gltf_file, packed).load().character.meshes[0]
    corners = mesh.positions[mesh.indices]
    wanted = POINTS[FACES]
    for triangle in wanted:  # Draco may order triangles and begin them elsewhere
        apart = [np.abs(np.roll(other, k, axis=0) - triangle).max() for other in corners for k in range(3)]
        assert min(apart) < 1e-3


def test_as_many_vertices_as_there_are(gltf_file, packed):
    asset = file_of(gltf_file, packed, vertices=3).load()
    assert len(asset.character.meshes[0].positions) == 4
    assert any("declares 3 vertices, its Draco data has 4" in line for line in asset.warnings)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"XXXXX" + data[5:], "is not Draco data"),
        (lambda data: data[:7] + b"\0" + data[8:], "kind 0"),
        (lambda data: data[:9] + b"\0\x80" + data[11:], "metadata"),
        (lambda data: data[:12] + b"\xff\xff\xff\xff\x07" + data[13:], "promises"),
        (lambda data: data[:40], "damaged"),
        (lambda data: data[:5], "is not Draco data"),
    ],
)
def test_damage_is_one_line(gltf_file, packed, change, said):
    with pytest.raises(FormatError, match=said) as caught:
        file_of(gltf_file, change(packed)).load()
    assert "meshes[0].primitives[0]" in str(caught.value) and "\n" not in str(caught.value)


def test_a_cloud_of_points_is_refused(gltf_file):
    cloud = bytes.fromhex("445241434f020201") + bytes(7)
    with pytest.raises(FormatError, match="cloud of points without triangles"):
        file_of(gltf_file, cloud).load()


def test_a_missing_library_is_named(gltf_file, packed, monkeypatch):
    monkeypatch.setitem(sys.modules, "DracoPy", None)
    with pytest.raises(MissingError, match=r"pip install 'kinema\[formats\]'"):
        file_of(gltf_file, packed).load()


def test_what_the_file_says_must_fit(gltf_file, packed):
    with pytest.raises(FormatError, match="promises 2 triangles"):
        file_of(gltf_file, packed, corners=3).load()
    with pytest.raises(FormatError, match="no attribute 7"):
        file_of(gltf_file, packed, POSITION=7).load()


def test_uncompressed_data_beside_it_is_preferred(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}], extensionsUsed=["KHR_draco_mesh_compression"])
    primitive = {**file.triangle(), "indices": file.accessor([0, 1, 2], "SCALAR", "u2")}
    primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    file.root["meshes"] = [{"primitives": [primitive]}]
    assert len(file.load().character.meshes[0].positions) == 3


def test_the_packed_walker_is_the_plain_one(data_dir):
    """Same joints, same movement, and a skin that differs by no more than what was rounded."""
    folder = data_dir / "characters" / "threejs"
    plain, packed = load(folder / "CesiumMan" / "CesiumMan.glb"), load(folder / "CesiumMan_draco" / "CesiumMan.gltf")
    a = plain.character.skin(plain.motions[0][slice(20, 21)])[0][0]
    b = packed.character.skin(packed.motions[0][slice(20, 21)])[0][0]
    distances = np.linalg.norm(a[:, None] - b[None, ::7], axis=-1)
    assert np.quantile(distances.min(axis=0), 0.9) < 5e-3
