"""BVH: motion capture as text. Reads every dialect that has one meaning and refuses, by line, what has none.

Semantics: channels apply in the order they are listed, per joint; position channels replace the joint's OFFSET; an
End Site becomes a tip. The format knows neither units nor axes: see the options of `read`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError, SkeletonError
from kinema.formats import Asset, units
from kinema.formats.bvh import kernels as bvh_kernels
from kinema.formats.bvh.header import Hierarchy, find_motion, line_at, parse_hierarchy
from kinema.formats.euler_kernels import euler_to_quaternions
from kinema.formats.sources import Source
from kinema.motion import Motion
from kinema.skeleton import Skeleton

DEFAULT_FPS = 30.0
CONSTANT = 1e-5  # metres: a joint whose position channels vary less does not move

# Possessive, because a file may hold a million blank lines here.
_FRAMES = re.compile(rb"MOTION\s*+:?+\s*+Frames\s*+:?+\s*+(\S++)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*+Frame\s*+Time\s*+:?+\s*+(\S++)", re.IGNORECASE)
_CUT_NUMBER = re.compile(rb"[+-]?(\d*\.?|\d*\.?\d*[eE][+-]?)\Z")


def read(source: Source, *, unit: str | float = "auto", up: str = "auto") -> Asset:
    """Reads a BVH file.

    Args:
        source: the file.
        unit: "m", "dm", "cm", "mm", "in", "cmu" (CMU database), metres per unit, or "auto": by the longest chain of
            bones (up to 8 units: metres; up to 40: CMU units; longer: centimetres) and, of a person, the length of a
            leg (which may mean decimetres or inches), and a warning says so.
        up: "y", "z", or "auto": Z if the body stands along +Z in its rest pose and in the motion, else Y.

    Returns:
        An asset with a skeleton and one motion; no motion if the file has no MOTION section. Joints with position
        channels that never move are folded into the rest pose.

    Raises:
        FormatError: the text is malformed or a number is missing, not finite or out of range; names the line.
        UnitError: no such unit or axis.
    """
    units.check_up(up)
    if unit != "auto":
        units.metres_per(unit)
    data = source.read()
    motion_at = find_motion(data)
    hierarchy = parse_hierarchy(data if motion_at is None else data[:motion_at], source.path)
    warnings = list(hierarchy.warnings)
    fixed = [name for name, channels in zip(hierarchy.names, hierarchy.channels, strict=True) if not channels]
    if fixed:
        warnings.append(f"joints without channels stay at rest: {_listed(fixed)}")
    if motion_at is None:
        warnings.append("has no MOTION section: a skeleton without a clip")
        rows, fps = np.zeros((0, hierarchy.channel_count)), DEFAULT_FPS
    else:
        rows, fps = _read_rows(data, motion_at, hierarchy.channel_count, source.path, warnings)
    try:
        motion = _assemble(hierarchy, rows, fps, source.stem, unit, up, warnings)
    except SkeletonError as error:
        raise FormatError(str(error), path=source.path) from None
    motions = () if motion_at is None else (motion,)
    return Asset(source.path, "bvh", motion.skeleton, motions, None, motion.warnings)


def _read_rows(
    data: bytes, motion_at: int, columns: int, path: str, warnings: list[str]
) -> tuple[NDArray[np.float64], float]:
    """The motion's rows `[F, C]` and frames per second; whatever was repaired is added to `warnings`."""
    found = _FRAMES.match(data, motion_at)
    if found is None:
        raise FormatError("expected 'Frames:' and a number after MOTION", path=path, line=line_at(data, motion_at))
    try:
        promised = int(found.group(1))
    except ValueError:
        promised = -1
    if promised < 0:
        raise FormatError(
            f"expected a number of frames, found {_shown(found.group(1))}",
            path=path,
            line=line_at(data, found.start(1)),
        )
    timing = _FRAME_TIME.match(data, found.end())
    if timing is None:
        raise FormatError("expected 'Frame Time:' and seconds", path=path, line=line_at(data, found.end()) + 1)
    try:
        frame_time = float(timing.group(1))
    except ValueError:
        frame_time = np.nan
    if not np.isfinite(frame_time):
        raise FormatError(
            f"expected the frame time in seconds, found {_shown(timing.group(1))}",
            path=path,
            line=line_at(data, timing.start(1)),
        )
    fps = _frames_per_second(frame_time, warnings)
    values = _numbers(data, timing.end(), columns, promised, path)
    if columns == 0:
        if promised:
            warnings.append(f"the header promises {promised} frames, but no joint has channels")
        return np.zeros((0, 0)), fps
    frames, left = divmod(values.size, columns)
    if left:
        warnings.append(f"the last row has {left} of {columns} values and was dropped: the file seems cut short")
    if frames == promised == 0:
        warnings.append("the clip has no frames")
    if frames != promised:
        warnings.append(f"the header promises {promised} frames, the file has {frames}: took what is there")
    return values[: frames * columns].reshape(frames, columns), fps


