"""Buffer views compressed with meshoptimizer (EXT_meshopt_compression, KHR_meshopt_compression), decoded.

Written from the description of the bitstream in the extension's text: attributes (bytes as zigzag deltas in groups of
16), triangles (recent edges and vertices by number), plain indices, and the filters octahedral, quaternion and
exponential. Every read is checked against the end of the data.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bytes, Ints
from kinema.compiled import njit

GROUP = 16  # elements whose deltas have the same width
_BLOCK_BYTES, _BLOCK = 8192, 256
_TAIL = 32


def decode(data: Bytes, mode: str, count: int, stride: int, filtered: str) -> Bytes:
    """The bytes `[count * stride]` of a buffer view.

    Args:
        mode: "ATTRIBUTES", "TRIANGLES" or "INDICES".
        filtered: "NONE", "OCTAHEDRAL", "QUATERNION" or "EXPONENTIAL".

    Raises:
        ValueError: the data is damaged or does not fit what is declared; says which.
    """
    if mode == "ATTRIBUTES":
        _check_attributes(len(data), count, stride, filtered)
        return _decode_attributes(data, count, stride, filtered)
    if mode in ("TRIANGLES", "INDICES"):
        _check_indices(len(data), mode, count, stride, filtered)
        return _decode_indices(data, mode, count, stride)
    raise ValueError(f"has an unknown mode {mode[:20]!r}")


def _check_attributes(size: int, count: int, stride: int, filtered: str) -> None:
    """ValueError for impossible declared numbers, so that nothing larger than the data can fill is allocated."""
    if not 0 < stride <= 256 or stride % 4:
        raise ValueError(f"byteStride is {stride}, must be a multiple of 4 up to 256")
    wanted = {"NONE": stride, "OCTAHEDRAL": 8 if stride == 8 else 4, "QUATERNION": 8, "EXPONENTIAL": stride}
    if wanted.get(filtered) != stride:
        raise ValueError(f"filter {filtered[:20]!r} does not go with a byteStride of {stride}")
    _check_size(size, count, 1 + stride * -(-count // (4 * GROUP)) + max(stride, _TAIL))


def _check_indices(size: int, mode: str, count: int, stride: int, filtered: str) -> None:
    if stride not in (2, 4) or filtered != "NONE":
        raise ValueError(f"indices of {stride} bytes with filter {filtered[:20]!r} are impossible")
    if mode == "TRIANGLES" and count % 3:
        raise ValueError(f"{count} indices are not triangles")
    _check_size(size, count, 1 + count // 3 + 16 if mode == "TRIANGLES" else 1 + count + 4)


def _check_size(size: int, count: int, least: int) -> None:
    if size < least:
        raise ValueError(f"has {size} bytes, {count} elements take at least {least}")


def _decode_attributes(data: Bytes, count: int, stride: int, filtered: str) -> Bytes:
    if data[0] != 0xA0:
        raise ValueError(f"begins with {data[0]:#x}; attributes of version 0 begin with 0xa0")
    elements = np.zeros((count, stride), np.uint8)
    if not _attributes(data, elements):
        raise ValueError("attribute data ends early or holds too much")
    return _FILTERS[filtered](elements).reshape(-1)


def _decode_indices(data: Bytes, mode: str, count: int, stride: int) -> Bytes:
    indices = np.zeros(count, np.uint32)
    head, kernel = (0xE1, _triangles) if mode == "TRIANGLES" else (0xD1, _indices)
    if data[0] != head or not kernel(data, indices):
        raise ValueError(f"{mode.lower()} data is damaged")
    if stride == 2 and count and int(indices.max()) > 0xFFFF:
        raise ValueError("an index does not fit two bytes")
    return indices.astype(f"<u{stride}").view(np.uint8)


@njit
def _attributes(data: Bytes, out: Bytes) -> bool:
    count, stride = out.shape
    block = min((_BLOCK_BYTES // stride) & ~15, _BLOCK)
    end = len(data) - max(stride, _TAIL)
    before = data[len(data) - stride :].copy()
    deltas = np.zeros(GROUP, np.uint8)
    at = 1
    for start in range(0, count, block):
        length = min(block, count - start)
        groups = (length + GROUP - 1) // GROUP
        for byte in range(stride):
            heads = at
            at += (groups + 3) // 4
            if at > end:
                return False
            value = before[byte]
            for group in range(groups):
                at = _deltas(data, at, end, (data[heads + group // 4] >> (2 * (group % 4))) & 3, deltas)
                if at < 0:
                    return False
                for i in range(min(GROUP, length - group * GROUP)):
                    code = np.int64(deltas[i])
                    step = ~(code >> 1) if code & 1 else code >> 1
                    value = np.uint8((np.int64(value) + step) & 0xFF)
                    out[start + group * GROUP + i, byte] = value
            before[byte] = value
    return at == end


@njit
def _deltas(data: Bytes, at: Any, end: int, width: Any, out: Bytes) -> Any:
    """Reads one group of deltas of 0, 2, 4 or 8 bits; where it ends, or -1 when the data ends before."""
    if width == 0:
        out[:] = 0
        return at
    bits = 2 * width if width < 3 else 8
    packed, at = at, at + 2 * bits
    if at > end:
        return -1
    if bits == 8:
        out[:] = data[packed:at]
        return at
    most = (1 << bits) - 1
    for i in range(GROUP):
        position = i * bits
        delta = (data[packed + position // 8] >> (8 - bits - position % 8)) & most
        if delta == most:  # a larger one follows the group
            if at >= end:
                return -1
            delta = data[at]
            at += 1
        out[i] = delta
    return at


@njit
def _varint(data: Bytes, at: int, end: int) -> tuple[Any, Any]:
    """A number in groups of seven bits and where it ends; -1 for the place when it does not."""
    value = 0
    for place in range(5):
        if at >= end:
            return 0, -1
        byte = np.int64(data[at])
        at += 1
        value |= (byte & 0x7F) << (7 * place)
        if byte < 0x80:
            return value & 0xFFFFFFFF, at
    return 0, -1


@njit
def _step(last: Any, code: Any) -> Any:
    return (last + (~(code >> 1) if code & 1 else code >> 1)) & 0xFFFFFFFF


_VERTEX, _NEXT, _LAST, _AT = 0, 1, 2, 3  # places in the state that the triangle functions share


@njit
def _triangles(data: Bytes, out: NDArray[np.uint32]) -> bool:
    count, end = len(out) // 3, len(data) - 16
    edges, recent, corner = np.zeros((16, 2), np.int64), np.zeros(16, np.int64), np.zeros(3, np.int64)
    state = np.array([0, 0, 0, 1 + count])
    edge = 0
    for triangle in range(count):
        code = np.int64(data[1 + triangle])
        high, low = code >> 4, code & 15
        if high < 15:
            corner[0], corner[1] = edges[(edge - 1 - high) & 15]
            corner[2] = _next_corner(data, recent, state, low, end)
        else:
            _free_corners(data, recent, state, low, end, corner)
        if state[_AT] < 0:
            return False
        a, b, c = corner
        if high == 15:
            edges[edge & 15, 0], edges[edge & 15, 1] = b, a
            edge += 1
        edges[edge & 15, 0], edges[edge & 15, 1] = c, b
        edges[(edge + 1) & 15, 0], edges[(edge + 1) & 15, 1] = a, c
        edge += 2
        out[3 * triangle : 3 * triangle + 3] = corner
    return state[_AT] == end


@njit
def _next_corner(data: Bytes, recent: Ints, state: Ints, low: Any, end: int) -> Any:
    """The third corner of a triangle at a recent edge."""
    if 0 < low < 13:
        return recent[(state[_VERTEX] - 1 - low) & 15]
    if low == 0:
        corner = state[_NEXT]
        state[_NEXT] += 1
    elif low < 15:
        state[_LAST] = (state[_LAST] + (1 if low == 14 else -1)) & 0xFFFFFFFF
        corner = state[_LAST]
    else:
        corner = _written_corner(data, state, end)
    _remember(recent, state, corner)
    return corner


@njit
def _free_corners(data: Bytes, recent: Ints, state: Ints, low: Any, end: int, corner: Ints) -> None:
    """The corners of a triangle at no recent edge."""
    codes = np.int64(data[end + low])  # by a table at the end of the data
    if low >= 14:
        if state[_AT] >= end:
            state[_AT] = -1
            return
        codes = np.int64(data[state[_AT]])
        state[_AT] += 1
        if codes == 0:
            state[_NEXT] = 0
    # The first corner is new, or (code 0xff) stored; four bits say what the others are.
    corner[0] = 15 if low == 15 else 0
    corner[1], corner[2] = codes >> 4, codes & 15
    fresh = (corner == 0) | (corner == 15)
    for i in range(3):
        which = corner[i]
        if which == 0:
            corner[i] = state[_NEXT]
            state[_NEXT] += 1
        elif which < 15:
            corner[i] = recent[(state[_VERTEX] - which) & 15]
        elif low >= 14:
            corner[i] = _written_corner(data, state, end)
        else:
            state[_AT] = -1
    for i in range(3):
        if fresh[i]:
            _remember(recent, state, corner[i])


@njit
def _written_corner(data: Bytes, state: Ints, end: int) -> Any:
    """A vertex index stored as the difference from the last one stored this way."""
    if state[_AT] >= 0:
        step, state[_AT] = _varint(data, state[_AT], end)
        state[_LAST] = _step(state[_LAST], step)
    return state[_LAST]


@njit
def _remember(recent: Ints, state: Ints, corner: Any) -> None:
    recent[state[_VERTEX] & 15] = corner
    state[_VERTEX] += 1


@njit
def _indices(data: Bytes, out: NDArray[np.uint32]) -> bool:
    end = len(data) - 4
    last = np.zeros(2, np.int64)
    at = 1
    for i in range(len(out)):
        code, at = _varint(data, at, end)
        if at < 0:
            return False
        base = code & 1
        last[base] = _step(last[base], code >> 1)
        out[i] = last[base]
    return at == end


def _octahedral(elements: Bytes) -> Bytes:
    """Directions folded onto an octahedron, whose third number is the scale of the first two."""
    kind = np.dtype(np.int8 if elements.shape[1] == 4 else "<i2")
    values = elements.view(kind).astype(np.float32)
    one = np.where(values[:, 2] == 0, 1, values[:, 2])
    x, y = values[:, 0] / one, values[:, 1] / one
    z = 1 - np.abs(x) - np.abs(y)
    fold = np.minimum(z, 0)
    direction = np.stack([x - np.copysign(fold, x), y - np.copysign(fold, y), z], axis=1)
    length = np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-20)
    values[:, :3] = np.rint(direction / length * np.iinfo(kind).max)
    return np.ascontiguousarray(values.astype(kind)).view(np.uint8)


def _quaternion(elements: Bytes) -> Bytes:
    """Unit quaternions without their largest component, whose index is in the lowest bits of the last number."""
    packed = elements.view("<i2")
    one = (packed[:, 3] | 3).astype(np.float32)
    small = packed[:, :3] / (one[:, None] * np.float32(np.sqrt(2)))
    largest = np.sqrt(np.maximum(0, 1 - np.square(small).sum(axis=1)))
    places = (packed[:, 3:] + np.arange(4)) & 3  # the largest comes first, then the others in cyclic order
    values = np.clip(np.rint(np.concatenate([largest[:, None], small], axis=1) * 32767), -32767, 32767)
    result = np.empty((len(values), 4), "<i2")
    np.put_along_axis(result, places, values.astype(np.int16), axis=1)
    return result.view(np.uint8)


def _exponential(elements: Bytes) -> Bytes:
    """Numbers of 24 bits with an exponent of 8."""
    packed = elements.view("<i4")
    mantissa, exponent = (packed << 8) >> 8, np.clip(packed >> 24, -100, 100)
    return np.ldexp(mantissa.astype(np.float64), exponent).astype("<f4").view(np.uint8)


_FILTERS: dict[str, Callable[[Bytes], Bytes]] = {
    "NONE": lambda elements: elements,
    "OCTAHEDRAL": _octahedral,
    "QUATERNION": _quaternion,
    "EXPONENTIAL": _exponential,
}
