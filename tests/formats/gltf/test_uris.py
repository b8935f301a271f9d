"""Where data lies: in uris, in files beside the file, and nowhere else."""

from __future__ import annotations

import pytest

from kinema.errors import FormatError
from kinema.formats.gltf.container import open_document
from kinema.formats.gltf.document import Item
from kinema.formats.gltf.uris import resolve_uri
from kinema.formats.sources import open_source


@pytest.fixture
def document(tmp_path):
    (tmp_path / "a b.bin").write_bytes(b"beside")
    (tmp_path / "a.gltf").write_text('{"asset":{"version":"2.0"}}')
    return open_document(open_source(tmp_path / "a.gltf"))


@pytest.mark.parametrize(
    ("uri", "data"),
    [
        ("data:application/octet-stream;base64,aGVsbG8=", b"hello"),
        ("data:;base64,aGVsbG8", b"hello"),
        ("data:,a%20b", b"a b"),
        ("a%20b.bin", b"beside"),
    ],
)
def test_what_is_found(document, uri, data):
    assert resolve_uri(Item(document, {"uri": uri}, "buffers[0]")) == data


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("data:nothing", "without a comma"),
        ("data:;base64,!!", "not valid base64"),
        ("", "is not valid"),
        (":x", "is not valid"),
        ("http://example.com/a.bin", "only files next to"),
        ("../a.bin", "folder"),
    ],
)
def test_what_is_not(document, uri, said):
    with pytest.raises(FormatError, match=said) as caught:
        resolve_uri(Item(document, {"uri": uri}, "buffers[0]"))
    assert "buffers[0]" in str(caught.value)


def test_a_file_is_read_once_however_it_is_named(document):
    found = [
        resolve_uri(Item(document, {"uri": uri}, "buffers[0]")) for uri in ("a%20b.bin", "./a b.bin", ".//%61 b.bin")
    ]
    assert found[0] is found[1] is found[2]
