"""A controller without motion data, a viewer, and a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from kinema import Skeleton

from ..session.conftest import Gliding

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


@pytest.fixture
def gliding(biped: Skeleton) -> Gliding:
    return Gliding(biped)


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
