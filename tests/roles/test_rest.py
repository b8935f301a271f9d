"""How rest poses stand."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles import rest_pose

from .rigs import Rows, build, dog, person


def arms_at(degrees: float) -> Rows:
    """The person with arms turned down from level."""
    turn = np.radians(degrees)
    rows: Rows = []
    for name, parent, at in person():
        if abs(at[0]) > 0.18 and at[1] > 1.3:
            side, out = np.sign(at[0]), abs(at[0]) - 0.18
            drop = at[1] - 1.43
            at = (
                side * (0.18 + out * np.cos(turn) + drop * np.sin(turn)),
                1.43 - out * np.sin(turn) + drop * np.cos(turn),
                at[2],
            )
        rows.append((name, parent, at))
    return rows


@pytest.mark.parametrize(("degrees", "kind"), [(0, "T"), (10, "T"), (40, "A"), (50, "A"), (85, "I")])
def test_arms_tell_t_a_and_i(degrees: float, kind: str) -> None:
    skeleton, _ = build(arms_at(degrees), names=True)
    rest = rest_pose(skeleton)
    assert rest.kind == kind
    assert np.allclose(rest.up, [0, 1, 0]) and np.allclose(rest.forward, [0, 0, 1], atol=0.05)
    assert rest.leg_length == pytest.approx(0.43 + 0.43 + 0.15, abs=0.02)


def test_an_animal_stands_on_its_legs() -> None:
    rest = rest_pose(build(dog())[0])
    assert rest.kind == "animal" and np.allclose(rest.forward, [0, 0, 1], atol=0.05)


def test_bones_along_one_axis_are_no_pose() -> None:
    skeleton, _ = build(person(), names=True)
    flat = np.zeros((skeleton.joint_count, 3))
    flat[:, 0] = np.maximum(skeleton.bone_lengths, 0.01)
    for joint, name in enumerate(skeleton.names):
        if name.endswith(("_thigh", "_shoulder")):
            flat[joint, 2] = 0.1 if name.startswith("left") else -0.1
    lying = Skeleton.create(skeleton.names, skeleton.parents, flat)
    rest = rest_pose(lying)
    assert rest.kind == "none" and np.allclose(rest.up, [1, 0, 0])
    nameless = Skeleton.create([f"j{n}" for n in range(lying.joint_count)], lying.parents, flat).roles
    sides = [nameless.sides[joint] for joint, name in enumerate(skeleton.names) if name == "left_thigh"]
    assert sides == ["left"]  # such files have +Z to the left


def test_no_legs_have_no_length() -> None:
    rest = rest_pose(Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]]))
    assert rest.kind == "none" and rest.leg_length == 0 and rest.height == pytest.approx(1)
