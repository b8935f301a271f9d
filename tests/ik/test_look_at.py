"""Looking at points: exact in closed form, within limits, shared by the chain, differentiable."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.ik import Cone, look_at
from kinema.ik.limits import excess
from kinema.mocap.procedural import humanoid
from kinema.pose import Pose

CHAIN = ["Spine1", "Spine2", "Neck", "Head"]
EYES = (0.0, 0.08, 0.1)


@pytest.fixture(scope="module")
def person() -> Skeleton:
    return humanoid()


def poses(person: Skeleton, rng: np.random.Generator, *lead: int) -> Pose:
    away = rotations.exp(rng.normal(size=(*lead, person.joint_count, 3)) * 0.2)
    return Pose(
        person,
        rotations.multiply(person.rest_rotations.astype(np.float64), away),
        root_positions=rng.normal(size=(*lead, 3)),
        root_rotations=rotations.normalize(rng.normal(size=(*lead, 4))),
    )


def sight(pose: Pose, target) -> tuple[np.ndarray, np.ndarray]:
    """The line of sight and the line to the target, unit vectors."""
    head = pose.skeleton.index("Head")
    turned = pose.global_rotations[..., head, :]
    eye = pose.global_positions[..., head, :] + rotations.rotate(turned, np.array(EYES))
    return rotations.rotate(turned, np.array([0.0, 0, 1])), rotations.normalize_vector(target - eye)


def error(pose: Pose, target) -> np.ndarray:
    one, other = sight(pose, target)
    return np.arctan2(np.linalg.norm(np.cross(one, other), axis=-1), (one * other).sum(-1))


def around(pose: Pose, rng: np.random.Generator, away: float = 2.0) -> np.ndarray:
    """Targets around the head, in every direction."""
    direction = rotations.normalize_vector(rng.normal(size=(*pose.shape, 3)))
    return pose.global_positions[..., pose.skeleton.index("Head"), :] + away * direction


@pytest.mark.parametrize("away", [0.35, 2.0, 50.0])
def test_the_eyes_meet_any_target(person: Skeleton, rng: np.random.Generator, away: float) -> None:
    pose = poses(person, rng, 4, 250)
    target = around(pose, rng, away)
    found = look_at(pose, CHAIN, target, offset=EYES)
    assert error(found, target).max() < 1e-6
    changed = np.abs(found.local_rotations - pose.local_rotations).max(axis=(0, 1, 3)) > 1e-9
    assert {person.names[joint] for joint in np.flatnonzero(changed)} == set(CHAIN)


def test_joints_turn_by_their_shares(person: Skeleton) -> None:
    pose = person.rest_pose
    target = np.array([100.0, pose.global_positions[person.index("Head"), 1] + EYES[1], 100.0])
    found = look_at(pose, CHAIN, target, offset=EYES, shares=[1, 1, 0, 2])
    angles = rotations.angle(rotations.relative(pose.local_rotations, found.local_rotations))
    wanted = np.pi / 4 * np.array([0.25, 0.25, 0.0, 0.5])
    np.testing.assert_allclose(angles[person.indices(CHAIN)], wanted, atol=0.01)


def test_limits_hold_and_others_take_over(person: Skeleton, rng: np.random.Generator) -> None:
    pose = poses(person, rng, 500)
    target = around(pose, rng)
    limits = [Cone("Neck", 0.3, (-0.2, 0.2)), Cone("Head", 0.5, (-0.5, 0.5))]
    found = look_at(pose, CHAIN, target, limits, offset=EYES)
    assert excess(found, limits).max() < 1e-6
    assert error(found, target).max() < 1e-3, "the spine is free"
    everywhere = [Cone(name, 0.35, (-0.4, 0.4)) for name in CHAIN]
    stiff = look_at(pose, CHAIN, target, everywhere, offset=EYES)
    assert excess(stiff, everywhere).max() < 1e-6
    before, after = error(pose, target), error(stiff, target)
    assert (after[before < 0.7] < 1e-3).mean() > 0.95, "what the limits allow is met"
    assert (after <= before + 1e-6).all()


def test_what_is_behind_is_out_of_reach_of_limits_but_finite(person: Skeleton) -> None:
    pose = person.rest_pose
    limits = [Cone(name, 0.3, (-0.3, 0.3)) for name in CHAIN]
    target = pose.global_positions[person.index("Head")] + np.array([0.0, 0.08, -3.0])
    found = look_at(pose, CHAIN, target, limits, offset=EYES)
    assert np.isfinite(found.local_rotations).all()
    assert found.local_rotations.dtype == np.float32
    inside = look_at(pose, CHAIN, pose.global_positions[person.index("Head")], offset=EYES)
    assert np.isfinite(inside.local_rotations).all()


def test_a_moved_world_gives_the_moved_answer(person: Skeleton, rng: np.random.Generator) -> None:
    pose = poses(person, rng, 20)
    target = around(pose, rng)
    limits = [Cone("Neck", 0.3, (-0.2, 0.2))]
    turn, shift = rotations.normalize(rng.normal(size=4)), rng.normal(size=3)
    moved = pose.replace(
        root_positions=rotations.rotate(turn, pose.root_positions) + shift,
        root_rotations=rotations.multiply(turn, pose.root_rotations),
    )
    plain = look_at(pose, CHAIN, target, limits, offset=EYES)
    found = look_at(moved, CHAIN, rotations.rotate(turn, target) + shift, limits, offset=EYES)
    np.testing.assert_allclose(found.local_rotations, plain.local_rotations, atol=1e-8)
    alone = look_at(pose[7], CHAIN, target[7], limits, offset=EYES)
    np.testing.assert_allclose(alone.local_rotations, plain.local_rotations[7], atol=1e-12)


def test_torch_is_the_same_and_differentiable(person: Skeleton, rng: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    pose = poses(person, rng, 3)
    target = around(pose, rng)
    limits = [Cone("Neck", 0.2, (-0.2, 0.2))]
    tensors = Pose(
        person,
        torch.tensor(pose.local_rotations),
        root_positions=torch.tensor(pose.root_positions),
        root_rotations=torch.tensor(pose.root_rotations),
    )
    given = torch.tensor(target, requires_grad=True)
    found = look_at(tensors, CHAIN, given, limits, offset=EYES)
    plain = look_at(pose, CHAIN, target, limits, offset=EYES)
    np.testing.assert_allclose(found.local_rotations.detach().numpy(), plain.local_rotations, atol=1e-9)

    def looked(target):
        return look_at(tensors, CHAIN, target, limits, offset=EYES).local_rotations ** 2

    assert torch.autograd.gradcheck(looked, (given,), atol=1e-4, fast_mode=True)


def test_what_makes_no_sense_is_refused(person: Skeleton) -> None:
    pose, target = person.rest_pose, np.zeros(3)
    with pytest.raises(SkeletonError, match="joint 'Neck' is not below 'Head'"):
        look_at(pose, ["Head", "Neck"], target)
    with pytest.raises(SkeletonError, match="looking needs joints and one share for each: 2 joints, 1 shares"):
        look_at(pose, ["Neck", "Head"], target, shares=[1])
    with pytest.raises(SkeletonError, match="0 joints"):
        look_at(pose, [], target)
