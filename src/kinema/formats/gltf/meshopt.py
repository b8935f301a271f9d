"""Buffer views compressed with meshoptimizer (EXT_meshopt_compression, KHR_meshopt_compression), decoded.

Written from the description of the bitstream in the extension's text: attributes (bytes as zigzag deltas in groups of
16), triangles (recent edges and vertices by number), plain indices, and the filters octahedral, quaternion and
exponential. Every read is checked against the end of the data; what runs out is an error, never a guess.
"""

# pyright: reportIndexIssue=false

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

GROUP = 16  # elements whose deltas share a width
_BLOCK_BYTES, _BLOCK = 8192, 256
_TAIL = 32


def decode(data: NDArray[np.uint8], mode: str, count: int, stride: int, filtered: str) -> NDArray[np.uint8]:
    """The bytes `[count * stride]` of a buffer view.

    Args:
        mode: "ATTRIBUTES", "TRIANGLES" or "INDICES". filtered: "NONE", "OCTAHEDRAL", "QUATERNION" or "EXPONENTIAL".

    Raises:
        ValueError: the data is damaged or does not fit what is declared; says which.
    """
    problem = _misfit(len(data), mode, count, stride, filtered)
    if problem:
        raise ValueError(problem)
    if mode == "ATTRIBUTES":
        if data[0] != 0xA0:
            raise ValueError(f"begins with {data[0]:#x}; attributes of version 0 begin with 0xa0")
        elements = np.zeros((count, stride), np.uint8)
        if not _attributes(data, elements):
            raise ValueError("attribute data ends early or holds too much")
        return _filtered(elements, filtered).reshape(-1)
    indices = np.zeros(count, np.uint32)
    if mode == "TRIANGLES":
        fine = data[0] == 0xE1 and _triangles(data, indices)
    else:
        fine = data[0] == 0xD1 and _indices(data, indices)
    if not fine:
        raise ValueError(f"{mode.lower()} data is damaged")
    if stride == 2 and count and int(indices.max()) > 0xFFFF:
        raise ValueError("an index does not fit two bytes")
    return indices.astype(f"<u{stride}").view(np.uint8)


