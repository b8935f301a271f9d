"""A world that is shown and steered: what both screens know of it."""

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
from kinema.rendering.view import Floor, View
from kinema.session.log import Log
from kinema.session.settings import SessionSetting, switches
from kinema.session.steering import InputState
from kinema.session.target import CameraTarget

if TYPE_CHECKING:
    from kinema.rendering.camera import Camera


SessionName = Literal["world", "play", "view", "train"]


class Session:
    """Shows a world as it is; the base of all sessions.

    A screen runs `world`, calls `key` and `steer` with what a person presses, `update` before each picture, and shows
    the `View` of `view`.

    Attributes:
        name: which session it is; screens choose their widgets by it.
        keys: what the help says about keys, in order. hint: the most important of them, in one line.
        follow: share of the way to the target that a following camera goes in each picture.
        world: what is shown. log: messages for the person.
        show: what can be marked in the picture, and whether it is.
        time: seconds on the clock of what is shown; recordings follow it.
        failure: why there is nothing to show and never will be; it ends the screen.
        watched: whether anybody looks at it, as far as its screen knows.
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

    # ---- what screens read -----------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What is shown, in a few words."""
        return ""

    @property
    def waiting(self) -> str:
        """What is being loaded; empty when nothing is."""
        return ""

    @property
    def still(self) -> bool:
        """Whether the next picture would be the same as the last one."""
        return False

    @property
    def steers(self) -> bool:
        """Whether W A S D are taken, so that cameras cannot have them."""
        return False

    @property
    def target(self) -> CameraTarget:
        """What cameras look at."""
        return CameraTarget.of_world(self.world)

    @property
    def anchor(self) -> NDArray[np.floating]:
        """A point `[3]` that the marks move with, for screens that place them anew more slowly than they move them."""
        return np.zeros(3, np.float32)

    def figures(self) -> list[tuple[str, str]]:
        """Names and texts of what is measured."""
        return [("time", f"{self.world.time:.1f} s"), ("entities", str(len(self.world.entities)))]

    def settings(self) -> Sequence[SessionSetting]:
        """What a person may change now."""
        return switches("Show", self.show, self.set_mark)

    def view(self, camera: Camera) -> View:
        """What is to be seen: the world between two steps, with marks."""
        view = self._shown = present(self.world, camera, previous=self._shown)
        draw = Draw()
        self.mark(view, draw)
        if view.draw is not None:
            draw.extend(view.draw)
        actors = view.actors if self.show.get("Body", True) else ()
        return replace(view, actors=actors, draw=draw, floor=Floor(cell=cell(self.target.size)))

    def mark(self, view: View, draw: Draw) -> None:
        """Draw what is switched on in `show` over what `view` shows."""

    # ---- what screens call -----------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        """Move on by real time, before a picture."""
        self.time = self.world.time - (1.0 - self.world.alpha) * self.world.step_seconds

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        """Obey a key that went down; returns whether it meant something.

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
        """Take what is held now, before the world is stepped.

        Args:
            heading: where the camera looks, radians from +Z toward +X.
        """

    def add_files(self, paths: Sequence[str]) -> None:
        """Files were given to look at, for instance dropped on the window."""

    def set_mark(self, name: str, value: bool) -> None:
        """Show or hide one of `show`."""
        self.show[name] = value

    def wait(self) -> None:
        """Wait until everything is read, for scripts that do not run a screen.

        Raises:
            KinemaError: there is nothing to show.
        """
        self.update(0.0)
        while self.waiting and self.failure is None:
            time.sleep(0.005)
            self.update(0.0)
        if self.failure is not None:
            raise self.failure

    def close(self) -> None:
        """End what goes on in the background and give back what was taken."""


def drawn_positions(view: View, entity: int) -> NDArray[np.float32] | None:
    """Global joint positions `[J, 3]` of an entity as a view shows it; None where it does not."""
    for actors in view.actors:
        rows = np.flatnonzero(actors.entities == entity) if actors.entities is not None else []
        if len(rows):
            return actors.pose.global_positions[rows[0]]
    return None


def cell(size: float) -> float:
    """Metres between the lines of the ground for a subject of some size: half a metre for a person."""
    return 0.5 * 2.0 ** round(math.log2(max(size, 1e-3) / 1.7))
