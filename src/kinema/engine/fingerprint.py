"""Bytes that are equal when two states are equal, for tests of determinism and checks of strict worlds."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from kinema.character import Character
from kinema.motion import Motion


def pieces(value: Any) -> Iterator[bytes]:
    """The bytes of a value: numbers and arrays bit for bit, dataclasses field by field.

    Characters and motions are immutable and identified by name and size; other objects by type.
    """
    # One independent branch for each kind of value.
    if isinstance(value, np.ndarray):
        yield f"{value.dtype.str}{value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, float):
        yield b"f" + struct.pack("<d", value)
    elif isinstance(value, np.generic):
        yield from pieces(np.asarray(value))
    elif value is None or isinstance(value, bool | int | str | bytes):
        yield f"{type(value).__name__}:{value!r};".encode()
    elif isinstance(value, Character):
        yield f"{value.name}/{value.skeleton.joint_count}/{value.vertex_count};".encode()
    elif isinstance(value, Motion):
        yield f"{value.name}/{value.local_rotations.shape}/{value.fps};".encode()
    elif isinstance(value, list | tuple):
        yield f"[{len(value)}".encode()
        for item in value:
            yield from pieces(item)
    elif isinstance(value, Mapping):
        yield f"{{{len(value)}".encode()
        for key, item in value.items():
            yield from pieces(key)
            yield from pieces(item)
    elif isinstance(value, set | frozenset):
        yield f"<{len(value)}".encode()
        yield from sorted(b"".join(pieces(item)) for item in value)
    else:
        yield type(value).__qualname__.encode()
        if dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                yield from pieces(getattr(value, field.name))
