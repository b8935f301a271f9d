"""URDF: links and joints (wiki.ros.org/urdf/XML). Angles in radians, lengths in metres."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.robot.meshfiles import MeshFiles
from kinema.formats.robot.model import MOST_BODIES, Body, Floats, Joint, Robot, build, identity, listed, zeros
from kinema.formats.robot.shapes import MOST_PARTS, Color, Shape
from kinema.formats.robot.tree import Element
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
    if _is_xacro(root):
        raise FormatError("is a xacro, a program that writes URDF; run xacro and read what it wrote", path=source.path)
    warnings: list[str] = []
    links: dict[str, Element] = {}
    for link in root.named("link"):
        if links.setdefault(link.need("name"), link) is not link:
            raise link.fail(f"is the second named {link.need('name')!a}")
    if len(links) > MOST_BODIES:
        raise FormatError(f"has {len(links)} links; at most {MOST_BODIES} are read", path=source.path)
    joints: dict[str, list[tuple[str, Element]]] = {name: [] for name in links}
    parent_of: dict[str, str] = {}
    mimics: list[str] = []
    for joint in root.named("joint"):
        parent, child = (_link_of(joint, side, links) for side in ("parent", "child"))
        if child in parent_of:
            raise joint.fail(f"gives the link {child!a} a second parent")
        parent_of[child] = parent
        joints[parent].append((child, joint))
        if joint.first("mimic") is not None:
            mimics.append(joint.attributes.get("name", child))
    if mimics:
        warnings.append(f"joints that mimic others turn on their own: {listed(mimics)}")
    bases = [name for name in links if name not in parent_of]
    if links and not bases:
        raise FormatError("has no base: its links form a loop", path=source.path)
    colors = {m.attributes.get("name", ""): _rgba(m) for m in root.named("material")}
    files = MeshFiles(source)
    bodies: list[Body] = []
    stack: list[tuple[str, int, Element | None]] = [(name, -1, None) for name in reversed(bases)]
    while stack:
        name, parent_index, joint = stack.pop()
        bodies.append(_body(name, parent_index, joint, links[name], colors, files))
        stack += [(child, len(bodies) - 1, below) for child, below in reversed(joints[name])]
    if len(bodies) < len(links):
        raise FormatError(f"has {len(links) - len(bodies)} links in a loop that hangs on no base", path=source.path)
    files.warn(warnings)
    return build(root.attributes.get("name", source.stem), bodies, source.path, warnings)


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
        raise joint.fail(f"lacks its <{side}>")
    name = element.need("link")
    if name not in links:
        raise element.fail(f"names a link {name[:60]!a} that is not there")
    return name


def _body(
    name: str, parent: int, joint: Element | None, link: Element, colors: dict[str, Color], files: MeshFiles
) -> Body:
    place, turn = (zeros(), identity()) if joint is None else _origin(joint)
    visuals = list(link.named("visual"))[:MOST_PARTS]
    shapes = [shape for visual in visuals if (shape := _shape(visual, colors, files)) is not None]
    moving = [] if joint is None else _joint(joint)
    return Body(name, parent, place, turn, moving, shapes)


def _joint(element: Element) -> list[Joint]:
    kind = _KINDS.get(element.need("type"))
    if kind is None:
        raise element.fail(f"is of type {element.need('type')[:40]!a}; known are {', '.join(_KINDS)}")
    name = element.need("name")
    if kind in ("fixed", "free"):
        # A floating joint is that of a base; further down it would need three more numbers than a turn has.
        return [] if kind == "fixed" else [Joint(name, "free")]
    axis = np.array([1.0, 0.0, 0.0])
    stated = element.first("axis")
    if stated is not None:
        axis = stated.numbers("xyz", stated.attributes.get("xyz", "1 0 0"), 3)
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        raise element.fail("has an axis of no length")
    lower, upper = -np.inf, np.inf
    limit = element.first("limit")
    if element.need("type") == "revolute" and limit is not None:
        lower, upper = (float(limit.numbers(s, limit.attributes.get(s, "0"), 1)[0]) for s in ("lower", "upper"))
        if lower >= upper:  # 0 to 0 is what files say that know no limits
            lower, upper = -np.inf, np.inf
    return [Joint(name, kind, axis / length, lower=lower, upper=upper)]


def _origin(element: Element) -> tuple[Floats, Floats]:
    origin = element.first("origin")
    if origin is None:
        return zeros(), identity()
    place = origin.numbers("xyz", origin.attributes.get("xyz", "0 0 0"), 3)
    roll, pitch, yaw = origin.numbers("rpy", origin.attributes.get("rpy", "0 0 0"), 3)
    return place, rotations.from_euler(np.array([yaw, pitch, roll]), "ZYX")  # about fixed x, then y, then z


def _rgba(material: Element) -> Color:
    color = material.first("color")
    if color is None:
        return _GREY
    rgba = color.numbers("rgba", color.attributes.get("rgba", "0.6 0.6 0.62 1"), 4)
    red, green, blue, alpha = np.clip(rgba, 0, 1).tolist()
    return red, green, blue, alpha


def _shape(visual: Element, colors: dict[str, Color], files: MeshFiles) -> Shape | None:
    geometry = visual.first("geometry")
    if geometry is None or not geometry.children:
        return None
    place, turn = _origin(visual)
    material = visual.first("material")
    color = _GREY
    if material is not None:
        color = _rgba(material) if material.children else colors.get(material.attributes.get("name", ""), _GREY)
    form = geometry.children[0]
    triangles = None
    if form.tag == "box":
        kind, size = "box", tuple((form.numbers("size", form.need("size"), 3) / 2).tolist())
    elif form.tag == "sphere":
        kind, size = "ellipsoid", (_length(form, "radius"),) * 3
    elif form.tag in ("cylinder", "capsule"):
        kind, size = form.tag, (_length(form, "radius"), _length(form, "length") / 2)
    elif form.tag == "mesh":
        kind, size = "mesh", ()
        triangles = files.triangles(form.need("filename"))
        if triangles is None:
            return None
        triangles = triangles * form.numbers("scale", form.attributes.get("scale", "1 1 1"), 3).astype(np.float32)
    else:
        return None
    return Shape(kind, size, place, turn, color, triangles)


def _length(element: Element, name: str) -> float:
    return abs(float(element.numbers(name, element.need(name), 1)[0]))
