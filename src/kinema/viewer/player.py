"""The live session: a controller at a fixed step, steered from the browser and drawn there."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.character import Character
from kinema.control.command import Control
from kinema.control.family import ShowsFeatures
from kinema.control.trajectory import Trajectory
from kinema.engine.clock import FixedClock
from kinema.errors import ControlError
from kinema.pose import Pose
from kinema.skeleton import Skeleton
from kinema.viewer import overlays
from kinema.viewer.feature_marks import FeatureMarks, Seen
from kinema.viewer.figures import Figures
from kinema.viewer.input import InputState, Steering
from kinema.viewer.library import extent
from kinema.viewer.page import Viewer, style
from kinema.viewer.scene import WORLD, CharacterView, Stage, camera_heading

RATE = 60.0
"""Steps and drawn frames a second."""

AHEAD = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Seconds ahead at which the wanted trajectory is shown."""

_TRAIL_SECONDS = 2.0
_FIGURE_SECONDS = 0.25


class LiveController(Protocol):
    """What can be steered. Shown where a controller has them: `trajectory`, `diagnostics`, and the features of the
    controller or its `family` (`kinema.control.family.ShowsFeatures`)."""

    skeleton: Skeleton

    def reset(self, count: int) -> Pose: ...

    def step(self, control: Control, dt: float) -> Pose: ...


