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
