"""Compressed buffer views: streams that the codec's own encoder made of arithmetic, and what damage does to them."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.gltf.meshopt import decode

ROW = np.arange(40)
PLAIN = np.stack([ROW * 3, 1000 - ROW * ROW, (ROW % 5) * 700, ROW * 0], axis=1).astype("<i2")

STREAMS = {
    "plain": "oCoGZmZmZmZmZmZmZmZmZmZmZmZmZgAAAAAAHwABBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5//8AAH2BhYmNkZWZFEABAEBAQ"
             "QAAHwCHh4eHIIeHh4cgh4eHhyCHh4eHIIeHh4cgh4eHhyCH//8AAIeHhyCHh4eHKgRmT0Zk9GZPExMTRmT0Zk9GZPQTExNmT0ZkAAAAAB"
             "MAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA6AMAAAAA",
    "triangles": "4f7+/v7+/v7+/v////////7+/vAIHwIvAvME8wLwAvQE9ALwAuwZ2wLKAqgElwKGAquaCQB2h1ZneKmGZYlomAFpAAA=",
    "indices": "0QAQCgAQCgAQCgQQCgAQCgAQCgQQCgAQCgAQCiYMBAoMBAoMBAYMBAoMBAoMBAYMBAoMBAoMBAAAAAA=",
}  # fmt: skip


def stream(name: str) -> np.ndarray:
    text = STREAMS[name]
    return np.frombuffer(base64.b64decode(text + "=" * (-len(text) % 4)), np.uint8)


def grid(side: int) -> np.ndarray:
    """Triangles of a square net of points."""
    i = np.arange(side * side).reshape(side, side)
    a, b, c, d = i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]
    return np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, c), (c, b, d))])


def test_attributes_come_back_from_the_codec_itself():
    got = decode(stream("plain"), "ATTRIBUTES", 40, 8, "NONE")
    np.testing.assert_array_equal(got.view("<i2").reshape(40, 4), PLAIN)


def test_triangles_and_indices_come_back():
    wanted = grid(4)
    got = decode(stream("triangles"), "TRIANGLES", 54, 4, "NONE").view("<u4").reshape(-1, 3)
    for a, b in zip(got, wanted, strict=True):  # a triangle may begin at another corner
        assert any(np.array_equal(np.roll(b, shift), a) for shift in range(3))
    again = decode(stream("indices"), "INDICES", 54, 4, "NONE").view("<u4")
    np.testing.assert_array_equal(again, wanted.ravel())
    np.testing.assert_array_equal(decode(stream("indices"), "INDICES", 54, 2, "NONE").view("<u2"), wanted.ravel())


def encoded(elements: np.ndarray) -> np.ndarray:
    """Attributes as the plainest stream that the format allows: every delta a byte of its own."""
    count, stride = elements.shape
    block = min((8192 // stride) & ~15, 256)
    before, parts = elements[0], [b"\xa0"]
    for start in range(0, count, block):
        rows = elements[start : start + block]
        steps = np.diff(np.concatenate([before[None], rows]).astype(np.int16), axis=0).astype(np.int8).astype(np.int16)
        codes = np.where(steps < 0, -2 * steps - 1, 2 * steps).astype(np.uint8)
        groups = -(-len(rows) // 16)
        codes = np.pad(codes, ((0, groups * 16 - len(rows)), (0, 0)))
        for byte in range(stride):
            parts += [b"\xff" * -(-groups // 4), codes[:, byte].tobytes()]
        before = rows[-1]
    parts += [b"\0" * max(0, 32 - stride), elements[0].tobytes()]
    return np.frombuffer(b"".join(parts), np.uint8)


@pytest.mark.parametrize(("count", "stride"), [(1, 4), (16, 8), (40, 12), (257, 4), (700, 64), (64, 256)])
def test_any_attributes_come_back(count, stride, rng):
    elements = rng.integers(0, 256, (count, stride)).astype(np.uint8)
    np.testing.assert_array_equal(decode(encoded(elements), "ATTRIBUTES", count, stride, "NONE"), elements.ravel())


def test_narrow_deltas_are_as_the_format_describes_them():
    """The example of the format's description: four-bit deltas, two of them written out."""
    group = bytes.fromhex("175ff0bc77a921003 4b5".replace(" ", ""))
    zero = b"\0"
    data = b"\xa0" + b"\x02" + group + 3 * zero + 32 * zero
    got = decode(np.frombuffer(data, np.uint8), "ATTRIBUTES", 16, 4, "NONE").reshape(16, 4)
    deltas = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]
    np.testing.assert_array_equal(got[:, 0].astype(np.int8), np.cumsum(deltas).astype(np.int8))
    assert not got[:, 1:].any()


@pytest.mark.parametrize(("kind", "stride"), [(np.int8, 4), ("<i2", 8)])
def test_octahedral_directions(kind, stride, rng):
    ways = rng.normal(size=(200, 3))
    ways /= np.abs(ways).sum(axis=1, keepdims=True)
    flat = ways[:, :2].copy()
    below = ways[:, 2] < 0
    flat[below] = (1 - np.abs(ways[below][:, 1::-1])) * np.where(ways[below][:, :2] < 0, -1, 1)
    most = np.iinfo(kind).max
    stored = np.column_stack([np.rint(flat * most), np.full(200, most), np.arange(200) % 100]).astype(kind)
    out = decode(encoded(np.ascontiguousarray(stored).view(np.uint8)), "ATTRIBUTES", 200, stride, "OCTAHEDRAL")
    out = out.view(kind).reshape(-1, 4)
    unit = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    np.testing.assert_allclose(out[:, :3] / most, unit, atol=2.5 / most)
    np.testing.assert_array_equal(out[:, 3], stored[:, 3])


