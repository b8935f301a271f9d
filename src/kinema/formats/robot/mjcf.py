"""MJCF, the models of MuJoCo (mujoco.readthedocs.io/en/stable/XMLreference.html)."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.formats.robot.compiler import Compiler, include, read_compiler
from kinema.formats.robot.meshfiles import MeshFiles
from kinema.formats.robot.model import (
    MOST_BODIES,
    MOST_JOINTS,
    Body,
    Floats,
    Joint,
    Robot,
    build,
    identity,
    listed,
    zeros,
)
from kinema.formats.robot.shapes import MOST_PARTS, Shape
from kinema.formats.robot.tree import Element
from kinema.formats.sources import Source

HIDDEN_GROUP = 3  # geoms of groups 3 to 5 are for collisions; MuJoCo itself does not draw them either

_GENERATED = ("replicate", "composite", "flexcomp", "attach")
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
    if reader.shapes > MOST_PARTS:
        reader.warnings.append(f"has {reader.shapes} shapes; at most {MOST_PARTS} are drawn")
    if reader.skipped:
        reader.warnings.append(f"shapes that are not drawn: {listed(sorted(reader.skipped))}")
    return build(root.attributes.get("model", source.stem), reader.bodies, source.path, reader.warnings)


class _Reader:
    def __init__(self, source: Source, compiler: Compiler) -> None:
        self.compiler = compiler
        self.files = MeshFiles(source)
        self.bodies: list[Body] = []
        self.warnings: list[str] = []
        self.skipped: set[str] = set()
        self.shapes = self.moving = 0

    def walk(self, world: Element) -> None:
        """All bodies below the world, depth first, as MuJoCo numbers them.

        A `<frame>` is no body: it moves what is in it.
        """
        stack: list[tuple[Element, int, str | None, Floats, Floats]] = [(world, -1, None, zeros(), identity())]
        while stack:
            element, parent, inherited, place, turn = stack.pop()
            inherited = element.attributes.get("childclass", inherited)
            if element.tag == "joint" or element.tag == "freejoint":
                if parent >= 0:
                    self.moving += 1
                    if self.moving > MOST_JOINTS:
                        raise element.fail(f"is one too many: at most {MOST_JOINTS} joints are read")
                    self.bodies[parent].joints.append(self._joint(element, parent, inherited, place, turn))
                continue
            if element.tag == "geom":
                self.shapes += 1
                if parent < 0 or self.shapes > MOST_PARTS:
                    continue
                if (shape := self._shape(element, inherited, place, turn)) is not None:
                    self.bodies[parent].shapes.append(shape)
                continue
            if element.tag in ("body", "frame"):
                said = element.attributes
                step = element.numbers("pos", said.get("pos", "0 0 0"), 3)
                place = place + rotations.rotate(turn, step)
                turn = rotations.multiply(turn, self.compiler.rotation(element, said))
            if element.tag == "body":
                if len(self.bodies) >= MOST_BODIES:
                    raise element.fail(f"is one too many: at most {MOST_BODIES} bodies are read")
                name = element.attributes.get("name") or f"body_{len(self.bodies) + 1}"
                self.bodies.append(Body(name, parent, place, turn))
                parent, place, turn = len(self.bodies) - 1, zeros(), identity()
            for child in reversed(element.children):
                if child.tag in _GENERATED:
                    raise child.fail(
                        "is made by MuJoCo while it loads; save the compiled model (mj_saveLastXML) and read that"
                    )
                if child.tag in ("body", "frame", "joint", "freejoint", "geom"):
                    stack.append((child, parent, inherited, place, turn))

    def _joint(self, element: Element, body: int, inherited: str | None, place: Floats, turn: Floats) -> Joint:
        said = self.compiler.attributes(element, inherited)
        kind = "free" if element.tag == "freejoint" else said.get("type", "hinge")
        if kind not in ("hinge", "slide", "ball", "free"):
            raise element.fail(f"is of type {kind[:40]!a}; known are hinge, slide, ball and free")
        if kind == "free" and self.bodies[body].parent >= 0:
            raise element.fail("is free within another body; only bodies of the world are")
        several = len(self.bodies[body].joints)
        name = said.get("name") or self.bodies[body].name + (f"_{several + 1}" if several else "")
        axis = element.numbers("axis", said.get("axis", "0 0 1"), 3)
        length = float(np.linalg.norm(axis))
        if length < 1e-9:
            raise element.fail("has an axis of no length")
        anchor = place + rotations.rotate(turn, element.numbers("pos", said.get("pos", "0 0 0"), 3))
        lower, upper = -np.inf, np.inf
        limited = said.get("limited", "auto")
        bounded = limited == "true" or (limited == "auto" and self.compiler.auto_limits)
        if kind == "hinge" and "range" in said and bounded:
            ends = element.numbers("range", said["range"], 2)
            lower, upper = (self.compiler.angle(float(end)) for end in ends)
            if lower >= upper:
                raise element.fail(f"has a range from {ends[0]:g} to {ends[1]:g}")
        zero = 0.0
        if kind == "hinge":
            zero = self.compiler.angle(float(element.numbers("ref", said.get("ref", "0"), 1)[0]))
        return Joint(name, kind, rotations.rotate(turn, axis / length), anchor, lower, upper, zero)

    def _shape(self, element: Element, inherited: str | None, place: Floats, turn: Floats) -> Shape | None:
        said = self.compiler.attributes(element, inherited)
        if int(element.numbers("group", said.get("group", "0"), 1)[0]) >= HIDDEN_GROUP:
            return None
        kind = said.get("type", "mesh" if "mesh" in said else "sphere")
        if kind not in (*_LEAST, "mesh") or (kind != "mesh" and "mesh" in said):
            self.skipped.add(ascii(kind[:40])[1:-1])
            return None
        own_turn = self.compiler.rotation(element, said)
        own_place = element.numbers("pos", said.get("pos", "0 0 0"), 3)
        triangles, size = None, np.zeros(0)
        if kind == "mesh":
            file, scale = self.compiler.meshes.get(said.get("mesh", ""), ("", np.ones(3)))
            triangles = self.files.triangles(file or said.get("mesh", ""), (self.compiler.mesh_folder,))
            if triangles is None:
                return None
            triangles = triangles * scale.astype(np.float32)
        else:
            size = np.abs(element.numbers("size", said.get("size", "0.01 0.01 0.01"), 1, 3))
            if "fromto" in said and kind != "sphere":
                ends = element.numbers("fromto", said["fromto"], 6)
                own_place, along = (ends[:3] + ends[3:]) / 2, ends[:3] - ends[3:]
                half = float(np.linalg.norm(along)) / 2
                if half < 1e-9:
                    raise element.fail("fromto has no length")
                own_turn = rotations.between(np.array([0.0, 0.0, 1.0]), along / (2 * half))
                size = np.array([size[0], half] if _LEAST[kind] == 2 else [size[0], size[0], half])
            if len(size) < _LEAST[kind]:
                raise element.fail(f"of type {kind} needs a size of {_LEAST[kind]} numbers, found {len(size)}")
        if kind == "sphere":
            kind, size = "ellipsoid", np.repeat(size[:1], 3)
        rgba = said.get("rgba") or self.compiler.colors.get(said.get("material", ""), _GREY)
        red, green, blue, alpha = np.clip(element.numbers("rgba", rgba, 4), 0, 1).tolist()
        place, turn = place + rotations.rotate(turn, own_place), rotations.multiply(turn, own_turn)
        numbers = tuple(size[: _LEAST.get(kind, 0)].tolist())
        return Shape(kind, numbers, place, turn, (red, green, blue, alpha), triangles)
