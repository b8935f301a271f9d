"""Ground, lights and the initial camera in the browser.

Everything is below the node `/world`. To follow a character, the world moves and the camera stays: this does not
interfere with orbiting, and costs one message per frame for all browsers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.view import PointLight, View
from kinema.viewer.colors import to_srgb

if TYPE_CHECKING:
    import viser

WORLD = "/world"
"""The parent of all nodes."""

_SUN, _SKY, _LAMP = 0.7, 1.25, 6.0
"""viser's intensity for intensity 1 of the renderer."""


class Surroundings:
    """Ground, lights and initial camera for a subject of a given size.

    Args:
        size: size of the subject, metres; camera and grid scale with it.
        cell: distance between grid lines, metres.
        behind: put the camera behind the character instead of in front of it.
    """

    def __init__(self, server: viser.ViserServer, size: float, cell: float = 0.5, behind: bool = False) -> None:
        self.server, self.size, self._cell = server, size, cell
        self._centre, self._level = np.zeros(3), 0.0
        self._lit: tuple[object, ...] = ()
        self._lamps: list[viser.PointLightHandle] = []
        scene = server.scene
        scene.set_up_direction("+y")
        scene.configure_default_lights(enabled=False)
        scene.configure_environment_map(None)
        self._world = scene.add_frame(WORLD, show_axes=False)
        self._ground = scene.add_grid(
            "/ground",
            plane="xz",
            infinite_grid=True,
            cell_size=cell,
            section_size=4 * cell,
            cell_color=(206, 212, 220),
            section_color=(170, 179, 191),
            cell_thickness=0.6,
            section_thickness=1.0,
            fade_distance=30 * cell,
            fade_strength=1.6,
            shadow_opacity=0.32,
            plane_color=(232, 235, 240),
            plane_opacity=1.0,
        )
        side, height, back = (0.0, 1.15, -2.5) if behind else (1.25, 0.85, 2.0)
        server.initial_camera.position = (side * size, height * size, back * size)
        server.initial_camera.look_at = (0.0, 0.52 * size, 0.0)
        server.initial_camera.fov = math.radians(45)
        server.initial_camera.near = 0.01 * size
        for client in server.get_clients().values():
            client.camera.position = server.initial_camera.position
            client.camera.look_at = server.initial_camera.look_at

    def follow(self, position: NDArray[np.floating], share: float = 1.0) -> None:
        """Move the centre of the view toward a point `[3]` by a fraction of the distance."""
        target = np.asarray(position, np.float64)
        self._centre += share * (target - self._centre)
        self._world.position = -self._centre
        section = 4 * self._cell
        # The grid repeats, so it moves by less than one section.
        x, y, z = self._centre
        self._ground.position = (-(x % section), self._level - y - 0.001 * self.size, -(z % section))

    def light(self, view: View) -> None:
        """Apply the sun, sky, lamps and floor of a view."""
        floor = view.floor
        self._level = 0.0 if floor is None else floor.y
        if (lit := (view.sun, view.sky, view.points, floor is not None and floor.plane)) == self._lit:
            return
        self._lit = lit
        scene, sun, sky = self.server.scene, view.sun, view.sky
        toward = np.asarray(sun.toward) / max(float(np.linalg.norm(sun.toward)), 1e-9)
        scene.add_light_directional(
            "/light/sun",
            color=_bytes(sun.color),
            intensity=_SUN * sun.intensity,
            cast_shadow=sun.shadows,
            position=tuple(3.6 * self.size * toward),
        )
        scene.add_light_hemisphere(
            "/light/sky", sky_color=_bytes(sky.zenith), ground_color=_bytes(sky.ground), intensity=_SKY * sky.intensity
        )
        self._ground.visible = floor is not None and floor.plane
        for lamp in self._lamps:
            lamp.remove()
        self._lamps = [self._lamp(index, light) for index, light in enumerate(view.points)]

    def _lamp(self, index: int, light: PointLight) -> viser.PointLightHandle:
        return self.server.scene.add_light_point(
            f"{WORLD}/lamp-{index}",
            color=_bytes(light.color),
            intensity=_LAMP * light.intensity,
            distance=light.reach,
            position=light.position,
        )


def _bytes(linear: tuple[float, float, float]) -> tuple[int, int, int]:
    """A linear colour as sRGB bytes; values above 1 are scaled down."""
    values = np.asarray(linear) / max(1.0, *linear)
    red, green, blue = np.rint(255 * to_srgb(np.clip(values, 0, 1))).astype(int).tolist()
    return red, green, blue
