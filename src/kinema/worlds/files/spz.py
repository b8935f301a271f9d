"""Scenes in `.spz` files (Niantic, 2024): a header, then arrays of bytes, packed by gzip or, in version 4, zstd."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Singles
from kinema.errors import FormatError, MissingError
from kinema.worlds.files.packing import check_unpacked, logit, smallest_three, with_largest
from kinema.worlds.gaussians import GaussianScene

_MAGIC = b"NGSP"
_HEADER = struct.Struct("<4sIIBBBB")
_COUNTS = (1, 4, 9, 16)  # coefficients of degrees
_COLOUR, _SCALE, _SHIFT = 0.15, 16.0, 10.0
_BITS = 12  # of fractions of positions that are written
_ZSTD_STREAMS = 16


def read(data: bytes | memoryview) -> GaussianScene:
    """The scene of a file, in its axes.

    Raises:
        FormatError: it is damaged, or of a version that is not known.
        MissingError: Zstandard is needed and not installed.
    """
    raw = bytes(data)
    if raw[:2] == b"\x1f\x8b":
        head, _ = _unzipped(raw, _HEADER.size)
        _, count, degree, _ = _said(head)
        check_unpacked(count * _bytes_of(degree, 4), len(raw))
        raw, whole = _unzipped(raw, _HEADER.size + count * _bytes_of(degree, 4) + 1)
        if not whole:
            raise FormatError(f"does not end where {count} Gaussians do: it was cut, or is damaged")
    version, count, degree, bits = _said(raw)
    if version == 4:
        parts = _streams(raw, count, degree)
    else:
        parts = _slices(raw[_HEADER.size :], _sizes(version, count, degree))
    places, alphas, colours, scales, turns, higher = parts
    return GaussianScene(
        _places(places, version, count, bits),
        _turns(turns, version, count),
        scales.reshape(count, 3).astype(np.float32) / np.float32(_SCALE) - np.float32(_SHIFT),
        logit(alphas / 255.0),
        np.concatenate(
            [
                ((colours.reshape(count, 1, 3) / 255.0 - 0.5) / _COLOUR).astype(np.float32),
                (higher.reshape(count, -1, 3).astype(np.float32) - 128.0) / np.float32(128.0),
            ],
            axis=1,
        ),
    )


def write(scene: GaussianScene) -> list[bytes]:
    """The bytes of a file of version 3.

    Raises:
        FormatError: a position is too far away.
    """
    far = float(np.abs(scene.means).max(initial=0.0))
    if far >= 2 ** (23 - _BITS):
        raise FormatError(
            f"has a Gaussian {far:.4g} m away; .spz holds up to {2 ** (23 - _BITS)} m; crop the scene, or write .ply"
        )
    fixed = np.rint(scene.means.astype(np.float64) * 2**_BITS).astype("<i4")
    largest, smaller = smallest_three(scene.rotations[:, [1, 2, 3, 0]])  # xyzw
    packed = largest.astype(np.uint32)
    for column in range(3):
        size = np.rint(np.abs(smaller[:, column]) / np.sqrt(0.5) * 511).astype(np.uint32)
        packed = (packed << 10) | ((smaller[:, column] < 0).astype(np.uint32) << 9) | np.minimum(size, 511)
    body = [
        fixed.reshape(-1, 1).view(np.uint8).reshape(-1, 4)[:, :3].tobytes(),
        _byte(scene.opacities * 255.0),
        _byte((scene.harmonics[:, 0] * _COLOUR + 0.5) * 255.0),
        _byte((scene.log_scales + _SHIFT) * _SCALE),
        packed.astype("<u4").tobytes(),
        _byte(scene.harmonics[:, 1:] * 128.0 + 128.0),
    ]
    head = _HEADER.pack(_MAGIC, 3, len(scene), scene.degree, _BITS, 0, 0)
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return [packer.compress(head + b"".join(body)), packer.flush()]


def _byte(values: np.ndarray) -> bytes:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8).tobytes()


def _said(head: bytes) -> tuple[int, int, int, int]:
    """Version, number of Gaussians, degree and bits of fractions."""
    if len(head) < _HEADER.size or head[:4] != _MAGIC:
        raise FormatError("is no .spz file: it does not begin with NGSP")
    _, version, count, degree, bits, _, _ = _HEADER.unpack(head[: _HEADER.size])
    if not 1 <= version <= 4:
        raise FormatError(f"is of version {version} of .spz; versions 1 to 4 can be read")
    if degree > 3 or bits > 24:
        raise FormatError(f"has colours of degree {degree} and fractions of {bits} bits; up to 3 and 24 are possible")
    if not count:
        raise FormatError("has no Gaussians")
    return version, count, degree, bits


def _bytes_of(degree: int, turn: int) -> int:
    """Bytes of a Gaussian, where a rotation takes `turn`."""
    return 9 + 1 + 3 + 3 + turn + 3 * (_COUNTS[degree] - 1)


def _sizes(version: int, count: int, degree: int) -> list[int]:
    place, turn = 6 if version == 1 else 9, 3 if version < 3 else 4
    return [count * each for each in (place, 1, 3, 3, turn, 3 * (_COUNTS[degree] - 1))]


def _slices(body: bytes, sizes: list[int]) -> list[NDArray[np.uint8]]:
    if len(body) < sum(sizes):
        raise FormatError(f"has {len(body)} bytes of Gaussians and needs {sum(sizes)}: the file was cut")
    begins = np.concatenate([[0], np.cumsum(sizes)]).tolist()
    return [np.frombuffer(body, np.uint8, size, begin) for size, begin in zip(sizes, begins, strict=False)]


def _unzipped(data: bytes, most: int) -> tuple[bytes, bool]:
    """The first bytes of what is packed, at most `most`, and whether that is all."""
    unpacker = zlib.decompressobj(31)
    try:
        return unpacker.decompress(data, most), unpacker.eof
    except zlib.error as error:
        raise FormatError(f"is damaged: {error}") from None


def _streams(data: bytes, count: int, degree: int) -> list[NDArray[np.uint8]]:
    """The arrays of version 4, each packed by itself, after a table of their packed and unpacked sizes."""
    number, table = data[15], int.from_bytes(data[16:20], "little")
    if number > _ZSTD_STREAMS or table + 16 * number > len(data):
        raise FormatError(f"has a table of {number} arrays at byte {table} of {len(data)}: damaged")
    rows = [struct.unpack_from("<QQ", data, table + 16 * row) for row in range(number)]
    wanted = [size for size in _sizes(4, count, degree) if size]
    if [unpacked for _, unpacked in rows[: len(wanted)]] != wanted:
        raise FormatError(f"has arrays of {[size for _, size in rows]} bytes, not {wanted}: damaged")
    check_unpacked(sum(wanted), len(data))
    unpack, at, found = _zstandard(), table + 16 * number, []
    for packed, unpacked in rows[: len(wanted)]:
        found.append(np.frombuffer(unpack(data[at : at + packed], unpacked), np.uint8))
        at += packed
    return [*found, *[np.zeros(0, np.uint8)] * (6 - len(found))]


def _zstandard() -> Callable[[bytes, int], bytes]:
    try:
        import zstandard
    except ImportError:
        raise MissingError(
            "scenes in .spz files of version 4 need the package zstandard: pip install 'kinema[formats]'"
        ) from None

    def unpack(data: bytes, size: int) -> bytes:
        try:
            with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(data) as stream:
                found = stream.read(size)
        except zstandard.ZstdError as error:
            raise FormatError(f"is damaged: {error}") from None
        if len(found) != size:
            raise FormatError(f"has {len(found)} bytes in an array of {size}: the file was cut")
        return found

    return unpack


def _places(data: NDArray[np.uint8], version: int, count: int, bits: int) -> Singles:
    if version == 1:
        return data.view("<f2").reshape(count, 3).astype(np.float32)
    whole = np.zeros((3 * count, 4), np.uint8)
    whole[:, 1:] = data.reshape(-1, 3)
    numbers = whole.view("<i4")[:, 0] >> 8  # the sign comes along
    return (numbers.reshape(count, 3) / 2.0**bits).astype(np.float32)


def _turns(data: NDArray[np.uint8], version: int, count: int) -> Singles:
    """Unit quaternions `[N, 4]`, wxyz."""
    if version < 3:
        vector = data.reshape(count, 3).astype(np.float32) / np.float32(127.5) - np.float32(1.0)
        real = np.sqrt(np.maximum(1.0 - np.sum(np.square(vector), axis=-1, keepdims=True), 0.0))
        return np.concatenate([real, vector], axis=-1).astype(np.float32)
    packed = np.ascontiguousarray(data).view("<u4").astype(np.uint32)
    parts = []
    for shift in (20, 10, 0):
        size = ((packed >> shift) & 511) * (np.sqrt(0.5) / 511.0)
        parts.append(np.where((packed >> (shift + 9)) & 1, -size, size))
    found = with_largest(packed >> 30, np.stack(parts, axis=-1).astype(np.float32))  # xyzw
    return np.ascontiguousarray(found[:, [3, 0, 1, 2]])
