"""Robot motion as CSV: one row a frame with the base's position and rotation and the angles of all joints.

There are two kinds: bare numbers (the base's x y z, its quaternion x y z w and the joints in the model's order, as
retargeting tools for the Unitree robots write them), and the same with a header that names the columns, which we write.
Metres and radians, Z up.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Ints
from kinema.errors import FormatError, listed
from kinema.formats.checks import require
from kinema.formats.robot.frame import rotations_from_robot, vectors_from_robot
from kinema.formats.robot.hinges import hinge_rotations
from kinema.formats.sources import Source
from kinema.motion import Motion
from kinema.skeleton import Skeleton

DEFAULT_FPS = 30.0
MOST_BYTES = 96 * 1024**2
MOST_ROWS = 2_000_000
MOST_COLUMNS = 10_000
MOST_VALUES = 30_000_000  # rows times joints
ROOT = ("root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw")
TIME = "time"

_LARGEST = 1e6
_ANGLE_USUAL = 4 * np.pi
_ROOT_NAME = re.compile(
    r"((root|base|pelvis|body)_?)?((position|pos|translation|trans|quat|rotation|rot)_?)?"
    r"(?P<turn>q?)(?P<axis>[wxyz])",
    re.IGNORECASE,
)
_TURNING = re.compile(r"quat|rot|q[wxyz]$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class JointTable:
    """Numbers `[F, C]` and the names of their columns, if the file has a header."""

    numbers: Floats
    header: tuple[str, ...] | None


def parse_table(source: Source) -> JointTable:
    """The numbers of a CSV file.

    Raises:
        FormatError: not a table of finite numbers; names the line.
    """
    data = source.read().removeprefix(b"\xef\xbb\xbf")
    rows = data.count(b"\n")
    most = f"at most {MOST_BYTES} and {MOST_ROWS} of a table are read"
    fits = len(data) <= MOST_BYTES and rows <= MOST_ROWS
    require(fits, f"has {len(data)} bytes in {rows} rows; {most}")
    first, _, rest = data.partition(b"\n")
    delimiter = ";" if first.count(b";") > first.count(b",") else ","
    words = first.decode("latin-1").split(delimiter)
    require(len(words) <= MOST_COLUMNS, f"has {len(words)} columns; at most {MOST_COLUMNS} are read")
    header = None if all(_is_number(word) for word in words) else tuple(word.strip().strip('"') for word in words)
    body, skipped = (data, 0) if header is None else (rest, 1)
    require(body.strip(), "holds no row of numbers")
    try:
        numbers = np.loadtxt(io.BytesIO(body), delimiter=delimiter, comments=None, ndmin=2, encoding="latin-1")
    except ValueError as error:
        raise FormatError(f"is not a table of numbers: {_reason(error, skipped)}") from None
    named, width = len(header or numbers[0]), numbers.shape[1]
    require(named == width, f"names {named} columns, its rows have {width}")
    _check_numbers(numbers, skipped)
    return JointTable(numbers, header)


def _check_numbers(numbers: Floats, skipped: int) -> None:
    bad = np.argwhere(~(np.abs(numbers) < _LARGEST))
    if len(bad):
        row, column = bad[0].tolist()
        problem = f"has a number in column {column + 1} that is not finite or larger than {_LARGEST:g}"
        raise FormatError(problem, line=row + 1 + skipped)


def read_motion(
    table: JointTable, skeleton: Skeleton, source: Source, fps: float | None = None, warnings: Sequence[str] = ()
) -> Motion:
    """The motion of a robot.

    Raises:
        FormatError: columns that do not fit the robot's hinges, or rotations of the base that are not unit quaternions.
    """
    require(skeleton.hinges, "needs a robot whose joints are hinges; this skeleton has none")
    numbers = table.numbers
    if len(numbers) * skeleton.joint_count > MOST_VALUES:
        raise FormatError(f"has {len(numbers)} rows for {skeleton.joint_count} joints, more than are read")
    lines = list(warnings)
    columns = _columns(table, skeleton, lines)
    angles = np.where(columns.joints >= 0, numbers[:, columns.joints], 0.0)
    _check_angles(angles, skeleton, lines)
    local_rotations, translations = hinge_rotations(skeleton, angles), np.zeros((len(angles), 0, 3))
    if columns.root is not None:
        local_rotations[:, 0] = _base_rotations(numbers[:, columns.root[[6, 3, 4, 5]]])
        translations = vectors_from_robot(numbers[:, columns.root[:3]])[:, None]
        if table.header is None:
            lines.append("columns taken as x y z, quaternion x y z w, and the joints in the order of the model")
    rate = _rate(numbers, columns.time, fps, lines)
    moved = [] if columns.root is None else [0]
    return Motion.create(skeleton, local_rotations, translations, moved, rate, source.stem, warnings=lines)


def _base_rotations(quaternions: Floats) -> Floats:
    lengths = np.linalg.norm(quaternions, axis=-1)
    wrong = np.flatnonzero(np.abs(lengths - 1) > 0.05)
    if wrong.size:
        raise FormatError(f"the rotation of the base is not a unit quaternion in row {wrong[0] + 1}")
    return rotations_from_robot(quaternions / lengths[:, None])


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _reason(error: ValueError, skipped: int) -> str:
    """What NumPy says, in lines of the file."""
    text = " ".join(str(error).split())
    found = re.search(r"at row (\d+)", text)
    if "could not convert" in text and found:
        return f"a word that is not a number near line {int(found[1]) + 1 + skipped}"
    if "number of columns changed" in text and found:
        return f"a different number of columns near line {int(found[1]) + skipped}"
    return text[:120]


@dataclass(frozen=True, eq=False)
class _Columns:
    """Which columns of a table are read: of the base (position and quaternion xyzw), each joint (-1: none), time."""

    root: Ints | None
    joints: Ints
    time: int | None = None


def _columns(table: JointTable, skeleton: Skeleton, lines: list[str]) -> _Columns:
    names = [skeleton.names[hinge.joint] for hinge in skeleton.hinges]
    header, width = table.header, table.numbers.shape[1]
    columns = _by_position(len(names), width) if header is None else _by_header(header, names, lines)
    if columns is None:
        expected = f"{len(names)} joints, with the base's place and quaternion {len(names) + 7}"
        found = f"{width} columns" if header is None else f"names {listed(header)}"
        raise FormatError(f"does not fit the robot: it has {expected}, the table {found}")
    if columns.root is None:
        lines.append("has no columns of the base, which stays where it is")
    return columns


def _by_position(count: int, width: int) -> _Columns | None:
    if width == count + 7:
        return _Columns(np.arange(7), np.arange(7, width))
    return _Columns(None, np.arange(count)) if width == count else None


def _by_header(header: tuple[str, ...], names: list[str], lines: list[str]) -> _Columns | None:
    plain = [_plain(name) for name in header]
    where = {name: index for index, name in reversed(list(enumerate(plain)))}
    joints = np.array([where.get(_plain(name), -1) for name in names], np.int64)
    if (joints < 0).all():
        return None
    root, time = _root_columns(plain), where.get(TIME, where.get("t", where.get("timestamp")))
    used = {*joints.tolist(), *([] if root is None else root.tolist()), time}
    missing = [names[index] for index in np.flatnonzero(joints < 0)]
    unused = [name for index, name in enumerate(header) if index not in used]
    for said, found in (("joints without a column stay at zero", missing), ("columns that are not read", unused)):
        if found:
            lines.append(f"{said}: {listed(found)}")
    return _Columns(root, joints, time)


def _root_columns(header: list[str]) -> Ints | None:
    """Columns `[7]` of the base, where all of them are there."""
    found: dict[str, int] = {}
    for index, name in enumerate(header):
        match = _ROOT_NAME.fullmatch(name)
        if match:
            kind = "q" if match["turn"] or _TURNING.search(name) else ""
            found.setdefault(kind + match["axis"].lower(), index)
    wanted = ("x", "y", "z", "qx", "qy", "qz", "qw")
    return np.array([found[key] for key in wanted]) if found.keys() >= set(wanted) else None


def _plain(name: str) -> str:
    """A joint's name without suffixes such as _joint and _pos, which tables add or drop."""
    return re.sub(r"(_joint)?(_dof|_pos|_position|_q)?$", "", name.strip().lower().replace("/", "_").replace(" ", "_"))


