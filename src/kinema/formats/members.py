"""Arrays of an npz file, an ordinary zip of NumPy's own format: checked before they are made, never unpickled."""

from __future__ import annotations

import io
import math
import zipfile
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.sources import SUSPICIOUS_RATIO, ZIP_ERRORS, Source, read_member

UNPACKED_FLOOR = 256 * 1024**2  # bytes that all arrays of any file may take together, however small it is

_HEADER_LIMIT = 4096
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


class Members:
    """Checked access to the arrays of an npz."""

    def __init__(self, archive: zipfile.ZipFile, names: dict[str, zipfile.ZipInfo], source: Source, size: int) -> None:
        self.archive, self.names, self.path, self.limit = archive, names, source.path, source.limit
        # Each member is bounded when it is read; many small bombs are one large one.
        self.left = max(UNPACKED_FLOOR, min(SUSPICIOUS_RATIO * size, source.limit))

    def fail(self, name: str, message: str) -> FormatError:
        """The error to raise for something wrong with an array."""
        return FormatError(message, path=self.path, node=name)

    def require(self, ok: object, name: str, message: str) -> None:
        """Raises the error unless `ok`."""
        if not ok:
            raise self.fail(name, message)

    def array(self, name: str, kinds: str, dimensions: int | None = None, finite: bool = True) -> NDArray[Any]:
        """An array by name, of these kinds of dtype; nothing larger than its bytes is ever allocated."""
        data = self._read(name)
        dtype, shape, fortran, start = self._header(name, data)
        if dtype.kind not in kinds:
            raise self.fail(name, f"holds {dtype}, expected numbers of kind {' or '.join(kinds)}")
        if dimensions is not None and len(shape) != dimensions:
            raise self.fail(name, f"has {len(shape)} dimensions, expected {dimensions}")
        if len(data) - start != math.prod(shape) * dtype.itemsize:
            raise self.fail(name, f"has {len(data) - start} bytes, which is not its shape {list(shape)} of {dtype}")
        flat = np.frombuffer(data, dtype, math.prod(shape), start) if len(data) > start else np.zeros(0, dtype)
        flat = flat.astype(dtype.newbyteorder("="))  # a copy that can be written to
        if finite and dtype.kind == "f" and not np.isfinite(flat).all():
            raise self.fail(name, "holds a value that is not finite")
        return flat.reshape(shape, order="F" if fortran else "C")

    def _read(self, name: str) -> bytes:
        self.require(name in self.names, name, "is missing")
        self.left -= self.names[name].file_size
        if self.left < 0:
            raise self.fail(name, "unpacks, with the arrays before it, to more than a file of this size may hold")
        return read_member(self.archive, self.names[name], f"{self.path}/{name}", self.limit)

    def _header(self, name: str, data: bytes) -> tuple[np.dtype[Any], tuple[int, ...], bool, int]:
        """Type, shape and order by the header, and where the data begins; nothing is allocated by it."""
        stream = io.BytesIO(data)
        try:
            read = _HEADERS[npy.read_magic(stream)]
            shape, fortran, dtype = read(stream, max_header_size=_HEADER_LIMIT)
        except Exception:  # a header is Python text, and what is wrong with it may be anything
            raise self.fail(name, "is not a NumPy array, or has a broken header") from None
        if dtype.hasobject:
            raise self.fail(
                name, "holds pickled Python objects, which could run code and are never read; save plain arrays instead"
            )
        if dtype.kind not in "biufU" or dtype.itemsize == 0:
            raise self.fail(name, f"is of type {dtype!s:.40}, expected plain numbers")
        if len(shape) > 8 or not all(0 <= size < 2**40 for size in shape):
            raise self.fail(name, "has a broken shape")
        return dtype, shape, fortran, stream.tell()


def open_members(source: Source) -> Members:
    """The arrays of an npz. FormatError where it is not a zip archive."""
    data = source.read()
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        names = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
    except ZIP_ERRORS as error:
        raise FormatError(f"not an npz file: {' '.join(str(error).split())}", path=source.path) from None
    return Members(archive, names, source, len(data))