def _misfit(size: int, mode: str, count: int, stride: int, filtered: str) -> str:
    """What about the declared numbers cannot be; nothing larger than the data can describe is ever made."""
    if mode not in ("ATTRIBUTES", "TRIANGLES", "INDICES"):
        return f"has an unknown mode {mode[:20]!r}"
    if mode == "ATTRIBUTES":
        if not 0 < stride <= 256 or stride % 4:
            return f"byteStride is {stride}, must be a multiple of 4 up to 256"
        wanted = {"NONE": stride, "OCTAHEDRAL": 8 if stride == 8 else 4, "QUATERNION": 8, "EXPONENTIAL": stride}
        if wanted.get(filtered) != stride:
            return f"filter {filtered[:20]!r} does not go with a byteStride of {stride}"
        least = 1 + stride * -(-count // (4 * GROUP)) + max(stride, _TAIL)
    else:
        if stride not in (2, 4) or filtered != "NONE":
            return f"indices of {stride} bytes with filter {filtered[:20]!r} cannot be"
        if mode == "TRIANGLES" and count % 3:
            return f"{count} indices are no triangles"
        least = 1 + count // 3 + 16 if mode == "TRIANGLES" else 1 + count + 4
    return f"has {size} bytes, {count} elements take at least {least}" if size < least else ""


@njit(cache=True)
def _attributes(data: NDArray[np.uint8], out: NDArray[np.uint8]) -> bool:
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
                how = (data[heads + group // 4] >> (2 * (group % 4))) & 3
                if how == 0:
                    deltas[:] = 0
                elif how == 3:
                    if at + GROUP > end:
                        return False
                    deltas[:] = data[at : at + GROUP]
                    at += GROUP
                else:
                    bits = 2 * how
                    packed, at = at, at + 2 * bits
                    if at > end:
                        return False
                    most = (1 << bits) - 1
                    for i in range(GROUP):
                        position = i * bits
                        delta = (data[packed + position // 8] >> (8 - bits - position % 8)) & most
                        if delta == most:
                            if at >= end:
                                return False
                            deltas[i] = data[at]
                            at += 1
                        else:
                            deltas[i] = delta
                for i in range(min(GROUP, length - group * GROUP)):
                    code = np.int64(deltas[i])
                    step = ~(code >> 1) if code & 1 else code >> 1
                    value = np.uint8((np.int64(value) + step) & 0xFF)
                    out[start + group * GROUP + i, byte] = value
            before[byte] = value
    return at == end


@njit(cache=True)
def _varint(data: NDArray[np.uint8], at: int, end: int) -> tuple[Any, Any]:
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


@njit(cache=True)
def _step(last: Any, code: Any) -> Any:
    return (last + (~(code >> 1) if code & 1 else code >> 1)) & 0xFFFFFFFF


@njit(cache=True)
def _triangles(data: NDArray[np.uint8], out: NDArray[np.uint32]) -> bool:
    count = len(out) // 3
    end = len(data) - 16
    table = data[end:]
    edges = np.zeros((16, 2), np.int64)
    recent = np.zeros(16, np.int64)
    edge, vertex, following, last, at = 0, 0, 0, 0, 1 + count
    corner = np.zeros(3, np.int64)
    for triangle in range(count):
        code = np.int64(data[1 + triangle])
        high, low = code >> 4, code & 15
        if high < 15:
            a, b = edges[(edge - 1 - high) & 15]
            push = True
            if low == 0:
                c = following
                following += 1
            elif low < 13:
                c, push = recent[(vertex - 1 - low) & 15], False
            elif low < 15:
                last = (last + (1 if low == 14 else -1)) & 0xFFFFFFFF
                c = last
            else:
                step, at = _varint(data, at, end)
                if at < 0:
                    return False
                last = _step(last, step)
                c = last
            if push:
                recent[vertex & 15] = c
                vertex += 1
        else:
            if low < 14:
                codes, explicit = np.int64(table[low]), False
            else:
                if at >= end:
                    return False
                codes, explicit = np.int64(data[at]), True
                at += 1
                if codes == 0:
                    following = 0
            # The first corner is new, or (code 0xff) written out; the others say in four bits which they are.
            corner[0] = 15 if low == 15 else 0
            corner[1], corner[2] = codes >> 4, codes & 15
            fresh = corner != 99
            for i in range(3):
                which = corner[i]
                if which == 0:
                    corner[i] = following
                    following += 1
                elif which == 15 and explicit:
                    step, at = _varint(data, at, end)
                    if at < 0:
                        return False
                    last = _step(last, step)
                    corner[i] = last
                elif which == 15:
                    return False
                else:
                    corner[i] = recent[(vertex - which) & 15]
                    fresh[i] = False
            a, b, c = corner
            for i in range(3):
                if fresh[i]:
                    recent[vertex & 15] = corner[i]
                    vertex += 1
            edges[edge & 15, 0], edges[edge & 15, 1] = b, a
            edge += 1
        edges[edge & 15, 0], edges[edge & 15, 1] = c, b
        edges[(edge + 1) & 15, 0], edges[(edge + 1) & 15, 1] = a, c
        edge += 2
        out[3 * triangle], out[3 * triangle + 1], out[3 * triangle + 2] = a, b, c
    return at == end


@njit(cache=True)
def _indices(data: NDArray[np.uint8], out: NDArray[np.uint32]) -> bool:
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


def _filtered(elements: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    if name == "OCTAHEDRAL":
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
    if name == "QUATERNION":
        packed = elements.view("<i2")
        one = (packed[:, 3] | 3).astype(np.float32)
        small = packed[:, :3] / (one[:, None] * np.float32(np.sqrt(2)))
        largest = np.sqrt(np.maximum(0, 1 - np.square(small).sum(axis=1)))
        places = (packed[:, 3:] + np.arange(4)) & 3  # the largest stands first, the others after it, in a circle
        values = np.clip(np.rint(np.concatenate([largest[:, None], small], axis=1) * 32767), -32767, 32767)
        result = np.empty((len(values), 4), "<i2")
        np.put_along_axis(result, places, values.astype(np.int16), axis=1)
        return result.view(np.uint8)
    if name == "EXPONENTIAL":
        packed = elements.view("<i4")
        mantissa, exponent = (packed << 8) >> 8, np.clip(packed >> 24, -100, 100)
        return np.ldexp(mantissa.astype(np.float64), exponent).astype("<f4").view(np.uint8)
    return elements
