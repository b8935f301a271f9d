"""What precedes the bodies of an MJCF file: included files, compiler settings, classes of defaults, assets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.robot.frame import IDENTITY
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


@dataclass
class Compiler:
    """Settings, defaults and assets that apply to the rest of the file.

    Attributes:
        degrees: whether angles are in degrees.
        sequence: order of Euler angles; small letters turn about the moving axes, capitals about fixed ones.
        auto_limits: whether a range alone limits a joint.
        mesh_folder: where mesh files are.
        classes: defaults by class, then tag, then attribute.
        meshes: file name and scale by mesh name.
        colors: colours by material name.
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

    def resolved(self, element: Element, inherited: str | None) -> Element:
        """An element with its attributes and, where it has none, the defaults of its class.

        One way to state a rotation replaces all others.
        """
        name = element.get("class") or inherited or "main"
        element.require(name in self.classes, f"is of a class {name[:60]!a} that no <default> defines")
        return replace(element, attributes=_overruled(self.classes[name].get(element.tag, {}), element.attributes))

    def rotation(self, element: Element) -> Floats:
        """The rotation that an element states in one of five ways."""
        stated = next((name for name in _ROTATIONS if name in element.attributes), None)
        return IDENTITY if stated is None else _ROTATIONS[stated](self, element)

    def _quaternion(self, element: Element) -> Floats:
        return element.unit("quat", element.numbers("quat", 4))

    def _axis_angle(self, element: Element) -> Floats:
        x, y, z, angle = element.numbers("axisangle", 4)
        return rotations.from_axis_angle(element.unit("axisangle", np.array([x, y, z])), np.array(self.angle(angle)))

    def _euler(self, element: Element) -> Floats:
        turn = IDENTITY
        for value, letter in zip(element.numbers("euler", 3), self.sequence, strict=True):
            step = rotations.from_axis_angle(np.eye(3)["xyz".index(letter.lower())], np.array(self.angle(value)))
            turn = rotations.multiply(turn, step) if letter.islower() else rotations.multiply(step, turn)
        return turn

    def _x_and_y_axes(self, element: Element) -> Floats:
        values = element.numbers("xyaxes", 6)
        x = element.unit("xyaxes", values[:3])
        y = element.unit("xyaxes", values[3:] - np.dot(values[3:], x) * x)
        return rotations.from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))

    def _z_axis(self, element: Element) -> Floats:
        return rotations.between(np.array([0.0, 0.0, 1.0]), element.unit("zaxis", element.numbers("zaxis", 3)))


_ROTATIONS: dict[str, Callable[[Compiler, Element], Floats]] = {  # in the order in which MuJoCo looks for them
    "quat": Compiler._quaternion,
    "axisangle": Compiler._axis_angle,
    "euler": Compiler._euler,
    "xyaxes": Compiler._x_and_y_axes,
    "zaxis": Compiler._z_axis,
}


def _overruled(defaults: dict[str, str], stated: dict[str, str]) -> dict[str, str]:
    """Attributes, with defaults for the others; one way to state a rotation replaces all others."""
    if any(name in stated for name in _ROTATIONS):
        defaults = {key: value for key, value in defaults.items() if key not in _ROTATIONS}
    return {**defaults, **stated}


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
                raise FormatError(f"has, with what it includes, more than {MOST_ELEMENTS} elements")
            if child.tag != "include":
                children.append(child)
                continue
            name = child.need("file")
            if name in read or len(read) >= MOST_FILES:
                raise child.error(f"includes {name[:80]!a} a second time, or too many files")
            read.add(name)
            data = replace(source, limit=min(source.limit, MOST_BYTES)).sibling(name)
            size += len(data)
            child.require(size <= MOST_BYTES, f"with the others includes more than {MOST_BYTES} bytes")
            waiting += reversed(parse(data, f"{source.path}, {name}").children)
        element.children = children
        stack += children


def read_compiler(root: Element) -> Compiler:
    """Settings, defaults and assets of a `<mujoco>` element whose includes are in place."""
    compiler = Compiler()
    for element in root.named("compiler"):
        _read_settings(element, compiler)
    for element in root.named("default"):
        _read_defaults(element, compiler)
    for asset in root.named("asset"):
        for element in asset.named("mesh"):
            file = element.get("file")
            name = element.get("name") or file.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
            compiler.meshes[name] = file, compiler.resolved(element, None).numbers("scale", 3, default="1 1 1")
        for element in asset.named("material"):
            resolved = compiler.resolved(element, None)
            if "rgba" in resolved.attributes:
                compiler.colors[element.get("name")] = resolved.get("rgba")
    return compiler


def _read_settings(element: Element, compiler: Compiler) -> None:
    if element.get("coordinate", "local") != "local":
        raise element.error("has global coordinates, which MuJoCo gave up; save the model with a newer version")
    compiler.degrees = element.get("angle", "degree" if compiler.degrees else "radian") != "radian"
    compiler.auto_limits = element.get("autolimits", str(compiler.auto_limits)).lower() != "false"
    compiler.sequence = element.get("eulerseq", compiler.sequence)
    if len(compiler.sequence) != 3 or any(letter not in "xyzXYZ" for letter in compiler.sequence):
        raise element.error("eulerseq should be three of the letters x, y and z")
    compiler.mesh_folder = element.get("meshdir", element.get("assetdir", compiler.mesh_folder))


def _read_defaults(top: Element, compiler: Compiler) -> None:
    stack: list[tuple[Element, str | None]] = [(top, None)]
    while stack:
        element, parent = stack.pop()
        name = element.attributes.get("class", "main" if parent is None else None)
        if name is None:
            raise element.error("within another one needs a class")
        own = compiler.classes.setdefault(name, {})
        for tag, values in compiler.classes[parent].items() if parent is not None else ():
            own[tag] = {**values, **own.get(tag, {})}
        for child in element.children:
            if child.tag in _KEPT:
                stated = {key: child.attributes[key] for key in _KEPT[child.tag] if key in child.attributes}
                own[child.tag] = _overruled(own.get(child.tag, {}), stated)
        stack += [(child, name) for child in element.named("default")]
