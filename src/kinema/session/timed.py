"""Sessions with a playhead: play, pause, scrub, loop."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kinema.engine.components import Playing
from kinema.engine.players import play_clips
from kinema.engine.world import World
from kinema.pose import Pose
from kinema.rendering.view import View
from kinema.session.log import Log
from kinema.session.playhead import Playhead
from kinema.session.session import Session
from kinema.session.settings import SessionSetting, Slider, Switch, attribute_slider

if TYPE_CHECKING:
    from kinema.rendering.camera import Camera

SPEEDS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0)
"""Playback speeds that the keys - and + step through."""


class TimedSession(Session):
    """A session with a playhead.

    Attributes:
        playhead: its position. changed: whether the next frame differs although nothing plays.
    """

    def __init__(self, world: World | None = None, log: Log | None = None) -> None:
        super().__init__(world, log)
        self.playhead = Playhead()
        self.changed = True

    @property
    def still(self) -> bool:
        return not self.playhead.playing and not self.changed and not self.waiting

    def seek(self, frame: float) -> None:
        """Pause at a frame."""
        self.playhead.playing = False
        self.playhead.seek(frame)
        self.changed = True

    def toggle_play(self) -> None:
        """Play or pause."""
        self.playhead.toggle()
        self.changed = True

    def change_speed(self, steps: int) -> None:
        """Change the speed by steps of `SPEEDS`."""
        index = min(range(len(SPEEDS)), key=lambda at: abs(math.log(SPEEDS[at] / self.playhead.speed)))
        self.playhead.speed = SPEEDS[min(max(index + steps, 0), len(SPEEDS) - 1)]

    def set_mark(self, name: str, value: bool) -> None:
        super().set_mark(name, value)
        self.changed = True

    def step_clip(self, offset: int) -> None:
        """Show the next or the previous clip."""

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        head = self.playhead
        frames = 10 if held & {"ShiftLeft", "ShiftRight"} else 1
        steps = {"ArrowRight": frames, "ArrowLeft": -frames}
        keys = {
            "Space": self.toggle_play,
            "Home": lambda: self.seek(0),
            "End": lambda: self.seek(head.frames - 1),
            "KeyN": lambda: self.step_clip(1),
            "KeyP": lambda: self.step_clip(-1),
            "KeyL": lambda: setattr(head, "loop", not head.loop),
            "Minus": lambda: self.change_speed(-1),
            "Equal": lambda: self.change_speed(1),
            "NumpadSubtract": lambda: self.change_speed(-1),
            "NumpadAdd": lambda: self.change_speed(1),
        }
        if code in steps:
            self.seek(head.frame + steps[code])
        elif code in keys and not repeat:
            keys[code]()
        else:
            return super().key(code, held, repeat)
        return True

    def update(self, seconds: float) -> None:
        self.playhead.advance(seconds)
        self.time += seconds

    def view(self, camera: Camera) -> View:
        self.changed = False
        return super().view(camera)

    def pose(self, *entities: int) -> None:
        """Pose clip players at the playhead, without stepping the world."""
        for entity in entities:
            playing = self.world.find(entity, Playing)
            if playing is not None:
                playing.time = self.playhead.time
        play_clips(self.world, 0.0)
        self._place(*entities)

    def show_pose(self, entity: int, pose: Pose) -> None:
        """Show a pose of one moment, without stepping the world.

        Args:
            pose: in the frame of the entity.
        """
        self.world.poses.write(np.array([entity]), pose[None])
        self._place(entity)

    def _place(self, *entities: int) -> None:
        """Compute the poses of entities in world space."""
        for entity in entities:
            found = self.world.poses.find(entity)
            if found is not None:
                found[0].place(self.world.columns(), keep=False)

    def figures(self) -> list[tuple[str, str]]:
        head = self.playhead
        return [("time", f"{head.time:.2f} s"), ("frame", f"{head.frame} / {head.frames - 1}")]

    def settings(self) -> Sequence[SessionSetting]:
        head = self.playhead
        last = max(head.frames - 1, 1)
        return (
            Switch("Time", "Playing", "Space", lambda: head.playing, self._set_playing),
            Slider("Time", "Frame", "arrow keys", lambda: head.frame, self.seek, 0, last, 1, "%.0f"),
            attribute_slider(head, "speed", "Time", "Speed", SPEEDS[0], SPEEDS[-1], 0.05, "%.2f\u00d7"),
            Switch("Time", "Loop", "key L", lambda: head.loop, lambda value: setattr(head, "loop", value)),
            *super().settings(),
        )

    def _set_playing(self, value: bool) -> None:
        if value != self.playhead.playing:
            self.toggle_play()
