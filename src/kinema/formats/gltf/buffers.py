"""Numbers of a glTF file: buffers, buffer views and accessors as NumPy arrays, without copies where possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Singles
from kinema.formats.budget import FRAMES_FLOOR, Budget
from kinema.formats.gltf.document import GltfDocument, Item, MissingDataError
from kinema.formats.gltf.uris import check_uri, is_embedded, resolve_uri

COMPONENT_TYPES = {
    code: np.dtype(name)
    for code, name in {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}.items()
}
SHAPES = {"SCALAR": (1, 1)}  # columns and rows
SHAPES |= {f"VEC{size}": (1, size) for size in (2, 3, 4)} | {f"MAT{size}": (size, size) for size in (2, 3, 4)}
MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
INDEX_TYPES = (5121, 5123, 5125)


@dataclass(frozen=True)
class Sparse:
    """Elements that replace some of an accessor's: how many, and where their indices and values begin."""

    item: Item
    count: int
    index_view: int
    index_offset: int
    index_dtype: np.dtype
    value_view: int
    value_offset: int


@dataclass(frozen=True)
class Accessor:
    """The checked description of one accessor."""

    item: Item
    count: int
    dtype: np.dtype
    kind: str
    normalized: bool
    view: int | None
    offset: int
    stride: int  # bytes between elements
    column_stride: int  # bytes between the columns of a matrix
    sparse: Sparse | None

    @property
    def width(self) -> int:
        """Numbers of one element."""
        columns, rows = SHAPES.get(self.kind, (0, 0))
        return columns * rows


