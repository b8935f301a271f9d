"""Skinning against explicit 4 x 4 matrices."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from kinema import Character, Skeleton, kinematics, rotations
from kinema.character import Material, Mesh, Morph
from kinema.pose import Pose


def transforms(turned: np.ndarray, moved: np.ndarray) -> np.ndarray:
    full = np.zeros((*turned.shape[:-1], 4, 4), np.float32)
    full[..., :3, :3], full[..., :3, 3], full[..., 3, 3] = rotations.to_matrix(turned), moved, 1
    return full


@pytest.fixture
def skinned(biped: Skeleton, rng: np.random.Generator) -> Mesh:
    vertices, influences = 40, 4
    weights = rng.uniform(size=(vertices, influences))
    weights[:10, 1:] = 0  # rigid vertices
    weights /= weights.sum(-1, keepdims=True)
    return Mesh(
        name="body",
        positions=rng.normal(size=(vertices, 3)).astype(np.float32),
        normals=np.tile(np.float32([0, 1, 0]), (vertices, 1)),
        indices=np.zeros((1, 3), np.uint32),
        joints=rng.integers(0, biped.joint_count, (vertices, influences)).astype(np.int32),
        weights=weights.astype(np.float32),
        inverse_bind=np.linalg.inv(
            transforms(biped.rest_pose.global_rotations, biped.rest_pose.global_positions)
        ).astype(np.float32),
    )


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,)])
def test_linear_blend_skinning(
    biped: Skeleton, skinned: Mesh, shape: tuple[int, ...], rng: np.random.Generator
) -> None:
    local = rotations.normalize(rng.normal(size=(*shape, 21, 4))).astype(np.float32)
    turned, positions = kinematics.forward(local, biped.rest_translations, biped.parents.tolist())
    got = skinned.skin(Pose(biped, local))
    assert skinned.joints is not None and skinned.weights is not None and skinned.inverse_bind is not None
    palette = transforms(turned, positions) @ skinned.inverse_bind
    homogeneous = np.concatenate([skinned.positions, np.ones((40, 1))], axis=-1)
    expected = np.einsum("vi,...viab,vb->...va", skinned.weights, palette[..., skinned.joints, :, :], homogeneous)
    assert got.shape == (*shape, 40, 3) and got.dtype == np.float32
    np.testing.assert_allclose(got, expected[..., :3], atol=1e-5)


def test_the_rest_pose_leaves_vertices_where_they_are(biped: Skeleton, skinned: Mesh) -> None:
    np.testing.assert_allclose(skinned.skin(biped.rest_pose), skinned.positions, atol=1e-5)


def test_bind_matrices_with_scale(biped: Skeleton, skinned: Mesh) -> None:
    """A mesh modelled in centimetres: its bind matrices scale."""
    assert skinned.inverse_bind is not None
    scaled = skinned.inverse_bind @ np.diag([0.01, 0.01, 0.01, 1]).astype(np.float32)
    big = Mesh(
        "cm",
        100 * skinned.positions,
        skinned.normals,
        skinned.indices,
        joints=skinned.joints,
        weights=skinned.weights,
        inverse_bind=scaled,
    )
    np.testing.assert_allclose(big.skin(biped.rest_pose), skinned.skin(biped.rest_pose), atol=1e-4)


def test_meshes_without_a_skin(biped: Skeleton, skinned: Mesh) -> None:
    turned, positions = biped.rest_pose.global_rotations, biped.rest_pose.global_positions
    turned = np.stack([turned, rotations.multiply(np.float32([0, 0, 1, 0]), turned)])
    positions = np.stack([positions, positions + 1])
    hung = Mesh("hat", skinned.positions, skinned.normals, skinned.indices, joint=4)
    pose = Pose.from_model(biped, turned, positions)
    got = hung.skin(pose)
    np.testing.assert_allclose(got[0], skinned.positions + positions[0, 4], atol=1e-6)
    np.testing.assert_allclose(got[1], skinned.positions * [-1, 1, -1] + positions[1, 4], atol=1e-6)
    floor = Mesh("floor", skinned.positions, skinned.normals, skinned.indices)
    np.testing.assert_array_equal(floor.skin(pose), np.stack([skinned.positions] * 2))


def test_character_skins_every_mesh(biped: Skeleton, skinned: Mesh) -> None:
    character = Character("someone", biped, (skinned, skinned), (Material(),))
    both = character.skin(biped.rest_pose)
    assert len(both) == 2 and character.vertex_count == 80
    np.testing.assert_array_equal(both[0], both[1])
    assert Character("nobody", biped).skin(biped.rest_pose) == []


def test_skinning_under_torch_is_the_same_and_differentiable(biped: Skeleton, skinned: Mesh, rng) -> None:
    torch = pytest.importorskip("torch")
    shapes = tuple(Morph(name, rng.normal(size=(40, 3)).astype(np.float32)) for name in ("smile", "frown"))
    mesh = dataclasses.replace(skinned, morphs=shapes)
    local = rotations.normalize(rng.normal(size=(2, 21, 4)))
    weights = np.float64([[0.0, 0.5], [0.0, 0.0]])
    ours = mesh.skin(Pose(biped, local.astype(np.float32)), weights)
    turns, shares = torch.from_numpy(local).requires_grad_(), torch.from_numpy(weights).requires_grad_()
    theirs = mesh.skin(Pose(biped, turns), shares)
    np.testing.assert_allclose(theirs.detach().numpy(), ours, atol=1e-5)
    (by_turns, by_shares) = torch.autograd.grad(theirs.square().sum(), (turns, shares))
    assert (by_turns.abs().sum(-1) > 0).any() and (by_shares.abs() > 0).all(), "weights of zero have gradients too"

    def skin(turns: Any, shares: Any) -> Any:
        return mesh.skin(Pose(biped, turns / turns.norm(dim=-1, keepdim=True)), shares)

    assert torch.autograd.gradcheck(skin, (turns, shares), fast_mode=True)


def test_a_pose_is_found_from_vertices_by_gradients(biped: Skeleton, skinned: Mesh, rng) -> None:
    torch = pytest.importorskip("torch")
    wanted = rotations.exp(0.3 * rng.normal(size=(21, 3)))
    target = torch.from_numpy(skinned.skin(Pose(biped, wanted.astype(np.float32)))).double()
    turns = torch.zeros(21, 3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([turns], max_iter=60, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimizer.zero_grad()
        away = (skinned.skin(Pose(biped, rotations.exp(turns))) - target).square().sum(-1).mean()
        away.backward()
        return away

    before = loss().item()
    optimizer.step(loss)
    assert loss().item() < 1e-4 * before
