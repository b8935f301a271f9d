"""C3D markers: every marker is a root joint that moves and does not rotate."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema.arrays import Bools, Singles
from kinema.character import Character, Material, Mesh
from kinema.errors import FormatError, listed
from kinema.formats import Asset
from kinema.formats.c3d.parameters import BLOCK, Header, Parameters, floats, integers, read_start
from kinema.formats.checks import require
from kinema.formats.sources import Source
from kinema.formats.trees import unique_names
from kinema.formats.units import check_up, metres_per
from kinema.motion import Motion
from kinema.rates import is_rate
from kinema.skeleton import MAX_JOINTS, Skeleton

DEFAULT_FPS = 100.0
FARTHEST = 1e5  # metres; nothing that is captured is farther away
FULL = 65535  # frames: what 16 bits hold, and what longer files write into their 16 bits
UNITS = {"m": 1.0, "meters": 1.0, "metres": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "inches": 0.0254}
_LARGEST = 1e9  # in the file's unit; programs write NaN and huge numbers where they know nothing
BALL = 0.01  # radius of a marker's ball, as a share of the height of all markers

# The axes of Y-up points in the file, and their signs, by the axis that is up.
_ROTATIONS = {
    "X": ([1, 0, 2], [-1, 1, 1]),
    "-X": ([1, 0, 2], [1, -1, 1]),
    "Y": ([0, 1, 2], [1, 1, 1]),
    "-Y": ([0, 1, 2], [1, -1, -1]),
    "Z": ([0, 2, 1], [1, 1, -1]),
    "-Z": ([0, 2, 1], [1, -1, 1]),
}


def read(source: Source, *, unit: str | float = "auto", up: str = "auto") -> Asset:
    """Reads the markers of a C3D file: points as floats or scaled integers, of Intel, DEC and MIPS machines.

    Gaps (markers that the cameras lost) are bridged in a straight line; the label `visible` `[F, M]` says what was
    seen. The asset's character is a ball for each marker, so that they can be looked at.

    Args:
        source: the file.
        unit: as for BVH; "auto" takes what the file says (POINT:UNITS), or guesses from the size.
        up: "y", "z", or "auto": what the file says (POINT:Y_SCREEN), or a guess from the shape.

    Raises:
        FormatError: not a C3D file, cut off, without markers, or impossible numbers.
        UnitError: no such unit or axis.
    """
    check_up(up)
    data = source.read()
    warnings: list[str] = []
    header, parameters = read_start(data)
    points, seen = _points(data, header, parameters, warnings)
    names, points, seen = _ever_seen(_names(parameters, points.shape[1]), points, seen, warnings)
    _bridge(points, seen, warnings)
    points *= np.float32(_scale(unit, parameters, points, warnings))
    near = np.abs(points).max() < FARTHEST
    require(near, f"has a marker farther away than {FARTHEST:g} m; set unit if it is wrong")
    points = _upright(points, up, parameters, warnings)
    fps = _rate(header, parameters, warnings)
    skeleton = Skeleton.create(names, [-1] * len(names), np.median(points, axis=0))
    still = np.zeros((*points.shape[:2], 4), np.float32)
    still[..., 0] = 1
    joints, labels = range(len(names)), {"visible": seen}
    motion = Motion.create(skeleton, still, points, joints, fps, source.stem, labels, warnings=warnings)
    return Asset(source.path, "c3d", skeleton, (motion,), _balls(skeleton, source.stem), tuple(warnings))


def _points(data: bytes, header: Header, parameters: Parameters, warnings: list[str]) -> tuple[Singles, Bools]:
    """Positions `[F, M, 3]` in the file's unit, and what was seen `[F, M]`."""
    scale = parameters.number("POINT:SCALE") or header.scale
    if not (math.isfinite(scale) and scale):
        raise FormatError("has a scale that is not a number; negative means floats, positive scales integers")
    table = _table(data, header, parameters, scale < 0, warnings)
    points = table[..., :3].astype(np.float32)
    if scale > 0:
        with np.errstate(over="ignore"):  # what is too large is not seen
            points *= np.float32(scale)
    seen = (np.abs(points) < _LARGEST).all(axis=-1) & (table[..., 3] >= 0)  # the fourth value is the residual
    zero = seen & (points == 0).all(axis=-1)
    if zero.any():
        warnings.append(f"{int(zero.sum())} points at exactly 0, 0, 0 are taken as not seen")
        seen &= ~zero
    return points, seen


