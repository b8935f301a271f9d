"""The mirror image beside or over the character, to judge whether a clip may be mirrored."""

from __future__ import annotations

from typing import Literal

import numpy as np
import viser

from kinema.character import Character
from kinema.motion import Motion
from kinema.viewer.scene import CharacterView

Mode = Literal["off", "over", "beside"]
MODES: tuple[Mode, ...] = ("off", "over", "beside")
TINT = (150, 92, 214)
_APART = 0.75
"""Distance of an image that stands beside, in sizes of the character."""


class Ghost:
    """A second, tinted character. It is made when it is first shown."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._server = server
        self._view: CharacterView | None = None
        self._motion: Motion | None = None
        self._shown = (0, "off")
        self._offset = np.zeros(3, np.float32)

    def show(self, motion: Motion, character: Character, mode: Mode, size: float) -> None:
        """Show a motion from now on; `size` in metres says how far beside."""
        if self._view is None or self._shown != (id(character), mode):
            self.hide()
            opacity = 0.45 if mode == "over" else None
            self._view = CharacterView(self._server, f"ghost-{mode}", character, TINT, opacity)
            self._shown = (id(character), mode)
        self._motion = motion
        self._offset = np.array([_APART * size if mode == "beside" else 0.0, 0.0, 0.0], np.float32)

    def hide(self) -> None:
        """Take it away."""
        if self._view is not None:
            self._view.retire()
        self._view = self._motion = None

    def update(self, time: float) -> None:
        """Move to `time` in seconds; call it inside `server.atomic()`."""
        if self._view is not None and self._motion is not None:
            pose = self._motion.sample([time])[0]
            self._view.update(pose.global_rotations, pose.global_positions + self._offset)
