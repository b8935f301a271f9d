"""Mirror planes and partners."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles.symmetry import find_plane, pair_up
from kinema.roles.tree import look
from kinema.roles.vocabulary import read_name

from .rigs import build, dog, person, snake, spider


@pytest.mark.parametrize("body", [person, dog, spider])
def test_the_plane_is_between_left_and_right(body) -> None:
    plane = find_plane(look(build(body())[0]))
    assert plane is not None and abs(plane.normal[0]) > 0.999 and plane.sharp > 0.9
    assert np.allclose(plane.point, 0, atol=1e-3)


@pytest.mark.parametrize("body", [person, dog, spider])
def test_partners_are_each_others_mirror_image(body) -> None:
    skeleton, truth = build(body(), seed=3, frames=True)
    tree = look(skeleton)
    partners = pair_up(tree, skeleton.names, [read_name(name) for name in skeleton.names], find_plane(tree))
    for joint, partner in enumerate(partners):
        assert np.allclose(tree.positions[partner], tree.positions[joint] * [-1, 1, 1], atol=1e-4)
        assert (partner == joint) == (not truth[joint].startswith(("left", "right")))


def test_a_snake_has_no_plane() -> None:
    assert find_plane(look(build(snake())[0])) is None


def test_names_pair_what_lengths_do_not() -> None:
    skeleton = Skeleton.create(
        ["a", "arm_l", "arm_r", "x"], [-1, 0, 0, 0], [[0, 0, 0], [1, 0, 0], [-3, 0, 0], [1, 0, 0]]
    )
    tree = look(skeleton)
    evidence = [read_name(name) for name in skeleton.names]
    assert pair_up(tree, skeleton.names, evidence, find_plane(tree)) == [0, 2, 1, 3]


def test_legs_in_mid_stride_are_partners_by_their_bones() -> None:
    rows = []
    places = {name: np.array(at) for name, _, at in person()}
    for name, above, at in person():
        if name.endswith(("_shin", "_foot", "_toe")):
            top = places[name.partition("_")[0] + "_thigh"]
            angle = 0.45 if name.startswith("left") else -0.45
            x, y, z = np.array(at) - top
            turned = (x, y * np.cos(angle) - z * np.sin(angle), y * np.sin(angle) + z * np.cos(angle))
            at = tuple(top + turned)
        rows.append((name, above, at))
    skeleton, truth = build(rows, seed=3)
    roles = skeleton.roles
    assert roles.plan == "biped"
    for joint, role in enumerate(truth):
        if role.startswith("left_") and role.endswith(("thigh", "shin", "foot", "toe")):
            assert truth[int(roles.partners[joint])] == "right_" + role[5:]


def test_limbs_that_names_put_on_one_side_are_no_partners() -> None:
    """Two fingers of the same bones, side by side, of which one is bent."""
    rows: list[tuple[str, str, tuple[float, float, float]]] = [("arm", "", (0, 0.5, 0)), ("hand", "arm", (0, 0, 0))]
    for name, x, (fall, forth) in (("ring", 0.05, (0.0, 0.1)), ("little", -0.05, (-0.08, 0.06))):
        for bone in range(4):
            above = "hand" if bone == 0 else f"l_{name}.{bone - 1}"
            rows.append((f"l_{name}.{bone}", above, (x, fall * bone, 0.1 + forth * bone)))
    skeleton, _ = build(rows, names=True)
    assert (skeleton.roles.partners == np.arange(skeleton.joint_count)).all()
