"""Steers a character in a world, with a crowd around it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.control.adjust import Adjustment
from kinema.control.command import Commands
from kinema.control.family import MixesStyles, PlaysFrames
from kinema.control.foot_lock import FootLock
from kinema.engine import Command, Controlled, Figure, SunLight, System, Tint, Transform, World, system
from kinema.engine.groups import BatchController, Group, Selects
from kinema.mocap.contacts import contact_joints, contact_points
from kinema.mocap.styles import main_style, styles_of
from kinema.rendering.draw import Draw
from kinema.rendering.view import View
from kinema.session import diagnostics, play_marks
from kinema.session.crowd import Steer, Steered, Wanders, start_positions, steer, wander
from kinema.session.history import FigureHistory
from kinema.session.loading import Loader
from kinema.session.log import Log
from kinema.session.playable import RATE, Playable
from kinema.session.session import Session, drawn_positions
from kinema.session.settings import Action, Facts, Pad, SessionSetting, Slider, Switch, attribute_slider, text_choice
from kinema.session.steering import InputState
from kinema.session.style_pad import StylePad
from kinema.session.target import CameraTarget, ground_of
from kinema.terrain import Ground, Plane, is_void

GROUP = "played"
"""The group of the steered character and the crowd."""

APART = 1.2
"""Metres between characters that get the same commands beside each other."""

MOST = 256
"""Maximum number of characters."""

STAGES: dict[str, type[Any]] = {"Foot lock": FootLock, "Adjustment": Adjustment}
"""Label and type of each stage that can be switched off."""

_TRAIL = 90
_SUN = (-0.62, 0.8, -0.42)  # behind the first camera, which is behind the character
_TINTS = ((0.86, 0.93, 1.0), (1.0, 0.92, 0.84), (0.9, 1.0, 0.9), (1.0, 0.9, 0.95), (0.96, 0.96, 0.88))


class PlaySession(Session):
    """One steered character and a wandering crowd. They share a controller and are stepped as one batch.

    Args:
        make: builds what is steered, on a separate thread; called with a function that reports progress.
        world: the world to play in; None makes an empty one.
        setup: called with the world, to spawn entities and add systems.
        ground: the ground of the world; None leaves it as it is.

    Attributes:
        playable: what is steered; None until it is loaded. hero: the steered entity.
        input: the current input. history: figures of the last seconds.
    """

    name = "play"
    follow = 0.2
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

    def __init__(
        self,
        make: Callable[[Callable[[str], None]], Playable],
        log: Log | None = None,
        world: World | None = None,
        setup: Callable[[World], object] | None = None,
        ground: Ground | None = None,
    ) -> None:
        super().__init__(world or World(step=1 / RATE), log)
        if ground is not None:
            self.world.ground = ground
        self.show.update(play_marks.SHOWN)
        self.input = self.world.resources.add(Steer())
        for entry in (steer, wander):
            self.world.systems.add(entry)
        if self.world.first(SunLight) is None:
            self.world.spawn(SunLight(toward=_SUN))
        if setup is not None:
            setup(self.world)
        self.playable: Playable | None = None
        self.hero: int | None = None
        self.history = FigureHistory(12.0, RATE)
        self.trail: deque[NDArray[np.float32]] = deque(maxlen=_TRAIL)
        self._others: list[int] = []
        self._beside: list[int] = []
        self._stages: list[Any] = []
        self._off: set[str] = set()
        self._styles: tuple[str, ...] = ()
        self._pad: StylePad | None = None
        self._before: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
        self._loader: Loader[Playable] = Loader()
        self._progress = "starting"
        self._loader.ask("motion", lambda: make(self._report))

    def _report(self, line: str) -> None:
        self._progress = line

    # ---- commands ----------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Restart all characters at their start positions."""
        if self.playable is None or self.hero is None:
            return
        count = len(self._others)
        for entity in (self.hero, *self._beside, *self._others):
            self.world.despawn(entity)
        self._others = []
        self._spawn(self.playable)
        self.set_crowd(count)

    def set_crowd(self, count: int) -> None:
        """Set the number of wanderers besides the steered character."""
        if self.playable is None:
            return
        if not isinstance(self.playable.controller, Selects):
            self.log.say("this controller moves one character only: it has no select(keep, added)", "warning")
            return
        count = min(max(count, 0), MOST - 1)
        while len(self._others) > count:
            self.world.despawn(self._others.pop())
        middle = self._root(1.0)[0]
        for number, (x, z) in list(enumerate(start_positions(count)))[len(self._others) :]:
            heading = np.float32(self.world.random.uniform(-np.pi, np.pi))
            start = Transform(self._on_ground(middle[0] + x, middle[2] + z), rotations.from_yaw(heading))
            tint, figure = Tint((*_TINTS[number % len(_TINTS)], 1.0)), Figure(self.playable.character)
            self._others.append(self.world.spawn(start, figure, Controlled(GROUP), Command(), Wanders(), tint))

    def _set_characters(self, count: float) -> None:
        self.set_crowd(round(count) - 1)

    @property
    def crowd(self) -> int:
        """Number of wanderers."""
        return len(self._others)

    def set_stage(self, name: str, on: bool) -> None:
        """Switch a stage of the controller (a name in `STAGES`) off, or on again at its old place."""
        stage = next((stage for stage in self._stages if isinstance(stage, STAGES[name])), None)
        if stage is None or self.playable is None or on != (name in self._off):
            return
        if on:
            stage.reset(len(self.world.groups[GROUP].ids))
        self._off ^= {name}
        off = tuple(STAGES[name] for name in self._off)
        controller: Any = self.playable.inner
        controller.stages[:] = [stage for stage in self._stages if not isinstance(stage, off)]

    def key(self, code: str, held: frozenset[str] = frozenset(), repeat: bool = False) -> bool:
        if code != "KeyR" or repeat:
            return super().key(code, held, repeat)
        self.restart()
        return True

    def steer(self, state: InputState, heading: float) -> None:
        before = self.input.state
        if state.device and state.device != before.device:
            self.log.say(f"gamepad: {state.device}")
        if "PadReset" in state.keys - before.keys:
            self.restart()
        self.input.state, self.input.heading = state, heading

    # ---- state for screens -------------------------------------------------------------------------------------------

    @property
    def steers(self) -> bool:
        return True

    @property
    def group(self) -> Group | None:
        """The group of all characters; None until it is loaded."""
        return self.world.groups[GROUP] if self.playable is not None else None

    @property
    def row(self) -> int:
        """Row of the steered character in the batch."""
        group = self.group
        rows = np.flatnonzero(group.ids == self.hero) if group is not None else []
        return int(rows[0]) if len(rows) else 0

    @property
    def diagnostics(self) -> dict[str, Any]:
        """Diagnostics of the controller."""
        return dict(getattr(self.playable.controller, "diagnostics", {})) if self.playable is not None else {}

    @property
    def control(self) -> Commands | None:
        """Commands of all characters in the last step."""
        return self.group.commands if self.group is not None else None

    @property
    def title(self) -> str:
        if self.playable is None:
            return ""
        names = "  |  ".join(one.title for one in (self.playable, *self.playable.beside))
        return names + (f"  \u00b7  {self.crowd + 1} characters" if self.crowd else "")

    @property
    def waiting(self) -> str:
        return self._progress if self._loader.what else ""

    @property
    def target(self) -> CameraTarget:
        if self.playable is None or self.hero is None:
            return CameraTarget.nothing()
        position, heading = self._root(self.world.alpha)
        found = self.world.poses.find(self.hero)
        points = position[None] if found is None else found[0].shown[found[1]].global_positions
        if self.world.ground is None:
            position = position * np.array([1, 0, 1], np.float32)
        return CameraTarget(position, heading, self.playable.size, points, ground=ground_of(self.world))

    @property
    def anchor(self) -> NDArray[np.floating]:
        return self.target.position

    def figures(self) -> list[tuple[str, str]]:
        if self.playable is None:
            return [("", self.waiting)]
        steps = [row.mean_ms for row in self.world.profiler.rows() if row.name == "step_groups"]
        rows = [
            ("speed", f"{self.history.mean('speed', 0.5):.2f} m/s"),
            ("step", f"{sum(steps):.2f} ms"),
            ("foot skate", f"{self.history.mean('skate cm/s', 1.0):.1f} cm/s"),
        ]
        numbers, arrays = diagnostics.figures(self.diagnostics, self.row)
        if numbers.pop("transitions", None) is not None:
            rows.append(("transitions", f"{self.history.rate('transitions', 4.0):.1f} /s"))
        rows += [diagnostics.written(name, value) for name, value in numbers.items()]
        return rows + [(name.replace("_", " "), diagnostics.bars(values)) for name, values in arrays.items()]

    def settings(self) -> Sequence[SessionSetting]:
        if self.playable is None:
            return super().settings()
        steering = self.input.steering
        return (
            attribute_slider(steering, "walk", "Drive", "walk", 0.3, 2.5, 0.1, "%.1f m/s"),
            attribute_slider(steering, "run", "Drive", "run (Shift)", 1.0, 6.0, 0.1, "%.1f m/s"),
            attribute_slider(steering, "slow", "Drive", "slow (Alt)", 0.2, 1.5, 0.1, "%.1f m/s"),
            *self._crowd_settings(self.playable),
            *self._style_settings(),
            Facts("Drive", "gamepad", rows=lambda: [("gamepad", self.input.state.device or "none")]),
            Action("Drive", "Start over", "Put all characters back to the start (R)", self.restart),
            *super().settings(),
            *self._controller_settings(),
        )

    def _crowd_settings(self, playable: Playable) -> list[SessionSetting]:
        """The number of characters, if more can join."""
        if not isinstance(playable.controller, Selects):
            return []
        hint = "The others wander; all are stepped as one batch"
        count = Slider("Drive", "characters", hint, lambda: self.crowd + 1, self._set_characters, 1, MOST, 1, "%.0f")
        return [replace(count, logarithmic=True)]

    def _style_settings(self) -> list[SessionSetting]:
        """A list of the family's styles, and a map of them if it can mix them."""
        if len(self._styles) < 2:
            return []
        hint, pad = "How the character moves", self._pad
        chosen = text_choice("Drive", "style", hint, lambda: main_style(self.input.style), self.set_style, self._styles)
        if pad is None:
            return [chosen]
        hint = "Drag between styles to mix them"
        return [chosen, Pad("Drive", "mix of styles", hint, lambda: pad.point, self._mix, lambda: pad.places)]

    def set_style(self, style: str) -> None:
        """Move in one of the family's styles; empty is the default one."""
        self.input.style = style
        if self._pad is not None and style in self._pad.places:
            self._pad.point = self._pad.places[style]

    def _mix(self, point: tuple[float, float]) -> None:
        assert self._pad is not None
        self._pad.point = point
        self.input.style = self._pad.words()

    def _controller_settings(self) -> list[SessionSetting]:
        group, hint = "Controller settings", "A stage after the family"
        names = [name for name, kind in STAGES.items() if any(isinstance(stage, kind) for stage in self._stages)]
        stages = [
            Switch(group, name, hint, lambda name=name: name not in self._off, partial(self.set_stage, name))
            for name in names
        ]
        return [*stages, *diagnostics.sliders(self.playable.inner if self.playable is not None else None, group)]

    def mark(self, view: View, draw: Draw) -> None:
        group = self.group
        if group is None or group.commands is None or self.playable is None or self.hero is None:
            return
        positions = drawn_positions(view, self.hero)
        if positions is None:
            return
        root = self._root(self.world.alpha)[0]
        ground = ground_of(self.world)
        moment = play_marks.SteeredMoment(group, self.row, self.playable.size, positions, root, self.trail, ground)
        for name, mark in play_marks.MARKS.items():
            if self.show.get(name):
                mark(moment, draw)

    # ---- internals ---------------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        super().update(seconds)
        result = self._loader.take()
        if result is None:
            return
        playable, self.failure = result
        if playable is None:
            return
        self.playable = playable
        paces = playable.paces
        self.input.steering = replace(self.input.steering, walk=paces.walk, run=paces.run, slow=paces.slow)
        own = getattr(playable.controller, "ground", None)
        if self.world.ground is None and own != Plane():
            self.world.ground = own
        self._stages = list(getattr(playable.inner, "stages", ()))
        self._begin_styles(playable.inner)
        for number, one in enumerate((playable, *playable.beside)):
            self.world.groups.add(_group(number), self.mover(one))
        if play_marks.shows_features(playable.controller) is None:
            self.show.pop("Features")
        self._spawn(playable)
        self.world.systems.add(self._measuring())

    def mover(self, playable: Playable) -> BatchController:
        """What moves the characters of a playable."""
        return playable.controller

    def _begin_styles(self, controller: Any) -> None:
        """Begin in the style that the controller was made for; a family that mixes styles gets a map of them."""
        family = getattr(controller, "family", None)
        # Clips have tags that are no styles, such as the words of their files' names.
        clips = family.database.clips if isinstance(family, PlaysFrames) else ()
        self._styles = tuple(styles_of(clips) if clips else getattr(family, "styles", ()))
        if isinstance(family, MixesStyles) and family.latents is not None:
            self._pad = StylePad(family.styles, family.latents)
        self.set_style(getattr(controller, "style", ""))

    def _spawn(self, playable: Playable) -> None:
        start = Transform(self._on_ground(0.0, 0.0))
        self.hero = self.world.spawn(start, Figure(playable.character), Controlled(GROUP), Command(), Steered())
        self._beside = []
        for number, one in enumerate(playable.beside, 1):
            start = Transform(self._on_ground(-APART * number, 0.0))
            tint = Tint((*_TINTS[(number - 1) % len(_TINTS)], 1.0))
            parts = start, Figure(one.character), Controlled(_group(number)), Command(), Steered(), tint
            self._beside.append(self.world.spawn(*parts))
        self.world.settle()
        self.history.clear()
        self.trail.clear()
        self._shown = self._before = None

    def _on_ground(self, x: float, z: float) -> tuple[float, float, float]:
        """The place on the ground at x and z; y = 0 where there is none."""
        height = ground_of(self.world).height(np.array([x, 0.0, z], np.float32))
        return x, 0.0 if is_void(height) else float(height), z

    def _root(self, share: float) -> tuple[NDArray[np.float32], float]:
        """Position of the hero between the last two steps, and its heading."""
        columns = self.world.columns(Transform)
        row = columns.row(self.hero or 0)
        before, now = columns.previous_positions[row], columns.global_positions[row]
        return before + np.float32(share) * (now - before), float(rotations.yaw(columns.global_rotations[row]))

    def _measuring(self) -> System:
        @system(phase="late", reads=(Transform, Command), writes=())
        def measure(world: World, dt: float) -> None:
            """Record figures for the graphs."""
            self._measure(dt)

        return measure

    def _measure(self, dt: float) -> None:
        group = self.group
        if group is None or group.pose is None or group.commands is None or self.hero is None:
            return
        row = self.row
        numbers, _ = diagnostics.figures(self.diagnostics, row)
        numbers["commanded speed"] = float(np.linalg.norm(group.commands.velocity[row]))
        contacts = group.pose.contacts[row]
        points = contact_points(group.pose.skeleton)
        numbers |= {f"contact {point}": float(value) for point, value in zip(points, contacts, strict=False)}
        locked = getattr(group.controller, "locked", None)
        if locked is not None and row < len(locked):
            numbers |= {f"held {point}": float(value) for point, value in zip(points, locked[row], strict=False)}
        numbers |= self._moved(contacts, dt)
        self.history.add(self.world.time, numbers)

    def _moved(self, contacts: NDArray[np.floating], dt: float) -> dict[str, float]:
        """Speed of the hero, and of its feet in contact, since the last step."""
        transform = self.world.get(self.hero or 0, Transform)
        position = np.array(transform.position, np.float32)
        if self.world.steps % 4 == 0:
            self.trail.append(position)
        found = self.world.poses.find(self.hero or 0)
        if found is None:
            return {}
        batch, row = found
        joints = contact_joints(batch.character.skeleton)[: len(contacts)]
        own = batch.pose[row].model_positions[joints]
        feet = position + rotations.rotate(np.asarray(transform.rotation, np.float32), own)
        before, self._before = self._before, (position, feet)
        if before is None or before[1].shape != feet.shape:
            return {}
        numbers = {"speed": float(np.hypot(*(position - before[0])[[0, 2]])) / dt}
        touching = np.asarray(contacts[: len(feet)]) > 0.5
        if touching.any():
            slid = np.linalg.norm((feet - before[1])[:, [0, 2]], axis=-1) / dt
            numbers["skate cm/s"] = 100.0 * float(slid[touching].mean())
        return numbers

    def close(self) -> None:
        if self.playable is not None:
            self.playable.held.close()


def _group(number: int) -> str:
    """The group of the steered character (0), and of those beside it."""
    return GROUP if number == 0 else f"{GROUP} {number}"
