"""The components that come with the world. Any other dataclass can be a component as well.

Components that never change are frozen. To change one, replace it with `kinema.engine.world.World.add`.
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
    """Where an entity is. `World.get` returns one that writes through to the world's columns.

    Attributes:
        position: `[3]`, metres, relative to the parent.
        rotation: `[4]`, unit quaternion (wxyz), relative to the parent.
        scale: one number, relative to the parent. It scales the positions of children, not the size of figures.
        parent: the parent entity, None for the world.
    """

    position: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (1.0, 0.0, 0.0, 0.0)
    scale: float = 1.0
    parent: int | None = None


@dataclass
class Name:
    """The name of an entity. It need not be unique."""

    value: str


@dataclass(frozen=True)
class Figure:
    """What is drawn at an entity: a posable body, or an object with a single joint. Needs a `Transform`."""

    character: Character


@dataclass
class Playing:
    """A clip that a `Figure` plays, relative to its `Transform`.

    Attributes:
        motion: a motion with the joints of the figure.
        time: seconds from the first frame.
        speed: seconds of the clip per second of the world. May be negative.
        loop: start again at the end; otherwise hold the last pose.
    """

    motion: Motion
    time: float = 0.0
    speed: float = 1.0
    loop: bool = True


@dataclass(frozen=True)
class Controlled:
    """Marks an entity that is moved by the controller of a group. The members of a group are stepped as one batch.

    The character starts at its Transform, and its Transform follows it. Write the Transform to move the character.
    """

    group: str


@dataclass
class Eye:
    """A camera at the entity's Transform that looks along its +Z.

    Attributes:
        fov: vertical field of view, radians. near, far: distances of the clipping planes, metres.
        height: height in metres of an orthographic picture; None for perspective.
    """

    fov: float = 0.6
    near: float = 0.05
    far: float = 200.0
    height: float | None = None


@dataclass
class SunLight:
    """A directional light. The enabled entity with the lowest number provides it.

    Attributes:
        toward: `[3]`, direction from the world to the sun, in the entity's own axes if it has a Transform.
        color: linear RGB. intensity: 1 is the reference exposure. softness: half the angular width, radians.
    """

    toward: tuple[float, float, float] = (0.45, 0.85, 0.55)
    color: tuple[float, float, float] = (1.0, 0.95, 0.88)
    intensity: float = 2.6
    softness: float = 0.02
    shadows: bool = True


@dataclass
class Lamp:
    """A light at the entity's Transform. It lights nothing beyond `reach` metres. The colour is linear."""

    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    intensity: float = 4.0
    reach: float = 8.0


@dataclass(frozen=True)
class Tint:
    """Linear RGBA that multiplies the colours of a figure. An alpha below 1 makes it transparent."""

    color: tuple[float, float, float, float]


@dataclass
class Recorder:
    """Records what the `Eye` of the entity sees to a file, at `fps` frames per second."""

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
"""Components that every scene may contain."""


def vector(values: object, size: int, what: str) -> NDArray[np.float32]:
    """Convert a value to finite float32 `[size]`.

    Raises:
        WorldError: it is not `size` finite numbers.
    """
    try:
        with np.errstate(over="ignore"):  # values that are too large become infinite and are rejected below
            array = np.asarray(values, np.float32)
    except (TypeError, ValueError):
        array = np.zeros(0, np.float32)
    if array.shape != (size,) or not np.isfinite(array).all():
        raise WorldError(f"{what} must be {size} finite numbers, not {values!r}")
    return array
