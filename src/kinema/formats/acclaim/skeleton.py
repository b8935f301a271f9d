"""ASF: the skeleton of Acclaim files (Schafer, "Acclaim Skeleton File Definition V1.10", 1994).

A bone is a direction and a length in the axes of the world, and a frame of its own for its angles. The joint of a bone
is at its start, which is the end of its parent, and has the bone's name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import FormatError, listed
from kinema.formats import units
from kinema.formats.acclaim.lines import AcclaimLine, lines_of
from kinema.formats.checks import require
from kinema.formats.trees import preorder

MOST_BONES = 10_000
MOST_BYTES = 16 * 1024**2
CHANNELS = ("tx", "ty", "tz", "rx", "ry", "rz", "l")

Statements = dict[str, AcclaimLine]


@dataclass
class AcclaimBone:
    """One bone, or the root (of no length).

    Attributes:
        name: name of the bone; the root is "root".
        offset: vector from its start to its end, in the file's unit and axes.
        frame: rotation of the axes that its angles are about (C of the format), wxyz.
        channels: numbers of a row of motion, in order, out of `CHANNELS`.
        parent: index, -1 for the root.
    """

    name: str
    offset: Floats
    frame: Floats
    channels: tuple[str, ...]
    parent: int = -1


@dataclass
class AcclaimSkeleton:
    """A skeleton: bones with parents first; the root is the first."""

    bones: list[AcclaimBone]
    position: Floats  # of the root at rest, in the file's unit
    length: float  # the file's multiplier of lengths
    degrees: bool
    warnings: list[str]

    def by_name(self) -> dict[str, int]:
        """Bones by their name in lower case, as motions call them."""
        return {bone.name.lower(): index for index, bone in enumerate(self.bones)}

    def longest_chain(self) -> float:
        """Length of the longest path of bones from the root, in the file's unit."""
        lengths = np.linalg.norm([bone.offset for bone in self.bones], axis=1)
        return units.longest_chain([bone.parent for bone in self.bones], lengths)


@dataclass
class _Sections:
    """The statements of a file by section and first word; of a repeated one the last."""

    units: Statements = field(default_factory=dict)
    root: Statements = field(default_factory=dict)
    bones: list[Statements] = field(default_factory=list)
    hierarchy: list[AcclaimLine] = field(default_factory=list)


def parse_skeleton(data: bytes) -> AcclaimSkeleton:
    """The skeleton of an ASF file.

    Raises:
        FormatError: a bone without its direction, unknown or twice in the hierarchy, a loop, or broken numbers; names
            the line.
    """
    require(len(data) <= MOST_BYTES, f"has {len(data)} bytes; at most {MOST_BYTES} of a skeleton are read")
    sections = _sections(lines_of(data))
    length, degrees = _units(sections.units)
    bones = {"root": _root(sections.root, degrees)}
    for stated in sections.bones:
        bone = _bone(stated, degrees)
        if not bone.name or bone.name.lower() in bones:
            raise stated["end"].fail(f"the bone that ends here has no name of its own ({bone.name[:40]!a})")
        bones[bone.name.lower()] = bone
    order = _connect(bones, sections.hierarchy)
    if len(order) == 1:
        missing = ":hierarchy" if sections.bones else ":bonedata"
        raise FormatError(f"has no bone below the root: {missing} is missing or empty")
    loose = [bone.name for bone in bones.values() if bone.parent < 0][1:]
    warnings = [f"bones without a parent are left out: {listed(loose)}"] if loose else []
    position = _numbers(sections.root.get("position"), 3)
    return AcclaimSkeleton(order, position, length, degrees, warnings)


def about_fixed_axes(angles: Floats, axes: str) -> Floats:
    """Quaternions `[..., 4]` of radians `[..., N]` about fixed axes, one after the other in the order given."""
    if not axes:
        return np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), (*angles.shape[:-1], 4))
    return rotations.from_euler(angles[..., ::-1], axes[::-1])


def _sections(lines: Iterable[AcclaimLine]) -> _Sections:
    section, found = "", _Sections()
    bone: Statements | None = None
    for line in lines:
        word = line.words[0].lower()
        if word.startswith(":"):
            section = word
        elif section == ":units":
            found.units[word] = line
        elif section == ":root":
            found.root[word] = line
        elif section == ":hierarchy":
            found.hierarchy.append(line)
        elif section == ":bonedata":
            bone = _statement(line, word, bone, found.bones)
    return found


