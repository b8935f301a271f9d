"""What a panel is."""

from __future__ import annotations

from typing import ClassVar, Literal

from kinema.window.desk import Desk
from kinema.window.mode import Mode

Place = Literal["left", "right", "bottom", "over"]
"""A column beside the scene, the part below it, or a sheet over everything."""


class Panel:
    """A part of the GUI. One instance a window; what it remembers (a search text, an open tab) it keeps itself.

    Attributes:
        title: what its header says. place: where it is. modes: names of the modes that have it.
        open: whether it is unfolded (or, `over`, shown).
        height: of a panel at the bottom, points at scale 1.
    """

    title: ClassVar[str]
    place: ClassVar[Place] = "right"
    modes: ClassVar[frozenset[str]] = frozenset({"view", "play", "train"})
    height: ClassVar[float] = 0.0
    open: bool = True

    def wanted(self, mode: Mode) -> bool:
        """Whether there is anything to show now."""
        return mode.name in self.modes

    def draw(self, desk: Desk, mode: Mode) -> None:
        """Draw it with imgui; the shell has made room and closes what is left open when this raises."""
        raise NotImplementedError
