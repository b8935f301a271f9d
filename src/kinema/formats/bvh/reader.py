"""BVH: motion capture as text. Reads every dialect that has one meaning and refuses, by line, what has none.

Semantics: channels apply in the order they are listed, per joint; position channels replace the joint's OFFSET; an
End Site becomes a tip. The format knows neither units nor axes: see the options of `read`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Bools, Floats, Indices, Ints, Singles
from kinema.errors import listed
from kinema.formats import Asset, units
from kinema.formats.bvh.header import Hierarchy, find_motion, parse_hierarchy
from kinema.formats.bvh.rows import DEFAULT_FPS, read_rows
from kinema.formats.euler_kernels import euler_to_quaternions
from kinema.formats.sources import Source
from kinema.motion import Motion
from kinema.skeleton import Skeleton

CONSTANT = 1e-5  # metres: a joint whose position channels vary less does not move


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
    hierarchy = parse_hierarchy(data if motion_at is None else data[:motion_at])
    warnings = list(hierarchy.warnings)
    fixed = [name for name, channels in zip(hierarchy.names, hierarchy.channels, strict=True) if not channels]
    if fixed:
        warnings.append(f"joints without channels stay at rest: {listed(fixed)}")
    if motion_at is None:
        warnings.append("has no MOTION section: a skeleton without a clip")
        rows, fps = np.zeros((0, hierarchy.channel_count)), DEFAULT_FPS
    else:
        rows, fps = read_rows(data, motion_at, hierarchy.channel_count, warnings)
    motion = _assemble(hierarchy, rows, fps, source.stem, unit, up, warnings)
    motions = () if motion_at is None else (motion,)
    return Asset(source.path, "bvh", motion.skeleton, motions, None, motion.warnings)


@dataclass(frozen=True)
class _Layout:
    """Where each joint's channels are in a row."""

    positions: Ints  # [J, 3]: column, or -1
    starts: Ints  # [J + 1]: joint j's rotations are starts[j] to starts[j + 1] of the following
    axes: Ints
    columns: Ints


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


@dataclass
class _Body:
    """What a file says of a body: `joints` are those with position channels, `positions` `[F, P, 3]` their values."""

    hierarchy: Hierarchy
    parents: Indices
    offsets: Floats
    tips: list[tuple[int, Floats]]
    joints: Ints
    positions: Floats

    @property
    def first(self) -> Floats:
        """Positions `[P, 3]` in the first frame, or at rest."""
        return self.positions[0] if len(self.positions) else self.offsets[self.joints]

    @property
    def spread(self) -> Floats:
        """How far each of them moves along an axis `[P]`."""
        return np.ptp(self.positions, axis=0).max(axis=-1) if len(self.positions) else np.zeros(self.joints.size)

    @property
    def inner(self) -> Bools:
        """Which of them are not roots `[P]`."""
        return self.parents[self.joints] >= 0

    def motion(self, local_rotations: Singles, fps: float, name: str) -> Motion:
        skeleton = Skeleton.create(self.hierarchy.names, self.parents, self.offsets, tips=self.tips)
        return Motion.create(skeleton, local_rotations, self.positions, self.joints, fps, name)


def _assemble(
    hierarchy: Hierarchy, rows: Floats, fps: float, name: str, unit: str | float, up: str, warnings: list[str]
) -> Motion:
    layout = _layout(hierarchy)
    body = _read_positions(hierarchy, layout, rows, warnings)
    scale = units.metres_per(_guess_unit(body, warnings) if unit == "auto" else unit)
    body.offsets, body.positions = body.offsets * scale, body.positions * scale
    body.tips = [(joint, offset * scale) for joint, offset in body.tips]
    _fold(body, warnings)
    local_rotations = euler_to_quaternions(rows, layout.starts, layout.axes, layout.columns)
    motion = body.motion(local_rotations, fps, name)
    if up == "z" or (up == "auto" and _stands_along_z(motion)):
        if up == "auto":
            warnings.append("the body stands along +Z: converted to Y up")
        body.offsets, body.positions = units.vectors_from_z_up(body.offsets), units.vectors_from_z_up(body.positions)
        body.tips = [(joint, units.vectors_from_z_up(offset)) for joint, offset in body.tips]
        motion = body.motion(units.rotations_from_z_up(local_rotations), fps, name)
    return motion.replace(warnings=tuple(warnings))


