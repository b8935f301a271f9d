"""Robot motion as CSV: a row a frame of the base's place, its rotation, and the angles of all joints.

Two kinds are met: bare numbers, the base's x y z, its quaternion x y z w and the joints in the model's order (what
retargeting tools for the Unitree robots write), and the same under a header that names the columns, which is what is
written here. Metres and radians, Z up.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset
from kinema.formats.atomic import atomic_write
from kinema.formats.robot.model import (
    listed,
    rotations_from_robot,
    rotations_to_robot,
    vectors_from_robot,
    vectors_to_robot,
)
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
OFF_HINGE = 0.035  # radians, two degrees: what a pose may turn beside its hinges before writing it is refused

_LARGEST = 1e6
_ANGLE_USUAL = 4 * np.pi
_ROOT_NAME = re.compile(
    r"((root|base|pelvis|body)_?)?((position|pos|translation|trans|quat|rotation|rot)_?)?"
    r"(?P<turn>q?)(?P<axis>[wxyz])",
    re.IGNORECASE,
)
_TURNING = re.compile(r"quat|rot|q[wxyz]$", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers `[F, C]` and the names of their columns, if the file has a header."""

    numbers: NDArray[np.float64]
    header: tuple[str, ...] | None


def parse_table(source: Source) -> Table:
    """The numbers of a CSV file.

    Raises:
        FormatError: no rectangle of finite numbers; names the line.
    """
    data = source.read()
    rows = data.count(b"\n")
    if len(data) > MOST_BYTES or rows > MOST_ROWS:
        raise FormatError(
            f"has {len(data)} bytes in {rows} rows; at most {MOST_BYTES} and {MOST_ROWS} of a table are read",
            path=source.path,
        )
    data = data.removeprefix(b"\xef\xbb\xbf")
    first, _, rest = data.partition(b"\n")
    delimiter = ";" if first.count(b";") > first.count(b",") else ","
    words = first.decode("latin-1").split(delimiter)
    if len(words) > MOST_COLUMNS:
        raise FormatError(f"has {len(words)} columns; at most {MOST_COLUMNS} are read", path=source.path)
    header = None if all(_is_number(word) for word in words) else tuple(word.strip().strip('"') for word in words)
    body = data if header is None else rest
    skipped = 0 if header is None else 1
    if not body.strip():
        raise FormatError("holds no row of numbers", path=source.path)
    try:
        numbers = np.loadtxt(io.BytesIO(body), delimiter=delimiter, comments=None, ndmin=2, encoding="latin-1")
    except ValueError as error:
        raise FormatError(f"is no table of numbers: {_reason(error, skipped)}", path=source.path) from None
    if header is not None and len(header) != numbers.shape[1]:
        raise FormatError(f"names {len(header)} columns, its rows have {numbers.shape[1]}", path=source.path)
    bad = ~(np.abs(numbers) < _LARGEST)
    if bad.any():
        row, column = np.argwhere(bad)[0].tolist()
        raise FormatError(
            f"has a number in column {column + 1} that is not finite or larger than {_LARGEST:g}",
            path=source.path,
            line=row + 1 + skipped,
        )
    return Table(numbers, header)


def read_motion(
    table: Table, skeleton: Skeleton, source: Source, fps: float | None = None, warnings: Sequence[str] = ()
) -> Motion:
    """The motion of a robot.

    Raises:
        FormatError: columns that do not fit the robot's hinges, or rotations of the base that are none.
    """
    if not skeleton.hinges:
        raise FormatError("needs a robot whose joints are hinges; this skeleton has none", path=source.path)
    if len(table.numbers) * skeleton.joint_count > MOST_VALUES:
        raise FormatError(
            f"has {len(table.numbers)} rows for {skeleton.joint_count} joints, more than are read", path=source.path
        )
    lines = list(warnings)
    names = [skeleton.names[hinge.joint] for hinge in skeleton.hinges]
    columns = _by_header(table, names, lines) if table.header else _by_position(table, names, lines)
    if columns is None:
        expected = f"{len(names)} joints, with the base's place and quaternion {len(names) + 7}"
        found = f"names {listed(table.header)}" if table.header else f"{table.numbers.shape[1]} columns"
        raise FormatError(f"does not fit the robot: it has {expected}, the table {found}", path=source.path)
    root, joints, time = columns
    numbers = table.numbers
    angles = np.where(joints >= 0, numbers[:, joints], 0.0)
    _check_angles(angles, skeleton, lines)
    local, moved = _pose(angles, skeleton)
    if root is not None:
        quaternions = numbers[:, root[[6, 3, 4, 5]]]
        lengths = np.linalg.norm(quaternions, axis=-1)
        wrong = np.flatnonzero(np.abs(lengths - 1) > 0.05)
        if wrong.size:
            raise FormatError(f"the rotation of the base is no unit quaternion in row {wrong[0] + 1}", path=source.path)
        quaternions = rotations_from_robot(quaternions / lengths[:, None])
        local[:, 0], moved = quaternions, vectors_from_robot(numbers[:, root[:3]])[:, None]
        if table.header is None:
            lines.append("columns taken as x y z, quaternion x y z w, and the joints in the order of the model")
    try:
        return Motion.create(
            skeleton,
            local,
            moved,
            [0] if root is not None else [],
            _rate(numbers, time, fps, lines),
            source.stem,
            warnings=lines,
        )
    except SkeletonError as error:
        raise FormatError(str(error), path=source.path) from None