class LiveSession:
    """One character, one controller, any number of browsers.

    Args:
        controller: what moves the character.
        viewer: an open viewer in mode `play`.
        character: what is drawn; its joints must be the controller's. None draws a body made for the skeleton.

    Raises:
        ControlError: the character has other joints than the controller.
    """

    def __init__(
        self,
        controller: LiveController,
        viewer: Viewer,
        character: Character | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        skeleton = controller.skeleton
        if character is not None and not character.skeleton.same_topology(skeleton):
            raise ControlError(
                f"{character.name!r} has {character.skeleton.joint_count} joints that are not the "
                f"{skeleton.joint_count} joints of the controller; kinema.control.worn.wear brings them together"
            )
        self.controller, self.viewer = controller, viewer
        self.steering = Steering()
        self._clock = clock
        self._parents = skeleton.parents.tolist()
        self._feet = overlays.foot_joints(skeleton)
        owners = (controller, getattr(controller, "family", None))
        self._seer = next((owner for owner in owners if isinstance(owner, ShowsFeatures)), None)
        self._stop = threading.Event()
        self._reset_asked = threading.Event()
        self.figures = Figures(RATE)
        self._warm_up()
        self.pose = controller.reset(1)
        self.command = Control.idle()
        self.steps = self._drawn_steps = 0
        size = extent(character, self.pose)
        with viewer.server.atomic():
            self._stage = Stage(viewer.server, size, behind=True)
            self._body = CharacterView(viewer.server, "character", character or skeleton)
            self._add_overlays(skeleton, size)
            self._add_gui()
        self._trail: deque[NDArray[np.float32]] = deque(maxlen=int(_TRAIL_SECONDS * RATE / 4))
        self._draw(self._clock())

    def _warm_up(self) -> None:
        """Walk a moment unseen: what is compiled on its first use would make the first seconds stutter."""
        self.controller.reset(1)
        for speed in (0.0, 1.0, 1.0, 0.0):
            self.controller.step(Control.create(np.array([0, 0, speed], np.float32)), 1.0 / RATE)

    def stop(self) -> None:
        """End `run`; from any thread."""
        self._stop.set()

    def run(self, seconds: float | None = None) -> dict[str, Any]:
        """Step and draw until `seconds` are over or `stop` is called; returns what was measured."""
        began = self._clock()
        ticks = FixedClock(1.0 / RATE)
        busy, told, next_draw = 0.0, began, began
        while not self._stop.is_set():
            now = self._clock()
            if seconds is not None and now - began >= seconds:
                break
            due = ticks.due(now)
            for _ in range(due):
                self.step(1.0 / RATE)
            if due and now >= next_draw and self.viewer.server.get_clients():
                started = self._clock()
                self._draw(now)
                # Drawing takes a third of the time at most: a big rig is drawn less often, it never slows the motion.
                next_draw = now + 3.0 * (self._clock() - started)
            if now - told >= _FIGURE_SECONDS:
                self._tell(now)
                told = now
            after = self._clock()
            busy += after - now
            self._stop.wait(max(ticks.wait(after), 1e-3))
        lasted = self._clock() - began
        return {
            "seconds": lasted,
            "steps": self.steps,
            "ms_per_step": self.figures.step_ms,
            "busy_share": busy / lasted if lasted > 0 else 0.0,
            "dropped_seconds": ticks.dropped,
        }

    def step(self, dt: float) -> None:
        """Read the input, obey it for `dt` seconds."""
        if self._reset_asked.is_set() or "KeyR" in self.viewer.channel.take_presses():
            self._reset_asked.clear()
            self.pose = self.controller.reset(1)
            self.figures.restarted()
            self._trail.clear()
        state = self.viewer.channel.state()
        heading = float(rotations.yaw(self.pose.root_rotations[0]))
        self.command = self.steering.command(state, self._camera(state), heading, dt)
        began = self._clock()
        self.pose = self.controller.step(self.command, dt)
        self.figures.stepped(self._clock() - began)
        self.steps += 1

    def _camera(self, state: InputState) -> float:
        clients = self.viewer.server.get_clients()
        if state.client in clients:
            return camera_heading(clients[state.client])
        # The page does not know its number yet: with one browser open there is no doubt.
        return camera_heading(next(iter(clients.values())) if len(clients) == 1 else None)

    def _draw(self, now: float) -> None:
        turned, placed = self.pose.global_rotations, self.pose.global_positions
        turned, placed = turned[0], placed[0]
        root = self.pose.root_positions[0]
        feet = placed[self._feet]
        elapsed, self._drawn_steps = self.steps - self._drawn_steps, self.steps
        if elapsed:
            self.figures.moved(root, feet, self.pose.contacts[0], elapsed / RATE)
        with self.viewer.server.atomic():
            self._stage.follow(root, share=0.2)
            self._body.update(turned, placed)
            self._bones.update(placed)
            self._names.update(placed)
            self._here.position = root
            if self._discs.visible and self._feet:
                self._discs.update(feet - root, _fit(self.pose.contacts[0], len(self._feet)))
            if self._path.visible:
                self._draw_trajectory(root)
            if self._seer is not None and self._marks.visible:
                parts = {name: part[0] for name, part in self._seer.features_now().items()}
                self._marks.update(Seen(self._seer.spec, parts, root, self.pose.root_rotations[0]), placed)
        self.figures.drew(now)

    def _draw_trajectory(self, root: NDArray[np.float32]) -> None:
        lift = np.array([0, 0.01 * self._stage.size, 0], np.float32)
        if self.steps % 4 == 0 or not self._trail:
            self._trail.append(root.copy())
        trail = np.stack([*self._trail, root]) - root + lift
        self._travelled.update(trail)
        self._commanded.update(2 * lift[None], 0.5 * self.command.velocity)
        trajectory = getattr(self.controller, "trajectory", None)
        if isinstance(trajectory, Trajectory):
            positions, headings = trajectory.predict(self.command, AHEAD)
            points = positions[0] - root + lift
            ways = np.stack([np.sin(headings[0]), np.zeros(len(AHEAD)), np.cos(headings[0])], axis=-1)
            self._path.update(points)
            self._ways.update(points[1:], 0.14 * self._stage.size * ways[1:])

    def _tell(self, now: float) -> None:
        diagnostics = getattr(self.controller, "diagnostics", {})
        rows = self.figures.rows(now, diagnostics if isinstance(diagnostics, Mapping) else {})
        self.viewer.channel.send({"figures": rows})

    def _add_overlays(self, skeleton: Skeleton, size: float) -> None:
        server = self.viewer.server
        # A node that moves with the character: browsers replace points later than they move nodes, and what lies on
        # the ground would trail behind on a slow one.
        self._here = server.scene.add_frame(f"{WORLD}/here", show_axes=False)
        self._discs = overlays.ContactDiscs(server, "here/contacts", 0.075 * size)
        self._discs.visible = bool(self._feet)
        self._travelled = overlays.Path(server, "here/travelled", overlays.TRAVELLED, 0.008 * size)
        self._path = overlays.Path(server, "here/wanted", overlays.WANTED, 0.011 * size)
        self._ways = overlays.Arrows(server, "here/facing", overlays.WANTED, 0.6 * size)
        self._commanded = overlays.Arrows(server, "here/command", overlays.COMMANDED, size)
        self._bones = overlays.Bones(server, "bones", skeleton)
        self._names = overlays.JointNames(server, "names", skeleton.names)
        self._marks = FeatureMarks(server, "features", size)

    def _add_gui(self) -> None:
        gui = self.viewer.server.gui
        style(self.viewer.server)
        with gui.add_folder("Show"):
            toggles = [
                ("Body", [self._body]),
                ("Trajectory", [self._travelled, self._path, self._ways, self._commanded]),
                ("Contacts", [self._discs]),
                *([("Features", [self._marks])] if self._seer is not None else []),
                ("Bones", [self._bones]),
                ("Joint names", [self._names]),
            ]
            for label, shown in toggles:
                box = gui.add_checkbox(label, shown[0].visible)
                box.on_update(lambda event, shown=shown: _show(shown, event.target.value))
        with gui.add_folder("Speed"):
            speeds = (("Walk", "walk", 0.3, 2.5), ("Run", "run", 1.0, 6.0), ("Slow", "slow", 0.2, 1.5))
            for label, name, low, high in speeds:
                slider = gui.add_slider(label, low, high, 0.1, getattr(self.steering, name))
                slider.on_update(lambda event, name=name: setattr(self.steering, name, float(event.target.value)))
        gui.add_button("Reset").on_click(lambda _: self._reset_asked.set())


def _show(overlays_: list[Any], value: bool) -> None:
    for overlay in overlays_:
        overlay.visible = value


def _fit(contacts: NDArray[np.floating], count: int) -> NDArray[np.floating]:
    """Contacts for `count` feet; feet that a controller does not report count as lifted."""
    return np.concatenate([contacts[:count], np.zeros(max(count - len(contacts), 0))])
