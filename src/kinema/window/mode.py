"""What the window is for: looking at clips, or steering. The shell knows no more of it than this."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from kinema.engine import World
from kinema.errors import KinemaError
from kinema.rendering.view import View
from kinema.window.events import Drop, Key
from kinema.window.eye import Subject

if TYPE_CHECKING:
    from kinema.rendering.camera import Camera
    from kinema.window.gamepad import Pad
    from kinema.window.log import Log


class Mode:
    """Base of the modes.

    Attributes:
        name: `view` or `play`; panels ask for it.
        world: what lives. log: where messages go.
        show: what can be drawn, and whether it is.
        hint: the most important of it, for the line at the bottom.
        keys: what the help says about the keyboard and the mouse, in order.
    """

    name: ClassVar[str]
    keys: ClassVar[tuple[tuple[str, str], ...]] = ()
    hint: ClassVar[str] = "F1: all keys"

    failure: KinemaError | None = None
    """Why there is nothing to show and never will be; it ends the window."""

    def __init__(self, log: Log, world: World | None = None) -> None:
        self.log, self.world = log, world or World()
        self.show: dict[str, bool] = {}
        self.time = 0.0
        """Seconds on the clock of what is shown, which films go by."""

    @property
    def title(self) -> str:
        """What is shown, for the top of the window."""
        return ""

    @property
    def waiting(self) -> str:
        """What is being loaded; empty when nothing is."""
        return ""

    @property
    def still(self) -> bool:
        """Whether the next picture would be the same as this one."""
        return False

    def key(self, event: Key, held: set[str]) -> bool:
        """A key that the GUI did not take; whether it meant something."""
        return False

    def toggle_mark(self, name: str) -> None:
        """Show or hide something of `show`."""
        self.show[name] = not self.show[name]

    def dropped(self, event: Drop) -> None:
        """Files were dropped on the window."""

    def steer(self, held: frozenset[str], pad: Pad | None, heading: float) -> None:
        """What is held now, before the world is stepped.

        Args:
            held: codes of the keys held that are not for the GUI.
            heading: where the camera looks, radians from +Z toward +X.
        """

    def update(self, seconds: float) -> None:
        """Move on what is no part of the world, by real time, before a picture."""

    def view(self, camera: Camera) -> View:
        """What is to be seen from there."""
        return View(camera)

    @property
    def subject(self) -> Subject:
        """What cameras look at."""
        return Subject.nobody()

    @property
    def flies(self) -> bool:
        """Whether the keys W A S D are free for the camera that flies."""
        return True

    def close(self) -> None:
        """The window is gone: end what goes on in the background."""
