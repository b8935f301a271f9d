"""The stage (ground, light, camera) and characters on it.

Everything stands under the node `/world`. To follow a character, the world moves and the camera stays: the person's
own orbiting is never overruled, and a frame costs one message more instead of one per browser.
"""

from __future__ import annotations

import math
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.character import Character
from kinema.motion import Motion
from kinema.rendering.faces import weights_at
from kinema.rendering.mannequin.build import build_mannequin
from kinema.skeleton import Skeleton
from kinema.viewer.parts import PartView
from kinema.viewer.skins import SkinPart, skin_parts

if TYPE_CHECKING:
    import viser

WORLD = "/world"
_CELL = 0.5


class Stage:
    """Ground, light and camera for a subject of some size.

    Args:
        size: height of what is looked at, metres; camera, grid and fading scale with it.
        behind: camera behind the character (to steer it) instead of in front of it (to look at it).
    """

    def __init__(self, server: viser.ViserServer, size: float = 1.7, behind: bool = False) -> None:
        self.server = server
        self.size = size
        # Powers of two of the cell, so that animals and giants get a grid of their own scale.
        self._cell = _CELL * 2.0 ** round(math.log2(max(size, 1e-3) / 1.7))
        self._centre = np.zeros(3)
        scene = server.scene
        scene.set_up_direction("+y")
        scene.configure_default_lights(enabled=False)
        scene.configure_environment_map(None)
        scene.add_light_hemisphere("/light/sky", sky_color=(226, 236, 255), ground_color=(150, 140, 128), intensity=0.9)
        scene.add_light_directional(
            "/light/sun",
            color=(255, 246, 232),
            intensity=2.4,
            cast_shadow=True,
            position=(1.6 * size, 3.2 * size, (-1.0 if behind else 1.4) * size),
        )
        self._world = scene.add_frame(WORLD, show_axes=False)
        self._ground = scene.add_grid(
            "/ground",
            plane="xz",
            infinite_grid=True,
            cell_size=self._cell,
            section_size=4 * self._cell,
            cell_color=(206, 212, 220),
            section_color=(170, 179, 191),
            cell_thickness=0.6,
            section_thickness=1.0,
            fade_distance=30 * self._cell,
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

    def follow(self, position: NDArray[np.floating], share: float = 1.0) -> None:
        """Bring a point on the ground `[3]` nearer to the middle of the view by `share` of its distance."""
        target = np.array([position[0], 0.0, position[2]], np.float64)
        self._centre += share * (target - self._centre)
        self._world.position = -self._centre
        section = 4 * self._cell
        # The grid repeats, so it only ever moves by less than one section.
        self._ground.position = (-(self._centre[0] % section), -0.001 * self.size, -(self._centre[2] % section))


class CharacterView:
    """A character drawn through viser's skinned meshes, under `/world`.

    A character without meshes, or a bare skeleton, gets a body (`kinema.rendering.mannequin.build`). `tint` is a
    colour (sRGB, 0 to 255) that all of it leans to, to tell two of a kind apart; `opacity` below 1 lets one look
    through. `motion` shapes the body where the rest pose of the skeleton is no pose.
    """

    def __init__(
        self,
        server: viser.ViserServer,
        name: str,
        character: Character | Skeleton,
        tint: tuple[int, int, int] | None = None,
        opacity: float | None = None,
        motion: Motion | None = None,
    ) -> None:
        if isinstance(character, Skeleton):
            character = build_mannequin(character, motion=motion)
        elif not character.meshes:
            character = build_mannequin(character.skeleton, motion=motion)
        self.character, self.skeleton = character, character.skeleton
        self._parts = [
            PartView(part, partial(self._node, server, f"{WORLD}/{name}/{index}", part, tint, opacity))
            for index, part in enumerate(skin_parts(character))
        ]

    @staticmethod
    def _node(
        server: viser.ViserServer,
        path: str,
        part: SkinPart,
        tint: tuple[int, int, int] | None,
        opacity: float | None,
        suffix: str,
    ) -> viser.MeshSkinnedHandle:
        return server.scene.add_mesh_skinned(
            path + suffix,
            part.vertices,
            part.faces,
            bone_wxyzs=part.bind_rotations,
            bone_positions=part.bind_positions,
            skin_weights=part.weights,
            color=part.color if tint is None else _toward(part.color, tint),
            opacity=part.opacity if opacity is None else opacity,
            side="double" if part.double_sided else "front",
        )

    def update(
        self,
        global_rotations: NDArray[np.float32],
        global_positions: NDArray[np.float32],
        face: NDArray[np.float32] | None = None,
        now: float | None = None,
    ) -> None:
        """Take the pose `[J, 4]`, `[J, 3]` in the world; call it inside `server.atomic()`.

        Args:
            face: weights `[M]` of the character's morph targets; None leaves the face as it is.
            now: seconds, by a clock that only goes forward; None takes that of the machine.
        """
        now = time.perf_counter() if now is None else now
        for part in self._parts:
            part.update(global_rotations, global_positions, face, now)

    def face_at(self, motion: Motion | None, seconds: float) -> NDArray[np.float32] | None:
        """Weights `[M]` that a motion's labels give the morph targets at a time; None for a body without any."""
        rest = self.character.rest_weights
        if not len(rest):
            return None
        found = None if motion is None else weights_at(self.character, motion, seconds)
        return rest if found is None else found

    @property
    def unfinished(self) -> bool:
        """Whether a face is on its way: it is seen after further updates."""
        return any(part.unfinished for part in self._parts)

    @property
    def visible(self) -> bool:
        return all(part.handle.visible for part in self._parts)

    @visible.setter
    def visible(self, value: bool) -> None:
        for part in self._parts:
            part.handle.visible = value

    def retire(self) -> None:
        """Take it off the stage; another character may take its name.

        Hidden, not removed: the page of viser 1.1 fails when a skinned mesh is taken out of its scene, but not when
        another of the same name takes its place.
        """
        self.visible = False
        self._parts.clear()


def _toward(color: tuple[int, int, int], tint: tuple[int, int, int]) -> tuple[int, int, int]:
    red, green, blue = (round(0.35 * own + 0.65 * other) for own, other in zip(color, tint, strict=True))
    return red, green, blue


def camera_heading(client: viser.ClientHandle | None, behind: bool = True) -> float:
    """Where a client's camera looks, as radians from +Z toward +X; that of the first view when it is not known yet."""
    if client is None:
        return 0.0 if behind else math.pi
    way = np.asarray(client.camera.look_at) - np.asarray(client.camera.position)
    if not np.isfinite(way).all() or math.hypot(way[0], way[2]) < 1e-6:
        return 0.0
    return math.atan2(way[0], way[2])
