"""Container and JSON: what is refused, what is repaired, and that the message says where."""

from __future__ import annotations

import json
import struct
import time

import pytest

from kinema.errors import FormatError
from kinema.formats import load, save
from kinema.formats.gltf.container import open_document
from kinema.formats.sources import Source

JSON = b'{"asset":{"version":"2.0"}} '


def glb(*chunks: tuple[bytes, bytes], version: int = 2, length: int | None = None) -> bytes:
    body = b"".join(struct.pack("<I4s", len(data), kind) + data for kind, data in chunks)
    return struct.pack("<4sII", b"glTF", version, 12 + len(body) if length is None else length) + body


def opened(data: bytes, name: str = "x.glb"):
    return open_document(Source.from_bytes(data, name))


def test_reads_json_and_binary_chunk():
    document = opened(glb((b"JSON", JSON), (b"BIN\0", b"abcd"), (b"XYZ1", b"....")))
    assert document.binary is not None and bytes(document.binary) == b"abcd"
    assert document.values == {"asset": {"version": "2.0"}}
    assert document.warnings == []


def test_vrm_suffix_needs_a_container_and_gltf_suffix_takes_both():
    with pytest.raises(FormatError, match=r"^is not a GLB file"):
        opened(JSON, "x.vrm")
    assert opened(JSON, "x.gltf").values and opened(glb((b"JSON", JSON)), "x.gltf").values


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"glTF\2\0\0\0", "ends inside the GLB header"),
        (glb((b"JSON", JSON), version=1), "GLB version 1"),
        (glb((b"JSON", JSON))[:-4], "cut short inside of its JSON"),
        (glb((b"BIN\0", b"abcd")), "first GLB chunk must be JSON"),
        (glb((b"JSON", JSON), (b"JSON", JSON)), "more than one JSON"),
        (glb((b"JSON", JSON), (b"BIN\0", b"abcd"), (b"BIN\0", b"abcd")), "more than one"),
        (glb((b"JSON", JSON), (b"XYZ1", b"...."), (b"BIN\0", b"abcd")), "must be the second"),
        (glb((b"JSON", b"")), "the JSON is broken"),
        (glb(), "first GLB chunk"),
        (glb((b"JSON", JSON))[:20] + b"\xff" * 28, "GLB chunk|UTF-8"),
    ],
)
def test_broken_containers_are_refused(data, message):
    with pytest.raises(FormatError, match=message):
        opened(data)


def test_a_chunk_past_the_end_and_trailing_bytes():
    data = glb((b"JSON", JSON))
    long_chunk = data[:12] + struct.pack("<I", 4000) + data[16:]
    with pytest.raises(FormatError, match="runs past the end"):
        opened(long_chunk)
    assert "3 bytes after the end" in opened(data + b"abc").warnings[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xef\xbb\xbf" + JSON, "byte order mark"),
        (b'{"asset":{"version":"2.0","x":NaN}}', "NaN is not a JSON number"),
        (b'{"asset":{"version":"2.0","x":-Infinity}}', "not a JSON number"),
        (b'{"asset":{"version":"\xff"}}', "not UTF-8 at byte 21"),
        (b'{"asset":\n{"version":"2.0",}}', "line 2: the JSON is broken"),
        (b'{"asset":{"version":"2.0"},"asset":{"version":"2.0"}}', "'asset' occurs twice"),
        (b"[" * 200_000, "nested too deeply|broken"),
        (b'{"asset":{"version":"2.0","x":' + b"9" * 6000 + b"}}", "broken"),
        (b"[]", "must be an object"),
        (b"{}", "no asset"),
        (b'{"asset":{"version":"1.0"}}', "version is '1.0'"),
        (b'{"asset":{"version":"2.0","minVersion":"2.1"}}', "minVersion"),
        (b'{"asset":{"version":2}}', "must be a string"),
        (b'{"asset":{"version":"2.0"},"nodes":{}}', "nodes: must be an array"),
        (b'{"asset":{"version":"2.0"},"nodes":[3]}', r"nodes\[0\]: must be an object"),
        (b'{"asset":{"version":"2.0"},"nodes":[{"mesh":0}]}', r"nodes\[0\]: mesh refers to meshes\[0\], there are 0"),
        (b'{"asset":{"version":"2.0"},"nodes":[{"mesh":-1}]}', r"meshes\[-1\]"),
        (b'{"asset":{"version":"2.0"},"nodes":[{"mesh":true}]}', "must be a whole number, not True"),
        (b'{"asset":{"version":"2.0"},"skins":[{}]}', r"skins\[0\]: joints is missing"),
        (b'{"asset":{"version":"2.0"},"nodes":[{"name":[]}]}', "name must be a string"),
        (b'{"asset":{"version":"2.0"},"extensionsRequired":["EXT_made_up"]}', "requires EXT_made_up"),
        (b'{"asset":{"version":"2.0"},"extensionsRequired":3}', "array of strings"),
    ],
)
def test_broken_json_is_refused_in_one_line(text, message):
    with pytest.raises(FormatError, match=message) as caught:
        opened(text, "x.gltf")
    assert "\n" not in str(caught.value)


def test_optional_unknown_extensions_are_ignored():
    text = b'{"asset":{"version":"2.0"},"extensionsUsed":["EXT_new"],"extensions":{"EXT_new":{}}}'
    assert opened(text, "x.gltf").warnings == []


def test_required_materials_without_effect_are_named():
    def lines(*names):
        text = json.dumps({"asset": {"version": "2.0"}, "extensionsRequired": names}).encode()
        return opened(text, "x.gltf").warnings

    assert lines("KHR_materials_emissive_strength", "KHR_mesh_quantization") == []
    [line] = lines("KHR_materials_unlit", "KHR_mesh_quantization", "KHR_materials_transmission")
    assert "requires KHR_materials_unlit, KHR_materials_transmission, which have no effect" in line


def test_names_can_be_written_as_text(gltf_file, tmp_path) -> None:
    file = gltf_file(
        nodes=[{"name": "a\ud800", "children": [1]}, {"name": "b\ud800\n"}], scenes=[{"nodes": [0]}], scene=0
    )
    file.animate(1, "translation", [0.0, 0.5, 1.0], [[0, 0, 0], [0, 1, 0], [0, 2, 0]])
    file.root["animations"][0]["name"] = "x\udfff"
    file.root["animations"][0]["extras"] = {
        "kinema": {"fps": 2, "frames": 3, "tags": ["t\ud800"], "labels": {"l\ud800": 0}}
    }
    asset = file.load()
    assert asset.motions[0].tags == ("t?",) and list(asset.motions[0].labels) == ["l?"]
    assert asset.motions[0].name == "x?" and asset.motions[0].skeleton.names[0] == "a?"
    for suffix in ("bvh", "glb", "npz"):
        save(asset.motions[0], tmp_path / f"a.{suffix}")
        assert load(tmp_path / f"a.{suffix}").motion().skeleton.joint_count == 2


def test_a_repeated_key_and_many_warnings_are_found_in_time():
    keys = ",".join(f'"k{number}":0' for number in range(200_000))
    started = time.process_time()
    with pytest.raises(FormatError, match="'k199999' occurs twice"):
        opened(f'{{"asset":{{"version":"2.0"}},{keys},"k199999":0}}'.encode(), "x.gltf")
    document = opened(b'{"asset":{"version":"2.0"}}', "x.gltf")
    for number in range(40_000):
        document.warn(f"accessors[{number}] is not aligned")
    document.warn("accessors[0] is not aligned")
    assert len(document.warnings) == 40_000 and time.process_time() - started < 5
