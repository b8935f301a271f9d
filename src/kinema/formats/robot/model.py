"""What URDF and MJCF have in common: bodies on joints, turned into a skeleton with hinges and a character.

A skeleton joint stands for each joint that turns, at its anchor, named as in the file; a root stands for the base,
named as its body. Bodies that are fixed to another are part of it. The rest pose is that of all joint coordinates zero,
so that the angle of a hinge is the robot's own coordinate. See `frame` for axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.character import Character
from kinema.errors import listed
from kinema.formats.checks import require
from kinema.formats.robot.frame import RobotFrame, rotations_from_robot, vectors_from_robot
from kinema.formats.robot.shapes import MOST_GEOMS, Geom, PlacedGeom, build_meshes
from kinema.formats.trees import roots
from kinema.skeleton import Hinge, Skeleton

LEAST_TIP = 0.01  # metres
MOST_BODIES = 5000
MOST_JOINTS = 5000


@dataclass(frozen=True, eq=False)
class RobotJoint:
    """How a body moves: "hinge", "slide", "ball" or "free"; axis and anchor in the body's frame, radians."""

    name: str
    kind: str
    axis: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    anchor: Floats = field(default_factory=lambda: np.zeros(3))
    lower: float = -np.inf
    upper: float = np.inf
    zero: float = 0.0  # the coordinate at which the body is as the file draws it


@dataclass(frozen=True, eq=False)
class RobotBody:
    """A rigid body in the frame of its parent (an index of an earlier body, -1 for the world)."""

    name: str
    parent: int
    frame: RobotFrame = field(default_factory=RobotFrame)
    joints: list[RobotJoint] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Robot:
    """A robot as a skeleton.

    Attributes:
        skeleton: joints in the file's order, which is that of the columns of motion files.
        character: what it looks like, or None.
        carriers: for each body, the joint that carries it and its position and rotation in that joint's frame.
        warnings: what was left out.
    """

    skeleton: Skeleton
    character: Character | None
    carriers: dict[str, tuple[int, Floats, Floats]]
    warnings: tuple[str, ...]


def build(name: str, bodies: Sequence[RobotBody], warnings: list[str]) -> Robot:
    """A robot of bodies, parents first.

    Raises:
        FormatError: there is no body, or more joints than a skeleton has.
    """
    require(len(bodies) <= MOST_BODIES, f"has {len(bodies)} bodies; at most {MOST_BODIES} are read")
    geoms = sum(len(body.geoms) for body in bodies)
    if geoms > MOST_GEOMS:
        warnings.append(f"has {geoms} shapes; {MOST_GEOMS} of them are drawn")
    rig = _Rig()
    for index in _robot_bodies(bodies, warnings):
        rig.add(index, bodies[index])
        require(len(rig.names) <= MOST_JOINTS, f"has more than {MOST_JOINTS} joints")
    require(rig.names, "holds no body; expected a robot")
    odd = {
        "joints that slide stay at rest": rig.sliding,
        "joints whose zero is not the pose that the file draws, and that rest at zero": rig.offset,
    }
    warnings += [f"{said}: {listed(names)}" for said, names in odd.items() if names]
    warnings.append("robots face +X with Z up: converted to face +Z with Y up")
    skeleton = rig.skeleton()
    meshes, materials = build_meshes(rig.geoms)
    character = Character(name, skeleton, meshes, materials) if meshes else None
    carriers = {
        bodies[index].name: (joint, vectors_from_robot(frame.position), rotations_from_robot(frame.rotation))
        for index, (joint, frame) in rig.carriers.items()
    }
    return Robot(skeleton, character, carriers, tuple(warnings))


