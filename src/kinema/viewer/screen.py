"""Shows a `View` in the browser as viser nodes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.camera import Camera
from kinema.rendering.draw import Draw
from kinema.rendering.view import View
from kinema.session.target import CameraTarget
from kinema.viewer.bodies import Bodies
from kinema.viewer.draw import DrawNodes
from kinema.viewer.splat_nodes import SplatNodes
from kinema.viewer.surroundings import WORLD, Surroundings
from kinema.viewer.terrain_nodes import TerrainNodes

if TYPE_CHECKING:
    import viser

CAMERA = Camera.look_at((0.0, 1.0, -4.0), (0.0, 1.0, 0.0))
"""A camera to make views with; each browser has its own."""

_NOWHERE = np.zeros(3, np.float32)


class ViewScreen:
    """Shows views in all browsers of a server.

    Args:
        behind: start with the camera behind the target instead of in front of it.
    """

    def __init__(self, server: viser.ViserServer, behind: bool = False) -> None:
        self.server, self._behind = server, behind
        self._around: Surroundings | None = None
        self._bodies = Bodies(server, f"{WORLD}/body")
        self._terrain = TerrainNodes(server, f"{WORLD}/terrain")
        self._splats = SplatNodes(server, f"{WORLD}/scene")
        self._marks: DrawNodes | None = None

    def show(
        self,
        view: View,
        target: CameraTarget,
        follow: float = 1.0,
        anchor: NDArray[np.floating] = _NOWHERE,
        now: float | None = None,
    ) -> None:
        """Show a view.

        Args:
            target: what the camera looks at and follows.
            follow: fraction of the distance to the target that the camera covers; 0 stays.
            anchor: a point `[3]` that the marks move with; see `DrawNodes.show`.
            now: seconds of a monotonic clock; by default the machine's.
        """
        with self.server.atomic():
            around = self._surroundings(view, target)
            around.light(view)
            around.follow(target.position, follow if around is self._around else 1.0)
            self._around = around
            self._terrain.show(view.floor)
            self._splats.show(view.splats)
            self._bodies.show(view.instances, time.perf_counter() if now is None else now)
            if self._marks is None:
                self._marks = DrawNodes(self.server, "marks")
            self._marks.show(Draw() if view.draw is None else view.draw, anchor)

    @property
    def unfinished(self) -> bool:
        """Whether the view needs further calls of `show` to be complete."""
        return self._bodies.unfinished

    def _surroundings(self, view: View, target: CameraTarget) -> Surroundings:
        """The surroundings for the size of the target; rebuilt if it changes much."""
        around = self._around
        if around is None or not 0.8 < target.size / around.size < 1.25:
            cell = view.floor.cell if view.floor is not None and view.floor.cell > 0 else 0.5
            around = Surroundings(self.server, target.size, cell, self._behind)
        return around
