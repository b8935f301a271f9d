"""One part of a character in the browser: bones and morph targets.

viser rebuilds a mesh when its vertices change, and shows it undeformed until its bones are set again. So a part with
morph targets has a second, hidden node, which gets the new vertices and the pose; then the two are swapped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema.pose import Pose
from kinema.viewer.colors import tinted
from kinema.viewer.skins import SkinPart

if TYPE_CHECKING:
    import viser

MORPH_SECONDS = 0.12
"""Least time between two updates of the vertices."""

READY_SECONDS = 0.08
"""Time for browsers to rebuild the mesh."""

NUDGE = np.float32(5e-5)
"""An invisible offset in metres, and relative to the distance from the origin."""

SETTLE_SECONDS = 1.0
"""Time for which poses are sent again, for slower browsers."""

LEAST = 0.01
"""Smallest change of a weight that is sent."""


class PartView:
    """A part in the scene.

    Args:
        part: the mesh.
        make: adds a node for it, with a suffix to its name.

    Attributes:
        handle: the visible node.
    """

    def __init__(self, part: SkinPart, make: Callable[[str], viser.MeshSkinnedHandle]) -> None:
        self._part, self._make = part, make
        self.handle, self._next = make(""), None
        self.moving = [(bone, joint) for bone, joint in enumerate(part.joints.tolist()) if joint >= 0]
        self._weights: NDArray[np.float32] | None = None
        self._sent = self._now = -np.inf
        self._nudge = np.float32(0)
        self._tint = np.ones(4, np.float32)
        self.waiting = self._late = False
        if part.face is not None:
            self._weights = part.face.mesh.rest_weights

    @property
    def unfinished(self) -> bool:
        """Whether the morph targets need further updates to be shown."""
        return self.waiting or self._late or self._now - self._sent < SETTLE_SECONDS

    def tint(self, tint: NDArray[np.float32]) -> None:
        """Multiply the colour and the opacity with a linear tint `[4]`."""
        if np.array_equal(tint, self._tint):
            return
        self._tint = tint.copy()
        for handle in (self.handle, self._next):
            if handle is not None:
                self._color(handle)

    def _color(self, handle: viser.MeshSkinnedHandle) -> None:
        red, green, blue = tinted(self._part.color, self._tint).tolist()
        opacity = float(self._tint[3]) * (1.0 if self._part.opacity is None else self._part.opacity)
        handle.color, handle.opacity = (red, green, blue), None if opacity >= 1.0 else opacity

    def update(self, pose: Pose, now: float) -> None:
        """Show a pose with its morph weights.

        Args:
            now: seconds of a monotonic clock.
        """
        self._now = now
        self._morph(pose.morph_weights, now)
        rotations, positions = pose.global_rotations, pose.global_positions
        for handle in (self.handle, self._next) if self.waiting and self._next is not None else (self.handle,):
            for bone, joint in self.moving:
                handle.bones[bone].wxyz = rotations[joint]
                handle.bones[bone].position = positions[joint]
            if now - self._sent < SETTLE_SECONDS and self.moving:
                # viser does not send unchanged values; a rebuilt mesh is posed when one bone is sent.
                bone, joint = self.moving[0]
                self._nudge = NUDGE - self._nudge
                handle.bones[bone].position = positions[joint] + self._nudge * (1 + np.abs(positions[joint]))

    def _morph(self, every: NDArray[np.float32] | None, now: float) -> None:
        morphed = self._part.face
        if morphed is None or self._weights is None:
            return
        if self.waiting:
            if now - self._sent >= READY_SECONDS and self._next is not None:
                self._next.visible, self.handle.visible = self.handle.visible, False
                self.handle, self._next, self.waiting = self._next, self.handle, False
            return
        weights = morphed.weights(every)
        changed = bool(np.abs(weights - self._weights).max(initial=0.0) >= LEAST)
        self._late = changed and now - self._sent < MORPH_SECONDS
        if not changed or self._late:
            return
        if self._next is None:
            self._next = self._make("-morphed")
            self._color(self._next)
            self._next.visible = False
        self._next.vertices = morphed.vertices(weights)
        self._weights, self._sent, self.waiting = weights.copy(), now, True