def _statement(line: AcclaimLine, word: str, bone: Statements | None, bones: list[Statements]) -> Statements | None:
    """Takes a line about bones; returns the bone that is still open after it."""
    if word == "begin":
        return {}
    if bone is None:
        raise line.fail(f"{word[:40]!a} is outside of begin and end")
    bone[word] = line
    if word != "end":
        return bone
    bones.append(bone)
    line.require(len(bones) <= MOST_BONES, f"there are more than {MOST_BONES} bones")
    return None


def _units(stated: Statements) -> tuple[float, bool]:
    """The multiplier of lengths, and whether angles are in degrees."""
    length, degrees = 1.0, True
    if line := stated.get("length"):
        (length,) = line.numbers(1, 1)
        if length <= 0:
            raise line.fail("the unit of length should be a number above 0")
    if line := stated.get("angle"):
        angle = " ".join(line.words[1:2]).lower()
        line.require(angle in ("deg", "rad", "degrees", "radians"), f"angles are in deg or rad, not {angle[:40]!a}")
        degrees = angle.startswith("deg")
    return length, degrees


def _root(stated: Statements, degrees: bool) -> AcclaimBone:
    frame = _frame(_numbers(stated.get("orientation"), 3), _axes(stated.get("axis"), 1), degrees)
    channels = _channels(stated["order"]) if "order" in stated else CHANNELS[:6]
    return AcclaimBone("root", np.zeros(3), frame, channels)


def _bone(stated: Statements, degrees: bool) -> AcclaimBone:
    name = " ".join(stated["name"].words[1:]) if "name" in stated else ""
    if "direction" not in stated or "length" not in stated:
        raise stated["end"].fail(f"the bone {name[:40]!a} lacks its direction or length")
    direction, (length,) = _numbers(stated["direction"], 3), _numbers(stated["length"], 1)
    size = float(np.linalg.norm(direction))
    if size < 1e-12 and length:
        raise stated["direction"].fail(f"the direction of the bone {name[:40]!a} is zero")
    axis = stated.get("axis")
    order = _axes(axis, 4) if axis and len(axis.words) > 4 else "xyz"
    channels = _channels(stated["dof"]) if "dof" in stated else ()
    return AcclaimBone(
        name, direction * (length / max(size, 1e-12)), _frame(_numbers(axis, 3), order, degrees), channels
    )


def _connect(bones: dict[str, AcclaimBone], hierarchy: list[AcclaimLine]) -> list[AcclaimBone]:
    """Sets parents; returns the root and all bones below it, depth first."""
    index = {name: number for number, name in enumerate(bones)}
    children: list[list[int]] = [[] for _ in bones]
    parents: dict[int, int] = {}
    for line in hierarchy:
        if line.words[0].lower() not in ("begin", "end"):
            _add_children(line, index, children, parents)
    order = preorder([0], children)
    places = {bone: place for place, bone in enumerate(order)}
    listed = list(bones.values())
    for bone in order[1:]:
        listed[bone].parent = places[parents[bone]]
    return [listed[bone] for bone in order]


def _add_children(line: AcclaimLine, index: dict[str, int], children: list[list[int]], parents: dict[int, int]) -> None:
    parent = index.get(line.words[0].lower())
    for name in line.words[1:]:
        child = index.get(name.lower())
        if not child:  # nor is the root one
            raise line.fail(f"there is no bone {name[:40]!a}")
        line.require(child not in parents, f"the bone {name[:40]!a} has a parent already")
        if parent is None:
            raise line.fail(f"there is no bone {line.words[0][:40]!a}")
        parents[child] = parent
        children[parent].append(child)


def _numbers(line: AcclaimLine | None, count: int) -> Floats:
    """Numbers after the first word; zeros without the line."""
    return np.array(line.numbers(1, count)) if line else np.zeros(count)


def _channels(line: AcclaimLine) -> tuple[str, ...]:
    channels = tuple(word.lower() for word in line.words[1:])
    if not set(channels) <= set(CHANNELS) or len(set(channels)) < len(channels):
        raise line.fail(f"{' '.join(line.words)[:60]!a} should name some of {', '.join(CHANNELS)}, each once")
    return channels


def _axes(line: AcclaimLine | None, place: int) -> str:
    """An order of axes at a word of a line; xyz without the line."""
    if line is None:
        return "xyz"
    axes = " ".join(line.words[place : place + 1]).lower()
    line.require(sorted(axes) == ["x", "y", "z"], f"an order of axes is like XYZ, not {axes[:20]!a}")
    return axes


def _frame(angles: Floats, axes: str, degrees: bool) -> Floats:
    """The rotation by the angles of x, y and z about fixed axes, in the order of `axes`."""
    values = angles[["xyz".index(axis) for axis in axes]]
    return about_fixed_axes(np.radians(values) if degrees else values, axes)
