"""The base of sessions: a world that a screen shows and steers."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from kinema.engine.world import World
from kinema.errors import KinemaError
from kinema.rendering.draw import Draw
from kinema.rendering.present import present
from kinema.rendering.view import View
from kinema.session.log import Log
from kinema.session.settings import SessionSetting, switches
from kinema.session.steering import InputState
from kinema.session.target import CameraTarget

if TYPE_CHECKING:
    from kinema.rendering.camera import Camera


SessionName = Literal["world", "play", "view", "train", "samples"]


class Session:
    """Shows a world; the base of all sessions.

    A screen steps `world`, calls `key` and `steer` with the input and `update` before each frame, and draws what `view`
    returns.

    Attributes:
        name: kind of session; screens choose their widgets by it.
        keys: keys and their meanings, for the help. hint: the most important ones in one line.
        follow: fraction of the distance to the target that a following camera covers per frame.
        world: the world shown. log: messages for the user.
        show: marks by name, and whether they are on.
        time: seconds on the clock of the session; recordings follow it.
        failure: the error that leaves nothing to show; it ends the screen.
        watched: whether a screen is watched; set by the screen.
    """

    name: ClassVar[SessionName] = "world"
    keys: ClassVar[tuple[tuple[str, str], ...]] = ()
    hint: ClassVar[str] = "drag turns the camera   F1: all keys"
    follow: ClassVar[float] = 1.0

    def __init__(self, world: World | None = None, log: Log | None = None) -> None:
        self.world, self.log = world or World(), log or Log()
        self.show: dict[str, bool] = {}
        self.time = 0.0
        self.failure: KinemaError | None = None
        self.watched = True
        self._shown: View | None = None

    # ---- state for screens -------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """A short title."""
        return ""

    @property
    def waiting(self) -> str:
        """What is being loaded; empty if nothing is."""
        return ""

    @property
    def still(self) -> bool:
        """Whether the next frame would equal the last one."""
        return False

    @property
    def steers(self) -> bool:
        """Whether W A S D steer a character, and not cameras."""
        return False

    @property
    def target(self) -> CameraTarget:
        """What cameras look at."""
        return CameraTarget.of_world(self.world)

    @property
    def anchor(self) -> NDArray[np.floating]:
        """A point `[3]` that the marks move with, for screens that move marks faster than they replace them."""
        return np.zeros(3, np.float32)

    def figures(self) -> list[tuple[str, str]]:
        """Names and texts of figures."""
        return [("time", f"{self.world.time:.1f} s"), ("entities", str(len(self.world.entities)))]

    def settings(self) -> Sequence[SessionSetting]:
        """The settings that are available now."""
        return switches("Show", self.show, self.set_mark)

    def view(self, camera: Camera) -> View:
        """The world between two steps, with marks."""
        view = self._shown = present(self.world, camera, previous=self._shown)
        draw = Draw()
        self.mark(view, draw)
        if view.draw is not None:
            draw.extend(view.draw)
        floor = None if view.floor is None else replace(view.floor, cell=cell(self.target.size))
        instances = view.instances if self.show.get("Body", True) else ()
        return replace(view, instances=instances, draw=draw, floor=floor)

    def mark(self, view: View, draw: Draw) -> None:
        """Draw the marks that are on in `show`."""

    # ---- called by screens -------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        """Advance by real time, before a frame."""
        self.time = self.world.time - (1.0 - self.world.alpha) * self.world.step_seconds

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        """Handle a pressed key; returns whether it has a meaning.

        Args:
            code: as `KeyboardEvent.code` in browsers. held: all keys held. repeat: whether it is held already.
        """
        number = code.removeprefix("Digit")
        if repeat or number == code or not 0 < int(number) <= len(self.show):
            return False
        name = list(self.show)[int(number) - 1]
        self.set_mark(name, not self.show[name])
        return True

    def steer(self, state: InputState, heading: float) -> None:
        """Set the input, before the world is stepped.

        Args:
            heading: where the camera looks, radians from +Z toward +X.
        """

    def add_files(self, paths: Sequence[str]) -> None:
        """Add files to show, for instance files dropped on the window."""

    def set_mark(self, name: str, value: bool) -> None:
        """Show or hide one of `show`."""
        self.show[name] = value

    def wait(self) -> None:
        """Wait until everything is loaded, for scripts without a screen.

        Raises:
            KinemaError: nothing could be loaded.
        """
        self.update(0.0)
        while self.waiting and self.failure is None:
            time.sleep(0.005)
            self.update(0.0)
        if self.failure is not None:
            raise self.failure

    def close(self) -> None:
        """Stop background work and release resources."""


def drawn_positions(view: View, entity: int) -> NDArray[np.float32] | None:
    """Global joint positions `[J, 3]` of an entity in a view; None if it is not shown."""
    for instances in view.instances:
        rows = np.flatnonzero(instances.entities == entity) if instances.entities is not None else []
        if len(rows):
            return instances.pose.global_positions[rows[0]]
    return None


def cell(size: float) -> float:
    """Distance between ground lines in metres for a subject of a given size; 0.5 for a person."""
    return 0.5 * 2.0 ** round(math.log2(max(size, 1e-3) / 1.7))
