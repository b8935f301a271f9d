"""Any skeleton as an MJCF model that MuJoCo loads, its motions as the model's key frames.

A root gets a free joint, a hinge its axis and range, every other joint a ball; a joint whose translation moves gets
three slides before it. Bones are capsules. `model.key_qpos[frame]` is a pose, `model.key_time` its time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.sax import saxutils

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset
from kinema.formats.atomic import atomic_write
from kinema.formats.checks import require
from kinema.formats.robot.frame import rotations_to_robot, vectors_to_robot
from kinema.formats.robot.hinges import hinge_angles
from kinema.formats.trees import numbered, preorder
from kinema.motion import Motion
from kinema.skeleton import Hinge, Skeleton

DEEPEST = 496  # bodies inside bodies; MuJoCo's parser stops at 500 elements
DENSITY = 1000.0  # kilograms a cubic metre, that of a body
THICKNESS = 0.12  # radius of a bone's capsule as a share of its length
THINNEST, THICKEST = 0.005, 0.07  # metres
SHORTEST = 1e-4  # metres; shorter bones get no capsule
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
MOVES = 1e-4  # metres; joints whose translation leaves the rest pose by more get slides


@dataclass(frozen=True)
class _Coordinates:
    """Where a joint's coordinates are in qpos, after those of its slides."""

    joint: int
    start: int
    kind: str  # "free", "hinge" or "ball"
    slides: bool

    @property
    def end(self) -> int:
        return self.start + {"free": 7, "hinge": 1, "ball": 4}[self.kind]


def write_mjcf(thing: Motion | Character | Asset, path: str | os.PathLike[str]) -> None:
    """Writes a model with its motions as key frames, in MuJoCo's axes: Z up, facing +X.

    Args:
        thing: a motion, or what has a skeleton; several motions follow each other as key frames.

    Raises:
        FormatError: there is no skeleton, or bodies are nested deeper than MuJoCo reads.
    """
    motions = (thing,) if isinstance(thing, Motion) else thing.motions if isinstance(thing, Asset) else ()
    skeleton = thing.skeleton
    if skeleton is None:
        raise FormatError("holds no skeleton, so there is no model to write")
    require(skeleton.depths.max() < DEEPEST, f"has joints more than {DEEPEST} deep, which MuJoCo does not read")
    name = (motions[0].name if motions else "") or "character"
    atomic_write(path, (piece.encode() for piece in _document(name, skeleton, motions)))


def _document(name: str, skeleton: Skeleton, motions: tuple[Motion, ...]) -> Iterator[str]:
    coordinates = _coordinates(skeleton, _sliding(skeleton, motions))
    yield f"<mujoco model={_quoted(name)}>\n"
    # Bones of zero length have no mass; MuJoCo requires a mass of every moving body.
    yield '  <compiler angle="radian" autolimits="true" boundmass="0.001" boundinertia="0.000001"/>\n'
    yield "  <default>\n"
    yield f'    <geom type="capsule" density="{DENSITY:g}" contype="1" conaffinity="0" rgba="0.7 0.72 0.76 1"/>\n'
    yield '    <joint damping="1"/>\n  </default>\n  <worldbody>\n'
    yield '    <light pos="0 0 4" dir="0 0 -1" directional="true"/>\n'
    yield '    <geom name="floor" type="plane" size="20 20 0.1" contype="0" conaffinity="1" rgba="0.4 0.42 0.45 1"/>\n'
    yield from _bodies(skeleton, coordinates)
    yield "  </worldbody>\n"
    if motions:
        yield "  <keyframe>\n"
        clips: set[str] = set()
        for motion in motions:
            yield from _keys(numbered(motion.name, clips), motion, coordinates)
        yield "  </keyframe>\n"
    yield "</mujoco>\n"


def _sliding(skeleton: Skeleton, motions: tuple[Motion, ...]) -> set[int]:
    """Joints below a root whose translation leaves the rest pose in some motion."""
    found: set[int] = set()
    for motion in motions:
        off = np.abs(motion.local_translations - skeleton.rest_translations[motion.translated])
        found.update(motion.translated[off.max(axis=(0, 2), initial=0.0) > MOVES].tolist())
    return {joint for joint in found if skeleton.parents[joint] >= 0}


def _coordinates(skeleton: Skeleton, sliding: set[int]) -> list[_Coordinates]:
    """Those of all joints, in the order in which MuJoCo counts bodies: depth first."""
    hinged = {hinge.joint for hinge in skeleton.hinges}
    found: list[_Coordinates] = []
    for joint in preorder(np.flatnonzero(skeleton.parents < 0).tolist(), skeleton.children):
        kind = "free" if skeleton.parents[joint] < 0 else "hinge" if joint in hinged else "ball"
        start = (found[-1].end if found else 0) + 3 * (joint in sliding)
        found.append(_Coordinates(joint, start, kind, joint in sliding))
    return found


