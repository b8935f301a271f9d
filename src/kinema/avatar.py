"""What an avatar brings besides its meshes: expressions, springs with their colliders, gaze, and who made it.

The words are those of VRM 1.0, the only format that has all of it. Lengths are metres, angles radians, offsets are in
the frame of the joint they belong to, directions in the world of the rest pose, with our axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]
Override = Literal["none", "block", "blend"]

EMOTIONS = ("happy", "angry", "sad", "relaxed", "surprised", "neutral")
MOUTHS = ("aa", "ih", "ou", "ee", "oh")
BLINKS = ("blink", "blinkLeft", "blinkRight")
GAZES = ("lookUp", "lookDown", "lookLeft", "lookRight")
PRESETS = (*EMOTIONS, *MOUTHS, *BLINKS, *GAZES)
"""Names of expressions whose meaning is agreed; every other one is a custom expression."""


@dataclass(frozen=True)
class MorphBind:
    """An expression moves a morph target of a mesh, both indices of the character, by a weight at full strength."""

    mesh: int
    morph: int
    weight: float


@dataclass(frozen=True)
class ColorBind:
    """An expression changes a colour of a material to `color` at full strength; `kind` as VRM 1.0 names it."""

    material: int
    kind: str
    color: tuple[float, float, float, float]


@dataclass(frozen=True)
class TextureBind:
    """An expression moves the texture coordinates of a material."""

    material: int
    scale: tuple[float, float]
    offset: tuple[float, float]


@dataclass(frozen=True)
class Expression:
    """A face that can be asked for by name; a motion does so by the label `expression.<name>` `[F]`, 0 to 1.

    Attributes:
        name: one of `PRESETS`, or the avatar's own.
        binary: half strength and less is none, more is all.
        override_blink, override_gaze, override_mouth: what this one does to expressions of that kind: "block" hides
            them while it shows, "blend" fades them as it grows.
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
    """A ball on a joint, or with a `tail` a capsule, that springs do not enter (`inside`: do not leave)."""

    joint: int
    offset: Vector
    radius: float
    tail: Vector | None = None
    inside: bool = False


@dataclass(frozen=True)
class ColliderGroup:
    """Colliders that springs name together, indices into `Character.colliders`."""

    name: str
    colliders: tuple[int, ...]


@dataclass(frozen=True)
class SpringJoint:
    """One joint of a spring.

    Attributes:
        radius: of the ball at its end that colliders push, metres.
        stiffness: how strongly it returns to its rest rotation, 0 and more.
        gravity: strength of the pull. gravity_direction: unit, world of the rest pose.
        drag: share of the speed that is lost, 0 to 1.
    """

    joint: int
    radius: float = 0.0
    stiffness: float = 1.0
    gravity: float = 0.0
    gravity_direction: Vector = (0.0, -1.0, 0.0)
    drag: float = 0.5


@dataclass(frozen=True)
class Spring:
    """A chain of joints that swings, from its root to its end.

    Attributes:
        groups: indices into `Character.collider_groups` of what it does not enter.
        center: the joint in whose space it swings; None: the world.
        tail: metres beyond the last joint, away from its parent, where the chain ends; 0: the last joint only marks
            the end and does not swing.
    """

    name: str
    joints: tuple[SpringJoint, ...]
    groups: tuple[int, ...] = ()
    center: int | None = None
    tail: float = 0.0


@dataclass(frozen=True)
class Gaze:
    """How eyes follow a target.

    Attributes:
        kind: "bone" turns the eyes' joints, "expression" uses `GAZES`.
        offset: between the eyes, in the frame of the head's joint.
        inner, outer, down, up: the angle in radians from which on they turn no further, and how far they have turned
            then: radians for bones, a weight for expressions.
    """

    kind: Literal["bone", "expression"] = "bone"
    offset: Vector = (0.0, 0.0, 0.0)
    inner: tuple[float, float] = (np.pi / 2, np.pi / 18)
    outer: tuple[float, float] = (np.pi / 2, np.pi / 18)
    down: tuple[float, float] = (np.pi / 2, np.pi / 18)
    up: tuple[float, float] = (np.pi / 2, np.pi / 18)


@dataclass(frozen=True)
class Constraint:
    """A joint that follows another: "roll" about an axis, "aim" an axis at it, or copy its "rotation".

    Attributes:
        axis: of the joint's frame: `X` for roll, `PositiveX` for aim, empty for rotation.
    """

    kind: Literal["roll", "aim", "rotation"]
    joint: int
    source: int
    axis: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Meta:
    """Who made an avatar and what may be done with it, in the words of its file.

    Attributes:
        thumbnail: index into `Character.textures`.
        terms: every other statement by its name in VRM 1.0, such as `commercialUsage`; those of a VRM 0 file keep
            their own names behind `vrm0.`.
    """

    title: str
    authors: tuple[str, ...] = ()
    version: str = ""
    licence: str = ""
    contact: str = ""
    references: tuple[str, ...] = ()
    thumbnail: int | None = None
    terms: Mapping[str, str | bool] = field(default_factory=dict)


def strengths(
    expressions: tuple[Expression, ...], asked: Mapping[str, NDArray[np.floating]]
) -> dict[str, NDArray[np.floating]]:
    """What each asked-for expression `[...]` comes to, after binary ones are rounded and overrides are obeyed.

    Args:
        asked: weights by name of expression; names the avatar does not have are left out.
    """
    known = {one.name: one for one in expressions}
    shown = {
        name: (np.asarray(weight) > 0.5) * 1.0 if known[name].binary else np.clip(weight, 0.0, 1.0)
        for name, weight in asked.items()
        if name in known
    }
    result = dict(shown)
    for kind, names in (("override_blink", BLINKS), ("override_gaze", GAZES), ("override_mouth", MOUTHS)):
        for name, weight in shown.items():
            how: Override = getattr(known[name], kind)
            if how == "none":
                continue
            left = np.where(weight > 0, 0.0, 1.0) if how == "block" else 1.0 - weight
            for other in names:
                if other in result and other != name:
                    result[other] = result[other] * left
    return result
