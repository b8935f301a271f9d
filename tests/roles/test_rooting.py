"""Trees whose root is the chest."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.roles import carrier, rest_pose

from .rigs import Rows, build, dog, person, renamed, rerooted


@pytest.mark.parametrize("root", ["spine.3", "spine.2", "neck"])
@pytest.mark.parametrize("names", [False, True], ids=["nameless", "names"])
def test_a_person_is_the_same_from_any_root(root: str, names: bool) -> None:
    skeleton, truth = build(rerooted(person(), root), names=names)
    roles, rest = skeleton.roles, rest_pose(skeleton)
    assert [roles.role(joint) for joint in range(len(truth))] == truth
    assert truth[roles.hips] == "hips" and [truth[joint] for joint in roles.spine] == ["spine"] * 3
    assert roles.is_biped and np.allclose(rest.forward, [0, 0, 1], atol=1e-3)
    assert skeleton.parents[carrier(skeleton)] < 0


def test_names_settle_which_legs_of_a_dog_are_behind() -> None:
    skeleton, truth = build(rerooted(dog(), "spine.3"), names=True)
    assert [skeleton.roles.role(joint) for joint in range(len(truth))] == truth


def test_a_control_named_torso_at_the_hips_is_no_spine() -> None:
    rows: Rows = [("torso", "", (0, 1, 0))] + [(n, "torso" if a == "root" else a, p) for n, a, p in person()[1:]]
    skeleton, truth = build(renamed(rows, {}), names=True)
    assert truth[skeleton.roles.hips] == "hips" and skeleton.roles.parts[0] == "root"
