"""The parts of an avatar besides its meshes: expressions, springs with colliders, gaze, authors and licence.

The terms are those of VRM 1.0, the only format with all of these parts. Lengths are in metres and angles in radians.
Offsets are relative to the frame of their joint, directions are in model space at the rest pose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from kinema.arrays import Reals

Vector = tuple[float, float, float]
Override = Literal["none", "block", "blend"]

EMOTIONS = ("happy", "angry", "sad", "relaxed", "surprised", "neutral")
MOUTHS = ("aa", "ih", "ou", "ee", "oh")
BLINKS = ("blink", "blinkLeft", "blinkRight")
GAZES = ("lookUp", "lookDown", "lookLeft", "lookRight")
PRESETS = (*EMOTIONS, *MOUTHS, *BLINKS, *GAZES)
"""The standard expressions; an expression with another name is a custom one."""


@dataclass(frozen=True)
class MorphBind:
    """The weight of a morph target at full strength of an expression. `mesh` and `morph` are indices."""

    mesh: int
    morph: int
    weight: float


@dataclass(frozen=True)
class ColorBind:
    """A colour of a material at full strength of an expression. `kind` is its name in VRM 1.0."""

    material: int
    kind: str
    color: tuple[float, float, float, float]


@dataclass(frozen=True)
class TextureBind:
    """Scale and offset of a material's texture coordinates at full strength of an expression."""

    material: int
    scale: tuple[float, float]
    offset: tuple[float, float]


@dataclass(frozen=True)
class Expression:
    """A named facial expression. The label `expression.<name>` `[F]` of a motion is its strength, 0 to 1.

    Attributes:
        name: one of `PRESETS`, or a custom name.
        binary: whether a strength above one half counts as 1 and any other as 0.
        override_blink, override_gaze, override_mouth: effect on expressions of that kind: "block" hides them while
            this one is visible, "blend" fades them out as its strength grows.
    """

    name: str
    morphs: tuple[MorphBind, ...] = ()
    colors: tuple[ColorBind, ...] = ()
    textures: tuple[TextureBind, ...] = ()
    binary: bool = False
    override_blink: Override = "none"
    override_gaze: Override = "none"
    override_mouth: Override = "none"


@dataclass(frozen=True)
class Collider:
    """A sphere on a joint, or a capsule with a `tail`. Springs do not enter it, or do not leave it if `inside`."""

    joint: int
    offset: Vector
    radius: float
    tail: Vector | None = None
    inside: bool = False


@dataclass(frozen=True)
class ColliderGroup:
    """A named set of colliders, as indices into `Character.colliders`."""

    name: str
    colliders: tuple[int, ...]


@dataclass(frozen=True)
class SpringJoint:
    """One joint of a spring.

    Attributes:
        radius: radius of the sphere at its end that colliders push, metres.
        stiffness: strength of the return to the rest rotation, at least 0.
        gravity: strength of gravity.
        gravity_direction: unit vector in model space.
        drag: fraction of the speed that is lost, 0 to 1.
    """

    joint: int
    radius: float = 0.0
    stiffness: float = 1.0
    gravity: float = 0.0
    gravity_direction: Vector = (0.0, -1.0, 0.0)
    drag: float = 0.5


@dataclass(frozen=True)
class Spring:
    """A chain of swinging joints, from its root to its end.

    Attributes:
        groups: indices into `Character.collider_groups`.
        center: the joint in whose space the chain swings; None for the world.
        tail: distance from the last joint to the end of the chain, away from the joint's parent, metres; 0 if the
            last joint only marks the end and does not swing.
    """

    name: str
    joints: tuple[SpringJoint, ...]
    groups: tuple[int, ...] = ()
    center: int | None = None
    tail: float = 0.0


@dataclass(frozen=True)
class Gaze:
    """How the eyes follow a target.

    Attributes:
        kind: "bone" rotates the joints of the eyes, "expression" uses `GAZES`.
        offset: point between the eyes, relative to the head joint.
        inner, outer, down, up: largest angle of the target in radians, and the output at that angle: radians for
            bones, a weight for expressions.
    """

    kind: Literal["bone", "expression"] = "bone"
    offset: Vector = (0.0, 0.0, 0.0)
    inner: tuple[float, float] = (np.pi / 2, np.pi / 18)
    outer: tuple[float, float] = (np.pi / 2, np.pi / 18)
    down: tuple[float, float] = (np.pi / 2, np.pi / 18)
    up: tuple[float, float] = (np.pi / 2, np.pi / 18)


@dataclass(frozen=True)
class Constraint:
    """A joint that follows another joint: it copies the "roll" about an axis, "aims" an axis, or copies the "rotation".

    Attributes:
        axis: axis of the joint's frame: `X` for roll, `PositiveX` for aim, empty for rotation.
    """

    kind: Literal["roll", "aim", "rotation"]
    joint: int
    source: int
    axis: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Meta:
    """Author, licence and terms of use of an avatar, as stated in its file.

    Attributes:
        thumbnail: index into `Character.textures`.
        terms: all other statements by their name in VRM 1.0, such as `commercialUsage`. Those of a VRM 0 file keep
            their names with the prefix `vrm0.`.
    """

    title: str
    authors: tuple[str, ...] = ()
    version: str = ""
    licence: str = ""
    contact: str = ""
    references: tuple[str, ...] = ()
    thumbnail: int | None = None
    terms: Mapping[str, str | bool] = field(default_factory=dict)


def strengths(expressions: tuple[Expression, ...], requested: Mapping[str, Reals]) -> dict[str, Reals]:
    """The strengths of expressions `[...]` after binary ones are rounded and overrides are applied.

    Args:
        expressions: the expressions of the avatar.
        requested: strengths by name of expression. Unknown names are ignored.
    """
    known = {one.name: one for one in expressions if one.name in requested}
    shown = {
        name: (np.asarray(requested[name]) > 0.5) * 1.0 if known[name].binary else np.clip(requested[name], 0.0, 1.0)
        for name in requested
        if name in known
    }
    result = dict(shown)
    for name, strength in shown.items():
        one = known[name]
        for effect, names in ((one.override_blink, BLINKS), (one.override_gaze, GAZES), (one.override_mouth, MOUTHS)):
            if effect != "none":
                left = np.where(strength > 0, 0.0, 1.0) if effect == "block" else 1.0 - strength
                result.update({other: result[other] * left for other in names if other in result and other != name})
    return result