def _frames_per_second(frame_time: float, warnings: list[str]) -> float:
    if frame_time <= 0 or not np.isfinite(1.0 / frame_time):
        warnings.append(f"frame time is {frame_time:g} s: took {DEFAULT_FPS:g} frames a second")
        return DEFAULT_FPS
    if frame_time > 1.0:
        warnings.append(f"frame time is {frame_time:g} s, unusually long")
    fps = 1.0 / frame_time
    whole = round(fps)
    broadcast = whole * 1000 / 1001  # 29.97 and its kin are within 0.1 % of a whole rate, and meant
    if whole and abs(fps - whole) <= 1e-3 * whole and abs(fps - broadcast) > 1e-4 * whole:
        return float(whole)
    return fps


def _numbers(data: bytes, position: int, columns: int, promised: int, path: str) -> NDArray[np.float64]:
    """All numbers from `position` on. Memory follows the bytes that are there, never what the header promises."""
    if columns == 0:
        if found := re.compile(rb"\S").search(data, position):
            raise FormatError(
                "has motion values, but no joint has channels", path=path, line=line_at(data, found.start())
            )
        return np.empty(0)
    text = np.frombuffer(data, np.uint8)
    most = (len(data) - position + 1) // 2  # a number takes at least a digit and a separator,
    likely = (len(data) - position) // 6  # and in practice more
    values = np.empty(min(promised * columns, likely))
    count = line_start = 0
    while True:
        status, position, count, line_start = bvh_kernels.parse_rows(text, position, columns, values, count, line_start)
        if status != bvh_kernels.FULL:
            break
        larger = np.empty(min(most, max(2 * values.size, 64 * columns)))
        larger[:count] = values[:count]
        values = larger
    if status == bvh_kernels.ROW_CROSSED:
        raise FormatError(
            f"row has {count - line_start} values where {columns - line_start % columns} are due; the "
            f"channels make {columns} values a row",
            path=path,
            line=line_at(data, position),
        )
    if status == bvh_kernels.BAD_NUMBER:
        token = data[position : position + 400].split(None, 1)[0]
        cut = position + len(token) == len(data) and _CUT_NUMBER.match(token) and count % columns
        if not cut:
            raise FormatError(_number_problem(token), path=path, line=line_at(data, position))
    return values[:count]


def _number_problem(token: bytes) -> str:
    try:
        float(token)
    except ValueError:
        hint = " (decimals are written with a point)" if re.fullmatch(rb"[+-]?\d*,\d+([eE][+-]?\d+)?", token) else ""
        return f"expected a number, found {_shown(token)}{hint}"
    return f"expected a finite number of at most {bvh_kernels.LARGEST:g} in size, found {_shown(token)}"


def _shown(token: bytes) -> str:
    return ascii(token[:30].decode("latin-1") + ("..." if len(token) > 30 else ""))


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names[:3]) + (", ..." if len(names) > 3 else "")


@dataclass(frozen=True)
class _Layout:
    """Where each joint's channels are in a row."""

    positions: NDArray[np.int64]  # [J, 3]: column, or -1
    starts: NDArray[np.int64]  # [J + 1]: joint j's rotations are starts[j] to starts[j + 1] of the following
    axes: NDArray[np.int64]
    columns: NDArray[np.int64]


def _layout(hierarchy: Hierarchy) -> _Layout:
    positions = np.full((len(hierarchy.names), 3), -1, np.int64)
    starts, axes, columns, column = [0], [], [], 0
    for joint, channels in enumerate(hierarchy.channels):
        for kind, axis in channels:
            if kind == "position":
                positions[joint, axis] = column
            else:
                axes.append(axis)
                columns.append(column)
            column += 1
        starts.append(len(axes))
    return _Layout(positions, *(np.asarray(x, np.int64) for x in (starts, axes, columns)))


