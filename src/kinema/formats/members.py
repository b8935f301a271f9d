"""Arrays of an npz file, an ordinary zip of NumPy's own format: checked before they are made, never unpickled."""

from __future__ import annotations

import ast
import io
import math
import re
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError
from kinema.formats.sources import SUSPICIOUS_RATIO, ZIP_ERRORS, Source, read_member

UNPACKED_FLOOR = 256 * 1024**2  # bytes that all arrays of any file may take together, however small it is

_HEADER_LIMIT = 4096
_DTYPE = re.compile(r"[<>|=]?([biuf])(\d{1,2})\Z|[<>|=]?(U)(\d{1,4})\Z")


class Members:
    """Checked access to the arrays of an npz."""

    def __init__(self, archive: zipfile.ZipFile, names: dict[str, zipfile.ZipInfo], source: Source, size: int) -> None:
        self.archive, self.names, self.path, self.limit = archive, names, source.path, source.limit
        # Each member is bounded when it is read; many small bombs are one large one.
        self.left = max(UNPACKED_FLOOR, min(SUSPICIOUS_RATIO * size, source.limit))

    def fail(self, name: str, message: str) -> FormatError:
        """The error to raise for something wrong with an array."""
        return FormatError(message, path=self.path, node=name)

    def array(self, name: str, kinds: str, dimensions: int | None = None, finite: bool = True) -> NDArray[Any]:
        """An array by name, of these kinds of dtype; nothing larger than its bytes is ever allocated."""
        if name not in self.names:
            raise self.fail(name, "is missing")
        self.left -= self.names[name].file_size
        if self.left < 0:
            raise self.fail(name, "unpacks, with the arrays before it, to more than a file of this size may hold")
        data = read_member(self.archive, self.names[name], f"{self.path}/{name}", self.limit)
        dtype, shape, fortran, start = self._header(name, data)
        if dtype.kind not in kinds:
            raise self.fail(name, f"holds {dtype}, expected numbers of kind {' or '.join(kinds)}")
        if dimensions is not None and len(shape) != dimensions:
            raise self.fail(name, f"has {len(shape)} dimensions, expected {dimensions}")
        if len(data) - start != math.prod(shape) * dtype.itemsize:
            raise self.fail(name, f"has {len(data) - start} bytes, which is not its shape {list(shape)} of {dtype}")
        flat = np.frombuffer(data, dtype, offset=start) if len(data) > start else np.zeros(0, dtype)
        flat = flat.astype(dtype.newbyteorder("="))  # a copy that can be written to
        if finite and dtype.kind == "f" and not np.isfinite(flat).all():
            raise self.fail(name, "holds a value that is not finite")
        return flat.reshape(shape, order="F" if fortran else "C")

    def _header(self, name: str, data: bytes) -> tuple[np.dtype[Any], tuple[int, ...], bool, int]:
        """Parsed here and not by NumPy, which would allocate by the header before looking at the data."""
        wide = data[6:7] != b"\x01"
        start = 12 if wide else 10
        end = start + int.from_bytes(data[8:start], "little")
        if data[:6] != b"\x93NUMPY" or end > min(len(data), _HEADER_LIMIT):
            raise self.fail(name, "is not a NumPy array")
        try:
            header = ast.literal_eval(data[start:end].decode("latin-1").strip())
            descr, shape, fortran = header["descr"], header["shape"], header["fortran_order"]
        except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError):
            raise self.fail(name, "has a broken array header") from None
        if isinstance(descr, str) and "O" in descr:
            raise self.fail(
                name, "holds pickled Python objects, which could run code and are never read; save plain arrays instead"
            )
        if not (isinstance(descr, str) and _DTYPE.match(descr)):
            raise self.fail(name, f"is of type {ascii(descr)[:40]}, expected plain numbers")
        sizes_fit = isinstance(shape, tuple) and all(isinstance(size, int) and 0 <= size < 2**40 for size in shape)
        if not sizes_fit or len(shape) > 8:
            raise self.fail(name, "has a broken shape")
        try:
            dtype = np.dtype(descr)
        except TypeError:
            dtype = None
        if dtype is None or dtype.itemsize == 0:
            raise self.fail(name, f"is of unknown type {descr!a}")
        return dtype, shape, bool(fortran), end


def open_members(source: Source) -> Members:
    """The arrays of an npz. FormatError where it is no zip."""
    data = source.read()
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        names = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
    except ZIP_ERRORS as error:
        raise FormatError(f"not an npz file: {' '.join(str(error).split())}", path=source.path) from None
    return Members(archive, names, source, len(data))
