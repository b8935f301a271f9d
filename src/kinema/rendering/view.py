"""What a picture shows: the one description for renderer, window, recorder and training data.

A `View` is made for every picture and holds arrays only. The renderer caches what is expensive (vertex buffers,
textures) by character.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from kinema.arrays import Indices, Reals, Singles
from kinema.character import Character
from kinema.pose import Pose
from kinema.rendering.camera import Camera
from kinema.terrain import Ground, PlacedSurface, relief

if TYPE_CHECKING:
    from kinema.rendering.draw import Draw
    from kinema.worlds.gaussians import GaussianScene

Color = tuple[float, float, float]
"""Linear red, green and blue."""


@dataclass(frozen=True, eq=False)
class Instances:
    """`n` instances of one character, each in its own pose.

    Attributes:
        character: whose meshes, materials and textures are drawn; one without meshes is an error of the caller.
        pose: pose of the joints, `[n]`; a single pose is one instance. Its morph weights move the morph targets.
        entities: int32 `[n]`, at least 1: values for them in the entity mask. None numbers them from 1.
        tints: float32 `[n, 4]`, linear, multiplied with the base colour; an alpha below 1 fades. None: white.
        previous: the poses in the previous picture, for motion vectors; None: unmoved.
    """

    character: Character
    pose: Pose
    entities: Indices | None = None
    tints: Singles | None = None
    previous: Pose | None = None

    def __post_init__(self) -> None:
        for name in ("pose", "previous"):
            pose = getattr(self, name)
            if pose is not None and not pose.shape:
                object.__setattr__(self, name, pose[None])


@dataclass(frozen=True)
class Sun:
    """A light from far away that casts shadows.

    Attributes:
        toward: direction `(x, y, z)` toward the sun, of any length.
        color: linear.
        intensity: intensity of light at normal incidence; 1 is the reference exposure.
        softness: half the angular width of the sun, radians; wider suns have softer shadows.
    """

    toward: tuple[float, float, float] = (0.62, 0.90, 0.42)
    color: Color = (1.0, 0.93, 0.83)
    intensity: float = 3.4
    softness: float = 0.03
    shadows: bool = True

    @staticmethod
    def behind(camera: Camera) -> Sun:
        """A high sun behind the left shoulder of the camera: it lights the subject and shows its shadow."""
        back = -camera.ahead if abs(camera.ahead[1]) < 0.99 else camera.up
        azimuth = float(np.arctan2(back[0], back[2])) - 0.85
        return Sun(toward=(0.62 * np.sin(azimuth), 0.85, 0.62 * np.cos(azimuth)))


@dataclass(frozen=True)
class PointLight:
    """A light at a place, metres, world; it reaches `reach` metres."""

    position: tuple[float, float, float]
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 4.0
    reach: float = 8.0


@dataclass(frozen=True)
class Sky:
    """Light from all directions, and the background; colours are linear.

    Attributes:
        zenith, horizon, ground: light from above, from the side and from below.
        intensity: intensity of that light.
        backdrop: None shows the sky itself; a colour with alpha replaces it (alpha 0: a transparent picture).
    """

    zenith: Color = (0.46, 0.54, 0.68)
    horizon: Color = (0.74, 0.77, 0.81)
    ground: Color = (0.40, 0.37, 0.34)
    intensity: float = 0.72
    backdrop: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class Floor:
    """A floor that receives shadows and fades into the sky: an infinite plane, and the surfaces of a terrain.

    Attributes:
        y: height of the plane, metres. color, line: linear colours of the floor and its grid.
        cell: metres between two grid lines, every fourth of which is stronger; 0 draws no grid.
        fade: metres from the subject over which the floor fades into the horizon.
        centre: `(x, y, z)`: the place that is the subject, metres; None is where the bodies are.
        catcher: the floor is invisible except for its grid and the shadows on it (for transparent pictures).
        plane: whether the plane is drawn, and not the surfaces alone.
        surfaces: see `kinema.terrain.relief`. They receive shadows and cast none.
    """

    y: float = 0.0
    color: Color = (0.55, 0.55, 0.55)
    line: Color = (0.36, 0.36, 0.37)
    cell: float = 0.5
    fade: float = 18.0
    catcher: bool = False
    plane: bool = True
    surfaces: tuple[PlacedSurface, ...] = ()
    centre: tuple[float, float, float] | None = None

    def over(self, ground: Ground, centre: Reals) -> Floor:
        """This floor in the shape of a ground, as far as it can be seen around a point `[3]`."""
        shape = relief(ground, centre, self.fade)
        level = self.y if shape.level is None else shape.level
        return replace(self, y=level, plane=shape.level is not None, surfaces=shape.surfaces)


@dataclass(frozen=True, eq=False)
class View:
    """All that one picture shows. Static meshes are `Instances` of a character with one joint.

    A captured scene (`splats`) is around the bodies, before them and behind them; they cast their shadows on it. It
    keeps the light that it was captured in.
    """

    camera: Camera
    instances: tuple[Instances, ...] = ()
    sun: Sun = field(default_factory=Sun)
    points: tuple[PointLight, ...] = ()
    sky: Sky = field(default_factory=Sky)
    floor: Floor | None = field(default_factory=Floor)
    draw: Draw | None = None
    previous_camera: Camera | None = None
    splats: GaussianScene | None = None