def _table(data: bytes, header: Header, parameters: Parameters, are_floats: bool, warnings: list[str]) -> NDArray[Any]:
    """Four values `[F, M, 4]` of each marker as the file has them."""
    count = header.points or int(max(parameters.number("POINT:USED") or 0, 0))
    require(0 < count <= MAX_JOINTS, f"has {count} markers; files with 1 to {MAX_JOINTS} are read")
    start = BLOCK * (max(header.data_block or int(parameters.number("POINT:DATA_START") or 0), 1) - 1)
    row = (4 * count + header.analog) * (4 if are_floats else 2)
    frames = _frames(header, parameters, max(len(data) - start, 0) // row, warnings)
    require(start >= BLOCK and frames > 0, "has no frames behind its parameters")
    if header.analog:
        warnings.append(f"{header.analog} analog values a frame (forces, muscles) are not read")
    flat = (floats if are_floats else integers)(data[start : start + frames * row], parameters.processor)
    return flat.reshape(frames, -1)[:, : 4 * count].reshape(frames, count, 4)


def _ever_seen(names: list[str], points: Singles, seen: Bools, warnings: list[str]) -> tuple[list[str], Singles, Bools]:
    """The markers that are visible in some frame."""
    kept: Bools = np.any(seen, axis=0)
    require(kept.any(), "none of its markers is ever seen")
    never = [name for name, known in zip(names, kept.tolist(), strict=True) if not known]
    if never:
        warnings.append(f"markers that are never seen are left out: {listed(never)}")
    return [name for name in names if name not in set(never)], points[:, kept], seen[:, kept]


def _rate(header: Header, parameters: Parameters, warnings: list[str]) -> float:
    for rate in (parameters.number("POINT:RATE"), header.rate):
        if rate is not None and is_rate(rate):
            return rate
    warnings.append(f"has no frame rate: took {DEFAULT_FPS:g} frames per second")
    return DEFAULT_FPS


def _frames(header: Header, parameters: Parameters, there: int, warnings: list[str]) -> int:
    """Frames of the clip: the header's 16 bits are not enough for long ones, so several places may state it."""
    first, last = (_long(parameters, f"TRIAL:ACTUAL_{end}_FIELD") for end in ("START", "END"))
    frames = parameters.number("POINT:FRAMES") or 0.0
    promised = max(
        header.last - header.first + 1,
        0 if first is None or last is None else last - first + 1,
        int(frames) & 0xFFFF if -32768 <= frames < 0 else int(frames),
        int(parameters.number("POINT:LONG_FRAMES") or 0),
    )
    if promised <= 0 or (promised == FULL and there > FULL):
        warnings.append(f"does not say how many frames it has: took the {there} that are there")
        return there
    if promised > there:
        warnings.append(f"promises {promised} frames, the file has {there}: took what is there")
    return min(promised, there)


def _long(parameters: Parameters, name: str) -> int | None:
    """A number in two 16-bit words, the low one first; None if there are not two."""
    words = [int(word) & 0xFFFF for word in parameters.numbers(name)[:2]]
    return words[0] + (words[1] << 16) if len(words) == 2 else None


def _names(parameters: Parameters, count: int) -> list[str]:
    """A unique name for every marker; more than 255 go on in LABELS2, LABELS3, ..."""
    labels: list[str] = []
    for block in ["", *range(2, 400)]:
        rows = parameters.texts(f"POINT:LABELS{block}")
        if not rows:
            break
        labels += rows
    labels = (labels + [""] * count)[:count]
    return unique_names([label or f"marker_{index + 1}" for index, label in enumerate(labels)], "#", 2)


def _bridge(points: Singles, seen: Bools, warnings: list[str]) -> None:
    """Fills what was not seen: in a straight line between what was, and held at the ends."""
    every = np.arange(len(points))
    for marker in np.flatnonzero(~seen.all(axis=0)).tolist():
        known = np.flatnonzero(seen[:, marker])
        for axis in range(3):
            points[:, marker, axis] = np.interp(every, known, points[known, marker, axis])
    if not seen.all():
        share = f"{100 * (1 - seen.mean()):.2g} %"
        warnings.append(f"{share} of the points were not seen: bridged in a straight line, see the label 'visible'")


def _scale(unit: str | float, parameters: Parameters, points: Singles, warnings: list[str]) -> float:
    if unit != "auto":
        return metres_per(unit)
    stated = next(iter(parameters.texts("POINT:UNITS")), "").lower()
    if stated in UNITS:
        return UNITS[stated]
    extent = float(np.ptp(points[len(points) // 2], axis=0).max())
    guessed = "mm" if extent > 100 else "cm" if extent > 10 else "m"
    problem = f"has an unknown unit {stated!r}" if stated else "has no unit"
    warnings.append(f"{problem}: the markers span {extent:.3g}, taken as {guessed}")
    return metres_per(guessed)


def _upright(points: Singles, up: str, parameters: Parameters, warnings: list[str]) -> Singles:
    """Points with Y up by the smallest rotation; where people walked in the room says nothing about a front."""
    axis = next(iter(parameters.texts("POINT:Y_SCREEN")), "").upper().replace("+", "")
    if up != "auto":
        axis = up.upper()
    elif axis.lstrip("-") not in _ROTATIONS:
        axis = "XYZ"[_tallest(points)]
        warnings.append(f"does not say which axis is up: took {axis} by the shape; set up")
    columns, signs = _ROTATIONS[axis if axis in _ROTATIONS else f"-{axis.lstrip('-')}"]
    return points[..., columns] * np.array(signs, np.float32)


def _tallest(points: Singles) -> int:
    """Y or Z: the one that all markers are above the floor of, else the one that they spread most along."""
    low, high = points.min(axis=(0, 1)), points.max(axis=(0, 1))
    above = low >= -0.05 * (high - low)
    if above[1] != above[2]:
        return 1 if above[1] else 2
    spread = np.median(np.ptp(points, axis=1), axis=0)
    return 1 if spread[1] >= spread[2] else 2


def _balls(skeleton: Skeleton, name: str) -> Character:
    """One mesh with a small ball on each marker."""
    radius = float(np.clip(BALL * skeleton.height, 0.002, 0.05))
    golden = (1 + math.sqrt(5)) / 2
    corners = np.array([(a, b * golden, 0) for a in (-1, 1) for b in (-1, 1)], np.float32)
    corners = np.concatenate([np.roll(corners, shift, axis=1) for shift in range(3)]) / math.hypot(1, golden)
    near = np.linalg.norm(corners[:, None] - corners[None], axis=-1) < 1.1
    triples = [each for each in combinations(range(12), 3) if near[np.ix_(each, each)].all()]
    faces = [(a, b, c) if np.linalg.det(corners[[a, b, c]]) > 0 else (a, c, b) for a, b, c in triples]
    count = skeleton.joint_count
    normals = np.tile(corners, (count, 1))
    indices = np.array(faces, np.uint32) + 12 * np.arange(count, dtype=np.uint32)[:, None, None]
    bind = np.tile(np.eye(4, dtype=np.float32), (count, 1, 1))
    mesh = Mesh(
        "markers",
        radius * normals,
        normals,
        indices.reshape(-1, 3),
        joints=np.repeat(np.arange(count, dtype=np.int32), 12)[:, None],
        weights=np.ones((12 * count, 1), np.float32),
        inverse_bind=bind,
        material=0,
    )
    return Character(name, skeleton, (mesh,), (Material("marker", (0.9, 0.35, 0.08, 1.0), 0.0, 0.5),))
