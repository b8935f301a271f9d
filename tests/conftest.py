"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from kinema import Skeleton


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
