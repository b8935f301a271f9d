"""Bodies and the room they take."""

import numpy as np
import pytest

from kinema import Skeleton
from kinema.character import Character, Mesh
from kinema.errors import SkeletonError
from kinema.rendering.bodies import body_for, outline, thinned


def dressed(skeleton: Skeleton) -> Character:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(3000, 3)).astype(np.float32)
    mesh = Mesh("m", points, points, np.arange(3000, dtype=np.uint32).reshape(-1, 3), joint=2)
    return Character("dressed", skeleton, (mesh,))


def test_own_meshes_or_made_ones(biped: Skeleton):
    own = dressed(biped)
    assert body_for(biped, None, own) is own
    made = body_for(biped)
    assert made.meshes and made.skeleton.same_topology(biped)
    assert body_for(biped, None, Character("bare", biped)).meshes


def test_joints_that_differ_are_refused(biped: Skeleton):
    other = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    with pytest.raises(SkeletonError, match=r"21 joints.*differ"):
        body_for(biped, None, Character("other", other))


def test_few_points_reach_as_far_as_all(biped: Skeleton):
    full = dressed(biped)
    few = thinned(full, 500)
    assert 250 < few.vertex_count <= 500
    pose = biped.rest_pose[None]
    every, some = outline(full, pose), outline(few, pose)
    assert every.shape == (1, 3000, 3)
    assert set(map(tuple, some[0].tolist())) <= set(map(tuple, every[0].tolist()))
    np.testing.assert_array_equal(outline(Character("bare", biped), pose), pose.global_positions)
