"""What the encoder writes is what the parser reads, byte for byte where the format fixes them."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinema.errors import FormatError
from kinema.formats.fbx import encode as module
from kinema.formats.fbx.encode import Long, Node, encode, named, shared
from kinema.formats.fbx.objects import parse


def test_every_kind_of_value_comes_back() -> None:
    arrays = [
        np.arange(5, dtype=np.float32),
        np.linspace(0, 1, 400),
        np.arange(90, dtype=np.int32),
        np.arange(3, dtype=np.int64),
    ]
    node = Node("Things", True, -7, Long(1 << 40), 0.1, "Größe", b"\x00\xff", *arrays)
    tree = parse(encode([node]))
    values = tree.root.children[0].values
    assert tree.version == 7400 and not tree.warnings
    assert values[:6] == [1, -7, 1 << 40, 0.1, "Größe", b"\x00\xff"]
    for ours, theirs in zip(arrays, values[6:], strict=True):
        assert theirs.dtype == ours.dtype
        np.testing.assert_array_equal(ours, theirs)


def test_records_nest_and_know_where_they_end() -> None:
    root = Node("A", 1)
    root.add("B", children=[]).add("C", "x")
    root.add("D", 2)
    tree = parse(encode([root, Node("E")]))
    first, second = tree.root.children
    assert [child.name for child in first.children] == ["B", "D"]
    assert first.children[0].children[0].values == ["x"]
    assert second.name == "E" and not second.children


@given(st.integers(0, 40))
def test_the_end_of_the_file_is_aligned(length: int) -> None:
    data = encode([Node("N", "x" * length)])
    # Identity, padding to a multiple of 16, four zeros, version, 120 zeros, 16 bytes that end every file.
    end = data.rindex(module._FOOTER_ID) + 16
    padded = -(-end // 16) * 16
    assert data[end:padded] == bytes(padded - end)
    assert struct.unpack_from("<II", data, padded) == (0, 7400)
    assert data[padded + 8 :] == bytes(120) + module._FOOTER_END
    assert len(data) % 16 == 0


def test_names_carry_their_class_and_no_zero_bytes() -> None:
    data = encode([Node("Model", named("a\0b\ud800", "Model"))])
    assert b"ab?\x00\x01Model" in data
    assert parse(data).root.children[0].values == ["Model::ab?"]


def test_shared_arrays_are_the_same_bytes() -> None:
    times = np.arange(1000, dtype=np.int64) * 1539538600
    assert encode([Node("T", shared(times))]) == encode([Node("T", times)])


def test_files_that_offsets_cannot_count_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_append", lambda out, record: struct.pack("<I", 1 << 32))
    with pytest.raises(FormatError, match="4 GB"):
        encode([Node("A")])