def _assemble(
    hierarchy: Hierarchy,
    rows: NDArray[np.float64],
    fps: float,
    name: str,
    unit: str | float,
    up: str,
    warnings: list[str],
) -> Motion:
    layout = _layout(hierarchy)
    parents = np.asarray(hierarchy.parents, np.int32)
    offsets = np.asarray(hierarchy.offsets, np.float64)
    tips = [(joint, np.asarray(offset)) for joint, offset in hierarchy.tips if any(offset)]
    joints = np.flatnonzero((layout.positions >= 0).any(axis=1))
    moved = np.repeat(offsets[None, joints], rows.shape[0], axis=0)  # [F, P, 3]
    for axis in range(3):
        present = layout.positions[joints, axis] >= 0
        moved[:, present, axis] = rows[:, layout.positions[joints[present], axis]]
    inner = parents[joints] >= 0
    if inner.sum() > 0.5 * parents.size and _are_displacements(moved[:, inner], offsets[joints[inner]]):
        moved[:, inner] += offsets[joints[inner]]
        warnings.append("position channels of inner joints are zero: taken as displacements from OFFSET")

    spread = np.ptp(moved, axis=0).max(axis=-1) if rows.shape[0] else np.zeros(joints.size)
    first = moved[0] if rows.shape[0] else offsets[joints]
    placed = offsets.copy()  # as the motion has them, for joints that stay where they are
    still = (spread <= 1e-6 * (1.0 + np.abs(first).max(axis=-1))) & (parents[joints] >= 0)
    placed[joints[still]] = first[still]
    if unit == "auto":
        longest = _longest_chain(parents, placed, tips)
        unit = units.guess_unit(longest)
        if units.is_doubtful(unit, longest):
            unit = units.unit_of_person(unit, units.leg_of_person(Skeleton.create(hierarchy.names, parents, placed)))
        if unit != "m" or longest > units.LONGEST_USUAL:
            warnings.append(f"units taken as {units.NAMES[unit]}: the longest chain of bones is {longest:.4g} units")
    scale = units.metres_per(unit)
    offsets, moved, first, spread = offsets * scale, moved * scale, first * scale, spread * scale
    tips = [(joint, offset * scale) for joint, offset in tips]

    # Fold what never moves into the rest pose. Where that changes the rest pose, only inner joints with more than one
    # frame of evidence: a root's place and a single pose say nothing about the body.
    steady = spread <= CONSTANT
    differs = np.abs(first - offsets[joints]).max(axis=-1, initial=0.0) > CONSTANT
    clip = rows.shape[0] > 1
    folded = steady & np.where(parents[joints] < 0, clip & ~differs, clip | ~differs)
    changed = folded & differs
    offsets[joints[changed]] = first[changed]
    if changed.any():
        shown = _listed([hierarchy.names[joint] for joint in joints[changed]])
        warnings.append(f"constant position channels replace the OFFSET of {changed.sum()} joints: {shown}")
    joints, moved = joints[~folded], moved[:, ~folded]

    turned = euler_to_quaternions(rows, layout.starts, layout.axes, layout.columns)
    skeleton = Skeleton.create(hierarchy.names, parents, offsets, tips=tips)
    motion = Motion.create(skeleton, turned, moved, joints, fps, name)
    if up == "z" or (up == "auto" and _stands_along_z(motion)):
        if up == "auto":
            warnings.append("the body stands along +Z: turned to Y up")
        tips = [(joint, units.vectors_from_z_up(offset)) for joint, offset in tips]
        skeleton = Skeleton.create(hierarchy.names, parents, units.vectors_from_z_up(offsets), tips=tips)
        motion = Motion.create(
            skeleton, units.rotations_from_z_up(turned), units.vectors_from_z_up(moved), joints, fps, name
        )
    return motion.replace(warnings=tuple(warnings))


def _are_displacements(moved: NDArray[np.float64], offsets: NDArray[np.float64]) -> bool:
    """Whether positions `[F, P, 3]` would let the body collapse into one point, so that they mean to add to OFFSET."""
    farthest = np.linalg.norm(moved, axis=-1).max(axis=0, initial=0.0)
    return len(moved) > 0 and bool(farthest.sum() < 0.01 * np.linalg.norm(offsets, axis=-1).sum())


def _longest_chain(
    parents: NDArray[np.int32], offsets: NDArray[np.float64], tips: list[tuple[int, NDArray[np.float64]]]
) -> float:
    """Length of the longest path of bones from a root to a leaf; where the root itself is does not count."""
    reach = np.where(parents < 0, 0.0, np.linalg.norm(offsets, axis=-1))
    for joint, parent in enumerate(parents.tolist()):
        if parent >= 0:
            reach[joint] += reach[parent]
    return max([float(reach.max()), *(float(reach[joint] + np.linalg.norm(offset)) for joint, offset in tips)])


def _stands_along_z(motion: Motion) -> bool:
    """Whether the head is above the feet along +Z, in the rest pose and no less in the motion.

    The motion has a say because some exporters write rest poses that lie down and turn the root up in every frame.
    """
    skeleton = motion.skeleton
    rest = skeleton.rest_pose.global_positions
    if skeleton.joint_count > units.ROLE_JOINTS or np.ptp(rest[:, 2]) < np.ptp(rest[:, 1]):
        return False
    roles = skeleton.roles
    if roles.head is None or not roles.legs or roles.plan not in ("biped", "unknown"):
        return False  # a bird's head is before its feet, not above them
    feet = [leg.foot for leg in roles.legs]
    standing = rest[roles.head] - rest[feet].mean(axis=0)
    if standing[2] <= 0.9 * np.linalg.norm(standing):
        return False
    if motion.frames == 0:
        return True
    some = np.linspace(0, motion.frames - 1, min(motion.frames, 16)).astype(np.int64)
    posed = motion[some].global_positions
    moving = (posed[:, roles.head] - posed[:, feet].mean(axis=1)).mean(axis=0)
    return bool(moving[2] > moving[1])
