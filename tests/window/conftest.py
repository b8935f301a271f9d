"""A virtual screen, a GUI without one, and a stand-in for the window around panels."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.character import Character, Material, Mesh
from kinema.control.command import Control
from kinema.control.trajectory import Trajectory
from kinema.pose import Pose
from kinema.viewer.library import Clip, Document
from kinema.window.canvas import Canvas
from kinema.window.desk import Desk
from kinema.window.history import History
from kinema.window.log import Log


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A virtual screen of 800 by 600, as `DISPLAY`; tests are skipped where there is no Xvfb or no driver."""
    pytest.importorskip("glfw", reason="glfw is not installed: pip install '.[window]'")
    pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed: pip install '.[window]'")
    if shutil.which("Xvfb") is None:
        pytest.skip("no Xvfb on this machine; on Debian: apt-get install xvfb libgl1-mesa-dri")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    if not number:
        server.wait()
        pytest.skip("Xvfb does not start on this machine")
    before = {name: os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE")}
    os.environ["DISPLAY"], os.environ["XDG_SESSION_TYPE"] = f":{number}", "x11"
    os.environ.pop("WAYLAND_DISPLAY", None)
    yield f":{number}"
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    server.terminate()
    server.wait()


class Pressing:
    """imgui in which widgets are worked by name: `press` buttons, `put` values, see `labels` that were drawn."""

    def __init__(self, imgui: Any) -> None:
        self._imgui = imgui
        self.press: set[str] = set()
        self.put: dict[str, Any] = {}
        self.labels: list[str] = []
        self.texts: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._imgui, name)

    def _seen(self, label: str) -> str | None:
        self.labels.append(label)
        return next((one for one in [*self.press, *self.put] if one == label or one in label.split("##")), None)

    def button(self, label: str, *rest: Any) -> bool:
        self._imgui.button(label, *rest)
        return self._seen(label) in self.press

    def selectable(self, label: str, chosen: bool, *rest: Any) -> tuple[bool, bool]:
        self._imgui.selectable(label, chosen, *rest)
        hit = any(one in label for one in self.press)
        self.labels.append(label)
        return hit, hit or chosen

    def _value(self, drawn: tuple[bool, Any], label: str) -> tuple[bool, Any]:
        found = self._seen(label)
        return (True, self.put[found]) if found in self.put else drawn

    def checkbox(self, label: str, value: bool) -> tuple[bool, bool]:
        return self._value(self._imgui.checkbox(label, value), label)

    def combo(self, label: str, *rest: Any) -> tuple[bool, int]:
        return self._value(self._imgui.combo(label, *rest), label)

    def slider_float(self, label: str, *rest: Any) -> tuple[bool, float]:
        return self._value(self._imgui.slider_float(label, *rest), label)

    def slider_int(self, label: str, *rest: Any) -> tuple[bool, int]:
        return self._value(self._imgui.slider_int(label, *rest), label)

    def input_text_with_hint(self, label: str, *rest: Any) -> tuple[bool, str]:
        return self._value(self._imgui.input_text_with_hint(label, *rest), label)

    def text_unformatted(self, text: str) -> None:
        self.texts.append(text)
        self._imgui.text_unformatted(text)


class Bench:
    """Panels on a desk without a screen."""

    def __init__(self) -> None:
        from kinema.window.gui import Gui

        self.gui = Gui(None)
        self.hands = self.gui.imgui = Pressing(self.gui.imgui)
        self.log = Log()
        context = SimpleNamespace(screen=SimpleNamespace(use=lambda: None))
        self.window = SimpleNamespace(
            keys=(("F1", "this help"),),
            rate=60.0,
            figures=History(2.0, 30.0),
            shown=True,
            canvas=Canvas(context, lambda *_: None, self.log),
        )
        self.desk = Desk(self.gui, self.log, self.window)  # type: ignore[arg-type]

    def draw(self, panel: Any, mode: Any, press: str = "", **put: Any) -> str:
        """One picture of a panel, in which buttons are pressed and values put; all text that was in it."""
        self.hands.press, self.hands.put = {press} - {""}, {name.replace("_", " "): v for name, v in put.items()}
        self.hands.labels, self.hands.texts = [], []
        self.gui.begin((900, 700), 1.0, 1 / 60)
        self.hands.set_next_window_size((860, 660))
        self.hands.begin("panel")
        panel.draw(self.desk, mode)
        self.hands.end()
        self.gui.end()
        return " | ".join([*self.hands.labels, *self.hands.texts])


