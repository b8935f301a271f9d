"""ASF: the skeleton of Acclaim files (Schafer, "Acclaim Skeleton File Definition V1.10", 1994).

A bone is a direction and a length in the world's axes, and a frame of its own in which its angles are given. The joint
that turns a bone stands at the bone's start, which is the end of its parent; it carries the bone's name.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats import units
from kinema.formats.acclaim.lines import AcclaimLine, lines_of

MOST_BONES = 10_000
MOST_BYTES = 16 * 1024**2
CHANNELS = ("tx", "ty", "tz", "rx", "ry", "rz", "l")

Floats = NDArray[np.float64]

_AXES = {"x": 0, "y": 1, "z": 2}


@dataclass
class AcclaimBone:
    """One bone, or the root (of no length).

    Attributes:
        name: of the bone; the root is "root".
        parent: index, -1 for the root.
        offset: from its start to its end, in the file's unit and axes.
        frame: rotation of the axes that its angles are about (C of the format), wxyz.
        channels: numbers of a row of motion, in order, out of `CHANNELS`.
        line: of the file.
    """

    name: str
    parent: int = -1
    offset: Floats = field(default_factory=lambda: np.zeros(3))
    frame: Floats = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    channels: tuple[str, ...] = ()
    line: int = 0


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


def parse_skeleton(data: bytes, path: str) -> AcclaimSkeleton:
    """The skeleton of an ASF file.

    Raises:
        FormatError: a bone without its direction, unknown or twice in the hierarchy, a loop, or broken numbers; names
            the line.
    """
    if len(data) > MOST_BYTES:
        raise FormatError(f"has {len(data)} bytes; at most {MOST_BYTES} of a skeleton are read", path=path)
    reader = _Reader(path)
    for line in lines_of(data, path):
        reader.take(line)
    return reader.figure()


def turn_about_fixed(angles: Floats, axes: str) -> Floats:
    """Quaternions `[..., 4]` of radians `[..., N]` about fixed axes, one after the other in the order given."""
    if not axes:
        return np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), (*angles.shape[:-1], 4))
    return rotations.from_euler(angles[..., ::-1], axes[::-1])


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.section = ""
        self.length, self.degrees = 1.0, True
        self.root = AcclaimBone("root", channels=("tx", "ty", "tz", "rx", "ry", "rz"))
        self.root_axes = "xyz"
        self.orientation = np.zeros(3)
        self.position = np.zeros(3)
        self.bones: dict[str, AcclaimBone] = {}
        self.open: AcclaimBone | None = None
        self.stated: dict[str, list[float] | None] = {}
        self.axis_order = "xyz"
        self.children: dict[str, list[str]] = {}
        self.parent_of: dict[str, str] = {}

    def take(self, line: AcclaimLine) -> None:
        word = line.words[0].lower()
        if word.startswith(":"):
            self.section = word[1:]
            return
        if self.section == "units":
            self._units(line, word)
        elif self.section == "root":
            self._root(line, word)
        elif self.section == "bonedata":
            self._bone(line, word)
        elif self.section == "hierarchy":
            self._hierarchy(line, word)

    def _units(self, line: AcclaimLine, word: str) -> None:
        if word == "length":
            (self.length,) = line.numbers(1, 1)
            if self.length <= 0:
                raise line.fail("the unit of length should be a number above 0")
        elif word == "angle":
            said = line.words[1].lower() if len(line.words) > 1 else ""
            if said not in ("deg", "rad", "degrees", "radians"):
                raise line.fail(f"angles are in deg or rad, not {said[:40]!a}")
            self.degrees = said.startswith("deg")

    def _root(self, line: AcclaimLine, word: str) -> None:
        if word == "order":
            self.root.channels = self._channels(line)
        elif word == "axis":
            self.root_axes = self._axes(line, 1)
        elif word == "position":
            self.position = np.array(line.numbers(1, 3))
        elif word == "orientation":
            self.orientation = np.array(line.numbers(1, 3))

    def _bone(self, line: AcclaimLine, word: str) -> None:
        if word == "begin":
            self.open, self.stated, self.axis_order = AcclaimBone("", line=line.number), {}, "xyz"
        elif self.open is None:
            raise line.fail(f"{word[:40]!a} stands outside of begin and end")
        elif word == "end":
            self._close(line)
        elif word == "name":
            self.open.name = " ".join(line.words[1:])
        elif word in ("direction", "axis"):
            self.stated[word] = line.numbers(1, 3)
            if word == "axis" and len(line.words) > 4:
                self.axis_order = self._axes(line, 4)
        elif word == "length":
            self.stated[word] = line.numbers(1, 1)
        elif word == "dof":
            self.open.channels = self._channels(line)

    def _close(self, line: AcclaimLine) -> None:
        bone, self.open = self.open, None
        assert bone is not None
        key = bone.name.lower()
        if not key or key == "root" or key in self.bones:
            raise line.fail(f"the bone that ends here has no name of its own ({bone.name[:40]!a})")
        if len(self.bones) >= MOST_BONES:
            raise line.fail(f"there are more than {MOST_BONES} bones")
        direction, length = self.stated.get("direction"), self.stated.get("length")
        if direction is None or length is None:
            raise line.fail(f"the bone {bone.name[:40]!a} lacks its direction or length")
        size = float(np.linalg.norm(direction))
        if size < 1e-12 and length[0]:
            raise line.fail(f"the direction of the bone {bone.name[:40]!a} is zero")
        bone.offset = np.array(direction) * (length[0] / max(size, 1e-12))
        bone.frame = self._turn(self.stated.get("axis") or [0.0, 0.0, 0.0], self.axis_order)
        self.bones[key] = bone

    def _hierarchy(self, line: AcclaimLine, word: str) -> None:
        if word in ("begin", "end"):
            return
        for child in line.words[1:]:
            key = child.lower()
            if key not in self.bones:
                raise line.fail(f"there is no bone {child[:40]!a}")
            if key in self.parent_of:
                raise line.fail(f"the bone {child[:40]!a} has a parent already")
            if word != "root" and word not in self.bones:
                raise line.fail(f"there is no bone {line.words[0][:40]!a}")
            self.parent_of[key] = word
            self.children.setdefault(word, []).append(key)

    def _channels(self, line: AcclaimLine) -> tuple[str, ...]:
        channels = tuple(word.lower() for word in line.words[1:])
        if any(channel not in CHANNELS for channel in channels) or len(set(channels)) < len(channels):
            raise line.fail(f"{' '.join(line.words)[:60]!a} should name some of {', '.join(CHANNELS)}, each once")
        return channels

    def _axes(self, line: AcclaimLine, at: int) -> str:
        axes = line.words[at].lower() if len(line.words) > at else ""
        if sorted(axes) != ["x", "y", "z"]:
            raise line.fail(f"an order of axes is like XYZ, not {axes[:20]!a}")
        return axes

    def _turn(self, angles: list[float] | Floats, axes: str) -> Floats:
        """About fixed axes in the order of their names; the angles belong to x, y and z as they are listed."""
        values = np.array([angles[_AXES[axis]] for axis in axes]) if axes != "xyz" else np.array(angles)
        return turn_about_fixed(np.radians(values) if self.degrees else values, axes)

    def figure(self) -> AcclaimSkeleton:
        warnings: list[str] = []
        self.root.frame = self._turn(self.orientation, self.root_axes)
        bones, stack = [self.root], [(key, 0) for key in reversed(self.children.get("root", []))]
        while stack:
            key, parent = stack.pop()
            bone = self.bones[key]
            bone.parent = parent
            bones.append(bone)
            stack += [(child, len(bones) - 1) for child in reversed(self.children.get(key, []))]
        if not self.bones:
            raise FormatError("holds no bones: no :bonedata with begin and end", path=self.path)
        loose = [bone.name for bone in self.bones.values() if bone.parent < 0]
        if len(loose) == len(self.bones):
            raise FormatError("hangs no bone on the root: :hierarchy is missing or empty", path=self.path)
        if loose:
            warnings.append(f"bones that hang on nothing are left out: {', '.join(map(ascii, loose[:5]))}")
        return AcclaimSkeleton(bones, self.position, self.length, self.degrees, warnings)
