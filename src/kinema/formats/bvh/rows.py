"""The MOTION section of a BVH file: frame rate and rows of numbers."""

from __future__ import annotations

import re

import numpy as np

from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.bvh import kernels
from kinema.formats.bvh.header import line_at
from kinema.rates import is_rate

DEFAULT_FPS = 30.0

# Possessive, because a file may hold a million blank lines here.
_FRAMES = re.compile(rb"MOTION\s*+:?+\s*+Frames\s*+:?+\s*+(\S++)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*+Frame\s*+Time\s*+:?+\s*+(\S++)", re.IGNORECASE)
_NOT_BLANK = re.compile(rb"\S")
_CUT_NUMBER = re.compile(rb"[+-]?(\d*\.?|\d*\.?\d*[eE][+-]?)\Z")
_NO_LINES = 2**62  # columns of a row without an end


def read_rows(data: bytes, motion_at: int, columns: int, warnings: list[str]) -> tuple[Floats, float]:
    """The rows `[F, C]` behind MOTION and frames per second; what was repaired is added to `warnings`.

    Raises:
        FormatError: a number is missing, not finite or out of range; names the line.
    """
    promised, frame_time, position = _head(data, motion_at)
    fps = _frames_per_second(frame_time, warnings)
    if columns == 0:
        return _no_columns(data, position, promised, warnings), fps
    values = _numbers(data, position, columns, promised, warnings)
    frames, left = divmod(values.size, columns)
    if left:
        warnings.append(f"the last row has {left} of {columns} values and was dropped: the file seems cut short")
    if frames == promised == 0:
        warnings.append("the clip has no frames")
    if frames != promised:
        warnings.append(f"the header promises {promised} frames, the file has {frames}: took what is there")
    return values[: frames * columns].reshape(frames, columns), fps


def _head(data: bytes, motion_at: int) -> tuple[int, float, int]:
    """Frames and seconds a frame as the file states them, and where the rows begin."""
    found = _FRAMES.match(data, motion_at)
    if found is None:
        raise FormatError("expected 'Frames:' and a number after MOTION", line=line_at(data, motion_at))
    if not re.fullmatch(rb"\+?\d{1,4000}", found[1]):
        line = line_at(data, found.start(1))
        raise FormatError(f"expected a number of frames, found {_shown(found[1])}", line=line)
    timing = _FRAME_TIME.match(data, found.end())
    if timing is None:
        raise FormatError("expected 'Frame Time:' and seconds", line=line_at(data, found.end()) + 1)
    frame_time = _as_number(timing[1])
    if not np.isfinite(frame_time):
        line = line_at(data, timing.start(1))
        raise FormatError(f"expected the frame time in seconds, found {_shown(timing[1])}", line=line)
    return int(found[1]), frame_time, timing.end()


def _frames_per_second(frame_time: float, warnings: list[str]) -> float:
    fps = 1.0 / frame_time if abs(frame_time) > 1e-300 else np.inf
    if not is_rate(fps):
        warnings.append(f"frame time is {frame_time:g} s: took {DEFAULT_FPS:g} frames per second")
        return DEFAULT_FPS
    if frame_time > 1.0:
        warnings.append(f"frame time is {frame_time:g} s, unusually long")
    whole = round(fps)
    broadcast = whole * 1000 / 1001  # 29.97 and similar rates are within 0.1 % of a whole one, and intended
    if whole and abs(fps - whole) <= 1e-3 * whole and abs(fps - broadcast) > 1e-4 * whole:
        return float(whole)
    return fps


def _no_columns(data: bytes, position: int, promised: int, warnings: list[str]) -> Floats:
    if found := _NOT_BLANK.search(data, position):
        line = line_at(data, found.start())
        raise FormatError("has motion values, but no joint has channels", line=line)
    if promised:
        warnings.append(f"the header promises {promised} frames, but no joint has channels")
    return np.zeros((0, 0))


def _numbers(data: bytes, position: int, columns: int, promised: int, warnings: list[str]) -> Floats:
    """All numbers from `position` on. Memory follows the bytes that are there, never what the header promises."""
    text = np.frombuffer(data, np.uint8)
    values = np.empty((len(data) - position) // 2 + 1)  # a number takes at least a digit and a separator
    status, end, count, line_start = kernels.parse_rows(text, position, columns, values)
    if status == kernels.ROW_CROSSED and line_start == 0 and len(data[position:].strip().splitlines()) == 1:
        status, end, count, _ = kernels.parse_rows(text, position, _NO_LINES, values)
        if status == kernels.DONE and count != promised * columns:
            status = kernels.ROW_CROSSED
        warnings.append("all frames are on one line")
    if status == kernels.ROW_CROSSED:
        due = columns - line_start % columns
        problem = f"row has {count - line_start} values where {due} are due; the channels make {columns} values a row"
        raise FormatError(problem, line=line_at(data, end))
    if status == kernels.BAD_NUMBER and not (_is_cut(data, end) and count % columns):
        raise FormatError(_number_problem(_token(data, end)), line=line_at(data, end))
    return values[:count]


def _token(data: bytes, position: int) -> bytes:
    return data[position : position + 400].split(None, 1)[0]


def _is_cut(data: bytes, position: int) -> bool:
    """Whether the file ends inside the number at a position."""
    token = _token(data, position)
    return position + len(token) == len(data) and _CUT_NUMBER.match(token) is not None


def _as_number(token: bytes) -> float:
    try:
        return float(token)
    except ValueError:
        return np.nan


def _number_problem(token: bytes) -> str:
    if np.isnan(_as_number(token)) and token.lower() not in (b"nan", b"+nan", b"-nan"):
        hint = " (decimals are written with a point)" if re.fullmatch(rb"[+-]?\d*,\d+([eE][+-]?\d+)?", token) else ""
        return f"expected a number, found {_shown(token)}{hint}"
    return f"expected a finite number of at most {kernels.LARGEST:g} in size, found {_shown(token)}"


def _shown(token: bytes) -> str:
    return ascii(token[:30].decode("latin-1") + ("..." if len(token) > 30 else ""))
