"""Root layout."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.mocap.root import root_layout, to_root
from kinema.pose import Pose


def carried(biped: Skeleton) -> Skeleton:
    """The biped under a turned joint that stands aside, with a second tree beside it."""
    quarter = np.float32([np.sqrt(0.5), -np.sqrt(0.5), 0, 0])
    rest = np.tile(np.float32([1, 0, 0, 0]), (biped.joint_count + 2, 1))
    rest[0], rest[1] = quarter, rotations.inverse(quarter)
    offsets = np.concatenate([[[3, 0, 5]], biped.rest_translations, [[1, 1, 1]]])
    parents = [-1, *(biped.parents + 1).tolist(), -1]
    return Skeleton.create(["Armature", *biped.names, "Ball"], parents, offsets, rest)


def test_which_joint_is_what(biped: Skeleton) -> None:
    layout = root_layout(carried(biped))
    assert layout.carriers.tolist() == [0]
    assert layout.tops.tolist() == [1, biped.joint_count + 1]
    assert root_layout(biped).carriers.size == 0


def test_the_rest_pose_stays_but_stands_over_the_origin(biped: Skeleton) -> None:
    old = carried(biped)
    layout = root_layout(old)
    turned, positions = layout.skeleton.rest_pose.global_rotations, layout.skeleton.rest_pose.global_positions
    true_turned, true_positions = old.rest_pose.global_rotations, old.rest_pose.global_positions
    aside = true_positions[1] * [1, 0, 1]
    assert np.allclose(positions[1:], true_positions[1:] - aside, atol=1e-5)
    assert np.allclose(np.abs((turned * true_turned).sum(-1))[1:], 1, atol=1e-5)
    assert np.allclose(positions[0], 0) and np.allclose(positions[1, [0, 2]], 0, atol=1e-5)
    again = root_layout(layout.skeleton).skeleton
    assert np.allclose(again.rest_translations, layout.skeleton.rest_translations, atol=1e-6)


@pytest.mark.parametrize("with_carrier", [False, True])
def test_there_and_back(sway: Callable[..., Motion], biped: Skeleton, with_carrier: bool) -> None:
    skeleton = carried(biped) if with_carrier else biped
    motion = sway(skeleton=skeleton)
    layout = root_layout(skeleton)
    root_positions, root_rotations = motion.root_frame()
    pose = motion[:]
    there = to_root(layout, pose, root_positions, root_rotations)
    np.testing.assert_array_equal(there.root_positions, root_positions)
    assert (there.local_rotations[:, layout.carriers] == [1, 0, 0, 0]).all()
    assert (there.local_translations[:, layout.carriers] == 0).all()
    world = there.in_world()
    through = Pose(world.skeleton, world.local_rotations, world.local_translations)
    kept = np.setdiff1d(np.arange(skeleton.joint_count), layout.carriers)
    for name, back in (("direct", there), ("through", through)):
        assert np.abs(back.global_positions - pose.global_positions)[:, kept].max() < 1e-5, name
        assert (
            rotations.angle(rotations.relative(back.global_rotations, pose.global_rotations))[:, kept].max() < 2e-3
        ), name
    assert np.allclose(through.global_positions[:, layout.carriers], root_positions[:, None])