@pytest.mark.parametrize("bits", [8, 12, 16])
def test_quaternions(bits, rng):
    turns = rng.normal(size=(200, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    largest = np.abs(turns).argmax(axis=1)
    turns *= np.sign(np.take_along_axis(turns, largest[:, None], axis=1))
    rest = np.take_along_axis(turns, (largest[:, None] + np.arange(1, 4)) % 4, axis=1)
    one = (1 << (bits - 1)) - 1
    stored = np.column_stack([np.rint(rest * np.sqrt(2) * one), (one & ~3) | largest]).astype("<i2")
    out = decode(encoded(np.ascontiguousarray(stored).view(np.uint8)), "ATTRIBUTES", 200, 8, "QUATERNION")
    np.testing.assert_allclose(out.view("<i2").reshape(-1, 4) / 32767, turns, atol=2.5 / one)


def test_exponential_numbers(rng):
    mantissa, exponent = rng.integers(-(2**23), 2**23, (50, 3)), rng.integers(-30, 30, (50, 3))
    stored = ((exponent << 24) | (mantissa & 0xFFFFFF)).astype(np.uint32)
    out = decode(encoded(stored.view(np.uint8)), "ATTRIBUTES", 50, 12, "EXPONENTIAL").view("<f4").reshape(-1, 3)
    np.testing.assert_allclose(out, mantissa * 2.0**exponent, rtol=1e-6)


@pytest.mark.parametrize(
    ("mode", "count", "stride", "how", "said"),
    [
        ("ATTRIBUTES", 10**9, 4, "NONE", "take at least"),
        ("TRIANGLES", 3 * 10**9, 4, "NONE", "take at least"),
        ("INDICES", 10**9, 2, "NONE", "take at least"),
        ("ATTRIBUTES", 4, 6, "NONE", "multiple of 4"),
        ("ATTRIBUTES", 4, 12, "QUATERNION", "does not go with"),
        ("TRIANGLES", 4, 4, "NONE", "are not triangles"),
        ("TRIANGLES", 3, 4, "OCTAHEDRAL", "are impossible"),
        ("POINTS", 3, 4, "NONE", "unknown mode"),
        ("ATTRIBUTES", 4, 4, "NONE", "begins with"),
    ],
)
def test_what_cannot_be_is_refused_before_it_is_made(mode, count, stride, how, said):
    with pytest.raises(ValueError, match=said):
        decode(stream("triangles"), mode, count, stride, how)


def test_damaged_streams_never_do_more_than_refuse(rng):
    cases = [("triangles", "TRIANGLES", 54, 4), ("indices", "INDICES", 54, 4)]
    for name, mode, count, stride in cases:
        whole = stream(name)
        for _ in range(300):
            broken = whole.copy()
            broken[rng.integers(1, len(broken), 3)] = rng.integers(0, 256, 3)
            broken = broken[: rng.integers(len(broken) // 2, len(broken) + 1)]
            try:
                assert len(decode(broken, mode, count, stride, "NONE")) == count * stride
            except ValueError as error:
                assert "\n" not in str(error)
    elements = rng.integers(0, 9, (40, 8)).astype(np.uint8)
    for cut in range(20, len(encoded(elements)) - 1, 7):
        with pytest.raises(ValueError, match=r"ends early|take at least"):
            decode(encoded(elements)[:cut], "ATTRIBUTES", 40, 8, "NONE")


def test_a_compressed_view_is_read_like_any_other(gltf_file):
    file = gltf_file(nodes=[{"mesh": 0}], extensionsRequired=["EXT_meshopt_compression"])
    points = np.float32([[x, y, 0] for y in range(4) for x in range(4)])
    packed = encoded(points.view(np.uint8))
    view = file.view(packed.tobytes())
    entry = {
        "buffer": 0,
        "byteOffset": file.root["bufferViews"][view]["byteOffset"],
        "byteLength": len(packed),
        "count": 16,
        "byteStride": 12,
        "mode": "ATTRIBUTES",
    }
    file.binary += b"\0" * 200  # room for the view's own, uncompressed range
    file.root["bufferViews"].append({"buffer": 0, "byteLength": 192, "extensions": {"EXT_meshopt_compression": entry}})
    file.root["accessors"] = [{"bufferView": 1, "componentType": 5126, "count": 16, "type": "VEC3"}]
    indices = file.accessor(grid(4).ravel(), "SCALAR", "u2")
    file.root["meshes"] = [{"primitives": [{"attributes": {"POSITION": 0}, "indices": indices}]}]
    np.testing.assert_array_equal(file.load().character.meshes[0].positions, points)
    entry["count"] = 15
    with pytest.raises(FormatError, match=r"bufferViews\[1\].*: 15 elements of 12 bytes are not 192 bytes"):
        file.load()