def hinge_angles(motion: Motion) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Angles of all hinges `[F, H]`, radians, steady over time, and how far poses turn beside them `[F, H]`.

    The part of a joint's turn about its axis is its twist (Grassia, "Practical parameterization of rotations using the
    exponential map", 1998); what is left is what a robot cannot do.
    """
    skeleton = motion.skeleton
    joints = np.array([hinge.joint for hinge in skeleton.hinges], np.int64)
    axes = np.array([hinge.axis for hinge in skeleton.hinges], np.float64).reshape(-1, 3)
    rest = skeleton.rest_rotations[joints].astype(np.float64)
    turned = rotations.multiply(rotations.inverse(rest), motion.local_rotations[:, joints].astype(np.float64))
    swing, twist = rotations.swing_twist(turned, axes)
    angles = rotations.wrap(2 * np.arctan2(np.einsum("fhc,hc->fh", twist[..., 1:], axes), twist[..., 0]))
    angles = np.unwrap(angles, axis=0)
    if len(angles):
        limited = [np.isfinite(hinge.lower) and np.isfinite(hinge.upper) for hinge in skeleton.hinges]
        aim = [(h.lower + h.upper) / 2 if known else 0 for h, known in zip(skeleton.hinges, limited, strict=True)]
        angles -= 2 * np.pi * np.round((np.median(angles, axis=0) - aim) / (2 * np.pi))
    return angles, rotations.angle(swing)


def write_table(thing: Motion | Asset, path: str | os.PathLike[str], *, nearest: bool = False) -> None:
    """Writes a robot's motion as a table with a header: the base, the joints by name, and the time in seconds.

    Args:
        thing: a motion on a skeleton with hinges, or an asset with one.
        path: a `.csv` file.
        nearest: write the nearest angles where poses turn beside their hinges, which is refused otherwise.

    Raises:
        FormatError: no robot, or a pose that its hinges cannot take.
    """
    shown = os.fspath(path)
    motion = thing.motion() if isinstance(thing, Asset) else thing
    if not isinstance(motion, Motion) or not motion.skeleton.hinges:
        raise FormatError(
            "a table of joint angles needs the motion of a robot, whose joints are hinges; write other "
            "motions as .bvh, .glb or .npz, or retarget to a robot first",
            path=shown,
        )
    skeleton = motion.skeleton
    angles, beside = hinge_angles(motion)
    if not nearest and beside.size and beside.max() > OFF_HINGE:
        frame, hinge = np.unravel_index(beside.argmax(), beside.shape)
        name = skeleton.names[skeleton.hinges[int(hinge)].joint]
        raise FormatError(
            f"joint {name!r} turns {np.degrees(beside.max()):.1f} degrees beside its hinge in frame "
            f"{frame}: no motion of this robot; nearest=True writes the nearest",
            path=shown,
        )
    place = vectors_to_robot(motion[:].local_translations[:, 0])
    turn = rotations_to_robot(rotations.unroll(motion.local_rotations[:, 0].astype(np.float64)))[:, [1, 2, 3, 0]]
    time = np.arange(motion.frames)[:, None] / motion.fps
    table = np.concatenate([place, turn, angles, time], axis=1)
    names = [re.sub(r'[",\s]', "_", skeleton.names[hinge.joint]) for hinge in skeleton.hinges]
    buffer = io.StringIO()
    buffer.write(",".join([*ROOT, *names, TIME]) + "\n")
    np.savetxt(buffer, table, fmt="%.7g", delimiter=",")
    atomic_write(path, buffer.getvalue().encode())


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
        return f"a word that is no number about line {int(found[1]) + 1 + skipped}"
    if "number of columns changed" in text and found:
        return f"another number of columns about line {int(found[1]) + skipped}"
    return text[:120]


def _by_position(
    table: Table, names: list[str], lines: list[str]
) -> tuple[NDArray[np.int64] | None, NDArray[np.int64], int | None] | None:
    count, width = len(names), table.numbers.shape[1]
    if width == count + 7:
        return np.arange(7), np.arange(7, width), None
    if width == count:
        lines.append("has no columns of the base, which stays where it is")
        return None, np.arange(count), None
    return None


def _by_header(
    table: Table, names: list[str], lines: list[str]
) -> tuple[NDArray[np.int64] | None, NDArray[np.int64], int | None] | None:
    """Columns of the base (place and quaternion x y z w), of each joint (-1 where missing), and of the time."""
    header = [_plain(name) for name in table.header or ()]
    where = {name: index for index, name in reversed(list(enumerate(header)))}
    joints = np.array([where.get(_plain(name), -1) for name in names], np.int64)
    if (joints < 0).all():
        return None
    root: dict[str, int] = {}
    for index, name in enumerate(header):
        found = _ROOT_NAME.fullmatch(name)
        if found:
            kind = "q" if found["turn"] or _TURNING.search(name) else ""
            root.setdefault(kind + found["axis"].lower(), index)
    wanted = ("x", "y", "z", "qx", "qy", "qz", "qw")
    based = all(key in root for key in wanted)
    time = where.get(TIME, where.get("t", where.get("timestamp")))
    used = {*joints.tolist(), *(root.values() if based else ()), *([] if time is None else [time])}
    missing = [name for name, column in zip(names, joints.tolist(), strict=True) if column < 0]
    unused = [name for index, name in enumerate(table.header or ()) if index not in used]
    if missing:
        lines.append(f"joints without a column stay at zero: {listed(missing)}")
    if unused:
        lines.append(f"columns that are not read: {listed(unused)}")
    if not based:
        lines.append("has no columns of the base, which stays where it is")
    return (np.array([root[key] for key in wanted]) if based else None), joints, time


def _plain(name: str) -> str:
    """Names of joints are written with and without the word joint, or as the position of one."""
    return re.sub(r"(_joint)?(_dof|_pos|_position|_q)?$", "", name.strip().lower().replace("/", "_").replace(" ", "_"))


def _check_angles(angles: NDArray[np.float64], skeleton: Skeleton, lines: list[str]) -> None:
    lower, upper = (np.array([getattr(hinge, side) for hinge in skeleton.hinges]) for side in ("lower", "upper"))
    outside = (angles < lower - 1e-3) | (angles > upper + 1e-3)
    if np.abs(angles).max(initial=0.0) > _ANGLE_USUAL:
        lines.append(f"angles reach {np.abs(angles).max():.4g}: they are taken as radians; are they degrees?")
    elif outside.any():
        worst = [skeleton.names[skeleton.hinges[h].joint] for h in np.flatnonzero(outside.any(axis=0))]
        share = 100 * outside.mean()
        lines.append(f"{share:.2g} % of the angles lie outside the limits of their joints: {listed(worst)}")


def _pose(angles: NDArray[np.float64], skeleton: Skeleton) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Local rotations `[F, J, 4]` of joint angles `[F, H]`, and no translations."""
    joints = np.array([hinge.joint for hinge in skeleton.hinges], np.int64)
    axes = np.array([hinge.axis for hinge in skeleton.hinges], np.float64)
    local = np.tile(skeleton.rest_rotations, (len(angles), 1, 1))
    turned = rotations.from_axis_angle(axes[None], angles)
    local[:, joints] = rotations.multiply(skeleton.rest_rotations[joints].astype(np.float64), turned)
    return local, np.zeros((len(angles), 0, 3))


def _rate(numbers: NDArray[np.float64], time: int | None, fps: float | None, lines: list[str]) -> float:
    if fps is not None:
        return fps
    if time is not None and len(numbers) > 1:
        step = float(np.median(np.diff(numbers[:, time])))
        if 1e-5 < step < 1e3:
            rate = 1 / step
            return float(round(rate)) if abs(rate - round(rate)) < 1e-3 * rate and round(rate) else rate
    lines.append(f"has no frame rate: took {DEFAULT_FPS:g} frames a second; set it with --rate (fps=)")
    return DEFAULT_FPS