@pytest.fixture
def bench() -> Iterator[Bench]:
    pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed: pip install '.[window]'")
    made = Bench()
    yield made
    made.gui.close()


def walk(skeleton: Skeleton, frames: int = 60, name: str = "walk") -> Motion:
    """A body that glides along +Z at 1 m/s and swings its legs."""
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    swing = 0.5 * np.sin(np.arange(frames) / 6).astype(np.float32)
    for leg, sign in zip(skeleton.roles.legs, (1.0, -1.0), strict=True):
        local[:, leg.upper] = rotations.exp(np.stack([sign * swing, 0 * swing, 0 * swing], axis=-1))
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
    moved[:, 0, 2] += np.arange(frames) / 30
    half = np.arange(frames) < frames // 2
    labels = {"contact.left": half, "contact.right": ~half, "style": np.where(half, "calm", "proud")}
    return Motion.create(skeleton, local, moved, fps=30.0, name=name, labels=labels)


def blocks(skeleton: Skeleton) -> Character:
    """A body of one cube at each joint: quick to make."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    faces = np.array(
        [
            [0, 1, 3],
            [0, 3, 2],
            [4, 6, 7],
            [4, 7, 5],
            [0, 4, 5],
            [0, 5, 1],
            [2, 3, 7],
            [2, 7, 6],
            [0, 2, 6],
            [0, 6, 4],
            [1, 5, 7],
            [1, 7, 3],
        ],
        np.uint32,
    )
    normals = corners / np.sqrt(np.float32(3))
    meshes = tuple(
        Mesh(f"block {joint}", 0.06 * corners, normals, faces, joint=joint, material=0)
        for joint in range(skeleton.joint_count)
    )
    return Character("blocks", skeleton, meshes, (Material("grey", (0.5, 0.5, 0.5, 1.0), 0.0, 0.8),))


@pytest.fixture(autouse=True)
def _quick_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mannequins take a second each; these tests are not about them."""
    for module in ("footage", "casting"):
        monkeypatch.setattr(f"kinema.window.{module}.build_mannequin", blocks)


@pytest.fixture
def walking(biped: Skeleton) -> Motion:
    return walk(biped)


def document(title: str, *motions: Motion) -> Document:
    """A document of clips in memory."""
    clips = [Clip(motion.name, motion.skeleton, None, lambda motion=motion: motion) for motion in motions]
    return Document(title, f"/files/{title}", lambda: clips)


class Gliding:
    """A controller without data: the rest pose moved as commanded, the legs swinging; shows one thing of each kind."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.steps = 0
        self.reset(1)

    def reset(self, count: int) -> Pose:
        self.trajectory = Trajectory.start(count)
        return self._pose()

    def select(self, keep: Any, added: int = 0) -> Pose:
        self.trajectory.select(np.asarray(keep), added)
        return self._pose()

    def step(self, control: Control, dt: float) -> Pose:
        self.trajectory.step(control, dt)
        self.steps += 1
        return self._pose()

    @property
    def diagnostics(self) -> dict[str, Any]:
        return {
            "cost": 0.25,
            "tracking_cm": 1.5,
            "transitions": float(self.steps // 30),
            "note": "text",
            "gate": np.array([0.1, 0.7, 0.2]),
            "phase": np.array([[0.25, 0.5]]),
        }

    def _pose(self) -> Pose:
        count = len(self.trajectory.heading)
        swing = 0.5 * np.sin(0.2 * self.steps)
        local = np.tile(self.skeleton.rest_rotations, (count, 1, 1))
        for leg, sign in zip(self.skeleton.roles.legs, (1.0, -1.0), strict=True):
            local[:, leg.upper] = rotations.exp(np.array([sign * swing, 0, 0], np.float32))
        return Pose(
            self.skeleton,
            local,
            root_positions=self.trajectory.position.astype(np.float32),
            root_rotations=rotations.from_yaw(self.trajectory.heading.astype(np.float32)),
            contacts=np.tile(np.array([1.0, 0.0] if swing > 0 else [0.0, 1.0], np.float32), (count, 1)),
        )


@pytest.fixture
def gliding(biped: Skeleton) -> Gliding:
    return Gliding(biped)
