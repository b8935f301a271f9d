"""Generated samples side by side: what is asked is changed, and new ones are made in the background."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kinema.character import Character
from kinema.engine import Figure, Playing, Tint, Transform
from kinema.errors import KinemaError
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.rendering.draw import INK, Draw
from kinema.rendering.view import View
from kinema.session.library import extent
from kinema.session.loading import Loader
from kinema.session.log import Log
from kinema.session.playable import Say
from kinema.session.session import drawn_positions
from kinema.session.settings import Action, Facts, SessionSetting, Slider, Switch, WordsSetting, text_choice
from kinema.session.target import CameraTarget
from kinema.session.timed import TimedSession

GROUP = "Samples"
"""The group of the settings."""

OPEN = "open"
"""The option of the list of actions that asks for none."""

CALM_SECONDS = 0.4
"""Samples are made when nothing was changed for so long."""

MOST = 12
"""Samples at once."""

_TINTS = ((1.0, 1.0, 1.0, 1.0), (0.86, 0.93, 1.0, 1.0), (1.0, 0.92, 0.84, 1.0), (0.9, 1.0, 0.9, 1.0))


@dataclass(frozen=True)
class SampleRequest:
    """What is asked of samples.

    Attributes:
        text: in words. action: one of the body's; None leaves it open.
        speed, turn: metres and radians a second; None leaves them open.
        seconds: duration of each. count: number of samples. seed: of the noise.
        guidance: how much what is asked is overstated. steps: of the flow.
    """

    text: str = ""
    action: str | None = None
    speed: float | None = None
    turn: float | None = None
    seconds: float = 4.0
    count: int = 4
    seed: int = 0
    guidance: float = 2.0
    steps: int = 8


@dataclass(frozen=True, eq=False)
class Sampler:
    """A body and what makes motion for it.

    Attributes:
        title: name of the rig. character: the body, with meshes.
        actions: what it can do. walk: its usual speed, m/s.
        sample: makes motions for a request; the function that it is given is called with steps made and steps in all.
    """

    title: str
    character: Character
    actions: Sequence[str]
    walk: float
    sample: Callable[[SampleRequest, Callable[[int, int], None]], list[Motion]]


class Outdated(KinemaError):
    """Something else is asked in the meantime."""


class SamplesSession(TimedSession):
    """Plays samples in a row.

    Args:
        make: builds the sampler, on a separate thread.
        request: what is asked first.

    Attributes:
        request: what is asked now. shown: what the samples shown were asked for; None before the first.
        motions: the samples.
    """

    name = "samples"
    keys = (
        ("Space", "play, pause"),
        ("\u2190 \u2192", "one frame"),
        ("Home End", "first and last frame"),
        ("P N", "seed before, seed after"),
    )
    hint = "P N: other samples   Space: pause   F1: all keys"

    def __init__(self, make: Callable[[Say], Sampler], request: SampleRequest, log: Log | None = None) -> None:
        super().__init__(None, log)
        self.request = request
        self.shown: SampleRequest | None = None
        self.motions: list[Motion] = []
        self.sampler: Sampler | None = None
        self.size = 1.7
        self._entities: list[int] = []
        self._made: Loader[Sampler] = Loader()
        self._samples: Loader[tuple[SampleRequest, list[Motion]]] = Loader()
        self._progress, self._done = "starting", 0.0
        self._changed_at: float | None = None
        self._speed, self._turn = request.speed, request.turn
        self._made.ask("samples", lambda: make(self._report))

    def _report(self, line: str) -> None:
        self._progress = line

    # ---- commands ----------------------------------------------------------------------------------------------------

    def ask(self, **changes: Any) -> None:
        """Change what is asked; new samples are made when no more is changed for a moment."""
        changed = replace(self.request, **changes)
        if changed != self.request:
            self.request, self._changed_at, self.changed = changed, time.monotonic(), True

    def make(self) -> None:
        """Make samples now."""
        assert self.sampler is not None
        request, sample = self.request, self.sampler.sample
        self._changed_at, self._done = None, 0.0

        def progress(step: int, steps: int) -> None:
            if request is not self.request:
                raise Outdated("outdated")
            self._done = step / steps

        self._samples.ask("samples", lambda: (request, sample(request, progress)))

    def step_clip(self, offset: int) -> None:
        self.ask(seed=max(self.request.seed + offset, 0))

    # ---- state for screens -------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        return "" if self.sampler is None else self.sampler.title

    @property
    def waiting(self) -> str:
        if self.sampler is None:
            return self._progress
        return "" if self.shown is not None or self.failure is not None else f"generating {100 * self._done:.0f} %"

    @property
    def state(self) -> str:
        """Whether samples are being made, and how far they are."""
        if self._changed_at is not None:
            return "soon"
        return f"{100 * self._done:.0f} %" if self._samples.what else "done"

    @property
    def still(self) -> bool:
        return super().still and self._changed_at is None and not self._samples.what

    @property
    def target(self) -> CameraTarget:
        if not self._entities:
            return CameraTarget.nothing()
        points = np.concatenate([self.world.poses.of(entity).global_positions for entity in self._entities])
        middle = np.asarray([0.0, 0.0, 0.5 * (points[:, 2].min() + points[:, 2].max())])
        return CameraTarget(middle, 0.0, max(self.size, 0.5 * self.apart * len(self._entities)), points)

    @property
    def apart(self) -> float:
        """Metres between samples."""
        return 1.4 * self.size

    def figures(self) -> list[tuple[str, str]]:
        rows = [*super().figures(), ("samples", self.state)]
        speeds = [f"{mean_speed(motion):.2f}" for motion in self.motions]
        return [*rows, ("m/s", "  ".join(speeds))] if speeds else rows

    def settings(self) -> Sequence[SessionSetting]:
        sampler = self.sampler
        if sampler is None:
            return super().settings()
        request, actions = self.request, [OPEN, *sampler.actions]
        chosen = text_choice(GROUP, "action", "", lambda: self.request.action or OPEN, self._set_action, actions)
        return (
            WordsSetting(
                GROUP, "text", "", lambda: self.request.text, lambda words: self.ask(text=words), "walks, then jumps"
            ),
            chosen,
            Switch(GROUP, "ask for a speed", "", lambda: self.request.speed is not None, self._heed_speed),
            self._number(
                "speed", request.speed or self._speed or 0.0, 0.0, round(4.0 * sampler.walk, 1), 0.05, "%.2f m/s"
            ),
            Switch(GROUP, "ask for a turn", "", lambda: self.request.turn is not None, self._heed_turn),
            self._number("turn", math.degrees(request.turn or self._turn or 0.0), -120.0, 120.0, 5.0, "%.0f \u00b0/s"),
            self._number("seconds", request.seconds, 1.0, 12.0, 0.5, "%.1f s"),
            self._number("count", request.count, 1, MOST, 1, "%.0f"),
            self._number("guidance", request.guidance, 0.0, 6.0, 0.1, "%.1f"),
            self._number("steps", request.steps, 1, 32, 1, "%.0f"),
            self._number("seed", request.seed, 0, 999, 1, "%.0f"),
            Action(GROUP, "Generate", "Make the samples again", self.make),
            Facts(GROUP, "state", rows=lambda: [("samples", self.state)]),
            *super().settings(),
        )

    def _number(self, name: str, value: float, low: float, high: float, step: float, form: str) -> Slider:
        return Slider(
            GROUP, name, "", lambda: value, lambda number: self._set_number(name, number), low, high, step, form
        )

    def _set_number(self, name: str, value: float) -> None:
        if name in ("count", "steps", "seed"):
            self.ask(**{name: round(value)})
        elif name == "speed":
            self._speed = value
            self.ask(speed=value)
        elif name == "turn":
            self._turn = math.radians(value)
            self.ask(turn=self._turn)
        else:
            self.ask(**{name: value})

    def _set_action(self, action: str) -> None:
        self.ask(action=None if action == OPEN else action)

    def _heed_speed(self, on: bool) -> None:
        self.ask(speed=(self._speed or 0.0) if on else None)

    def _heed_turn(self, on: bool) -> None:
        self.ask(turn=(self._turn or 0.0) if on else None)

    # ---- called by screens -------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        super().update(seconds)
        self._take_sampler()
        if self._changed_at is not None and time.monotonic() - self._changed_at >= CALM_SECONDS:
            self.make()
        result = self._samples.take()
        if result is not None:
            self._take_samples(*result)
        if self._entities:
            self.pose(*self._entities)

    def mark(self, view: View, draw: Draw) -> None:
        for number, entity in enumerate(self._entities, 1):
            positions = drawn_positions(view, entity)
            if positions is not None:
                top = np.asarray([*positions.mean(axis=0)], np.float32)
                top[1] = positions[:, 1].max() + 0.14 * self.size
                draw.text(top, str(number), 15.0, INK, pixels=True, on_top=True)

    # ---- internals ---------------------------------------------------------------------------------------------------

    def _take_sampler(self) -> None:
        result = self._made.take()
        if result is None:
            return
        self.sampler, self.failure = result
        if self.sampler is not None:
            self._speed = round(self.sampler.walk, 2) if self._speed is None else self._speed
            self.make()

    def _take_samples(self, made: tuple[SampleRequest, list[Motion]] | None, error: KinemaError | None) -> None:
        if made is not None:
            self.shown, self.motions = made
            self._show()
        elif self.shown is None:
            self.failure = error
        elif not isinstance(error, Outdated):
            self.log.say(str(error), "error")

    def _show(self) -> None:
        assert self.sampler is not None
        for entity in self._entities:
            self.world.despawn(entity)
        character = self.sampler.character
        self.size = extent(character, _some(self.motions[0]))
        left = 0.5 * self.apart * (len(self.motions) - 1)
        self._entities = [
            self.world.spawn(
                Transform((number * self.apart - left, 0.0, 0.0)),
                Figure(character),
                Playing(motion, speed=0.0, loop=False),
                Tint(_TINTS[number % len(_TINTS)]),
            )
            for number, motion in enumerate(self.motions)
        ]
        head, first = self.playhead, self.motions[0]
        head.frames, head.fps = first.frames, first.fps
        head.time = min(head.time, first.seconds)
        self.world.settle()
        self.pose(*self._entities)
        self.changed = True


def mean_speed(motion: Motion) -> float:
    """Mean speed of the hips along the ground, m/s."""
    hips = motion[:].global_positions[:, motion.skeleton.roles.hips]
    return float(np.linalg.norm(np.diff(hips[:, [0, 2]], axis=0), axis=-1).mean() * motion.fps)


def _some(motion: Motion) -> Pose:
    return motion[np.linspace(0, motion.frames - 1, 9).astype(np.int64)]
