"""A view in the browser: whatever a world holds, as viser's nodes that come, change and go with the pictures."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.rendering.camera import Camera
from kinema.rendering.view import View
from kinema.session.target import CameraTarget
from kinema.viewer.bodies import Bodies
from kinema.viewer.draw import DrawNodes
from kinema.viewer.surroundings import WORLD, Surroundings

if TYPE_CHECKING:
    import viser

CAMERA = Camera.look_at((0.0, 1.0, -4.0), (0.0, 1.0, 0.0))
"""What to make views with: each browser has a camera of its own."""

_NOWHERE = np.zeros(3, np.float32)


class ViewScreen:
    """Shows one `View` after the other to all browsers of a server.

    Args:
        behind: begin with the camera behind the target instead of in front of it.
    """

    def __init__(self, server: viser.ViserServer, behind: bool = False) -> None:
        self.server, self._behind = server, behind
        self._around: Surroundings | None = None
        self._bodies = Bodies(server, f"{WORLD}/body")
        self._marks: DrawNodes | None = None

    def show(
        self,
        view: View,
        target: CameraTarget,
        follow: float = 1.0,
        anchor: NDArray[np.floating] = _NOWHERE,
        now: float | None = None,
    ) -> None:
        """Show a view instead of the last one.

        Args:
            target: what the first camera looks at, and what is followed.
            follow: share of the way to the target in this picture; 0 stays.
            anchor: a point `[3]` that the marks move with: browsers replace points later than they move nodes.
            now: seconds of a clock that only goes forward; None takes that of the machine.
        """
        with self.server.atomic():
            around = self._surroundings(view, target)
            around.light(view)
            around.follow(target.place, follow if around is self._around else 1.0)
            self._around = around
            self._bodies.show(view.actors, time.perf_counter() if now is None else now)
            if self._marks is None:
                self._marks = DrawNodes(self.server, "marks")
            if view.draw is not None:
                self._marks.show(view.draw, anchor)
            else:
                self._marks.clear()

    @property
    def unfinished(self) -> bool:
        """Whether the same view has to be shown again until browsers have all of it."""
        return self._bodies.unfinished

    def _surroundings(self, view: View, target: CameraTarget) -> Surroundings:
        """Those for the size of the target; they stay while it changes little."""
        around = self._around
        if around is None or not 0.8 < target.size / around.size < 1.25:
            cell = view.floor.cell if view.floor is not None and view.floor.cell > 0 else 0.5
            around = Surroundings(self.server, target.size, cell, self._behind)
        return around
