"""USDZ packages: zip archives without compression whose files start at multiples of 64 bytes, the root layer first."""

from __future__ import annotations

import io
import struct
import zipfile

ALIGNED = 64
_HEADER = 30  # bytes of a local file header, before name and extra field
_EXTRA = struct.Struct("<HH")
_PADDING_ID = 0x1986
_DATE = (1980, 1, 1, 0, 0, 0)  # the same input gives the same bytes


def packed(files: dict[str, bytes]) -> bytes:
    """The bytes of a package with these files, in this order."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED, allowZip64=False) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            start = held.tell() + _HEADER + len(name.encode("utf-8")) + _EXTRA.size
            padding = -start % ALIGNED
            entry.extra = _EXTRA.pack(_PADDING_ID, padding) + bytes(padding)
            archive.writestr(entry, data)
    return held.getvalue()
