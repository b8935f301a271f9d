"""What stands above the bodies of an MJCF file: included files, compiler settings, classes of defaults, assets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from kinema import rotations
from kinema.errors import FormatError
from kinema.formats.robot.model import Floats, identity
from kinema.formats.robot.tree import MOST_BYTES, MOST_ELEMENTS, Element, parse
from kinema.formats.sources import Source

MOST_FILES = 100

_KEPT = {
    "joint": ("type", "axis", "pos", "range", "limited", "ref"),
    "geom": ("type", "size", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto", "rgba", "material",
             "mesh", "group"),
    "mesh": ("scale",),
    "material": ("rgba",),
}  # fmt: skip
_TURNS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")


@dataclass
class Compiler:
    """Settings that say how to understand the rest.

    Attributes:
        degrees: whether angles are in degrees.
        sequence: of Euler angles: small letters turn about the moving axes, capitals about fixed ones.
        auto_limits: whether a range alone limits a joint.
        mesh_folder: where mesh files are.
        classes: defaults by class, then tag, then attribute.
        meshes: file name and scale by mesh name.
        colors: by material name.
    """

    degrees: bool = True
    sequence: str = "xyz"
    auto_limits: bool = True
    mesh_folder: str = ""
    classes: dict[str, dict[str, dict[str, str]]] = field(default_factory=lambda: {"main": {}})
    meshes: dict[str, tuple[str, Floats]] = field(default_factory=dict)
    colors: dict[str, str] = field(default_factory=dict)

    def angle(self, value: float) -> float:
        return math.radians(value) if self.degrees else value

    def attributes(self, element: Element, inherited: str | None) -> dict[str, str]:
        """An element's attributes over the defaults of its class; one way to state a rotation replaces all others."""
        name = element.attributes.get("class") or inherited or "main"
        if name not in self.classes:
            raise element.fail(f"is of a class {name[:60]!a} that no <default> defines")
        defaults = self.classes[name].get(element.tag, {})
        if any(turn in element.attributes for turn in _TURNS):
            defaults = {key: value for key, value in defaults.items() if key not in _TURNS}
        return {**defaults, **element.attributes}

    def rotation(self, element: Element, attributes: Mapping[str, str]) -> Floats:
        """The rotation that an element states in one of five ways."""
        if "quat" in attributes:
            return _unit(element, "quat", element.numbers("quat", attributes["quat"], 4))
        if "axisangle" in attributes:
            x, y, z, angle = element.numbers("axisangle", attributes["axisangle"], 4)
            axis = _unit(element, "axisangle", np.array([x, y, z]))
            return rotations.from_axis_angle(axis, np.array(self.angle(angle)))
        if "euler" in attributes:
            turn = identity()
            for value, letter in zip(element.numbers("euler", attributes["euler"], 3), self.sequence, strict=True):
                step = rotations.from_axis_angle(np.eye(3)["xyz".index(letter.lower())], np.array(self.angle(value)))
                turn = rotations.multiply(turn, step) if letter.islower() else rotations.multiply(step, turn)
            return turn
        if "xyaxes" in attributes:
            values = element.numbers("xyaxes", attributes["xyaxes"], 6)
            x = _unit(element, "xyaxes", values[:3])
            y = _unit(element, "xyaxes", values[3:] - np.dot(values[3:], x) * x)
            return rotations.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))
        if "zaxis" in attributes:
            z = _unit(element, "zaxis", element.numbers("zaxis", attributes["zaxis"], 3))
            return rotations.between(np.array([0.0, 0.0, 1.0]), z)
        return identity()


def _unit(element: Element, name: str, vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    if length < 1e-9:
        raise element.fail(f"{name} has no length")
    return vector / length


def include(source: Source, root: Element) -> None:
    """Puts the elements of included files in the place of each `<include>`; each file once, as MuJoCo has it.

    Raises:
        FormatError: a file outside the folder, included twice, or too many or too large ones.
    """
    read: set[str] = set()
    size = 0
    count = 0
    stack = [root]
    while stack:
        element = stack.pop()
        children: list[Element] = []
        waiting = list(reversed(element.children))
        while waiting:
            child = waiting.pop()
            count += 1
            if count > MOST_ELEMENTS:
                raise FormatError(f"has, with what it includes, more than {MOST_ELEMENTS} elements", path=source.path)
            if child.tag != "include":
                children.append(child)
                continue
            name = child.need("file")
            if name in read or len(read) >= MOST_FILES:
                raise child.fail(f"includes {name[:80]!a} a second time, or too many files")
            read.add(name)
            data = replace(source, limit=min(source.limit, MOST_BYTES)).sibling(name)
            size += len(data)
            if size > MOST_BYTES:
                raise child.fail(f"with the others includes more than {MOST_BYTES} bytes")
            waiting += reversed(parse(data, f"{source.path}, {name}").children)
        element.children = children
        stack += children


def read_compiler(root: Element) -> Compiler:
    """Settings, defaults and assets of a `<mujoco>` element whose includes are in place."""
    compiler = Compiler()
    for element in root.named("compiler"):
        said = element.attributes
        if said.get("coordinate", "local") != "local":
            raise element.fail("has global coordinates, which MuJoCo gave up; save the model with a newer version")
        compiler.degrees = said.get("angle", "degree" if compiler.degrees else "radian") != "radian"
        compiler.auto_limits = said.get("autolimits", str(compiler.auto_limits)).lower() != "false"
        compiler.sequence = said.get("eulerseq", compiler.sequence)
        if len(compiler.sequence) != 3 or any(letter not in "xyzXYZ" for letter in compiler.sequence):
            raise element.fail("eulerseq should be three of the letters x, y and z")
        compiler.mesh_folder = said.get("meshdir", said.get("assetdir", compiler.mesh_folder))
    for element in root.named("default"):
        _read_defaults(element, compiler)
    for asset in root.named("asset"):
        for element in asset.named("mesh"):
            file = element.attributes.get("file", "")
            name = element.attributes.get("name") or file.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
            scale = compiler.attributes(element, None).get("scale", "1 1 1")
            compiler.meshes[name] = file, element.numbers("scale", scale, 3)
        for element in asset.named("material"):
            rgba = compiler.attributes(element, None).get("rgba")
            if rgba is not None:
                compiler.colors[element.attributes.get("name", "")] = rgba
    return compiler


def _read_defaults(top: Element, compiler: Compiler) -> None:
    stack: list[tuple[Element, str | None]] = [(top, None)]
    while stack:
        element, parent = stack.pop()
        name = element.attributes.get("class", "main" if parent is None else None)
        if name is None:
            raise element.fail("within another one needs a class")
        own = compiler.classes.setdefault(name, {})
        if parent is not None:
            for tag, values in compiler.classes[parent].items():
                own[tag] = {**values, **own.get(tag, {})}
        for child in element.children:
            if child.tag in _KEPT:
                said = {key: child.attributes[key] for key in _KEPT[child.tag] if key in child.attributes}
                values = own.get(child.tag, {})
                if any(turn in said for turn in _TURNS):
                    values = {key: value for key, value in values.items() if key not in _TURNS}
                own[child.tag] = {**values, **said}
        stack += [(child, name) for child in element.named("default")]
