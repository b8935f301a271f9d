"""What URDF and MJCF have in common: bodies on joints, turned into a skeleton with hinges and a character.

A skeleton joint stands for each joint that turns, at its anchor, named as in the file; a root stands for the base,
named as its body. Bodies that are fixed to another are part of it. The rest pose is that of all joint coordinates zero,
so that the angle of a hinge is the robot's own coordinate.

Robots have Z up and face +X with Y to their left. Ours have Y up, face +Z, with X to their left: the axes of the
world and of every body change places, (x, y, z) becoming (y, z, x), and nothing is turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema import rotations
from kinema.character import Character
from kinema.errors import FormatError, SkeletonError
from kinema.formats.robot.shapes import MOST_PARTS, Part, Shape, build_meshes
from kinema.skeleton import Hinge, Skeleton

IDENTITY = (1.0, 0.0, 0.0, 0.0)
LEAST_TIP = 0.01  # metres
MOST_BODIES = 5000
MOST_JOINTS = 5000

_MOST_LISTED = 5

Floats = NDArray[np.float64]


def zeros() -> Floats:
    return np.zeros(3)


def identity() -> Floats:
    return np.array(IDENTITY)


@dataclass(frozen=True, eq=False)
class Joint:
    """How a body moves: "hinge", "slide", "ball" or "free"; axis and anchor in the body's frame, radians."""

    name: str
    kind: str
    axis: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    anchor: Floats = field(default_factory=zeros)
    lower: float = -np.inf
    upper: float = np.inf
    zero: float = 0.0  # the coordinate at which the body stands as the file draws it


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid body in the frame of its parent (an index of an earlier body, -1 for the world)."""

    name: str
    parent: int
    position: Floats = field(default_factory=zeros)
    rotation: Floats = field(default_factory=identity)
    joints: list[Joint] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Robot:
    """A robot as a skeleton.

    Attributes:
        skeleton: joints in the file's order, which is that of the columns of motion files.
        character: what it looks like, or None.
        carriers: for each body, the joint that carries it and its place and rotation in that joint's frame.
        warnings: what was left out.
    """

    skeleton: Skeleton
    character: Character | None
    carriers: dict[str, tuple[int, Floats, Floats]]
    warnings: tuple[str, ...]


def vectors_from_robot(vectors: ArrayLike) -> Floats:
    """Vectors `[..., 3]` of a robot's world (Z up, facing +X) in ours (Y up, facing +Z)."""
    return np.asarray(vectors, np.float64)[..., [1, 2, 0]]


def rotations_from_robot(quaternions: ArrayLike) -> Floats:
    """Quaternions wxyz `[..., 4]` likewise: world and bodies change their axes alike."""
    return np.asarray(quaternions, np.float64)[..., [0, 2, 3, 1]]


def vectors_to_robot(vectors: ArrayLike) -> Floats:
    return np.asarray(vectors, np.float64)[..., [2, 0, 1]]


def rotations_to_robot(quaternions: ArrayLike) -> Floats:
    return np.asarray(quaternions, np.float64)[..., [0, 3, 1, 2]]


def build(name: str, bodies: Sequence[Body], path: str, warnings: list[str]) -> Robot:
    """A robot of bodies, parents first.

    Raises:
        FormatError: there is no body, or more joints than a skeleton has.
    """
    if len(bodies) > MOST_BODIES:
        raise FormatError(f"has {len(bodies)} bodies; at most {MOST_BODIES} are read", path=path)
    shapes = sum(len(body.shapes) for body in bodies)
    if shapes > MOST_PARTS:
        warnings.append(f"has {shapes} shapes; {MOST_PARTS} of them are drawn")
    rig = _Rig(warnings)
    for index in _robot_bodies(bodies, warnings):
        rig.add(index, bodies[index])
        if len(rig.names) > MOST_JOINTS:
            raise FormatError(f"has more than {MOST_JOINTS} joints", path=path)
    if not rig.names:
        raise FormatError("holds no body; expected a robot", path=path)
    if rig.sliding:
        warnings.append(f"joints that slide stay at rest: {listed(rig.sliding)}")
    if rig.offset:
        warnings.append(
            f"joints whose zero is not the pose that the file draws, and that rest at zero: {listed(rig.offset)}"
        )
    warnings.append("robots face +X with Z up: turned to face +Z with Y up")
    rest = rotations_from_robot(np.array(rig.rotations)).astype(np.float32)
    placed = vectors_from_robot(np.array(rig.translations)).astype(np.float32)
    hinges = [
        Hinge(joint, tuple(vectors_from_robot(axis).tolist()), lower, upper) for joint, axis, lower, upper in rig.hinges
    ]
    try:
        plain = Skeleton.create(rig.names, rig.parents, placed, rest, hinges=hinges)
        meshes, materials = build_meshes(rig.parts)
        ends = {joint: vectors_from_robot(offset) for joint, offset in rig.ends.items()}
        tips = _tips(plain, rig.parts, rig.fixed, ends)
        skeleton = Skeleton.create(rig.names, rig.parents, placed, rest, tips, hinges=hinges)
    except SkeletonError as error:
        raise FormatError(str(error), path=path) from None
    character = Character(name, skeleton, meshes, materials) if meshes else None
    carriers = {
        bodies[index].name: (joint, vectors_from_robot(p), rotations_from_robot(q))
        for index, (joint, p, q) in rig.carriers.items()
    }
    return Robot(skeleton, character, carriers, tuple(warnings))


