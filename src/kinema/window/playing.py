"""Steering a character: the world it lives in, and what is known of its controller."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.character import Character
from kinema.control.command import Control
from kinema.control.worn import Worn
from kinema.engine import Command, Controlled, Figure, SunLight, Tint, Transform, World, system
from kinema.engine.groups import BatchController, Group
from kinema.rendering.present import present
from kinema.rendering.view import View
from kinema.window import inspect, play_marks
from kinema.window.crowd import Hand, Steered, Wanders, places, steer, wander
from kinema.window.events import Key
from kinema.window.eye import Subject
from kinema.window.history import History
from kinema.window.loading import Loader
from kinema.window.log import Log
from kinema.window.mode import Mode

if TYPE_CHECKING:
    from kinema.rendering.camera import Camera
    from kinema.window.gamepad import Pad

RATE = 60.0
GROUP = "played"
MOST = 256
"""Characters in a crowd."""

_TRAIL = 90
_SUN = (-0.62, 0.8, -0.42)  # behind the camera that begins behind the character
_TINTS = ((0.86, 0.93, 1.0), (1.0, 0.92, 0.84), (0.9, 1.0, 0.9), (1.0, 0.9, 0.95), (0.96, 0.96, 0.88))


@dataclass(frozen=True, eq=False)
class Cast:
    """What a session is made of.

    Attributes:
        title: whose motion it is. controller: moves everybody. character: whom one sees. size: its height, metres.
        held: what must be given back at the end.
    """

    title: str
    controller: BatchController
    character: Character
    size: float
    held: ExitStack

    @property
    def inside(self) -> BatchController:
        """The controller on the joints of its data, which panels look into and turn the knobs of."""
        return self.controller.inner if isinstance(self.controller, Worn) else self.controller

    def told(self, control: Control) -> Control:
        """A command as `inside` has it."""
        return self.controller.told(control) if isinstance(self.controller, Worn) else control


class PlayMode(Mode):
    """One character that obeys, and any number that wander; all share one controller and are stepped as one batch.

    Args:
        make: reads and builds the cast; it runs beside the window, and is told where to report what takes a while.
    """

    name = "play"
    hint = "W A S D walk   Shift runs   drag turns the camera   F1: all keys"
    keys = (
        ("W A S D", "walk, as the camera looks (arrows, left stick)"),
        ("Shift", "run (right bumper)"),
        ("Alt", "slow (left bumper)"),
        ("Q E", "turn, and so strafe (right stick)"),
        ("Space", "stop (A)"),
        ("R", "start over (Start)"),
        ("1 \u2026 9", "what is shown"),
    )

    def __init__(self, make: Callable[[Callable[[str], None]], Cast], log: Log) -> None:
        super().__init__(log, World(step=1 / RATE))
        self.show.update(play_marks.PLAY_MARKS)
        self.hand = self.world.resources.add(Hand())
        for entry in (steer, wander):
            self.world.systems.add(entry)
        self.world.spawn(SunLight(toward=_SUN))
        self.cast: Cast | None = None
        self.hero: int | None = None
        self.history = History(12.0, RATE)
        self.trail: deque[NDArray[np.float32]] = deque(maxlen=_TRAIL)
        self._others: list[int] = []
        self._view: View | None = None
        self._before: NDArray[np.float32] | None = None
        self._pad_name = ""
        self._loader: Loader[Cast] = Loader()
        self._said = "getting ready"
        self._loader.ask("motion", lambda: make(self._say))

    def _say(self, line: str) -> None:
        self._said = line

    # ---- what panels and keys do -----------------------------------------------------------------------------------

    def restart(self) -> None:
        """Everybody back to where they began."""
        count = len(self._others)
        if self.cast is None:
            return
        self.world.despawn(self.hero or 0)
        for entity in self._others:
            self.world.despawn(entity)
        self._others = []
        self._enter(self.cast)
        self.set_crowd(count)

    def set_crowd(self, count: int) -> None:
        """So many wanderers besides the one who obeys."""
        if self.cast is None:
            return
        count = min(max(count, 0), MOST - 1)
        while len(self._others) > count:
            self.world.despawn(self._others.pop())
        middle = self._place(1.0)[0]
        for number, (x, z) in list(enumerate(places(count)))[len(self._others) :]:
            heading = np.float32(self.world.random.uniform(-np.pi, np.pi))
            start = Transform((middle[0] + x, 0.0, middle[2] + z), rotations.from_yaw(heading))
            tint, figure = Tint((*_TINTS[number % len(_TINTS)], 1.0)), Figure(self.cast.character)
            self._others.append(self.world.spawn(start, figure, Controlled(GROUP), Command(), Wanders(), tint))

    @property
    def crowd(self) -> int:
        """Wanderers."""
        return len(self._others)

    @property
    def group(self) -> Group | None:
        """Everybody, once there is somebody."""
        return self.world.groups[GROUP] if self.cast is not None else None

    @property
    def row(self) -> int:
        """Which of the controller's characters obeys the hand."""
        group = self.group
        rows = np.flatnonzero(group.ids == self.hero) if group is not None else []
        return int(rows[0]) if len(rows) else 0

    @property
    def diagnostics(self) -> dict[str, Any]:
        """What the controller says of itself."""
        return dict(getattr(self.cast.controller, "diagnostics", {})) if self.cast is not None else {}

    # ---- the mode --------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        if self.cast is None:
            return ""
        return self.cast.title + (f"  \u00b7  {self.crowd + 1} characters" if self.crowd else "")

    @property
    def waiting(self) -> str:
        return self._said if self._loader.what else ""

    @property
    def subject(self) -> Subject:
        if self.cast is None or self.hero is None:
            return super().subject
        position, heading = self._place(self.world.alpha)
        found = self.world.poses.find(self.hero)
        points = position[None] if found is None else found[0].global_positions[found[1]]
        return Subject(position * np.array([1, 0, 1], np.float32), heading, self.cast.size, points)

    @property
    def flies(self) -> bool:
        return False

    def _place(self, share: float) -> tuple[NDArray[np.float32], float]:
        """Where the hero stands between the last two steps, and its heading."""
        columns = self.world.columns(Transform)
        row = columns.row(self.hero or 0)
        before, now = columns.previous_positions[row], columns.global_positions[row]
        return before + np.float32(share) * (now - before), float(rotations.yaw(columns.global_rotations[row]))

    def key(self, event: Key, held: set[str]) -> bool:
        if not event.down or event.repeat:
            return False
        if event.code == "KeyR":
            self.restart()
        elif event.code.startswith("Digit") and 0 < int(event.code[5:]) <= len(self.show):
            self.toggle_mark(list(self.show)[int(event.code[5:]) - 1])
        else:
            return False
        return True

    def steer(self, held: frozenset[str], pad: Pad | None, heading: float) -> None:
        if pad is not None and pad.name != self._pad_name:
            self._pad_name = pad.name
            self.log.say(f"gamepad: {pad.name}")
        before = self.hand.pad.held if self.hand.pad is not None else frozenset()
        if pad is not None and "PadReset" in pad.held - before:
            self.restart()
        self.hand.keys, self.hand.pad, self.hand.heading = held, pad, heading

    def update(self, seconds: float) -> None:
        self.time = self.world.time - (1.0 - self.world.alpha) * self.world.step_seconds
        result = self._loader.take()
        if result is None:
            return
        cast, error = result
        if cast is None:
            self.failure = error
            return
        self.cast = cast
        self.world.groups.add(GROUP, cast.controller)
        self._enter(cast)
        self.world.systems.add(self._measuring())

    def _enter(self, cast: Cast) -> None:
        self.hero = self.world.spawn(Transform(), Figure(cast.character), Controlled(GROUP), Command(), Steered())
        self.world.settle()
        self.history.clear()
        self.trail.clear()
        self._view = self._before = None

    def _measuring(self):
        @system(phase="late", reads=(Transform, Command), writes=())
        def measure(world: World, dt: float) -> None:
            """Keep what the graphs show."""
            self._measure(dt)

        return measure

    def _measure(self, dt: float) -> None:
        group = self.group
        if group is None or group.pose is None or group.control is None:
            return
        row = self.row
        numbers, _ = inspect.figures(self.diagnostics, row)
        position = self.world.columns(Transform).positions[self.world.columns(Transform).row(self.hero or 0)].copy()
        if self.world.steps % 4 == 0:
            self.trail.append(position)
        if self._before is not None:
            numbers["speed"] = float(np.hypot(*(position - self._before)[[0, 2]])) / dt
        self._before = position
        numbers["wanted speed"] = float(np.linalg.norm(group.control.velocity[row]))
        for side, value in zip(("left", "right"), group.pose.contacts[row], strict=False):
            numbers[f"contact {side}"] = float(value)
        locked = getattr(group.controller, "locked", None)
        if locked is not None and row < len(locked):
            for side, value in zip(("left", "right"), locked[row], strict=False):
                numbers[f"held {side}"] = float(value)
        self.history.add(self.world.time, numbers)

    def view(self, camera: Camera) -> View:
        if self.cast is None or self.hero is None:
            return View(camera)
        view = present(self.world, camera, previous=self._view)
        self._view = view
        actors = view.actors
        if not self.show["Body"]:
            view = replace(view, actors=())
        found = self.world.poses.find(self.hero)
        group = self.group
        if found is None or group is None or group.control is None:
            return view
        poses = next(one for one in actors if one.character is found[0].character)
        turned, placed = poses.global_rotations[found[1]], poses.global_positions[found[1]]
        draw = play_marks.play_marks(self, group, turned, placed, self._place(self.world.alpha)[0])
        return replace(view, draw=draw)

    @property
    def control(self) -> Control | None:
        """What everybody was told in the last step."""
        return self.group.control if self.group is not None else None

    def close(self) -> None:
        if self.cast is not None:
            self.cast.held.close()