def _bodies(skeleton: Skeleton, coordinates: list[_Coordinates]) -> Iterator[str]:
    places, turns = vectors_to_robot(skeleton.rest_translations), rotations_to_robot(skeleton.rest_rotations)
    ends: dict[int, list[Floats]] = {}
    for joint, parent in enumerate(skeleton.parents.tolist()):
        ends.setdefault(parent, []).append(places[joint])
    for joint, offset in zip(skeleton.tip_joints.tolist(), vectors_to_robot(skeleton.tip_offsets), strict=True):
        ends.setdefault(joint, []).append(offset)
    taken = {"world"}  # MuJoCo's root of all bodies
    names = [numbered(_NO_XML.sub("?", name), taken) for name in skeleton.names]
    hinges = {hinge.joint: hinge for hinge in skeleton.hinges}
    open_bodies: list[int] = []
    for entry in coordinates:
        joint, name = entry.joint, _quoted(names[entry.joint])
        while open_bodies and open_bodies[-1] != skeleton.parents[joint]:
            yield "  " * (len(open_bodies) + 1) + "</body>\n"
            open_bodies.pop()
        open_bodies.append(joint)
        indent = "  " * (len(open_bodies) + 1)
        yield f'{indent}<body name={name} pos="{_listed(places[joint])}" quat="{_listed(turns[joint])}">\n'
        if entry.slides:
            yield from _slides(indent, [numbered(f"{names[joint]}.{axis}", taken) for axis in "xyz"], turns[joint])
        yield f"{indent}  {_joint(name, entry.kind, hinges.get(joint))}\n"
        yield from _capsules(indent, ends.get(joint, []))
    for depth in range(len(open_bodies), 0, -1):
        yield "  " * (depth + 1) + "</body>\n"


def _joint(name: str, kind: str, hinge: Hinge | None) -> str:
    if kind == "free":
        return f"<freejoint name={name}/>"
    if hinge is None:
        return f'<joint name={name} type="ball"/>'
    limits = (hinge.lower, hinge.upper)
    span = f' range="{_listed(limits)}"' if np.isfinite(limits).all() else ""
    return f'<joint name={name} type="hinge" axis="{_listed(vectors_to_robot(hinge.axis))}"{span}/>'


def _capsules(indent: str, ends: list[Floats]) -> Iterator[str]:
    """Bones from a joint to its children and tips; a sphere if there are none."""
    for end in ends:
        length = float(np.linalg.norm(end))
        if length > SHORTEST:
            radius = float(np.clip(THICKNESS * length, THINNEST, THICKEST))
            yield f'{indent}  <geom fromto="0 0 0 {_listed(end)}" size="{radius:.4g}"/>\n'
    if not ends:
        yield f'{indent}  <geom type="sphere" size="{THINNEST}"/>\n'


def _slides(indent: str, names: list[str], turn: Floats) -> Iterator[str]:
    """Three slides along the parent's axes, in the body's own frame as MuJoCo expects them."""
    for name, axis in zip(names, rotations.inverse_rotate(turn, np.eye(3)), strict=True):
        yield f'{indent}  <joint name={_quoted(name)} type="slide" axis="{_listed(axis)}"/>\n'


def _keys(clip: str, motion: Motion, coordinates: list[_Coordinates]) -> Iterator[str]:
    poses = _positions(motion, coordinates)
    for frame, pose in enumerate(poses.tolist()):
        values = " ".join(f"{value:.7g}" for value in pose)
        name = _quoted(f"{clip}.{frame}")
        yield f'    <key name={name} time="{frame / motion.fps:.7g}" qpos="{values}"/>\n'


def _positions(motion: Motion, coordinates: list[_Coordinates]) -> Floats:
    """Generalised positions `[F, nq]` in MuJoCo's axes."""
    skeleton = motion.skeleton
    local, places = motion.local_rotations.astype(np.float64), motion[:].local_translations.astype(np.float64)
    from_rest = rotations.unroll(rotations.relative(skeleton.rest_rotations.astype(np.float64), local))
    from_rest = rotations_to_robot(from_rest)
    angles = dict(zip((hinge.joint for hinge in skeleton.hinges), hinge_angles(motion)[0].T, strict=True))
    moved = vectors_to_robot(places - skeleton.rest_translations)
    found = np.empty((motion.frames, coordinates[-1].end))
    for entry in coordinates:
        joint, start = entry.joint, entry.start
        if entry.slides:
            found[:, start - 3 : start] = moved[:, joint]
        if entry.kind == "free":
            found[:, start : start + 3] = vectors_to_robot(places[:, joint])
            found[:, start + 3 : start + 7] = rotations_to_robot(rotations.unroll(local[:, joint]))
        elif entry.kind == "hinge":
            found[:, start] = angles[joint]
        else:
            found[:, start : start + 4] = from_rest[:, joint]
    return found


def _listed(values: object) -> str:
    return " ".join(f"{float(value):.8g}" for value in np.asarray(values, np.float64).ravel())


def _quoted(text: str) -> str:
    """An attribute's value; characters that XML does not have become `?`."""
    return saxutils.quoteattr(_NO_XML.sub("?", text))
