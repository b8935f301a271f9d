"""Steers a character in a scene with sentences: what is typed is acted out there, until keys or sticks take over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.command import Commands
from kinema.engine import Command, System, Transform, World, system
from kinema.engine.groups import BatchController
from kinema.errors import SceneError, UsageError
from kinema.instructions.reading import read_instructions
from kinema.pose import Pose
from kinema.session.crowd import Steer, steer
from kinema.session.log import Log
from kinema.session.play import PlaySession
from kinema.session.playable import Playable, Say
from kinema.session.settings import SessionSetting, WordsSetting
from kinema.session.steering import Steering
from kinema.skeleton import Skeleton
from kinema.terrain import Ground
from kinema.worlds.enacting import ActPlayer, timed_gestures, unable
from kinema.worlds.grounding import SceneGround
from kinema.worlds.itinerary import itinerary
from kinema.worlds.obstacles import Obstacle

_SLIMMEST, _STOUT = 0.3, 0.2  # metres of room to each side, at least; of the height of a body


class ToldSession(PlaySession):
    """A character in a scene that does what it is told.

    Args:
        ground: of the scene. things: that it has.
        said: what it does first.

    Attributes:
        said: the sentence that is acted out; empty for none.
    """

    def __init__(
        self,
        make: Callable[[Say], Playable],
        ground: SceneGround,
        things: Sequence[Obstacle],
        log: Log | None = None,
        setup: Callable[[World], object] | None = None,
        said: str = "",
    ) -> None:
        self.said, self._waiting = "", said
        self._ground, self._things = ground, tuple(things)
        self._player: ActPlayer | None = None
        self._begun = 0.0
        super().__init__(make, log, setup=setup, ground=ground)
        self.world.systems.add(self._obeying())

    def tell(self, text: str) -> None:
        """Act out a sentence, from where the character is; an empty one stops that.

        Raises:
            UsageError: it is not understood, or nobody can act it out; what was said before goes on.
            SceneError: the scene has no such thing, or no way to it; likewise.
        """
        if not text or self.playable is None:
            self._stop()
            return
        place, heading = self._root(1.0)
        radius = max(_SLIMMEST, _STOUT * self.playable.size)
        acts = itinerary(
            read_instructions(text),
            self._ground,
            self._things,
            np.asarray(place, np.float64)[[0, 2]],
            heading,
            radius=radius,
        )
        if reason := unable(acts, self.playable.character.skeleton.roles):
            acts = [replace(act, going=(), staying=()) for act in acts]
            self.log.say(f"{reason}; this body goes, turns and waits", "warning")
        self._player = ActPlayer(acts, self.playable.paces.walk / Steering.walk)
        self.said, self._begun = text, self.world.time

    def settings(self) -> Sequence[SessionSetting]:
        if self.playable is None:
            return super().settings()
        hint = "Go to what the scene has, and do something there"
        return (
            WordsSetting("Drive", "tell", hint, lambda: self.said, self.tell, "walk to the tree, then wave"),
            *super().settings(),
        )

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if self.playable is not None and self._waiting:
            text, self._waiting = self._waiting, ""
            try:
                self.tell(text)
            except (UsageError, SceneError) as error:
                self.log.say(str(error), "error")

    def restart(self) -> None:
        self._stop()
        super().restart()

    def mover(self, playable: Playable) -> BatchController:
        return Gesturing(playable.controller, self._gestured) if playable is self.playable else playable.controller

    def _stop(self) -> None:
        self._player, self.said = None, ""

    def _obeying(self) -> System:
        @system(phase="input", reads=(Transform, Steer), writes=(Command,), after=(steer,))
        def obey(world: World, dt: float) -> None:
            """Lead the character through what it was told."""
            self._obey(world)

        return obey

    def _obey(self, world: World) -> None:
        player = self._player
        if player is None or self.hero is None:
            return
        if not world.resources[Steer].state.idle:
            self.log.say("steered by hand: what was said is over")
            self._stop()
            return
        transform, command = world.get(self.hero, Transform), world.get(self.hero, Command)
        place = np.asarray([transform.position], np.float32)
        faced = float(rotations.yaw(np.asarray(transform.rotation, np.float32)))
        wanted = player.command(world.time - self._begun, place, faced)
        command.velocity = wanted.velocity[0]
        command.facing = wanted.facing[0] if np.isfinite(wanted.facing[0]).all() else None
        if player.done:
            self._stop()

    def _gestured(self, pose: Pose) -> Pose:
        """The poses `[n]` of the group; that of the hero makes its gestures."""
        player, group = self._player, self.group
        if player is None or not player.marks or group is None or self.hero is None:
            return pose
        now = self.world.time - self._begun
        act, mark = player.acts[len(player.marks) - 1], player.marks[-1]
        row = self.row
        place, turn = group.origin_positions[row], group.origin_rotations[row]
        mine = before = pose[row : row + 1]
        for timed in timed_gestures(act, mark, most=60.0):
            doing = timed.doing
            if doing.aim is not None:
                aim = rotations.inverse_rotate(turn, doing.aim.astype(np.float32) - place)
                timed = replace(timed, doing=replace(doing, aim=aim))
            if timed.begin <= now <= timed.begin + timed.seconds:
                made = timed.laid(mine, np.asarray([now]))
                mine = made.on_root(mine.root_positions, mine.root_rotations)
        if mine is before:
            return pose
        parts = [pose[:row], mine.replace(contacts=pose.contacts[row : row + 1]), pose[row + 1 :]]
        return Pose.concatenate([part for part in parts if len(part)])


@dataclass
class Gesturing:
    """A controller over whose poses something is laid. The controller itself goes on from its own poses.

    Attributes:
        inner: the controller. lay: changes its poses.
    """

    inner: Any
    lay: Callable[[Pose], Pose]
    skeleton: Skeleton = field(init=False)

    def __post_init__(self) -> None:
        self.skeleton = self.inner.skeleton

    @property
    def ground(self) -> Ground:
        return self.inner.ground

    @ground.setter
    def ground(self, ground: Ground) -> None:
        self.inner.ground = ground

    def reset(self, count: int) -> Pose:
        return self.inner.reset(count)

    def step(self, commands: Commands, dt: float) -> Pose:
        return self.lay(self.inner.step(commands, dt))

    def select(self, keep: NDArray[np.integer], added: int) -> object:
        return self.inner.select(keep, added)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)
