"""C3D markers: every marker is a root joint of its own that moves and does not turn."""

from __future__ import annotations

import math
import os
from itertools import combinations
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character, Material, Mesh
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset
from kinema.formats.c3d.parameters import BLOCK, Header, Parameters, floats, integers, read_start
from kinema.formats.sources import Source
from kinema.formats.units import check_up, metres_per
from kinema.motion import Motion
from kinema.skeleton import MAX_JOINTS, Skeleton

DEFAULT_FPS = 100.0
FARTHEST = 1e5  # metres; nothing that is captured is farther away
FULL = 65535  # frames: what 16 bits hold, and what longer files write into their 16 bits
UNITS = {"m": 1.0, "meters": 1.0, "metres": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "inches": 0.0254}
_LARGEST = 1e9  # in the file's unit; programs write NaN and huge numbers where they know nothing
BALL = 0.01  # radius of what stands for a marker, as a share of the height of all of them

_AXES = {"X": 0, "Y": 1, "Z": 2}
_MOST_LISTED = 5


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
    header, parameters = read_start(data, source.path)
    points, seen = _points(data, header, parameters, source.path, warnings)
    names = _names(parameters, points.shape[1])
    kept: NDArray[np.bool_] = np.any(seen, axis=0)
    if not kept.any():
        raise FormatError("none of its markers is ever seen", path=source.path)
    if not kept.all():
        never = [name for name, known in zip(names, kept.tolist(), strict=True) if not known]
        warnings.append(f"markers that are never seen are left out: {_listed(never)}")
        names = [name for name, known in zip(names, kept.tolist(), strict=True) if known]
        points, seen = points[:, kept], seen[:, kept]
    _bridge(points, seen)
    if not seen.all():
        warnings.append(
            f"{100 * (1 - seen.mean()):.2g} % of the points were not seen: bridged in a straight line, see "
            "the label 'visible'"
        )
    points *= np.float32(_scale(unit, parameters, points, warnings))
    if not np.abs(points).max() < FARTHEST:
        raise FormatError(f"has a marker farther away than {FARTHEST:g} m; set unit if it is wrong", path=source.path)
    points = _upright(points, up, parameters, warnings)
    fps = next((r for r in (parameters.number("POINT:RATE"), header.rate) if r and 0 < r < 1e6 and math.isfinite(r)), 0)
    if not fps:
        fps = DEFAULT_FPS
        warnings.append(f"has no frame rate: took {fps:g} frames a second")
    try:
        skeleton = Skeleton.create(names, [-1] * len(names), np.median(points, axis=0))
        still = np.zeros((*points.shape[:2], 4), np.float32)
        still[..., 0] = 1
        motion = Motion.create(
            skeleton, still, points, range(len(names)), fps, source.stem, {"visible": seen}, (), warnings
        )
    except SkeletonError as error:
        raise FormatError(str(error), path=source.path) from None
    return Asset(source.path, "c3d", skeleton, (motion,), _balls(skeleton, source.stem), tuple(warnings))


def write(thing: Any, path: str | os.PathLike[str], **options: Any) -> NoReturn:
    """C3D is only read. FormatError says what can be written."""
    raise FormatError("C3D is only read; write .npz, .glb or .bvh", path=os.fspath(path))


