"""A clip in a file: arrays that numpy reads one by one, and what is known of the clip as JSON.

A file is an `.npz`: `numpy.load` opens it. Its members are compressed each for itself, so a training loop unpacks the
maps that it wants and no more. The same clip gives the same bytes.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kinema.errors import FormatError
from kinema.footage.clip import Footage
from kinema.formats.atomic import atomic_write
from kinema.rendering.film.output import writing

GREY = ("depth", "mask", "edges")
"""Maps with one channel."""

POINTS = ("body", "left_hand", "right_hand", "face", "toes")
"""Arrays of key points, stored as `points_<name>`; see `kinema.keypoints.points.BodyPoints`."""

FACTS = "facts.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_LEVEL = 6
_LARGEST = 1 << 28  # bytes of a member
_EACH = 1000  # clips of a folder


def clip_name(number: int) -> str:
    """Where a clip is in its folder."""
    return f"clips/{number // _EACH:03d}/{number:06d}.npz"


def write_clip(path: Path, footage: Footage) -> None:
    """Write a clip; its folder is made.

    Raises:
        WriteError: it cannot be written.
    """
    arrays: dict[str, Any] = {}
    for name, values in footage.maps.items():
        arrays[name] = values[..., 0] if name in GREY else values
    if footage.points is not None:
        arrays |= {f"points_{name}": values for name, values in zip(POINTS, footage.points.arrays, strict=True)}
    if footage.intrinsics is not None and footage.extrinsics is not None:
        arrays |= {"K": footage.intrinsics, "world_to_camera": footage.extrinsics}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        _put(archive, FACTS, json.dumps(footage.facts, allow_nan=False).encode())
        for name, values in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(values), version=(1, 0), allow_pickle=False)
            _put(archive, f"{name}.npy", member.getvalue())
    with writing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, buffer.getvalue())


def read_facts(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a file says of its clip.

    Raises:
        FormatError: it is damaged, or no clip.
    """
    try:
        facts = json.loads(_members(path, (FACTS,))[FACTS])
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{FACTS} is not JSON: {error}", path=os.fspath(path)) from None
    if not isinstance(facts, dict):
        raise FormatError(f"{FACTS} is not an object", path=os.fspath(path))
    return facts


def read_arrays(path: str | os.PathLike[str], names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Some arrays of a clip by name; those that it does not have are left out.

    Raises:
        FormatError: the file is damaged, or no clip.
    """
    found = _members(path, tuple(f"{name}.npy" for name in names))
    arrays: dict[str, np.ndarray] = {}
    for member, data in found.items():
        try:
            arrays[member.removesuffix(".npy")] = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
        except (ValueError, EOFError, SyntaxError) as error:
            raise FormatError(f"{member} is damaged: {error}", path=os.fspath(path)) from None
    return arrays


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data, compresslevel=_LEVEL)


def _members(path: str | os.PathLike[str], names: tuple[str, ...]) -> Mapping[str, bytes]:
    """Some members of an archive, those that are there."""
    try:
        with zipfile.ZipFile(path) as archive:
            there = {info.filename: info for info in archive.infolist()}
            wanted = [there[name] for name in names if name in there]
            if any(info.file_size > _LARGEST for info in wanted):
                raise FormatError(f"states arrays of more than {_LARGEST >> 20} MB", path=os.fspath(path))
            return {info.filename: archive.read(info) for info in wanted}
    except FileNotFoundError:
        raise FormatError("is missing", path=os.fspath(path)) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise FormatError(f"is no clip: {error}", path=os.fspath(path)) from None
