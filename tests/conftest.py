"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.machine import find_browser

hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP evil.example 127.0.0.1",
]


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real motion and character files; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("KINEMA_DATA", Path(__file__).parents[2] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}; set KINEMA_DATA to its folder to run this test")
    return folder


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture(scope="session")
def on_floor_root() -> Callable[[Skeleton], Skeleton]:
    """Gives a skeleton a new root on the floor that carries hips and thighs side by side."""
    return _on_floor_root


def _on_floor_root(skeleton: Skeleton) -> Skeleton:
    rest, beside = skeleton.rest_pose, [skeleton.roles.hips, *(leg.upper for leg in skeleton.roles.legs)]
    parents, offsets, turns = skeleton.parents + 1, skeleton.rest_translations.copy(), skeleton.rest_rotations.copy()
    parents[beside], offsets[beside], turns[beside] = 0, rest.global_positions[beside], rest.global_rotations[beside]
    tips = [(joint + 1, tip) for joint, tip in zip(skeleton.tip_joints.tolist(), skeleton.tip_offsets, strict=True)]
    names = ("Root", *skeleton.names)
    return Skeleton.create(names, [-1, *parents], [[0, 0, 0], *offsets], [[1, 0, 0, 0], *turns], tips)


@pytest.fixture(scope="session")
def biped() -> Skeleton:
    """A person of 1.7 m in a T-pose, 21 joints, facing +Z."""
    rows = [
        ("Hips", None, (0, 0.92, 0)),
        ("Spine", "Hips", (0, 0.12, 0)),
        ("Chest", "Spine", (0, 0.16, 0)),
        ("Neck", "Chest", (0, 0.2, 0)),
        ("Head", "Neck", (0, 0.1, 0.02)),
    ]
    for side, sign in (("Left", 1), ("Right", -1)):
        rows += [
            (f"{side}Shoulder", "Chest", (sign * 0.05, 0.15, 0)),
            (f"{side}Arm", f"{side}Shoulder", (sign * 0.12, 0, 0)),
            (f"{side}ForeArm", f"{side}Arm", (sign * 0.27, 0, 0)),
            (f"{side}Hand", f"{side}ForeArm", (sign * 0.25, 0, 0)),
        ]
    for side, sign in (("Left", 1), ("Right", -1)):
        rows += [
            (f"{side}UpLeg", "Hips", (sign * 0.09, -0.04, 0)),
            (f"{side}Leg", f"{side}UpLeg", (0, -0.41, 0.005)),
            (f"{side}Foot", f"{side}Leg", (0, -0.4, -0.005)),
            (f"{side}ToeBase", f"{side}Foot", (0, -0.06, 0.13)),
        ]
    names = [name for name, _, _ in rows]
    parents = [-1 if parent is None else names.index(parent) for _, parent, _ in rows]
    tips = [
        (names.index("Head"), (0, 0.15, 0)),
        (names.index("LeftToeBase"), (0, 0, 0.07)),
        (names.index("RightToeBase"), (0, 0, 0.07)),
    ]
    return Skeleton.create(names, parents, [offset for _, _, offset in rows], tips=tips)


PATIENCE = 120  # seconds until something that did not happen counts as missing


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium with software graphics; tests are skipped where it or its driver is missing.

    One for all tests of a process: Playwright cannot be started twice in one thread.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
    path = find_browser()
    if path is None:
        pytest.skip("no chromium on this machine; on Debian: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield PatientBrowser(chromium)
        chromium.close()


class PatientBrowser:
    """Opens pages that wait as long as a busy machine may need."""

    def __init__(self, chromium: Any) -> None:
        self._chromium = chromium

    def new_page(self, **options: Any) -> Any:
        """A page; the options are Playwright's."""
        page = self._chromium.new_page(**options)
        page.set_default_timeout(PATIENCE * 1000)
        return page


@pytest.fixture(scope="session")
def crawler() -> Callable[..., Motion]:
    """Makes bodies on any number of legs that walk in place; diagonal legs step together."""
    return _crawler


def _crawler(pairs: int, speed: float = 1.0, cycles: int = 2, fps: float = 30.0) -> Motion:
    names, parents = ["root", "hips", "spine_1", "head", "tail_1", "tail_tip"], [-1, 0, 1, 2, 1, 4]
    places = [[0, 0, 0], [0, 0.5, -0.3], [0, 0.5, 0.2], [0, 0.6, 0.6], [0, 0.5, -0.6], [0, 0.5, -0.9]]
    toes, phases = [], []
    for pair in range(pairs):
        z = 0.5 - 1.0 * pair / (pairs - 1)
        for side, x in (("l", 1.0), ("r", -1.0)):
            top = len(names)
            if pairs == 2:
                names += [
                    f"{('Front', 'Back')[pair]}{part}.{side.upper()}" for part in ("UpperLeg", "LowerLeg", "Foot")
                ]
            else:
                names += [f"leg_{'abcd'[pair]}_{part}_{side}" for part in ("1", "2", "tip")]
            parents += [2, top, top + 1]
            places += [[0.15 * x, 0.5, z], [0.45 * x, 0.65, z], [0.6 * x, 0.02, z]]
            toes.append(top + 2)
            phases.append(0.5 * ((pair + (side == "l")) % 2))
    at = np.asarray(places, np.float32)
    skeleton = Skeleton.create(names, parents, at - np.where(np.asarray(parents)[:, None] < 0, 0, at[parents]))
    frames = round(cycles * fps)
    phase = (np.arange(frames)[:, None] / fps + np.asarray(phases)) % 1.0  # one stride a second
    swing = np.clip(2 * phase - 1, 0, 1)
    moved = np.broadcast_to(at, (frames, *at.shape)).copy()
    moved[:, toes, 2] += speed * np.where(phase < 0.5, 0.25 - phase, 0.5 * swing - 0.25)
    moved[:, toes, 1] += (0.25 * np.sin(np.pi * swing) ** 2) * (speed > 0)
    local = moved - np.where(np.asarray(parents)[:, None] < 0, 0, moved[:, parents])
    rest = np.tile(np.asarray([1, 0, 0, 0], np.float32), (frames, len(names), 1))
    return Motion.create(skeleton, rest, local, fps=fps, name="crawl")