def _check_angles(angles: Floats, skeleton: Skeleton, lines: list[str]) -> None:
    lower, upper = (np.array([getattr(hinge, side) for hinge in skeleton.hinges]) for side in ("lower", "upper"))
    outside = (angles < lower - 1e-3) | (angles > upper + 1e-3)
    if np.abs(angles).max(initial=0.0) > _ANGLE_USUAL:
        lines.append(f"angles reach {np.abs(angles).max():.4g}: they were read as radians; are they degrees?")
    elif outside.any():
        worst = [skeleton.names[skeleton.hinges[h].joint] for h in np.flatnonzero(outside.any(axis=0))]
        share = 100 * outside.mean()
        lines.append(f"{share:.2g} % of the angles lie outside the limits of their joints: {listed(worst)}")


def _rate(numbers: Floats, time: int | None, fps: float | None, lines: list[str]) -> float:
    if fps is not None:
        return fps
    if time is not None and len(numbers) > 1:
        step = float(np.median(np.diff(numbers[:, time])))
        if 1e-5 < step < 1e3:
            rate = 1 / step
            return float(round(rate)) if abs(rate - round(rate)) < 1e-3 * rate and round(rate) else rate
    lines.append(f"has no frame rate: assumed {DEFAULT_FPS:g} frames per second; set it with --rate (fps=)")
    return DEFAULT_FPS
