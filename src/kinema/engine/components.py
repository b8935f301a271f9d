"""The components that come with the world. Anything else that is a dataclass is a component as well.

Those that never change are frozen: give an entity another one with `kinema.engine.world.World.add`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.control.command import Command, Vector
from kinema.errors import WorldError
from kinema.motion import Motion


@dataclass(eq=False)
class Transform:
    """Where an entity is. `World.get` hands out one that writes through to the world's columns.

    Attributes:
        position: `[3]`, metres, relative to the parent.
        rotation: `[4]`, unit quaternion (wxyz), relative to the parent.
        scale: one number, relative to the parent. It moves what hangs on the entity; figures are not drawn larger.
        parent: the entity it hangs on, None for the world.
    """

    position: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (1.0, 0.0, 0.0, 0.0)
    scale: float = 1.0
    parent: int | None = None


@dataclass
class Name:
    """What people call an entity; need not be unique."""

    value: str


@dataclass(frozen=True)
class Figure:
    """What is drawn at an entity: a body that takes poses, or a thing with one joint. Needs a `Transform`."""

    character: Character


@dataclass
class Playing:
    """A clip that a `Figure` plays, relative to its `Transform`.

    Attributes:
        motion: on the figure's joints.
        time: seconds from the first frame.
        speed: seconds of clip in a second of the world; may be negative.
        loop: start again at the end; else the last pose is held.
    """

    motion: Motion
    time: float = 0.0
    speed: float = 1.0
    loop: bool = True


@dataclass(frozen=True)
class Controlled:
    """The entity is moved by the controller of a group; all of a group are stepped as one batch.

    It begins where its Transform is, and its Transform follows. Whoever writes the Transform moves the character there.
    """

    group: str


@dataclass
class Eye:
    """A lens at the entity's Transform, looking along its +Z.

    Attributes:
        fov: vertical angle of view, radians. near, far: metres.
        height: metres of the world that an orthographic picture is high; None is perspective.
    """

    fov: float = 0.6
    near: float = 0.05
    far: float = 200.0
    height: float | None = None


@dataclass
class SunLight:
    """Light from far away; the first in order of entities counts.

    Attributes:
        toward: `[3]` from the world toward the sun, in the entity's own axes if it has a Transform.
        color: linear RGB. intensity: 1 is the reference exposure. softness: half its width, radians.
    """

    toward: tuple[float, float, float] = (0.45, 0.85, 0.55)
    color: tuple[float, float, float] = (1.0, 0.95, 0.88)
    intensity: float = 2.6
    softness: float = 0.02
    shadows: bool = True


@dataclass
class Lamp:
    """A light at the entity's Transform; beyond `reach` metres it lights nothing. The colour is linear."""

    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    intensity: float = 4.0
    reach: float = 8.0


@dataclass(frozen=True)
class Tint:
    """Linear RGBA that a figure's colours are multiplied with; an alpha below 1 fades it."""

    color: tuple[float, float, float, float]


@dataclass
class Recorder:
    """What the `Eye` of the entity sees is to be recorded to a file at so many pictures a second."""

    path: str
    fps: float = 60.0


COMPONENTS: tuple[type, ...] = (
    Transform,
    Name,
    Figure,
    Playing,
    Command,
    Controlled,
    Eye,
    SunLight,
    Lamp,
    Tint,
    Recorder,
)
"""Components that every scene may hold."""


def vector(values: object, size: int, what: str) -> NDArray[np.float32]:
    """Finite float32 `[size]` out of what a caller gave.

    Raises:
        WorldError: it is something else.
    """
    try:
        with np.errstate(over="ignore"):  # too large becomes infinite, which is refused below
            array = np.asarray(values, np.float32)
    except (TypeError, ValueError):
        array = np.zeros(0, np.float32)
    if array.shape != (size,) or not np.isfinite(array).all():
        raise WorldError(f"{what} is {size} finite numbers, not {values!r}")
    return array
