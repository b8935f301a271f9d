"""URDF: links and joints (wiki.ros.org/urdf/XML). Angles in radians, lengths in metres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema import rotations
from kinema.errors import listed
from kinema.formats.checks import require
from kinema.formats.robot.frame import RobotFrame
from kinema.formats.robot.meshfiles import MeshFiles
from kinema.formats.robot.model import MOST_BODIES, Robot, RobotBody, RobotJoint, build
from kinema.formats.robot.shapes import MOST_GEOMS, Geom
from kinema.formats.robot.tree import Color, Element
from kinema.formats.sources import Source

_KINDS = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "floating": "free",
    "planar": "slide",
    "fixed": "fixed",
}
_GREY: Color = (0.6, 0.6, 0.62, 1.0)


def read_urdf(source: Source, root: Element) -> Robot:
    """A robot of a `<robot>` element.

    Raises:
        FormatError: xacro, a joint between links that are not there, loops, several bases, or broken numbers.
    """
    require(not _is_xacro(root), "is a xacro file, from which xacro generates URDF; run xacro and read its output")
    warnings: list[str] = []
    links = _links(root)
    below = _joints_below(root, links, warnings)
    children = {child for joints in below.values() for child, _ in joints}
    bases = [name for name in links if name not in children]
    require(not links or bases, "has no base: its links form a loop")
    reader = _GeomReader({m.get("name"): _color(m) for m in root.named("material")}, MeshFiles(source))
    bodies: list[RobotBody] = []
    stack: list[tuple[str, int, Element | None]] = [(name, -1, None) for name in reversed(bases)]
    while stack:
        name, parent, joint = stack.pop()
        stack += [(child, len(bodies), other) for child, other in reversed(below[name])]
        frame, moving = (RobotFrame(), []) if joint is None else (_origin(joint), _joint(joint))
        bodies.append(RobotBody(name, parent, frame, moving, reader.geoms(links[name])))
    require(len(bodies) == len(links), f"has {len(links) - len(bodies)} links in a loop without a base")
    reader.files.warn(warnings)
    return build(root.get("name", source.stem), bodies, warnings)


def _links(root: Element) -> dict[str, Element]:
    links: dict[str, Element] = {}
    for link in root.named("link"):
        name = link.need("name")
        link.require(name not in links, f"is the second named {name!a}")
        links[name] = link
    require(len(links) <= MOST_BODIES, f"has {len(links)} links; at most {MOST_BODIES} are read")
    return links


def _joints_below(
    root: Element, links: dict[str, Element], warnings: list[str]
) -> dict[str, list[tuple[str, Element]]]:
    """For each link, its children with the joints between."""
    below: dict[str, list[tuple[str, Element]]] = {name: [] for name in links}
    taken: set[str] = set()
    mimics: list[str] = []
    for joint in root.named("joint"):
        parent, child = (_link_of(joint, side, links) for side in ("parent", "child"))
        joint.require(child not in taken, f"gives the link {child!a} a second parent")
        taken.add(child)
        below[parent].append((child, joint))
        if joint.first("mimic") is not None:
            mimics.append(joint.get("name", child))
    if mimics:
        warnings.append(f"joints that mimic others turn on their own: {listed(mimics)}")
    return below


def _is_xacro(root: Element) -> bool:
    stack = [root]
    while stack:
        element = stack.pop()
        if element.tag.startswith("xacro:") or "xmlns:xacro" in element.attributes:
            return True
        stack += element.children
    return False


def _link_of(joint: Element, side: str, links: dict[str, Element]) -> str:
    element = joint.first(side)
    if element is None:
        raise joint.error(f"lacks its <{side}>")
    name = element.need("link")
    element.require(name in links, f"names a link {name[:60]!a} that is not there")
    return name


def _joint(element: Element) -> list[RobotJoint]:
    kind = _KINDS.get(element.need("type"))
    if kind is None:
        raise element.error(f"is of type {element.need('type')[:40]!a}; known are {', '.join(_KINDS)}")
    name = element.need("name")
    if kind in ("fixed", "free"):
        # A floating joint belongs to a base; elsewhere it would need a translation too.
        return [] if kind == "fixed" else [RobotJoint(name, "free")]
    stated = element.first("axis")
    axis = (
        np.array([1.0, 0.0, 0.0]) if stated is None else stated.unit("xyz", stated.numbers("xyz", 3, default="1 0 0"))
    )
    limit = element.first("limit")
    if element.need("type") != "revolute" or limit is None:
        return [RobotJoint(name, kind, axis)]
    lower, upper = limit.number("lower", "0"), limit.number("upper", "0")
    # 0 to 0 stands for no limits.
    return [RobotJoint(name, kind, axis, lower=lower, upper=upper) if lower < upper else RobotJoint(name, kind, axis)]


def _origin(element: Element) -> RobotFrame:
    stated = element.first("origin")
    if stated is None:
        return RobotFrame()
    roll, pitch, yaw = stated.numbers("rpy", 3, default="0 0 0")
    rotation = rotations.from_euler(np.array([yaw, pitch, roll]), "ZYX")  # about fixed x, then y, then z
    return RobotFrame(stated.numbers("xyz", 3, default="0 0 0"), rotation)


def _color(material: Element) -> Color:
    color = material.first("color")
    return _GREY if color is None else color.color("rgba", "0.6 0.6 0.62 1")


@dataclass(frozen=True)
class _GeomReader:
    """Reads the visuals of links.

    Attributes:
        colors: colours by material name.
    """

    colors: dict[str, Color]
    files: MeshFiles

    def geoms(self, link: Element) -> list[Geom]:
        visuals = list(link.named("visual"))[:MOST_GEOMS]
        return [geom for visual in visuals if (geom := self._geom(visual)) is not None]

    def _geom(self, visual: Element) -> Geom | None:
        geometry = visual.first("geometry")
        if geometry is None or not geometry.children:
            return None
        frame, material, color, form = _origin(visual), visual.first("material"), _GREY, geometry.children[0]
        if material is not None:
            color = _color(material) if material.children else self.colors.get(material.get("name"), _GREY)
        if form.tag == "mesh":
            triangles = self.files.triangles(form.need("filename"))
            if triangles is None:
                return None
            scale = form.numbers("scale", 3, default="1 1 1").astype(np.float32)
            return Geom("mesh", (), frame, color, triangles * scale)
        if form.tag == "box":
            return Geom("box", tuple((form.numbers("size", 3) / 2).tolist()), frame, color)
        if form.tag == "sphere":
            return Geom("ellipsoid", (abs(form.number("radius")),) * 3, frame, color)
        if form.tag in ("cylinder", "capsule"):
            return Geom(form.tag, (abs(form.number("radius")), abs(form.number("length")) / 2), frame, color)
        return None
