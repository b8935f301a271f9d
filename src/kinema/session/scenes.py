"""Captured scenes to look at: one at a time, the camera flies around in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from kinema.engine.world import World
from kinema.errors import KinemaError
from kinema.rendering.splats.viewpoint import Core
from kinema.session.log import Log
from kinema.session.session import Session
from kinema.session.settings import Facts, SessionSetting, text_choice
from kinema.session.target import CameraTarget
from kinema.terrain import Plane
from kinema.worlds.gaussians import GaussianScene

GROUP = "Scene"
"""The group of the settings."""


class SceneSession(Session):
    """Shows scenes.

    Args:
        names: of the scenes, each once. read: gives the scene of a number; it is called when that is shown.

    Raises:
        KinemaError: the first scene cannot be read.
    """

    keys: ClassVar[tuple[tuple[str, str], ...]] = (("N", "next scene"),)

    def __init__(self, names: Sequence[str], read: Callable[[int], GaussianScene], log: Log | None = None) -> None:
        super().__init__(World(), log)
        self.names, self._read = tuple(names), read
        self._target = CameraTarget.nothing()
        self.shown = -1
        self.choose(0)

    @property
    def title(self) -> str:
        """The name of the scene."""
        return self.names[self.shown]

    @property
    def scene(self) -> GaussianScene:
        """The scene that is shown."""
        return self.world.resources[GaussianScene]

    @property
    def target(self) -> CameraTarget:
        """The scene without what is scattered around it."""
        return self._target

    def choose(self, number: int) -> None:
        """Show another scene.

        Raises:
            KinemaError: it cannot be read.
        """
        if number == self.shown:
            return
        found = self._read(number)
        self.world.resources.add(found)
        self.shown, self._target = number, _around(found)

    def figures(self) -> list[tuple[str, str]]:
        """Names and texts of figures."""
        wide, high, deep = self._target.points.max(axis=0) - self._target.points.min(axis=0)
        return [("splats", f"{len(self.scene):,}"), ("size", f"{wide:.3g} x {high:.3g} x {deep:.3g} m")]

    def settings(self) -> Sequence[SessionSetting]:
        """The scene, and what it is."""
        facts = Facts(GROUP, "facts", rows=self.figures)
        if len(self.names) == 1:
            return (facts,)

        def chosen(name: str) -> None:
            self._try(self.names.index(name))

        return text_choice(GROUP, "scene", "which file is shown", lambda: self.title, chosen, self.names), facts

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        """See `Session.key`."""
        if code == "KeyN" and not repeat:
            self._try((self.shown + 1) % len(self.names))
            return True
        return super().key(code, held, repeat)

    def _try(self, number: int) -> None:
        """Show another scene; one that cannot be read is named in the log."""
        try:
            self.choose(number)
        except KinemaError as error:
            self.log.say(str(error), "error")


def _around(scene: GaussianScene) -> CameraTarget:
    core = Core.of(scene)
    position = core.middle
    position[1] = float(core.low[1])
    size = max(float((core.high - core.low).max()), 1e-3)
    return CameraTarget(position, 0.0, size, np.stack([core.low, core.high]), ground=Plane(position[1]))