class _Rig:
    """Joints as they come, in the robot's axes.

    Attributes:
        geoms: what is drawn, by joint.
        fixed: those of them that belong to bodies fixed to what a joint moves.
        ends: the farthest body fixed to each joint.
        carriers: joint and frame of each body.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.geoms: list[PlacedGeom] = []
        self.fixed: list[PlacedGeom] = []
        self.ends: dict[int, Floats] = {}
        self.carriers: dict[int, tuple[int, RobotFrame]] = {}
        self.sliding: list[str] = []
        self.offset: list[str] = []
        self._parents: list[int] = []
        self._frames: list[RobotFrame] = []
        self._hinges: list[tuple[int, RobotJoint]] = []
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def add(self, index: int, body: RobotBody) -> None:
        carrier, outer = self.carriers.get(body.parent, (-1, RobotFrame()))
        frame = outer.child(*body.frame)
        if carrier < 0:
            carrier, frame = self._add_joint(body.name, -1, frame), RobotFrame()
        self.sliding += [joint.name for joint in body.joints if joint.kind == "slide"]
        turning = [joint for joint in body.joints if joint.kind in ("hinge", "ball")]
        for joint in turning:
            carrier = self._add_turning(joint, carrier, frame)
            frame = RobotFrame(-joint.anchor)
        geoms = [PlacedGeom(carrier, frame, geom) for geom in body.geoms[: MOST_GEOMS - len(self.geoms)]]
        self.geoms += geoms
        if not turning:
            self._fix(carrier, frame, geoms if body.parent in self.carriers else [])
        self.carriers[index] = carrier, frame

    def _fix(self, carrier: int, frame: RobotFrame, geoms: list[PlacedGeom]) -> None:
        """Notes the extent of a body that is fixed to the body of a joint."""
        if np.linalg.norm(frame.position) > np.linalg.norm(self.ends.get(carrier, np.zeros(3))):
            self.ends[carrier] = frame.position
        self.fixed += geoms

    def skeleton(self) -> Skeleton:
        """The skeleton, in our axes."""
        rest = rotations_from_robot([frame.rotation for frame in self._frames]).astype(np.float32)
        places = vectors_from_robot([frame.position for frame in self._frames]).astype(np.float32)
        hinges = [
            Hinge(number, tuple(vectors_from_robot(joint.axis).tolist()), joint.lower, joint.upper)
            for number, joint in self._hinges
        ]
        plain = Skeleton.create(self.names, self._parents, places, rest, hinges=hinges)
        return Skeleton.create(self.names, self._parents, places, rest, self._tips(plain), hinges=hinges)

    def _add_turning(self, joint: RobotJoint, parent: int, frame: RobotFrame) -> int:
        rotation = frame.rotation
        if joint.zero:
            self.offset.append(joint.name)
            rotation = rotations.multiply(rotation, rotations.from_axis_angle(joint.axis, np.array(-joint.zero)))
        number = self._add_joint(joint.name, parent, RobotFrame(frame.points(joint.anchor), rotation))
        if joint.kind == "hinge":
            self._hinges.append((number, joint))
        return number

    def _add_joint(self, name: str, parent: int, frame: RobotFrame) -> int:
        unique = name
        while unique in self._taken:
            self._counts[name] = self._counts.get(name, 1) + 1
            unique = f"{name}_{self._counts[name]}"
        self._taken.add(unique)
        self.names.append(unique)
        self._parents.append(parent)
        self._frames.append(frame)
        return len(self.names) - 1

    def _tips(self, skeleton: Skeleton) -> list[tuple[int, Floats]]:
        """Where the last bodies end: the middle of the farthest side of the box around what is drawn of them.

        A joint with others after it has a tip if a body fixed to it reaches farther than they are, as a head does.
        """
        drawn: dict[int, list[Floats]] = {}
        for group, last in ((self.geoms, True), (self.fixed, False)):
            for geom in group:
                if bool(skeleton.children[geom.joint]) is not last:
                    drawn.setdefault(geom.joint, []).append(geom.corners())
        turns = skeleton.rest_pose.global_rotations.astype(np.float64)
        tips: list[tuple[int, Floats]] = []
        for joint, children in enumerate(skeleton.children):
            if children and joint not in drawn:
                continue
            nearest = max((float(skeleton.bone_lengths[child]) for child in children), default=LEAST_TIP)
            end = vectors_from_robot(self.ends.get(joint, np.zeros(3)))
            if joint in drawn:
                end = _farthest_side(np.concatenate(drawn[joint]), turns[joint])
            if np.linalg.norm(end) > nearest:
                tips.append((joint, end))
        return tips


def _farthest_side(points: Floats, rotation: Floats) -> Floats:
    """The middle of the farthest side of the upright box around points `[N, 3]` of a rotated frame, in that frame."""
    corners = rotations.rotate(rotation, points)
    low, high = corners.min(axis=0), corners.max(axis=0)
    middles = np.tile((low + high) / 2, (6, 1))
    middles[range(6), [0, 1, 2, 0, 1, 2]] = [*low, *high]
    return rotations.inverse_rotate(rotation, middles[np.argmax(np.linalg.norm(middles, axis=-1))])


def _robot_bodies(bodies: Sequence[RobotBody], warnings: list[str]) -> list[int]:
    """Indices of the bodies of everything that has joints; static scenery is left out."""
    root = roots([body.parent for body in bodies], range(len(bodies)))
    alive = {root[index] for index, body in enumerate(bodies) if body.joints}
    if not alive:
        return list(range(len(bodies)))
    scenery = [bodies[index].name for index in sorted(set(root) - alive)]
    if scenery:
        warnings.append(f"bodies that cannot move are left out: {listed(scenery)}")
    return [index for index, top in enumerate(root) if top in alive]
