"""USDZ packages."""

from __future__ import annotations

import io
import struct
import zipfile

from kinema.formats.usd.package import packed


def test_files_are_stored_at_multiples_of_64_in_order():
    files = {"a.usdc": b"x" * 100, "textures/ü.png": b"y" * 7, "b.jpg": b""}
    data = packed(files)
    archive = zipfile.ZipFile(io.BytesIO(data))
    assert archive.testzip() is None and archive.namelist() == list(files)
    for entry in archive.infolist():
        name, extra = struct.unpack_from("<HH", data, entry.header_offset + 26)
        start = entry.header_offset + 30 + name + extra
        assert start % 64 == 0 and entry.compress_type == zipfile.ZIP_STORED
        assert data[start : start + entry.file_size] == files[entry.filename]
    assert packed(files) == data
