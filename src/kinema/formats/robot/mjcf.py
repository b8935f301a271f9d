"""MJCF, the models of MuJoCo (mujoco.readthedocs.io/en/stable/XMLreference.html)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema import rotations
from kinema.arrays import Floats, Singles
from kinema.errors import listed
from kinema.formats.robot.compiler import Compiler, include, read_compiler
from kinema.formats.robot.frame import RobotFrame
from kinema.formats.robot.meshfiles import MeshFiles
from kinema.formats.robot.model import MOST_BODIES, MOST_JOINTS, Robot, RobotBody, RobotJoint, build
from kinema.formats.robot.shapes import MOST_GEOMS, Geom
from kinema.formats.robot.tree import Element
from kinema.formats.sources import Source

HIDDEN_GROUP = 3  # geoms of groups 3 to 5 are for collisions; MuJoCo does not draw them either

_GENERATED = ("replicate", "composite", "flexcomp", "attach")
_JOINTS = ("joint", "freejoint")
_GREY = "0.5 0.5 0.5 1"
_LEAST = {"box": 3, "ellipsoid": 3, "cylinder": 2, "capsule": 2, "sphere": 1}


def read_mjcf(source: Source, root: Element) -> Robot:
    """A robot of a `<mujoco>` element.

    Raises:
        FormatError: parts that MuJoCo would generate, classes that are not defined, includes from outside its folder,
            or broken numbers.
    """
    include(source, root)
    reader = _Reader(source, read_compiler(root))
    for world in root.named("worldbody"):
        reader.walk(world)
    reader.files.warn(reader.warnings)
    if reader.geoms > MOST_GEOMS:
        reader.warnings.append(f"has {reader.geoms} shapes; at most {MOST_GEOMS} are drawn")
    if keys := sum(len(list(found.named("key"))) for found in root.named("keyframe")):
        reader.warnings.append(f"{keys} key frames are left out: a model is read at rest")
    if reader.skipped:
        reader.warnings.append(f"shapes that are not drawn: {listed(sorted(reader.skipped))}")
    return build(root.get("model", source.stem), reader.bodies, reader.warnings)


class _Reader:
    def __init__(self, source: Source, compiler: Compiler) -> None:
        self.compiler = compiler
        self.files = MeshFiles(source)
        self.bodies: list[RobotBody] = []
        self.warnings: list[str] = []
        self.skipped: set[str] = set()
        self.geoms = self.moving = 0

    def walk(self, world: Element) -> None:
        """All bodies below the world, depth first, as MuJoCo numbers them.

        A `<frame>` is not a body: it transforms its contents.
        """
        stack: list[tuple[Element, int, str | None, RobotFrame]] = [(world, -1, None, RobotFrame())]
        while stack:
            element, parent, inherited, frame = stack.pop()
            inherited = element.attributes.get("childclass", inherited)
            if element.tag in _JOINTS:
                self._add_joint(element, parent, inherited, frame)
                continue
            if element.tag == "geom":
                self._add_geom(element, parent, inherited, frame)
                continue
            if element.tag in ("body", "frame"):
                frame = frame.child(element.numbers("pos", 3, default="0 0 0"), self.compiler.rotation(element))
            if element.tag == "body":
                parent, frame = self._add_body(element, parent, frame), RobotFrame()
            for child in reversed(element.children):
                if child.tag in _GENERATED:
                    raise child.error(
                        "is made by MuJoCo while it loads; save the compiled model (mj_saveLastXML) and read that"
                    )
                if child.tag in ("body", "frame", "geom", *_JOINTS):
                    stack.append((child, parent, inherited, frame))

    def _add_body(self, element: Element, parent: int, frame: RobotFrame) -> int:
        element.require(len(self.bodies) < MOST_BODIES, f"is one too many: at most {MOST_BODIES} bodies are read")
        self.bodies.append(RobotBody(element.get("name") or f"body_{len(self.bodies) + 1}", parent, frame))
        return len(self.bodies) - 1

    def _add_joint(self, element: Element, parent: int, inherited: str | None, frame: RobotFrame) -> None:
        if parent < 0:
            return
        self.moving += 1
        element.require(self.moving <= MOST_JOINTS, f"is one too many: at most {MOST_JOINTS} joints are read")
        body = self.bodies[parent]
        body.joints.append(self._joint(self.compiler.resolved(element, inherited), body, frame))

    def _joint(self, element: Element, body: RobotBody, frame: RobotFrame) -> RobotJoint:
        kind = "free" if element.tag == "freejoint" else element.get("type", "hinge")
        if kind not in ("hinge", "slide", "ball", "free"):
            raise element.error(f"is of type {kind[:40]!a}; known are hinge, slide, ball and free")
        element.require(kind != "free" or body.parent < 0, "is free within another body; only bodies of the world are")
        several = len(body.joints)
        name = element.get("name") or body.name + (f"_{several + 1}" if several else "")
        axis = element.unit("axis", element.numbers("axis", 3, default="0 0 1"))
        anchor = frame.points(element.numbers("pos", 3, default="0 0 0"))
        lower, upper, zero = -np.inf, np.inf, 0.0
        if kind == "hinge":
            lower, upper = self._limits(element)
            zero = self.compiler.angle(element.number("ref", "0"))
        return RobotJoint(name, kind, rotations.rotate(frame.rotation, axis), anchor, lower, upper, zero)

    def _limits(self, element: Element) -> tuple[float, float]:
        limited = element.get("limited", "auto")
        bounded = limited == "true" or (limited == "auto" and self.compiler.auto_limits)
        if not bounded or "range" not in element.attributes:
            return -np.inf, np.inf
        ends = element.numbers("range", 2)
        lower, upper = (self.compiler.angle(float(end)) for end in ends)
        if lower >= upper:
            raise element.error(f"has a range from {ends[0]:g} to {ends[1]:g}")
        return lower, upper

    def _add_geom(self, element: Element, parent: int, inherited: str | None, frame: RobotFrame) -> None:
        self.geoms += 1
        if parent < 0 or self.geoms > MOST_GEOMS:
            return
        geom = self._geom(self.compiler.resolved(element, inherited), frame)
        if geom is not None:
            self.bodies[parent].geoms.append(geom)

    def _geom(self, element: Element, frame: RobotFrame) -> Geom | None:
        if int(element.number("group", "0")) >= HIDDEN_GROUP:
            return None
        has_mesh = "mesh" in element.attributes
        kind = element.get("type", "mesh" if has_mesh else "sphere")
        if kind not in (*_LEAST, "mesh") or (kind != "mesh" and has_mesh):
            self.skipped.add(ascii(kind[:40])[1:-1])
            return None
        own = RobotFrame(element.numbers("pos", 3, default="0 0 0"), self.compiler.rotation(element))
        triangles, size = None, np.zeros(0)
        if kind == "mesh":
            triangles = self._triangles(element)
            if triangles is None:
                return None
        else:
            own, size = _solid(element, kind, own)
        if kind == "sphere":
            kind, size = "ellipsoid", np.repeat(size[:1], 3)
        colors = {"rgba": element.get("rgba") or self.compiler.colors.get(element.get("material"), _GREY)}
        color = replace(element, attributes=colors).color("rgba", _GREY)
        return Geom(kind, tuple(size[: _LEAST.get(kind, 0)].tolist()), frame.child(*own), color, triangles)

    def _triangles(self, element: Element) -> Singles | None:
        name = element.get("mesh")
        file, scale = self.compiler.meshes.get(name, ("", np.ones(3)))
        triangles = self.files.triangles(file or name, (self.compiler.mesh_folder,))
        return None if triangles is None else triangles * scale.astype(np.float32)


def _solid(element: Element, kind: str, frame: RobotFrame) -> tuple[RobotFrame, Floats]:
    """Frame and size of a geom that is not a mesh."""
    size = np.abs(element.numbers("size", 1, 3, default="0.01 0.01 0.01"))
    if "fromto" in element.attributes and kind != "sphere":
        ends = element.numbers("fromto", 6)
        along = ends[:3] - ends[3:]
        direction, half = element.unit("fromto", along), float(np.linalg.norm(along)) / 2
        frame = RobotFrame((ends[:3] + ends[3:]) / 2, rotations.between(np.array([0.0, 0.0, 1.0]), direction))
        size = np.array([size[0], half] if _LEAST[kind] == 2 else [size[0], size[0], half])
    if len(size) < _LEAST[kind]:
        raise element.error(f"of type {kind} needs a size of {_LEAST[kind]} numbers, found {len(size)}")
    return frame, size
