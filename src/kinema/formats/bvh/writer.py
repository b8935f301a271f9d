"""Writing BVH: one clip, offsets without rest rotations, six channels where a joint moves and three elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np

from kinema import rotations
from kinema.arrays import Bools, Floats, Ints
from kinema.errors import FormatError
from kinema.formats import Asset, units
from kinema.formats.atomic import atomic_write
from kinema.formats.bvh import kernels as bvh_kernels
from kinema.formats.bvh.header import LARGEST
from kinema.formats.checks import require
from kinema.formats.trees import preorder, unique_names
from kinema.motion import Motion
from kinema.skeleton import Skeleton

DECIMALS = 6
CHUNK = 4096  # frames converted to text at a time
DEEPEST_INDENT = 64  # levels; in a chain of thousands, indentation would outgrow everything else


def write(
    thing: Motion | Asset, path: str | os.PathLike[str], *, unit: str | float = "auto", order: str = "ZXY"
) -> None:
    """Writes a motion as BVH.

    BVH has no rest rotations: joint frames are re-expressed so that the rest pose is one of identities. Global
    positions are kept; global rotations are relative to the rest pose.

    Args:
        thing: a motion, or an asset with one.
        path: the file.
        unit: "m", "dm", "cm", "mm", "in", "cmu", metres per unit, or "auto": metres, but centimetres for bodies of more
            than 8 m, which readers would otherwise take for smaller ones in another unit.
        order: order of the rotation channels, outermost first: X, Y and Z once each.

    Raises:
        FormatError: no motion or several, a bad order, or positions too large to write.
        UnitError: no such unit.
        WriteError: the file system refuses.
    """
    motion = thing.motion() if isinstance(thing, Asset) else thing
    if not isinstance(motion, Motion):
        raise FormatError(f"BVH holds one motion, not a {type(motion).__name__}")
    order = order.upper()
    if sorted(order) != ["X", "Y", "Z"]:
        raise FormatError(f"rotation order {order!r} must name X, Y and Z once each, such as 'ZXY'")
    offsets, tips = _straight_rest(motion.skeleton)
    scale = units.metres_per(_suiting_unit(motion.skeleton, tips) if unit == "auto" else unit)
    largest = max(np.abs(offsets).max(initial=0.0), np.abs(motion.local_translations).max(initial=0.0)) / scale
    require(largest < LARGEST, f"a position of {largest:g} units is too large to write; choose a larger unit")
    atomic_write(path, _pieces(motion, offsets / scale, tips, scale, order))


def _straight_rest(skeleton: Skeleton) -> tuple[Floats, list[tuple[int, Floats]]]:
    """Offsets `[J, 3]` and tips in world axes: those of the skeleton whose rest rotations are identities."""
    rest = skeleton.rest_pose.global_rotations.astype(np.float64)
    offsets = rotations.rotate(_of_parents(rest, skeleton), skeleton.rest_translations.astype(np.float64))
    ends = rotations.rotate(rest[skeleton.tip_joints], skeleton.tip_offsets.astype(np.float64))
    return offsets, list(zip(skeleton.tip_joints.tolist(), ends, strict=True))


def _of_parents(rest: Floats, skeleton: Skeleton) -> Floats:
    """For each joint the global rest rotation of its parent; identity for roots."""
    outer = rest[skeleton.parents]
    outer[skeleton.parents < 0] = (1.0, 0.0, 0.0, 0.0)
    return outer


def _suiting_unit(skeleton: Skeleton, tips: list[tuple[int, Floats]]) -> str:
    longest = units.longest_chain(skeleton.parents, skeleton.bone_lengths.astype(np.float64), tips)
    return "m" if longest <= units.LONGEST_IN_METRES else "cm"


def _pieces(
    motion: Motion, offsets: Floats, tips: list[tuple[int, Floats]], scale: float, order: str
) -> Iterator[bytes]:
    skeleton = motion.skeleton
    positioned = (skeleton.parents < 0) | np.isin(np.arange(skeleton.joint_count), motion.translated)
    sequence = preorder(np.flatnonzero(skeleton.parents < 0).tolist(), skeleton.children)
    yield _header(skeleton, sequence, offsets, [(joint, tip / scale) for joint, tip in tips], positioned, order)
    yield f"MOTION\nFrames: {motion.frames}\nFrame Time: {1.0 / motion.fps:.12f}\n".encode()

    rest = skeleton.rest_pose.global_rotations.astype(np.float64)
    outer = _of_parents(rest, skeleton)
    straight = bool((np.abs(rest[:, 1:]) == 0).all())
    moving = positioned[sequence]
    joints = np.array(sequence)[moving]
    ends: Ints = np.cumsum(np.where(moving, 6, 3), dtype=np.int64)
    previous = np.zeros((0, skeleton.joint_count, 3))
    for start in range(0, motion.frames, CHUNK):
        frames = slice(start, start + CHUNK)
        local = motion.local_rotations[frames].astype(np.float64)
        if not straight:
            local = rotations.multiply(rotations.multiply(outer, local), rotations.inverse(rest))
        angles = np.degrees(rotations.to_euler(local[:, sequence], order))  # [f, J, 3]
        # Whole turns are added so that curves have no jumps, also across pieces.
        angles = np.unwrap(np.concatenate([previous, angles]), axis=0, period=360.0)[len(previous) :]
        previous = angles[-1:]
        positions = (
            rotations.rotate(outer[joints], motion[frames].local_translations[:, joints].astype(np.float64)) / scale
        )
        rows = np.empty((len(angles), int(ends[-1])))
        rows[:, ends[:, None] + [-3, -2, -1]] = angles
        rows[:, ends[moving, None] + [-6, -5, -4]] = positions
        yield bvh_kernels.format_rows(rows, DECIMALS).tobytes()


def _header(
    skeleton: Skeleton,
    sequence: list[int],
    offsets: Floats,
    tips: list[tuple[int, Floats]],
    positioned: Bools,
    order: str,
) -> bytes:
    names = unique_names([_plain(name) for name in skeleton.names], "_", 2)
    # Many readers need an End Site at every leaf, if only one of no length.
    stated: dict[int, list[Floats]] = {}
    for joint, offset in tips:
        stated.setdefault(joint, []).append(offset)
    ends = {joint: [np.zeros(3)] for joint in sequence if not skeleton.children[joint]} | stated
    angles = " ".join(f"{axis}rotation" for axis in order)
    lines, last = ["HIERARCHY"], -1
    for joint in sequence:
        depth = int(skeleton.depths[joint])
        lines += _closing(last, depth)
        channels = f"6 Xposition Yposition Zposition {angles}" if positioned[joint] else f"3 {angles}"
        block = [f"{'JOINT' if depth else 'ROOT'} {names[joint]}", "{", f"  OFFSET {_numbers(offsets[joint])}"]
        block.append(f"  CHANNELS {channels}")
        for offset in ends.get(joint, ()):
            block += ["  End Site", "  {", f"    OFFSET {_numbers(offset)}", "  }"]
        lines += [_indent(depth) + line for line in block]
        last = depth
    return ("\n".join([*lines, *_closing(last, 0)]) + "\n").encode()


def _closing(last: int, depth: int) -> list[str]:
    """The lines that close blocks from a depth up to another one."""
    return [_indent(level) + "}" for level in range(last, depth - 1, -1)]


def _indent(depth: int) -> str:
    return "  " * min(depth, DEEPEST_INDENT)


def _plain(name: str) -> str:
    """A name without braces and line breaks, which end names in a BVH header."""
    text = name.encode("utf-8", "replace").decode("utf-8")  # halves of characters become `?`
    return re.sub(r"[{}\s]+", lambda found: " " if found.group() == " " else "_", text.strip()) or "joint"


def _numbers(vector: Floats) -> str:
    return " ".join(f"{value:.8f}" for value in vector + 0.0)
