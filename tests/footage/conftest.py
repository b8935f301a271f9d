"""A small folder of clips that the tests of this folder share."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinema.footage.making import make_clips
from kinema.footage.plan import ClipPlan, plan_clips

COUNT = 6


@pytest.fixture(scope="session")
def plan() -> ClipPlan:
    return plan_clips(frames=4, size=32, seed=5, characters=["people", "dog"], identities=3, scenes=["room"])


@pytest.fixture(scope="session")
def folder(plan: ClipPlan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("footage") / "clips"
    report = make_clips(plan, place, COUNT, workers=1)
    assert not report.failed and report.made == COUNT
    return place
