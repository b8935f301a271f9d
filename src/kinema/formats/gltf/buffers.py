"""Numbers of a glTF file: buffers, buffer views and accessors as NumPy arrays, without copies where possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.formats.budget import FRAMES_FLOOR, Budget
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.uris import check_uri, resolve_uri

COMPONENT_TYPES = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
SHAPES = {
    "SCALAR": (1, 1),
    "VEC2": (1, 2),
    "VEC3": (1, 3),
    "VEC4": (1, 4),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}  # columns, rows
MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
INDEX_TYPES = (5121, 5123, 5125)


@dataclass(frozen=True)
class Accessor:
    """The checked description of one accessor."""

    where: str
    count: int
    dtype: np.dtype
    kind: str
    normalized: bool
    view: int | None
    offset: int
    stride: int  # between elements
    column_stride: int
    sparse: tuple[int, int, int, np.dtype, int, int] | None  # count, view, offset, type; view, offset of values

    @property
    def width(self) -> int:
        columns, rows = SHAPES[self.kind]
        return columns * rows


class Buffers:
    """All accessors of a document, checked when made; data is read when first asked for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.budget = Budget(document.source.path, document.size)
        self.frames = Budget(document.source.path, document.size, FRAMES_FLOOR)
        self._data: dict[int, memoryview] = {}
        self._counted: set[int] = set()
        self._arrays: dict[int, NDArray[np.generic]] = {}
        self._floats: dict[int, NDArray[np.float32]] = {}
        self._unpacked: dict[int, memoryview] = {}
        for index, buffer in enumerate(document.all("buffers")):
            where = f"buffers[{index}]"
            document.integer(buffer, "byteLength", where, low=1)
            if "uri" in buffer:
                uri = document.text(buffer, "uri", where)
                if uri[:5].lower() == "data:":
                    self._buffer(index)
                else:
                    check_uri(document, uri, where)
            elif index == 0 and document.is_glb:
                self._buffer(0)
        self.views = [self._view(index) for index in range(len(document.all("bufferViews")))]
        self.accessors = [self._accessor(index) for index in range(len(document.all("accessors")))]

    def array(self, index: int) -> NDArray[np.generic]:
        """Elements `[count, width]` of an accessor in its own type; matrices column by column. Read-only."""
        if index not in self._arrays:
            accessor = self.accessors[index]
            elements = self._read(accessor.view, accessor.offset, accessor.count, accessor)
            if accessor.sparse is not None:
                elements = self._overlay(accessor, elements)
            self._arrays[index] = elements
        return self._arrays[index]

    def floats(self, index: int, finite: bool = True) -> NDArray[np.float32]:
        """Elements `[count, width]` as float32; normalised integers become -1 to 1 or 0 to 1. Read-only.

        FormatError if a value is not finite, unless the caller repairs that (`finite` is False).
        """
        if index not in self._floats or not finite:
            accessor, elements = self.accessors[index], self.array(index)
            if accessor.dtype.kind == "f":
                if finite and not np.isfinite(elements).all():  # type: ignore[arg-type]
                    raise self.document.error("holds a value that is not finite", accessor.where)
                if not elements.flags.c_contiguous:  # interleaved: a copy is made
                    self.budget.charge(elements.nbytes, accessor.where)
                values = np.ascontiguousarray(elements, dtype=np.float32)
            else:
                self.budget.charge(4 * elements.size, accessor.where)
                values = elements.astype(np.float32)
                if accessor.normalized:
                    values /= np.float32(np.iinfo(accessor.dtype).max)
                    np.maximum(values, -1.0, out=values)
            if not finite:
                return values
            self._floats[index] = values
        return self._floats[index]

    def supply(self, index: int, elements: NDArray[np.generic], recount: bool = False) -> None:
        """Puts in the elements `[count, width]` of an accessor whose data was packed elsewhere in the file.

        Args:
            recount: the accessor has as many elements as there are now, whatever it declared.
        """
        if recount:
            self.accessors[index] = replace(self.accessors[index], count=len(elements))
        accessor = self.accessors[index]
        if elements.shape != (accessor.count, accessor.width):
            raise self.document.error(
                f"holds {list(elements.shape)} packed numbers, {[accessor.count, accessor.width]} are declared",
                accessor.where,
            )
        if not fits(elements, accessor.dtype):
            raise self.document.error("holds packed numbers that its type cannot keep", accessor.where)
        self.budget.charge(elements.nbytes, accessor.where)
        whole = elements if accessor.dtype.kind == "f" or elements.dtype.kind != "f" else np.rint(elements)
        self._arrays[index] = whole.astype(accessor.dtype)

    def bytes_of(self, view: int) -> memoryview:
        """The bytes of a buffer view, unpacked where they are compressed."""
        packed = self._packed(view)
        if packed is not None:
            if view not in self._unpacked:
                self._unpacked[view] = self._unpack(view, packed)
            return self._unpacked[view]
        buffer, offset, length, _ = self.views[view]
        return self._buffer(buffer)[offset : offset + length]

    def _packed(self, view: int) -> dict[str, Any] | None:
        """The extension of a compressed buffer view."""
        item = self.document.all("bufferViews")[view]
        if "extensions" not in item:
            return None
        where = f"bufferViews[{view}]"
        extensions = self.document.object(item, "extensions", where)
        for name in MESHOPT:
            if name in extensions:
                return self.document.object(extensions, name, where)
        return None

    def _unpack(self, view: int, packed: dict[str, Any]) -> memoryview:
        from kinema.formats.gltf import meshopt

        document, where = self.document, f"bufferViews[{view}]"
        buffer = document.index(packed, "buffer", "buffers", where)
        if buffer is None:
            raise document.error("compressed data has no buffer", where)
        offset = document.integer(packed, "byteOffset", where, 0)
        length = document.integer(packed, "byteLength", where, low=1)
        count, stride = (document.integer(packed, key, where, low=1) for key in ("count", "byteStride"))
        source = self._buffer(buffer)
        if offset + length > len(source):
            raise document.error(f"compressed data ends at byte {offset + length} of {len(source)}", where)
        if count * stride != self.views[view][2]:
            raise document.error(f"{count} elements of {stride} bytes are not {self.views[view][2]} bytes", where)
        self.budget.charge(3 * count * stride, where)
        mode, how = document.text(packed, "mode", where), document.text(packed, "filter", where, "NONE")
        try:
            data = np.frombuffer(source[offset : offset + length], np.uint8)
            return memoryview(meshopt.decode(data, mode, count, stride, how).tobytes())
        except ValueError as error:
            raise document.error(f"compressed data: {error}", where) from None

    def _buffer(self, index: int) -> memoryview:
        if index not in self._data:
            document, where = self.document, f"buffers[{index}]"
            buffer = document.all("buffers")[index]
            length = document.integer(buffer, "byteLength", where, low=1)
            if "uri" in buffer:
                found = resolve_uri(document, document.text(buffer, "uri", where), where)
                if id(found) not in self._counted:  # several buffers may lie in one file
                    self._counted.add(id(found))
                    self.budget.grow(len(found))
                data = memoryview(found)
            elif index == 0 and document.binary is not None:
                data = document.binary
            else:
                raise document.error("has no data: neither a uri nor a binary chunk", where)
            if len(data) < length:
                raise document.error(f"has {len(data)} bytes, {length} are declared", where)
            self._data[index] = data[:length]
        return self._data[index]

    def _view(self, index: int) -> tuple[int, int, int, int | None]:
        document, where = self.document, f"bufferViews[{index}]"
        view = document.all("bufferViews")[index]
        buffer = document.integer(view, "buffer", where)
        offset = document.integer(view, "byteOffset", where, 0)
        length = document.integer(view, "byteLength", where, low=1)
        available = document.integer(document.all("buffers")[buffer], "byteLength", f"buffers[{buffer}]", low=1)
        if offset + length > available:
            raise document.error(f"ends at byte {offset + length} of a buffer of {available}", where)
        stride = None
        if "byteStride" in view:
            stride = document.integer(view, "byteStride", where, low=4, high=252)
            if stride % 4:
                raise document.error(f"byteStride is {stride}, must be a multiple of 4", where)
        return buffer, offset, length, stride

    def _accessor(self, index: int) -> Accessor:
        document, where = self.document, f"accessors[{index}]"
        item = document.all("accessors")[index]
        component = document.integer(item, "componentType", where)
        kind = document.text(item, "type", where)
        if component not in COMPONENT_TYPES or kind not in SHAPES:
            raise document.error(f"unknown type {kind[:20]!r} of {component}", where)
        dtype = COMPONENT_TYPES[component]
        normalized = item.get("normalized", False)
        if not isinstance(normalized, bool):
            raise document.error("normalized must be true or false", where)
        count = document.integer(item, "count", where, low=1)
        columns, rows = SHAPES[kind]
        # Each column of a matrix begins at a multiple of four bytes.
        column = rows * dtype.itemsize if columns == 1 else -(-rows * dtype.itemsize // 4) * 4
        size = column * columns
        view = document.index(item, "bufferView", "bufferViews", where)
        offset = document.integer(item, "byteOffset", where, 0)
        stride = size
        if view is not None:
            stride = self.views[view][3] or size
            if stride < size:
                raise document.error(f"elements of {size} bytes do not fit a byteStride of {stride}", where)
            self._check_span(where, view, offset, (count - 1) * stride + size, dtype.itemsize)
        sparse = None
        if "sparse" in item:
            entry = document.object(item, "sparse", where)
            changed = document.integer(entry, "count", f"{where}.sparse", low=1, high=count)
            places, values = (document.object(entry, key, f"{where}.sparse") for key in ("indices", "values"))
            found = []
            for part, label in ((places, "indices"), (values, "values")):
                part_view = document.index(part, "bufferView", "bufferViews", f"{where}.sparse.{label}")
                if part_view is None:
                    raise document.error("bufferView is missing", f"{where}.sparse.{label}")
                found += [part_view, document.integer(part, "byteOffset", f"{where}.sparse.{label}", 0)]
            index_type = document.integer(places, "componentType", f"{where}.sparse.indices")
            if index_type not in INDEX_TYPES:
                raise document.error(f"unknown index type {index_type}", f"{where}.sparse.indices")
            index_dtype = COMPONENT_TYPES[index_type]
            self._check_span(
                f"{where}.sparse.indices", found[0], found[1], changed * index_dtype.itemsize, index_dtype.itemsize
            )
            self._check_span(f"{where}.sparse.values", found[2], found[3], changed * size, dtype.itemsize)
            sparse = (changed, found[0], found[1], index_dtype, found[2], found[3])
        if view is None:
            self.budget.charge(count * columns * rows * dtype.itemsize, where)
        return Accessor(where, count, dtype, kind, normalized, view, offset, stride, column, sparse)

    def _check_span(self, where: str, view: int, offset: int, size: int, unit: int) -> None:
        _, start, length, _ = self.views[view]
        if offset + size > length:
            raise self.document.error(f"needs {offset + size} bytes of bufferViews[{view}], which has {length}", where)
        if (start + offset) % unit:
            # Readable, and some exporters do it; graphics hardware would refuse it.
            self.document.warn(f"{where} is not aligned to {unit} bytes")

    def _read(self, view: int | None, offset: int, count: int, accessor: Accessor) -> NDArray[np.generic]:
        """`count` elements laid out as `accessor` says, beginning at `offset` of a view; zeros without one."""
        columns, rows = SHAPES[accessor.kind]
        if view is None:
            return np.zeros((count, columns * rows), accessor.dtype)
        strides = (accessor.stride, accessor.column_stride, accessor.dtype.itemsize)
        raw = self.bytes_of(view)
        elements: NDArray[np.generic] = np.ndarray((count, columns, rows), accessor.dtype, raw, offset, strides)
        if columns == 1:
            return elements[:, 0]
        self.budget.charge(elements.nbytes, accessor.where)
        return elements.reshape(count, columns * rows)

    def _overlay(self, accessor: Accessor, base: NDArray[np.generic]) -> NDArray[np.generic]:
        assert accessor.sparse is not None
        count, index_view, index_offset, index_dtype, value_view, value_offset = accessor.sparse
        places = np.frombuffer(self.bytes_of(index_view), index_dtype, count, index_offset).astype(np.int64)
        if places[-1] >= accessor.count or (np.diff(places) <= 0).any():
            raise self.document.error(
                f"indices must increase and stay below {accessor.count}", f"{accessor.where}.sparse.indices"
            )
        columns, _ = SHAPES[accessor.kind]
        packed = replace(accessor, stride=accessor.column_stride * columns)
        self.budget.charge(base.nbytes, accessor.where)
        result = np.array(base)
        result[places] = self._read(value_view, value_offset, count, packed)
        return result


def fits(values: NDArray[Any], dtype: np.dtype) -> bool:
    """Whether every number can be kept in a type; whole numbers may have lost a little as packed fractions."""
    if dtype.kind == "f" or values.size == 0:
        return True
    info = np.iinfo(dtype)
    if not np.isfinite(values).all() or values.min() < info.min or values.max() > info.max:
        return False
    return values.dtype.kind != "f" or bool((np.abs(values - np.rint(values)) < 0.01).all())