def _points(
    data: bytes, header: Header, parameters: Parameters, path: str, warnings: list[str]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Places `[F, M, 3]` in the file's unit, and what was seen `[F, M]`."""
    count = header.points or int(max(parameters.number("POINT:USED") or 0, 0))
    if not 0 < count <= MAX_JOINTS:
        raise FormatError(
            "holds no markers" if count < 1 else f"has {count} markers, at most {MAX_JOINTS} are read", path=path
        )
    scale = parameters.number("POINT:SCALE") or header.scale
    if not (math.isfinite(scale) and scale):
        raise FormatError("has a scale that is no number; negative means floats, positive scales integers", path=path)
    start = BLOCK * (max(header.data_block or int(parameters.number("POINT:DATA_START") or 0), 1) - 1)
    width = 4 if scale < 0 else 2
    row = (4 * count + header.analog) * width
    there = max(len(data) - start, 0) // row
    frames = _frames(header, parameters, there, warnings)
    if start < BLOCK or frames == 0:
        raise FormatError("has no frames behind its parameters", path=path)
    if header.analog:
        warnings.append(f"{header.analog} analog values a frame (forces, muscles) are not read")
    flat = (floats if scale < 0 else integers)(data[start : start + frames * row], parameters.processor)
    table = flat.reshape(frames, -1)[:, : 4 * count].reshape(frames, count, 4)
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


def _frames(header: Header, parameters: Parameters, there: int, warnings: list[str]) -> int:
    """Frames of the clip: the header's 16 bits are not enough for long ones, so several places may say it."""
    said = [header.last - header.first + 1]
    ends = [
        [int(word) & 0xFFFF for word in parameters.numbers(f"TRIAL:ACTUAL_{end}_FIELD")[:2]] for end in ("START", "END")
    ]
    if all(len(words) == 2 for words in ends):
        first, last = (low + (high << 16) for low, high in ends)
        said.append(last - first + 1)
    frames = parameters.number("POINT:FRAMES") or 0.0
    said.append(int(frames) & 0xFFFF if -32768 <= frames < 0 else int(frames))
    said.append(int(parameters.number("POINT:LONG_FRAMES") or 0))
    promised = max(said)
    if promised <= 0 or (promised == FULL and there > FULL):
        warnings.append(f"does not say how many frames it has: took the {there} that are there")
        return there
    if promised > there:
        warnings.append(f"promises {promised} frames, the file has {there}: took what is there")
    return min(promised, there)


def _names(parameters: Parameters, count: int) -> list[str]:
    """A unique name for every marker; more than 255 go on in LABELS2, LABELS3, ..."""
    labels: list[str] = []
    for block in ["", *range(2, 400)]:
        rows = parameters.texts(f"POINT:LABELS{block}")
        if not rows:
            break
        labels += rows
    labels = (labels + [""] * count)[:count]
    taken: set[str] = set()
    for index, label in enumerate(labels):
        name = label or f"marker_{index + 1}"
        labels[index] = name if name not in taken else f"{name}#{index + 1}"
        while labels[index] in taken:
            labels[index] += "_"
        taken.add(labels[index])
    return labels


def _bridge(points: NDArray[np.float32], seen: NDArray[np.bool_]) -> None:
    """Fills what was not seen: in a straight line between what was, and held at the ends."""
    every = np.arange(len(points))
    for marker in np.flatnonzero(~seen.all(axis=0)).tolist():
        known = np.flatnonzero(seen[:, marker])
        for axis in range(3):
            points[:, marker, axis] = np.interp(every, known, points[known, marker, axis])


def _scale(unit: str | float, parameters: Parameters, points: NDArray[np.float32], warnings: list[str]) -> float:
    if unit != "auto":
        return metres_per(unit)
    said = next(iter(parameters.texts("POINT:UNITS")), "").lower()
    if said in UNITS:
        return UNITS[said]
    extent = float(np.ptp(points[len(points) // 2], axis=0).max())
    guessed = "mm" if extent > 100 else "cm" if extent > 10 else "m"
    problem = f"has an unknown unit {said!r}" if said else "has no unit"
    warnings.append(f"{problem}: the markers span {extent:.3g}, taken as {guessed}")
    return metres_per(guessed)


def _upright(points: NDArray[np.float32], up: str, parameters: Parameters, warnings: list[str]) -> NDArray[np.float32]:
    """Points with Y up. The least turn is made; where people walked in the room says nothing about a front."""
    said = next(iter(parameters.texts("POINT:Y_SCREEN")), "").upper().replace("+", "")
    if up != "auto":
        axis, sign = _AXES[up.upper()], 1
    elif said.lstrip("-") in _AXES:
        axis, sign = _AXES[said.lstrip("-")], -1 if said.startswith("-") else 1
    else:
        axis, sign = _tallest(points), 1
        warnings.append(f"does not say which axis is up: took {'XYZ'[axis]} by the shape; set up")
    x, y, z = np.moveaxis(points, -1, 0)
    turned = {
        (0, 1): (-y, x, z),
        (0, -1): (y, -x, z),
        (1, 1): (x, y, z),
        (1, -1): (x, -y, -z),
        (2, 1): (x, z, -y),
        (2, -1): (x, -z, y),
    }[axis, sign]
    return np.stack(turned, axis=-1)


def _tallest(points: NDArray[np.float32]) -> int:
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
    corners = np.concatenate([np.roll(corners, turn, axis=1) for turn in range(3)]) / math.hypot(1, golden)
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


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_LISTED
    return ", ".join(ascii(name)[1:-1] for name in names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