def _read_positions(hierarchy: Hierarchy, layout: _Layout, rows: Floats, warnings: list[str]) -> _Body:
    offsets = np.asarray(hierarchy.offsets, np.float64)
    tips = [(joint, np.asarray(offset)) for joint, offset in hierarchy.tips if any(offset)]
    joints = np.flatnonzero((layout.positions >= 0).any(axis=1))
    positions = np.repeat(offsets[None, joints], rows.shape[0], axis=0)
    for axis in range(3):
        present = layout.positions[joints, axis] >= 0
        positions[:, present, axis] = rows[:, layout.positions[joints[present], axis]]
    body = _Body(hierarchy, np.asarray(hierarchy.parents, np.int32), offsets, tips, joints, positions)
    inner = body.inner
    if inner.sum() > 0.5 * len(offsets) and _are_displacements(positions[:, inner], offsets[joints[inner]]):
        positions[:, inner] += offsets[joints[inner]]
        warnings.append("position channels of inner joints are zero: taken as displacements from OFFSET")
    return body


def _guess_unit(body: _Body, warnings: list[str]) -> str:
    """The unit of lengths by the size of the body, with inner joints that never move where the motion has them."""
    offsets = body.offsets.copy()
    still = (body.spread <= 1e-6 * (1.0 + np.abs(body.first).max(axis=-1))) & body.inner
    offsets[body.joints[still]] = body.first[still]
    lengths = np.where(body.parents < 0, 0.0, np.linalg.norm(offsets, axis=-1))
    longest = units.longest_chain(body.parents, lengths, body.tips)
    unit = units.guess_unit(longest)
    if units.is_doubtful(unit, longest):
        skeleton = Skeleton.create(body.hierarchy.names, body.parents, offsets)
        unit = units.unit_of_person(unit, units.leg_of_person(skeleton))
    if unit != "m" or longest > units.LONGEST_USUAL:
        warnings.append(f"units taken as {units.NAMES[unit]}: the longest chain of bones is {longest:.4g} units")
    return unit


def _fold(body: _Body, warnings: list[str]) -> None:
    """Moves positions that never change into the rest pose.

    If that changes the rest pose, only those of inner joints with more than one frame of evidence: the position of a
    root and a single pose say nothing about the body.
    """
    first, joints, clip = body.first, body.joints, len(body.positions) > 1
    differs = np.abs(first - body.offsets[joints]).max(axis=-1, initial=0.0) > CONSTANT
    folded = (body.spread <= CONSTANT) & np.where(body.inner, clip | ~differs, clip & ~differs)
    changed = folded & differs
    body.offsets[joints[changed]] = first[changed]
    if changed.any():
        shown = listed([body.hierarchy.names[joint] for joint in joints[changed]])
        warnings.append(f"constant position channels replace the OFFSET of {changed.sum()} joints: {shown}")
    body.joints, body.positions = joints[~folded], body.positions[:, ~folded]


def _are_displacements(positions: Floats, offsets: Floats) -> bool:
    """Whether positions `[F, P, 3]` would let the body collapse into one point, so that they mean to add to OFFSET."""
    farthest = np.linalg.norm(positions, axis=-1).max(axis=0, initial=0.0)
    return len(positions) > 0 and bool(farthest.sum() < 0.01 * np.linalg.norm(offsets, axis=-1).sum())


def _stands_along_z(motion: Motion) -> bool:
    """Whether the head is above the feet along +Z, in the rest pose and no less in the motion.

    The motion counts because some exporters write rest poses that lie down and rotate the root up in every frame.
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
