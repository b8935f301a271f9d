"""Detached joints: feet of IK rigs that are not children of a leg, and the targets of poles."""

from __future__ import annotations

import numpy as np

from kinema import Motion, Skeleton
from kinema.retargeting import Retargeter


def test_feet_follow_their_legs_and_pole_targets_the_body(walk: Motion, loose: Skeleton) -> None:
    setup = Retargeter(walk.skeleton, loose)
    placed = setup(walk).motion[:].global_positions
    for side in ("Left", "Right"):
        foot, knee, pole = (loose.index(name) for name in (f"IK{side}Foot", f"{side}Leg", f"PoleTarget{side}"))
        shin = np.linalg.norm(placed[:, foot] - placed[:, knee], axis=-1)
        assert np.ptp(shin) < 1e-3
        hips = np.linalg.norm(placed[:, pole] - placed[:, loose.roles.hips], axis=-1)
        assert np.ptp(hips) < 1e-3
        travel = np.linalg.norm(placed[-1, foot] - placed[0, foot])
        assert travel > 1.0