class Buffers:
    """All accessors of a document. They are checked at once; their data is read on first use."""

    def __init__(self, document: GltfDocument) -> None:
        self.document = document
        self.budget = Budget(document.size)
        self.frames = Budget(document.size, FRAMES_FLOOR)
        self._data: dict[int, memoryview] = {}
        self._counted: set[int] = set()
        self._arrays: dict[int, NDArray[np.generic]] = {}
        self._floats: dict[int, Singles] = {}
        self._unpacked: dict[int, memoryview] = {}
        for index, buffer in enumerate(document.all("buffers")):
            buffer.integer("byteLength", low=1)
            if "uri" in buffer:
                check_uri(buffer)
            inside = document.is_glb and not index and "uri" not in buffer and not document.cut
            if is_embedded(buffer) or inside:
                self._buffer(index)
        self.views = [self._view(view) for view in document.all("bufferViews")]
        self.accessors = [self._accessor(item) for item in document.all("accessors")]

    def array(self, index: int) -> NDArray[np.generic]:
        """Elements `[count, width]` of an accessor in its own type; matrices column by column. Read-only."""
        if index not in self._arrays:
            accessor = self.accessors[index]
            elements = self._read(accessor, accessor.view, accessor.offset)
            if accessor.sparse is not None:
                elements = self._overlay(accessor, accessor.sparse, elements)
            self._arrays[index] = elements
        return self._arrays[index]

    def floats(self, index: int, finite: bool = True) -> Singles:
        """Elements `[count, width]` as float32; normalised integers become -1 to 1 or 0 to 1. Read-only.

        FormatError if a value is not finite, unless the caller repairs that (`finite` is False).
        """
        if index in self._floats and finite:
            return self._floats[index]
        accessor, elements = self.accessors[index], self.array(index)
        if accessor.dtype.kind == "f":
            accessor.item.require(not finite or np.isfinite(elements).all(), "holds a value that is not finite")
            if not elements.flags.c_contiguous:  # interleaved: a copy is made
                self.budget.charge(elements.nbytes, accessor.item.where)
            values = np.ascontiguousarray(elements, dtype=np.float32)
        else:
            self.budget.charge(4 * elements.size, accessor.item.where)
            values = elements.astype(np.float32)
            if accessor.normalized:
                values /= np.float32(np.iinfo(accessor.dtype).max)
                np.maximum(values, -1.0, out=values)
        if finite:
            self._floats[index] = values
        return values

    def supply(self, index: int, elements: NDArray[np.generic], recount: bool = False) -> None:
        """Sets the elements `[count, width]` of an accessor whose data is compressed elsewhere in the file.

        Args:
            recount: the accessor has as many elements as there are now, whatever it declared.
        """
        if recount:
            self.accessors[index] = replace(self.accessors[index], count=len(elements))
        accessor = self.accessors[index]
        declared = [accessor.count, accessor.width]
        if list(elements.shape) != declared:
            raise accessor.item.error(f"holds {list(elements.shape)} compressed numbers, {declared} are declared")
        accessor.item.require(fits(elements, accessor.dtype), "holds compressed numbers that its type cannot represent")
        self.budget.charge(elements.nbytes, accessor.item.where)
        whole = elements if accessor.dtype.kind == "f" or elements.dtype.kind != "f" else np.rint(elements)
        self._arrays[index] = whole.astype(accessor.dtype)

    def bytes_of(self, view: int) -> memoryview:
        """The bytes of a buffer view, unpacked where they are compressed."""
        packed = self._packed(view)
        if packed is not None:
            if view not in self._unpacked:
                self._unpacked[view] = self._unpack(packed, self.views[view][2])
            return self._unpacked[view]
        buffer, offset, length, _ = self.views[view]
        return self._span(buffer, offset, length)

    def _packed(self, view: int) -> Item | None:
        """The extension of a compressed buffer view."""
        item = self.document.all("bufferViews")[view]
        extensions = item.object("extensions") if "extensions" in item else item
        return next((extensions.object(name) for name in MESHOPT if name in extensions), None)

    def _unpack(self, packed: Item, size: int) -> memoryview:
        from kinema.formats.gltf import meshopt

        buffer = packed.required_index("buffer", "buffers")
        declared = self.document.all("buffers")[buffer].integer("byteLength", low=1)
        offset, length = packed.integer("byteOffset", 0), packed.integer("byteLength", low=1)
        count, stride = packed.integer("count", low=1), packed.integer("byteStride", low=1)
        if offset + length > declared:
            raise packed.error(f"compressed data ends at byte {offset + length} of {declared}")
        source = self._span(buffer, offset, length)
        packed.require(count * stride == size, f"{count} elements of {stride} bytes are not {size} bytes")
        self.budget.charge(3 * count * stride, packed.where)
        mode, filtered = packed.text("mode"), packed.text("filter", "NONE")
        try:
            data = np.frombuffer(source, np.uint8)
            return memoryview(meshopt.decode(data, mode, count, stride, filtered).tobytes())
        except ValueError as error:
            raise packed.error(f"compressed data: {error}") from None

    def _span(self, index: int, offset: int, length: int) -> memoryview:
        """Bytes of a buffer. MissingDataError if the buffer is cut short before their end."""
        data, buffer = self._buffer(index), self.document.all("buffers")[index]
        if offset + length > len(data):
            message = f"is cut short: it has {len(data)} bytes, {buffer.integer('byteLength')} are declared"
            raise MissingDataError(message, node=buffer.where)
        return data[offset : offset + length]

    def _buffer(self, index: int) -> memoryview:
        """The bytes of a buffer; fewer than are declared where it may be cut short."""
        if index not in self._data:
            buffer = self.document.all("buffers")[index]
            length = buffer.integer("byteLength", low=1)
            if "uri" in buffer:
                found = resolve_uri(buffer)
                if id(found) not in self._counted:  # several buffers may lie in one file
                    self._counted.add(id(found))
                    self.budget.grow(len(found))
                data, whole = memoryview(found), is_embedded(buffer)
            elif index == 0 and self.document.binary is not None:
                data, whole = self.document.binary, not self.document.cut
            else:
                message = "has no data: neither a uri nor a binary chunk"
                raise MissingDataError(message, node=buffer.where)
            buffer.require(len(data) >= length or not whole, f"has {len(data)} bytes, {length} are declared")
            self._data[index] = data[:length]
        return self._data[index]

    def _view(self, view: Item) -> tuple[int, int, int, int | None]:
        """Buffer, offset, length, and stride if it is stated."""
        buffer, offset = view.integer("buffer"), view.integer("byteOffset", 0)
        length = view.integer("byteLength", low=1)
        available = self.document.all("buffers")[buffer].integer("byteLength", low=1)
        view.require(offset + length <= available, f"ends at byte {offset + length} of a buffer of {available}")
        if "byteStride" not in view:
            return buffer, offset, length, None
        stride = view.integer("byteStride", low=4, high=252)
        if stride % 4:
            raise view.error(f"byteStride is {stride}, must be a multiple of 4")
        return buffer, offset, length, stride

    def _accessor(self, item: Item) -> Accessor:
        component, kind = item.integer("componentType"), item.text("type")
        if component not in COMPONENT_TYPES or kind not in SHAPES:
            item.warn(f"is of an unknown type, {kind[:20]!r} of {component}; it cannot be used")
            return Accessor(item, 0, np.dtype(np.void), "", False, None, 0, 0, 0, None)
        normalized = item.values.get("normalized", False)
        item.require(isinstance(normalized, bool), "normalized must be true or false")
        dtype, count, offset = COMPONENT_TYPES[component], item.integer("count", low=1), item.integer("byteOffset", 0)
        columns, rows = SHAPES[kind]
        # Each column of a matrix begins at a multiple of four bytes.
        column = rows * dtype.itemsize if columns == 1 else -(-rows * dtype.itemsize // 4) * 4
        size = stride = column * columns
        end = column * (columns - 1) + rows * dtype.itemsize  # of the last element, which may lack its padding
        view = item.index("bufferView", "bufferViews")
        if view is None:
            self.budget.charge(count * columns * rows * dtype.itemsize, item.where)
        else:
            stride = self.views[view][3] or size
            item.require(stride >= size, f"elements of {size} bytes do not fit a byteStride of {stride}")
            self._check_span(item, view, offset, (count - 1) * stride + end, dtype.itemsize)
        sparse = self._sparse(item.object("sparse"), count, size, end, dtype) if "sparse" in item else None
        return Accessor(item, count, dtype, kind, normalized, view, offset, stride, column, sparse)

    def _sparse(self, item: Item, elements: int, size: int, end: int, dtype: np.dtype) -> Sparse:
        count, indices, values = (
            item.integer("count", low=1, high=elements),
            item.object("indices"),
            item.object("values"),
        )
        component = indices.integer("componentType")
        indices.require(component in INDEX_TYPES, f"unknown index type {component}")
        index_dtype = COMPONENT_TYPES[component]
        unit = index_dtype.itemsize
        places = []
        for part, stride, last, aligned in ((indices, unit, unit, unit), (values, size, end, dtype.itemsize)):
            view, offset = part.required_index("bufferView", "bufferViews"), part.integer("byteOffset", 0)
            self._check_span(part, view, offset, (count - 1) * stride + last, aligned)
            places += [view, offset]
        return Sparse(indices, count, places[0], places[1], index_dtype, places[2], places[3])

    def _check_span(self, item: Item, view: int, offset: int, size: int, unit: int) -> None:
        _, start, length, _ = self.views[view]
        item.require(offset + size <= length, f"needs {offset + size} bytes of bufferViews[{view}], which has {length}")
        if (start + offset) % unit:
            # Readable, and some exporters do it; graphics hardware would refuse it.
            item.warn(f"is not aligned to {unit} bytes")

    def _read(self, accessor: Accessor, view: int | None, offset: int) -> NDArray[np.generic]:
        """Elements laid out as `accessor` says, beginning at `offset` of a view; zeros without one."""
        count, (columns, rows) = accessor.count, SHAPES[accessor.kind]
        if view is None:
            return np.zeros((count, columns * rows), accessor.dtype)
        strides = (accessor.stride, accessor.column_stride, accessor.dtype.itemsize)
        raw = self.bytes_of(view)
        elements: NDArray[np.generic] = np.ndarray((count, columns, rows), accessor.dtype, raw, offset, strides)
        if columns == 1:
            return elements[:, 0]
        self.budget.charge(elements.nbytes, accessor.item.where)
        return elements.reshape(count, columns * rows)

    def _overlay(self, accessor: Accessor, sparse: Sparse, base: NDArray[np.generic]) -> NDArray[np.generic]:
        raw = self.bytes_of(sparse.index_view)
        places = np.frombuffer(raw, sparse.index_dtype, sparse.count, sparse.index_offset).astype(np.int64)
        if places[-1] >= accessor.count or (np.diff(places) <= 0).any():
            raise sparse.item.error(f"indices must increase and stay below {accessor.count}")
        columns, _ = SHAPES[accessor.kind]
        packed = replace(accessor, count=sparse.count, stride=accessor.column_stride * columns)
        self.budget.charge(base.nbytes, accessor.item.where)
        result = np.array(base)
        result[places] = self._read(packed, sparse.value_view, sparse.value_offset)
        return result


def fits(values: NDArray[Any], dtype: np.dtype) -> bool:
    """Whether a type can hold every number; whole numbers may be slightly off after compression as fractions."""
    if dtype.kind == "f" or values.size == 0:
        return True
    info = np.iinfo(dtype)
    if not np.isfinite(values).all() or values.min() < info.min or values.max() > info.max:
        return False
    return values.dtype.kind != "f" or bool((np.abs(values - np.rint(values)) < 0.01).all())