class _Rig:
    """Joints as they come, in the robot's axes."""

    def __init__(self, warnings: list[str]) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self.translations: list[Floats] = []
        self.rotations: list[Floats] = []
        self.hinges: list[tuple[int, Floats, float, float]] = []
        self.parts: list[Part] = []
        self.fixed: list[Part] = []  # those of bodies that are fixed to what a joint moves
        self.ends: dict[int, Floats] = {}  # the farthest body fixed to a joint
        self.carriers: dict[int, tuple[int, Floats, Floats]] = {}
        self.sliding: list[str] = []
        self.offset: list[str] = []
        self.warnings = warnings
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def add(self, index: int, body: Body) -> None:
        carrier, place, turn = self.carriers.get(body.parent, (-1, zeros(), identity()))
        place, turn = place + rotations.rotate(turn, body.position), rotations.multiply(turn, body.rotation)
        if carrier < 0:
            carrier, place, turn = self._joint(body.name, -1, place, turn), zeros(), identity()
        moves = False
        for joint in body.joints:
            if joint.kind == "slide":
                self.sliding.append(joint.name)
            if joint.kind not in ("hinge", "ball"):
                continue
            moves = True
            place = place + rotations.rotate(turn, joint.anchor)
            if joint.zero:
                self.offset.append(joint.name)
                turn = rotations.multiply(turn, rotations.from_axis_angle(joint.axis, np.array(-joint.zero)))
            carrier = self._joint(joint.name, carrier, place, turn)
            if joint.kind == "hinge":
                self.hinges.append((carrier, joint.axis, joint.lower, joint.upper))
            place, turn = -joint.anchor, identity()
        if not moves and np.linalg.norm(place) > np.linalg.norm(self.ends.get(carrier, zeros())):
            self.ends[carrier] = place
        self.carriers[index] = carrier, place, turn
        parts = [Part(carrier, place, turn, shape) for shape in body.shapes[: MOST_PARTS - len(self.parts)]]
        self.parts += parts
        if not moves and body.parent in self.carriers:
            self.fixed += parts

    def _joint(self, name: str, parent: int, place: Floats, turn: Floats) -> int:
        unique = name
        while unique in self._taken:
            self._counts[name] = self._counts.get(name, 1) + 1
            unique = f"{name}_{self._counts[name]}"
        self._taken.add(unique)
        self.names.append(unique)
        self.parents.append(parent)
        self.translations.append(place)
        self.rotations.append(turn)
        return len(self.names) - 1


def _robot_bodies(bodies: Sequence[Body], warnings: list[str]) -> list[int]:
    """Indices of the bodies that belong to something that moves; tables and walls beside it are left out."""
    root = list(range(len(bodies)))
    alive = set()
    for index, body in enumerate(bodies):
        root[index] = index if body.parent < 0 else root[body.parent]
        if body.joints:
            alive.add(root[index])
    if not alive:
        return list(range(len(bodies)))
    scenery = [body.name for index, body in enumerate(bodies) if body.parent < 0 and index not in alive]
    if scenery:
        warnings.append(f"bodies that cannot move are left out: {listed(scenery)}")
    return [index for index in range(len(bodies)) if root[index] in alive]


def _tips(
    skeleton: Skeleton, parts: list[Part], fixed: list[Part], ends: dict[int, Floats]
) -> list[tuple[int, Floats]]:
    """Where the last bodies end: the middle of the farthest side of the box around what is drawn of them.

    A joint with others after it has a tip if a body fixed to it reaches farther than they are, as a head does.
    """
    turned = skeleton.rest_pose.global_rotations
    drawn: dict[int, list[Floats]] = {}
    for group, last in ((parts, True), (fixed, False)):
        for part in group:
            if bool(skeleton.children[part.joint]) is not last:
                drawn.setdefault(part.joint, []).append(part.corners())
    tips: list[tuple[int, Floats]] = []
    for joint, children in enumerate(skeleton.children):
        if children and joint not in drawn:
            continue
        nearest = max((float(skeleton.bone_lengths[child]) for child in children), default=LEAST_TIP)
        end = ends.get(joint, zeros())
        if joint in drawn:
            corners = rotations.rotate(turned[joint].astype(np.float64), np.concatenate(drawn[joint]))
            low, high = corners.min(axis=0), corners.max(axis=0)
            middles = np.tile((low + high) / 2, (6, 1))
            middles[range(6), [0, 1, 2, 0, 1, 2]] = [*low, *high]
            end = middles[np.argmax(np.linalg.norm(middles, axis=-1))]
            end = rotations.inverse_rotate(turned[joint].astype(np.float64), end)
        if np.linalg.norm(end) > nearest:
            tips.append((joint, end))
    return tips


def listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_LISTED
    return ", ".join(ascii(name)[1:-1] for name in names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
