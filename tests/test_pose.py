"""Poses in their three spaces, in NumPy and torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations
from kinema.errors import SkeletonError
from kinema.pose import Pose


def crowd(skeleton: Skeleton, count: int, rng: np.random.Generator) -> Pose:
    joints = skeleton.joint_count
    yaw = rng.uniform(-3, 3, count).astype(np.float32)
    return Pose(
        skeleton,
        root_positions=(rng.normal(size=(count, 3)) * [1, 0, 1]).astype(np.float32),
        root_rotations=rotations.from_yaw(yaw),
        local_translations=np.tile(skeleton.rest_translations, (count, 1, 1)),
        local_rotations=rotations.normalize(rng.normal(size=(count, joints, 4))).astype(np.float32),
        contacts=np.zeros((count, 2), np.float32),
    )


@pytest.mark.parametrize("count", [0, 1, 7])
def test_world_is_root_times_pose(biped: Skeleton, count: int, rng: np.random.Generator) -> None:
    pose = crowd(biped, count, rng)
    assert len(pose) == count
    turned, positions = (pose.global_rotations, pose.global_positions)
    assert turned.shape == (count, 21, 4) and positions.shape == (count, 21, 3)
    # The same tree with the root frame as one more joint on top.
    parents = [-1, *(biped.parents + 1).tolist()]
    local = np.concatenate([pose.root_rotations[:, None], pose.local_rotations], axis=1)
    moved = np.concatenate([pose.root_positions[:, None], pose.local_translations], axis=1)
    expected = kinematics.forward_reference(local, moved, parents)
    np.testing.assert_allclose(turned, expected[0][:, 1:], atol=1e-5)
    np.testing.assert_allclose(positions, expected[1][:, 1:], atol=1e-5)


def test_in_root_ignores_where_the_root_is(biped: Skeleton, rng: np.random.Generator) -> None:
    pose = crowd(biped, 3, rng)
    moved = pose.replace(root_positions=pose.root_positions + 5)
    np.testing.assert_array_equal(moved.model_positions, pose.model_positions)
    shift = moved.global_positions - pose.global_positions
    np.testing.assert_allclose(shift, 5, atol=1e-5)


def test_another_root_frame_leaves_the_pose_where_it_is(biped: Skeleton, rng: np.random.Generator) -> None:
    pose, root = crowd(biped, 4, rng), crowd(biped, 4, rng)
    moved = pose.on_root(root.root_positions, root.root_rotations)
    np.testing.assert_array_equal(moved.root_positions, root.root_positions)
    np.testing.assert_array_equal(moved.global_positions, pose.global_positions)
    local = Pose(biped, moved.local_rotations, moved.local_translations)
    for name, expected in (("model_positions", local.model_positions), ("contacts", pose.contacts)):
        np.testing.assert_allclose(getattr(moved, name), expected, atol=1e-5)
    np.testing.assert_allclose(moved.in_world().global_positions, pose.global_positions, atol=1e-5)


def test_local_and_model_space_follow_from_each_other(biped: Skeleton, rng: np.random.Generator) -> None:
    pose = crowd(biped, 5, rng)
    back = Pose.from_model(biped, pose.model_rotations, pose.model_positions)
    np.testing.assert_allclose(back.local_translations, pose.local_translations, atol=1e-5)
    assert rotations.angle(rotations.relative(back.local_rotations, pose.local_rotations)).max() < 3e-3
    assert back.global_positions is back.model_positions, "without a root frame they are the same"


def test_nothing_is_computed_twice(biped: Skeleton, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    forward = kinematics.forward
    monkeypatch.setattr(kinematics, "forward", lambda *given, **named: calls.append(1) or forward(*given, **named))
    pose = crowd(biped, 5, rng)
    assert pose.global_positions is pose.global_positions and pose.model_rotations is pose.model_rotations
    elsewhere = pose.replace(root_positions=pose.root_positions + 1)
    assert elsewhere.model_positions is pose.model_positions
    np.testing.assert_array_equal(pose[2:4].global_positions, pose.global_positions[2:4])
    assert len(calls) == 1


@pytest.mark.parametrize("index", [3, slice(1, 6, 2), [0, 5, 5], np.arange(7) % 2 == 0, None, (..., slice(2))])
def test_an_index_is_over_the_leading_dimensions(biped: Skeleton, rng: np.random.Generator, index: Any) -> None:
    pose = crowd(biped, 7, rng)
    known = crowd(biped, 7, rng)
    assert known.global_positions.shape == (7, 21, 3)  # one whose globals are computed, one whose are not
    for before in (pose, known):
        chosen = before[index]
        rows = index[1] if isinstance(index, tuple) else index
        assert chosen.shape == np.arange(7)[rows].shape
        for name in ("local_rotations", "local_translations", "root_positions", "contacts", "global_positions"):
            np.testing.assert_allclose(getattr(chosen, name), getattr(before, name)[rows], atol=1e-6)


def test_parts_that_are_not_given_are_constant(biped: Skeleton) -> None:
    pose = Pose(biped, np.tile(np.float32([1, 0, 0, 0]), (2, 3, 21, 1)))
    assert pose.shape == (2, 3) and pose.contacts.shape == (2, 3, 0) and pose.morph_weights is None
    np.testing.assert_array_equal(pose.local_translations, np.broadcast_to(biped.rest_translations, (2, 3, 21, 3)))
    assert (pose.root_positions == 0).all() and (pose.root_rotations == [1, 0, 0, 0]).all()
    assert repr(pose) == "<Pose 2x3 of 21 joints>" and repr(pose[0, 0]) == "<Pose one of 21 joints>"


def test_poses_are_put_one_after_the_other(biped: Skeleton, rng: np.random.Generator) -> None:
    first, second = crowd(biped, 2, rng), crowd(biped, 3, rng)
    both = Pose.concatenate([first, second])
    np.testing.assert_allclose(both.global_positions[2:], second.global_positions, atol=1e-6)
    assert both.contacts.shape == (5, 2) and Pose.concatenate([first, second.replace(contacts=None)]).contacts.size == 0
    with pytest.raises(SkeletonError, match="no poses"):
        Pose.concatenate([])


def test_arrays_of_other_joints_are_refused(biped: Skeleton, rng: np.random.Generator) -> None:
    with pytest.raises(SkeletonError, match=r"a pose of 21 joints needs rotations \[..., 21, 4\]"):
        Pose(biped, np.zeros((5, 20, 4), np.float32))
    with pytest.raises(TypeError, match="no part 'root' to replace; it has local_rotations"):
        crowd(biped, 1, rng).replace(root=None)
    with pytest.raises(TypeError, match="no length"):
        len(crowd(biped, 1, rng)[0])


def test_torch_gives_the_same_and_gradients(biped: Skeleton, rng: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    ours = crowd(biped, 4, rng)
    names = ("local_rotations", "local_translations", "root_positions", "root_rotations")
    parts = {name: torch.from_numpy(np.asarray(getattr(ours, name), np.float64)).requires_grad_() for name in names}
    pose = Pose(biped, **parts)
    np.testing.assert_allclose(pose.global_positions.detach().numpy(), ours.global_positions, atol=1e-5)
    np.testing.assert_allclose(pose.in_world()[1:].global_rotations.detach(), ours.global_rotations[1:], atol=1e-5)

    def points(*given: Any) -> Any:
        return Pose(biped, **dict(zip(names, given, strict=True)))[:2].global_positions

    assert torch.autograd.gradcheck(points, tuple(part[:, ...] for part in parts.values()), fast_mode=True)
