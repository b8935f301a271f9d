"""Which side is left."""

from __future__ import annotations

import pytest

from .rigs import Rows, build, person


def from_one_point() -> Rows:
    """A person whose legs begin with a joint at the hips and whose shoulders lie on each other, as in CMU's files."""
    rows: Rows = []
    for name, parent, at in person():
        side = name.partition("_")[0]
        if name.endswith("_thigh"):
            rows.append((f"{side}_hips", "hips", (0, 1, 0)))
            rows.append((name, f"{side}_hips", at))
        elif name.endswith("_shoulder"):
            rows.append((name, parent, (0, 1.44, 0)))
        else:
            rows.append((name, parent, at))
    return rows


@pytest.mark.parametrize("rows", [person(), from_one_point()], ids=["person", "limbs from one point"])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_left_is_left_without_names(rows: Rows, mirrored: bool, seed: int) -> None:
    skeleton, truth = build(rows, seed=seed, mirrored=mirrored)
    for joint, role in enumerate(truth):
        side, _, part = role.partition("_")
        if part in ("shin", "foot", "forearm", "hand"):
            assert skeleton.roles.role(joint) == f"{side}_{part}"
