"""Accessors: every number type and layout against values known beforehand, and bounds on memory."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import load
from kinema.formats.gltf.buffers import Buffers
from kinema.formats.gltf.container import open_document
from kinema.formats.sources import Source, open_source


def buffers_of(file) -> Buffers:
    return Buffers(open_document(file.source))


@pytest.mark.parametrize(
    ("dtype", "raw", "expected"),
    [
        ("i1", [-128, -127, 0, 127], [-1, -1, 0, 1]),
        ("u1", [0, 51, 255, 255], [0, 0.2, 1, 1]),
        ("i2", [-32768, -32767, 0, 32767], [-1, -1, 0, 1]),
        ("u2", [0, 13107, 65535, 65535], [0, 0.2, 1, 1]),
    ],
)
def test_normalized_integers(gltf_file, dtype, raw, expected):
    file = gltf_file()
    index = file.accessor(raw, "VEC4", dtype, normalized=True)
    plain = file.accessor(raw, "VEC4", dtype)
    buffers = buffers_of(file)
    np.testing.assert_allclose(buffers.floats(index), [expected], atol=1e-7)
    np.testing.assert_array_equal(buffers.floats(plain), [raw])
    np.testing.assert_array_equal(buffers.array(plain), [raw])


def test_floats_are_views_of_the_file(gltf_file):
    file = gltf_file()
    index = file.accessor(np.arange(12), "VEC3")
    values = buffers_of(file).floats(index)
    assert not values.flags.owndata and not values.flags.writeable
    np.testing.assert_array_equal(values, np.arange(12).reshape(4, 3))


def test_interleaved_view_with_offset(gltf_file):
    file = gltf_file()
    table = np.arange(20, dtype="<f4").reshape(4, 5)  # position, uv
    view = file.view(table.tobytes(), byteStride=20)
    file.root["accessors"] = [
        {"bufferView": view, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": view, "byteOffset": 12, "componentType": 5126, "count": 4, "type": "VEC2"},
    ]
    buffers = buffers_of(file)
    np.testing.assert_array_equal(buffers.floats(0), table[:, :3])
    np.testing.assert_array_equal(buffers.floats(1), table[:, 3:])


@pytest.mark.parametrize(("kind", "side", "size"), [("MAT2", 2, 8), ("MAT3", 3, 12)])
def test_byte_matrices_skip_the_padding_of_their_columns(gltf_file, kind, side, size):
    file = gltf_file()
    raw = np.full((2, side, 4), 99, np.uint8)
    raw[:, :, :side] = np.arange(2 * side * side).reshape(2, side, side)
    view = file.view(raw.tobytes())
    file.root["accessors"] = [{"bufferView": view, "componentType": 5121, "count": 2, "type": kind}]
    assert raw.nbytes == 2 * size
    np.testing.assert_array_equal(buffers_of(file).array(0).ravel(), np.arange(2 * side * side))


@pytest.mark.parametrize("with_base", [True, False])
@pytest.mark.parametrize("index_type", ["u1", "u2", "u4"])
def test_sparse_values_replace_the_base_or_zeros(gltf_file, with_base, index_type):
    file = gltf_file()
    index = file.accessor(np.ones((5, 3)), "VEC3")
    code = {"u1": 5121, "u2": 5123, "u4": 5125}[index_type]
    file.root["accessors"][index]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": file.view(np.array([1, 4], "<" + index_type).tobytes()), "componentType": code},
        "values": {"bufferView": file.view(np.array([[7, 8, 9], [4, 5, 6]], "<f4").tobytes())},
    }
    if not with_base:
        del file.root["accessors"][index]["bufferView"]
    expected = np.full((5, 3), float(with_base))
    expected[1], expected[4] = [7, 8, 9], [4, 5, 6]
    np.testing.assert_array_equal(buffers_of(file).floats(index), expected)


def test_sparse_indices_must_increase_and_fit(gltf_file):
    for places in ([4, 1], [1, 1], [1, 5]):
        file = gltf_file()
        file.accessor(np.ones((5, 3)), "VEC3")
        file.root["accessors"][0]["sparse"] = {
            "count": 2,
            "indices": {"bufferView": file.view(np.array(places, "<u2").tobytes()), "componentType": 5123},
            "values": {"bufferView": file.view(bytes(24))},
        }
        with pytest.raises(FormatError, match=r"accessors\[0\].sparse.indices"):
            buffers_of(file).floats(0)


def test_an_accessor_without_bytes_is_zeros_within_bounds(gltf_file):
    file = gltf_file()
    file.root["accessors"] = [{"componentType": 5126, "count": 3, "type": "VEC3"}]
    np.testing.assert_array_equal(buffers_of(file).floats(0), np.zeros((3, 3)))
    file.root["accessors"] = [{"componentType": 5126, "count": 2**31, "type": "VEC3"}]
    with pytest.raises(FormatError, match=r"accessors\[0\]: asks for \d+ bytes of memory"):
        buffers_of(file)
    file.root["accessors"] = [{"componentType": 5126, "count": 10**6, "type": "MAT4"}] * 3
    with pytest.raises(FormatError, match=r"accessors\[1\]: asks for"):
        buffers_of(file)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"count": 5}, r"accessors\[0\]: needs 60 bytes of bufferViews\[0\], which has 48"),
        ({"byteOffset": 4}, "needs 52 bytes"),
        ({"count": 0}, "count is 0"),
        ({"count": -1}, "count is -1"),
        ({"count": 1.5}, "whole number"),
        ({"bufferView": 9}, r"bufferViews\[9\], there are 1"),
        ({"normalized": 1}, "normalized must be true or false"),
    ],
)
def test_wrong_accessors_are_named(gltf_file, change, message):
    file = gltf_file()
    file.accessor(np.zeros((4, 3)), "VEC3")
    file.root["accessors"][0].update(change)
    with pytest.raises(FormatError, match=message):
        buffers_of(file)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"byteStride": 6}, "multiple of 4"),
        ({"byteStride": 8}, "do not fit a byteStride of 8"),
        ({"byteStride": 256}, "must be from 4 to 252"),
        ({"byteLength": 5000}, r"bufferViews\[0\]: ends at byte 5000 of a buffer of 48"),
        ({"byteLength": 0}, "byteLength is 0"),
    ],
)
def test_wrong_views_are_named(gltf_file, change, message):
    file = gltf_file()
    file.accessor(np.zeros((4, 3)), "VEC3")
    file.root["bufferViews"][0].update(change)
    with pytest.raises(FormatError, match=message):
        buffers_of(file)


def test_nan_is_refused(gltf_file):
    file = gltf_file()
    file.accessor([0, np.nan, 0], "VEC3")
    with pytest.raises(FormatError, match=r"accessors\[0\]: holds a value that is not finite"):
        buffers_of(file).floats(0)


def gltf_text(uri: str, length: int = 4) -> str:
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "buffers": [{"uri": uri, "byteLength": length}],
            "bufferViews": [{"buffer": 0, "byteLength": length}],
            "accessors": [{"bufferView": 0, "componentType": 5121, "count": 4, "type": "SCALAR"}],
        }
    )


@pytest.mark.parametrize(
    "uri",
    [
        "data:application/octet-stream;base64," + base64.b64encode(b"\1\2\3\4").decode(),
        "data:application/octet-stream;base64,AQIDBA",
        "data:,%01%02%03%04",
        "four%20bytes.bin",
        "sub/../four bytes.bin",
        "p%C5%99%C3%ADvod.bin",
    ],
)
def test_buffers_from_uris(tmp_path, uri):
    for name in ("four bytes.bin", "přívod.bin"):
        (tmp_path / name).write_bytes(b"\1\2\3\4")
    (tmp_path / "x.gltf").write_text(gltf_text(uri))
    buffers = Buffers(open_document(open_source(tmp_path / "x.gltf")))
    if ".." in uri:
        with pytest.raises(FormatError, match=r"buffers\[0\]"):
            buffers.array(0)
    else:
        np.testing.assert_array_equal(buffers.array(0)[:, 0], [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("missing.bin", "cannot be read"),
        ("../secret.bin", "only files in the same folder"),
        ("%2e%2e/secret.bin", "only files in the same folder"),
        ("/etc/hostname", "only files in the same folder"),
        ("http://example.org/x.bin", "only files next to this one"),
        ("file:///etc/hostname", "only files next to this one"),
        ("data:application/octet-stream;base64,A*==", "not valid base64"),
        ("data:nothing", "without a comma"),
        ("data:;base64,AQI=", "has 2 bytes, 4 are declared"),
    ],
)
def test_wrong_uris_are_refused(tmp_path, uri, message):
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.bin").write_bytes(b"\1\2\3\4")
    (tmp_path / "in" / "x.gltf").write_text(gltf_text(uri))
    with pytest.raises(FormatError, match=message) as caught:
        Buffers(open_document(open_source(tmp_path / "in" / "x.gltf"))).array(0)
    assert caught.value.node == "buffers[0]"


def test_a_glb_without_its_binary_chunk_is_refused(gltf_file):
    file = gltf_file(buffers=[{"byteLength": 4}])
    with pytest.raises(FormatError, match=r"buffers\[0\]: has no data"):
        buffers_of(file)


@pytest.mark.parametrize("change", [{"componentType": 5124}, {"type": "VEC5"}])
def test_an_unknown_type_matters_only_where_it_is_used(gltf_file, change):
    file = gltf_file(nodes=[{"mesh": 0}])
    file.root["meshes"] = [{"primitives": [file.triangle()]}]
    file.root["accessors"].append({**file.root["accessors"][0], **change})
    asset = file.load()
    assert len(asset.character.meshes[0].positions) == 3
    assert any("accessors[1] is of an unknown type" in line for line in asset.warnings)
    file.root["accessors"].reverse()
    with pytest.raises(FormatError, match=r"accessors\[0\]: must hold 0 VEC3 to be POSITION"):
        file.load()


def test_the_last_matrix_may_lack_its_padding(gltf_file):
    file = gltf_file()
    raw = bytes([1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8])  # columns of two bytes begin at multiples of four
    file.view(raw)
    file.root["accessors"] = [{"bufferView": 0, "componentType": 5121, "count": 2, "type": "MAT2"}]
    np.testing.assert_array_equal(buffers_of(file).array(0), [[1, 2, 3, 4], [5, 6, 7, 8]])
    file.root["bufferViews"][0]["byteLength"] = 13
    with pytest.raises(FormatError, match="needs 14 bytes"):
        buffers_of(file)


def test_what_has_no_data_is_left_out_and_the_rest_is_read(tmp_path):
    """A buffer of a .gltf may be handed on in another way than by an address in the file."""
    root = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a", "children": [1]}, {"name": "b", "mesh": 0, "skin": 0}],
        "buffers": [{"byteLength": 400}],
        "bufferViews": [{"buffer": 0, "byteLength": 400}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR"},
            {"bufferView": 0, "componentType": 5126, "count": 1, "type": "MAT4"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "skins": [{"joints": [0], "inverseBindMatrices": 2}],
        "animations": [
            {
                "samplers": [{"input": 1, "output": 0}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            }
        ],
    }
    (tmp_path / "x.gltf").write_text(json.dumps(root))
    asset = load(tmp_path / "x.gltf")
    assert asset.skeleton.names == ("a",) and asset.character is None and not asset.motions
    assert asset.warnings[-1] == (
        "buffers[0] has no data: neither a uri nor a binary chunk; without it these were left out: "
        "1 inverse bind matrices of skins, 1 primitives of meshes, 1 channels of animations"
    )


def gltf_beside(folder: Path, file, *binaries: bytes | None) -> Path:
    """The file as a .gltf with its buffers in files beside it, as far as there are any."""
    document = opened_root(file)
    for number, data in enumerate(binaries):
        document["buffers"][number]["uri"] = f"{number}.bin"
        if data is not None:
            (folder / f"{number}.bin").write_bytes(data)
    path = folder / "x.gltf"
    path.write_text(json.dumps(document))
    return path


def opened_root(file) -> dict:
    return {**file.root, "buffers": [{"byteLength": len(file.binary)}]}


@pytest.fixture
def walker(gltf_file):
    """Two joints that a skin holds, a triangle and a motion; their numbers in this order."""
    file = gltf_file(
        scenes=[{"nodes": [0, 2]}],
        nodes=[{"name": "hips", "children": [1], "translation": [0, 1, 0]}, {"name": "spine"}, {"mesh": 0, "skin": 0}],
        skins=[{"joints": [0, 1]}],
    )
    joints = file.accessor([[0, 0, 0, 0]] * 3, "VEC4", "u1")
    weights = file.accessor([[1, 0, 0, 0]] * 3, "VEC4")
    file.root["meshes"] = [{"primitives": [file.triangle(JOINTS_0=joints, WEIGHTS_0=weights)]}]
    file.animate(0, "translation", [0, 1], [[0, 1, 0], [0, 2, 0]])
    return file


def test_a_file_that_is_missing_beside_costs_what_was_in_it(tmp_path, walker):
    asset = load(gltf_beside(tmp_path, walker, None))
    assert asset.skeleton.names == ("hips", "spine") and asset.skeleton.rest_translations[0].tolist() == [0, 1, 0]
    assert not asset.motions and asset.character is None
    assert asset.warnings[0] == "animations[0] lost its data and was left out"
    assert all(part in asset.warnings[1] for part in ("0.bin", "1 primitives", "1 channels"))
    whole = load(gltf_beside(tmp_path, walker, bytes(walker.binary)))
    assert len(whole.motions) == 1 and len(whole.character.meshes) == 1 and not whole.warnings


def test_a_file_beside_that_is_cut_short_costs_its_end(tmp_path, walker):
    view = walker.root["bufferViews"][walker.root["animations"][0]["samplers"][0]["input"]]
    asset = load(gltf_beside(tmp_path, walker, bytes(walker.binary[: view["byteOffset"] + 2])))
    assert len(asset.character.meshes) == 1 and not asset.motions
    assert "buffers[0] is cut short" in asset.warnings[-1] and "primitives" not in asset.warnings[-1]


def test_a_mesh_whose_bind_matrices_are_lost_stands_in_the_rest_pose(tmp_path, walker):
    bound = np.tile(np.eye(4), (2, 1, 1))
    bound[:, 3, 1] = -1  # columns: the joints are one metre above the floor
    walker.root["skins"][0]["inverseBindMatrices"] = walker.accessor(bound.reshape(2, 16), "MAT4")
    whole = load(gltf_beside(tmp_path, walker, bytes(walker.binary)))
    cut = load(gltf_beside(tmp_path, walker, bytes(walker.binary[:-1])))
    np.testing.assert_allclose(cut.character.meshes[0].inverse_bind, whole.character.meshes[0].inverse_bind)
    assert len(cut.motions) == 1 and "1 inverse bind matrices" in cut.warnings[-1] and not whole.warnings


def test_a_glb_that_is_cut_short_is_read_up_to_there(walker):
    data = walker.data
    begin = data.index(b"BIN\0") + 4
    for end, meshes in ((len(data) - 2, 1), (begin + 2, 0), (begin, 0), (begin - 6, 0)):
        asset = load(Source.from_bytes(data[:end], "x.glb"))
        assert asset.skeleton.names == ("hips", "spine") and not asset.motions
        assert (0 if asset.character is None else len(asset.character.meshes)) == meshes
        assert "is cut short: the GLB header declares" in asset.warnings[0]


def test_joints_without_a_skin_are_those_that_lost_animations_would_move(tmp_path, walker):
    del walker.root["skins"], walker.root["meshes"], walker.root["nodes"][2]
    walker.root["scenes"] = [{"nodes": [0]}]
    asset = load(gltf_beside(tmp_path, walker, None))
    assert "hips" in asset.skeleton.names and not asset.motions
