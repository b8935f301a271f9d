"""A small exporter of Acclaim files, with forward kinematics of its own by matrices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

AXES = {"x": 0, "y": 1, "z": 2}


def about(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = np.eye(3)
    matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
    return matrix


def fixed(angles: dict[str, float], order: str) -> np.ndarray:
    """Turns about fixed axes, the first of the order first."""
    matrix = np.eye(3)
    for axis in order:
        matrix = about(AXES[axis], angles.get(axis, 0.0)) @ matrix
    return matrix


def words(values: np.ndarray) -> str:
    return " ".join(map(repr, values.tolist()))


@dataclass
class Take:
    """A skeleton and motion as text, and where its joints are `[F, J, 3]` (starts of bones) and ends, in its unit."""

    asf: bytes
    amc: bytes
    starts: np.ndarray
    ends: np.ndarray
    names: list[str]


def export(
    seed: int = 0, degrees: bool = True, root_order: str = "tx ty tz rx ry rz", length: float = 0.45, frames: int = 6
) -> Take:
    """Bones with axes and degrees of freedom of all sorts."""
    rng = np.random.default_rng(seed)
    rows = [  # name, parent, axis order, channels
        ("lhip", "root", "XYZ", "rx ry rz"),
        ("lknee", "lhip", "XYZ", "rx"),
        ("lfoot", "lknee", "ZYX", "rx rz"),
        ("spine", "root", "XYZ", "rz ry rx"),
        ("head", "spine", "YZX", "ry"),
        ("stub", "spine", "XYZ", ""),
        ("Hand", "stub", "XYZ", "rx ry rz"),
    ]
    unit = 1.0 if degrees else np.pi / 180
    scale = np.pi / 180  # of what is drawn below
    angle = "deg" if degrees else "rad"
    text = [
        ":version 1.10",
        ":name test",
        ":units",
        "  mass 1.0",
        f"  length {length}",
        f"  angle {angle}",
        ":documentation",
        "   begin of words # and marks",
        ":root",
        f"   order {root_order.upper()}",
        "   axis XYZ",
        "   position 1 2 3",
        "   orientation 0 0 0",
        ":bonedata",
    ]
    frame, offset = {}, {}
    for number, (name, _, order, channels) in enumerate(rows, 1):
        direction, size, axis = rng.normal(size=3), rng.uniform(1, 8), rng.uniform(-180, 180, 3)
        direction /= np.linalg.norm(direction)
        text += [
            "  begin",
            f"     id {number}",
            f"     name {name}",
            "     direction " + words(direction),
            f"     length {float(size)!r}",
            f"     axis {words(axis * unit)}  {order}",
        ]
        if channels:
            text += [f"    dof {channels}", "    limits (-160.0 20.0)"]
            text += ["           (-70.0 70.0)"] * (len(channels.split()) - 1)
        text.append("  end")
        frame[name] = fixed(dict(zip("xyz", axis * scale, strict=True)), order.lower())
        offset[name] = direction * size
    text += [
        ":hierarchy",
        "  begin",
        "    root lhip spine",
        "    lhip lknee",
        "    lknee lfoot",
        "    spine head stub",
        "    stub hand",
        "  end",
    ]
    motion = ["#!made by a test", ":FULLY-SPECIFIED", ":DEGREES" if degrees else ":RADIANS"]
    starts, ends = np.zeros((frames, len(rows) + 1, 3)), np.zeros((frames, len(rows) + 1, 3))
    for now in range(frames):
        motion.append(str(now + 1))
        place, angles = rng.normal(size=3) * 10, dict(zip("xyz", rng.uniform(-170, 170, 3), strict=True))
        values = [place[AXES[c[1]]] if c[0] == "t" else angles[c[1]] * unit for c in root_order.split()]
        motion.append("root " + words(np.array(values)))
        order = "".join(c[1] for c in root_order.split() if c[0] == "r")
        turned = {"root": fixed({k: v * scale for k, v in angles.items()}, order)}
        end = {"root": place + np.array([1, 2, 3])}
        starts[now, 0] = ends[now, 0] = end["root"]
        for index, (name, parent, _, channels) in enumerate(rows, 1):
            drawn = {c[1]: rng.uniform(-90, 90) for c in channels.split()}
            if channels:
                motion.append(f"{name} " + " ".join(repr(float(v) * unit) for v in drawn.values()))
            order = "".join(c[1] for c in channels.split())
            moved = fixed({k: v * scale for k, v in drawn.items()}, order)
            turned[name] = turned[parent] @ frame[name] @ moved @ frame[name].T
            starts[now, index] = end[parent]
            end[name] = ends[now, index] = end[parent] + turned[name] @ offset[name]
    amc = "\r\n".join(motion).encode() + b"\r\n"
    return Take("\n".join(text).encode(), amc, starts, ends, ["root", *[row[0] for row in rows]])


@pytest.fixture
def take() -> Take:
    return export()
