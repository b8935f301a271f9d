"""A controller without motion data, and a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.control.command import Control
from kinema.control.trajectory import Trajectory
from kinema.pose import Pose

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


class GlidingController:
    """Moves a body in its rest pose exactly as commanded by springs; swings its legs so that pictures change."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.diagnostics: dict[str, float] = {"search_us": 12.5, "transitions": 0.0}
        self.reset(1)

    def reset(self, count: int) -> Pose:
        self.trajectory = Trajectory.start(count)
        self._time = 0.0
        return self._pose()

    def step(self, control: Control, dt: float) -> Pose:
        self.trajectory.step(control, dt)
        self._time += dt * float(np.linalg.norm(self.trajectory.velocity))
        self.diagnostics["transitions"] += 1.0
        return self._pose()

    def _pose(self) -> Pose:
        local = self.skeleton.rest_rotations.copy()
        swing = 0.5 * np.sin(4.0 * self._time)
        for leg, sign in zip(self.skeleton.roles.legs, (1.0, -1.0), strict=True):
            local[leg.upper] = rotations.exp(np.float32([sign * swing, 0, 0]))
        contact = np.float32([[1.0, 0.0]] if swing > 0 else [[0.0, 1.0]])
        return Pose(
            self.skeleton,
            local[None],
            root_positions=self.trajectory.position.astype(np.float32),
            root_rotations=rotations.from_yaw(self.trajectory.heading.astype(np.float32)),
            contacts=contact,
        )


@pytest.fixture
def gliding(biped: Skeleton) -> GlidingController:
    return GlidingController(biped)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium with software graphics; tests are skipped where it or its driver is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
    found = [shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")]
    path = next((one for one in found if one), None)
    if path is None:
        pytest.skip("no chromium on this machine; on Debian: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()
