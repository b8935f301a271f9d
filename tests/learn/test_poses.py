"""Poses out of vectors: the same as forward kinematics says."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kinema import Skeleton, kinematics, rotations
from kinema.errors import LearningError
from kinema.features import Feature, FeatureSpec
from kinema.learn.poses import PoseReader


def vectors(skeleton: Skeleton, rng: np.random.Generator, count: int = 5) -> tuple[FeatureSpec, np.ndarray, tuple]:
    spec = FeatureSpec(
        (Feature("positions", "position", times=(0, 0.1)), Feature("rotations", "rotation6d", times=(0, 0.1))),
        skeleton,
    )
    local = rotations.exp(0.7 * rng.normal(size=(count, 2, skeleton.joint_count, 3)).astype(np.float32))
    moved = np.tile(skeleton.rest_translations, (count, 2, 1, 1))
    moved[:, :, 0] += rng.normal(size=(count, 2, 3)).astype(np.float32)
    turned, placed = kinematics.forward(local, moved, skeleton.parents.tolist())
    parts = {"positions": placed.reshape(count, -1), "rotations": rotations.to_6d(turned).reshape(count, -1)}
    return spec, spec.join(parts), (local, moved, turned, placed)


def moved(y: torch.Tensor, spec: FeatureSpec, by: list[float], joints: list[int]) -> torch.Tensor:
    """The vectors with the positions of some joints elsewhere, at all times."""
    changed = y.clone()
    positions = changed[:, spec["positions"]].view(len(y), 2, -1, 3)
    positions[:, :, joints] += torch.tensor(by)
    changed[:, spec["positions"]] = positions.flatten(1)
    return changed


def test_assembled_bones_are_where_forward_kinematics_puts_them(biped, rng):
    spec, y, (_, _, _, placed) = vectors(biped, rng)
    reader = PoseReader(spec, np.array([0], np.int32))
    y = torch.from_numpy(y)
    wrong = moved(y, spec, [0.3, 0.3, 0.3], list(range(1, biped.joint_count)))
    built = reader.assembled(wrong)  # positions of joints that hang on bones do not count
    assert np.allclose(built.numpy(), placed, atol=1e-5)
    assert np.array_equal(reader.assembled(wrong, [1]).numpy(), built[:, [1]].numpy())


def test_joints_that_move_keep_the_distance_that_was_predicted(biped, rng):
    spec, y, (_, _, _, placed) = vectors(biped, rng)
    head = biped.index("Head")
    reader = PoseReader(spec, np.array([0, head], np.int32))
    y = torch.from_numpy(y)
    built = reader.assembled(moved(y, spec, [0.0, 0.2, 0.0], [head])).numpy()
    assert np.allclose(built[..., head, :], placed[..., head, :] + [0, 0.2, 0], atol=1e-5)


def test_local_rotations_come_back(biped, rng):
    spec, y, (local, translations, _, placed) = vectors(biped, rng)
    pose = PoseReader(spec, np.array([0], np.int32)).pose(torch.from_numpy(y))
    assert pose.shape == (5, 2)
    assert np.abs(np.abs((pose.local_rotations * local).sum(-1)) - 1).max() < 1e-5
    assert np.allclose(pose.local_translations, translations, atol=1e-5)
    assert np.allclose(pose.global_positions, placed, atol=1e-5)


def test_errors_are_in_metres_and_radians(biped, rng):
    spec, y, (local, moved, _, _) = vectors(biped, rng)
    reader = PoseReader(spec, np.array([0], np.int32))
    true = torch.from_numpy(y)
    distances, angles = reader.errors(true, true, [0, 1])
    assert distances.shape == (5, 2, biped.joint_count)
    assert distances.max() < 1e-5 and angles.max() < 2e-3
    other = local.copy()
    knee = biped.index("LeftLeg")
    other[:, :, knee] = rotations.multiply(
        other[:, :, knee], rotations.exp(np.tile(np.float32([0.3, 0, 0]), (5, 2, 1)))
    )
    turned, placed = kinematics.forward(other, moved, biped.parents.tolist())
    parts = {"positions": placed.reshape(5, -1), "rotations": rotations.to_6d(turned).reshape(5, -1)}
    distances, angles = reader.errors(torch.from_numpy(spec.join(parts)), true, [1])
    bent = [biped.index(name) for name in ("LeftLeg", "LeftFoot", "LeftToeBase")]
    assert np.allclose(angles[:, 0, bent], 0.3, atol=1e-3)
    still = np.setdiff1d(np.arange(biped.joint_count), bent)
    assert angles[:, 0, still].max() < 2e-3 and distances[:, 0, still].max() < 1e-5
    foot = biped.index("LeftFoot")
    length = float(np.linalg.norm(biped.rest_translations[foot]))
    assert float(distances[:, 0, foot].max()) <= 2 * length * np.sin(0.15) + 1e-4


def test_an_output_without_poses_is_refused(biped):
    spec = FeatureSpec((Feature("positions", "position"),), biped)
    with pytest.raises(LearningError, match="'rotations' of kind rotation6d"):
        PoseReader(spec, np.array([0], np.int32))
