"""Detached joints: feet of IK rigs that are not children of a leg, and the targets of poles."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.mocap.procedural import humanoid
from kinema.retargeting import Retargeter


@pytest.fixture
def loose() -> Skeleton:
    """A person whose feet and pole targets are children of the root."""
    person = humanoid(1.4)
    names, parents = ["Root", *person.names], [-1, *(int(p) + 1 for p in person.parents)]
    places = person.rest_pose.global_positions
    offsets = [[0.0, 0.0, 0.0], *person.rest_translations.tolist()]
    for side in ("Left", "Right"):
        shin = person.names.index(f"{side}Leg")
        names += [f"IK{side}Foot", f"PoleTarget{side}"]
        parents += [0, 0]
        offsets += [places[person.names.index(f"{side}Foot")].tolist(), (places[shin] + [0, 0, 0.6]).tolist()]
    kept = [n for n in range(len(names)) if names[n] not in ("LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase")]
    new = {old: index for index, old in enumerate(kept)}
    return Skeleton.create(
        [names[n] for n in kept], [new[parents[n]] if parents[n] >= 0 else -1 for n in kept], [offsets[n] for n in kept]
    )


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
