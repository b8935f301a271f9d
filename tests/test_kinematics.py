"""Forward kinematics, its inverse, and time derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations


def pose(rng: np.random.Generator, *shape: int) -> tuple[np.ndarray, np.ndarray]:
    return rotations.normalize(rng.normal(size=(*shape, 4))), rng.normal(size=(*shape, 3))


def matrices(turned: np.ndarray, moved: np.ndarray) -> np.ndarray:
    full = np.zeros((*turned.shape[:-1], 4, 4))
    full[..., :3, :3], full[..., :3, 3], full[..., 3, 3] = rotations.to_matrix(turned), moved, 1
    return full


PARENTS = [-1, 0, 1, 0, -1, 4, 5, 2]  # two roots


def test_forward_is_the_product_of_matrices(rng: np.random.Generator) -> None:
    local, moved = pose(rng, 3, 8)
    globals_ = kinematics.forward(local, moved, PARENTS)
    chain = [np.eye(4)[None]] * 0
    steps = matrices(local, moved)
    for joint, parent in enumerate(PARENTS):
        chain.append(steps[:, joint] if parent < 0 else chain[parent] @ steps[:, joint])
    np.testing.assert_allclose(matrices(*globals_), np.stack(chain, axis=1), atol=1e-12)


def test_a_bent_arm_by_hand() -> None:
    quarter = np.float32([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])  # X to Y
    local = np.stack([quarter, np.float32([1, 0, 0, 0]), quarter])
    turned, positions = kinematics.forward(local, np.float32([[0, 1, 0], [2, 0, 0], [3, 0, 0]]), [-1, 0, 1])
    np.testing.assert_allclose(positions, [[0, 1, 0], [0, 3, 0], [0, 6, 0]], atol=1e-6)
    np.testing.assert_allclose(rotations.rotate(turned[2], np.float32([1, 0, 0])), [-1, 0, 0], atol=1e-6)


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0,), (1,)])
@pytest.mark.parametrize("shared", [False, True])
def test_fast_path_and_reference_agree(shape: tuple[int, ...], shared: bool, rng: np.random.Generator) -> None:
    local, moved = pose(rng, *shape, 8)
    moved = rng.normal(size=(8, 3)) if shared else moved
    local, moved = local.astype(np.float32), moved.astype(np.float32)
    for fast, plain in zip(
        kinematics.forward(local, moved, PARENTS), kinematics.forward_reference(local, moved, PARENTS), strict=True
    ):
        assert fast.shape == plain.shape and fast.dtype == plain.dtype == np.float32
        np.testing.assert_allclose(fast, plain, atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_leading_dimensions_broadcast(dtype: type, rng: np.random.Generator) -> None:
    local, moved = pose(rng, 8)[0].astype(dtype), pose(rng, 4, 8)[1].astype(dtype)
    turned, positions = kinematics.forward(local, moved, PARENTS)
    assert turned.shape == (4, 8, 4) and positions.shape == (4, 8, 3)
    alone = kinematics.forward(local, moved[2], PARENTS)
    np.testing.assert_allclose(positions[2], alone[1], atol=1e-5)
    np.testing.assert_allclose(turned[2], alone[0], atol=1e-5)


def test_views_that_are_not_contiguous(rng: np.random.Generator) -> None:
    local, moved = (x.astype(np.float32) for x in pose(rng, 8, 6))
    local, moved = np.swapaxes(local, 0, 1), np.swapaxes(moved, 0, 1)
    expected = kinematics.forward_reference(local, moved, PARENTS)
    np.testing.assert_allclose(kinematics.forward(local, moved, PARENTS)[1], expected[1], atol=1e-5)
    np.testing.assert_allclose(kinematics.forward(local[::2], moved[::2], PARENTS)[1], expected[1][::2], atol=1e-5)


def test_a_single_joint(rng: np.random.Generator) -> None:
    local, moved = pose(rng, 4, 1)
    turned, positions = kinematics.forward(local.astype(np.float32), moved.astype(np.float32), [-1])
    np.testing.assert_allclose(turned, local, atol=1e-6)
    np.testing.assert_allclose(positions, moved, atol=1e-6)


@pytest.mark.parametrize("shape", [(), (5,), (0,)])
def test_to_local_undoes_forward(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    local, moved = pose(rng, *shape, 8)
    back = kinematics.to_local(*kinematics.forward(local, moved, PARENTS), PARENTS)
    np.testing.assert_allclose(back[0], local, atol=1e-12)
    np.testing.assert_allclose(back[1], moved, atol=1e-12)


def test_torch_agrees_and_is_differentiable(rng: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    local, moved = pose(rng, 2, 4)
    parents = [-1, 0, 1, 0]
    tensors = [torch.from_numpy(x).requires_grad_() for x in (local, moved)]
    for ours, theirs in zip(
        kinematics.forward(local, moved, parents), kinematics.forward(*tensors, parents), strict=True
    ):
        np.testing.assert_allclose(theirs.detach().numpy(), ours, atol=1e-12)
    assert torch.autograd.gradcheck(lambda a, b: kinematics.forward(a, b, parents), tensors)
    back = kinematics.to_local(*kinematics.forward(*tensors, parents), parents)
    np.testing.assert_allclose(back[1].detach().numpy(), moved, atol=1e-12)


def test_rest_pose_of_a_person(biped: Skeleton) -> None:
    turned, positions = biped.rest_pose.global_rotations, biped.rest_pose.global_positions
    np.testing.assert_allclose(turned, np.tile([1, 0, 0, 0], (21, 1)))
    assert positions[biped.index("LeftHand"), 0] > 0.6  # left is +X
    np.testing.assert_allclose(positions[biped.index("LeftFoot"), 1], 0.92 - 0.04 - 0.41 - 0.4, atol=1e-6)


def test_velocities_are_exact_for_parabolas_inside_and_lines_at_the_ends() -> None:
    times = np.arange(8)[:, None, None] * 0.1
    positions = np.concatenate([3 * times, 5 * times**2, 0 * times], axis=-1)
    speed = kinematics.velocities(positions, 0.1)
    assert speed.shape == positions.shape
    np.testing.assert_allclose(speed[..., 0], 3, atol=1e-12)
    np.testing.assert_allclose(speed[1:-1, 0, 1], 10 * times[1:-1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(speed[0, 0, 1], 0.5, atol=1e-12)
    np.testing.assert_allclose(speed[-1, 0, 1], 5 * (0.7**2 - 0.6**2) / 0.1, atol=1e-12)


def test_angular_velocities_of_a_steady_turn() -> None:
    rate = np.array([0.3, -2.0, 1.0])
    turn = rotations.exp(np.arange(20)[:, None] * 0.02 * rate) * np.where(np.arange(20) % 3 == 0, -1, 1)[:, None]
    start = rotations.from_axis_angle(np.array([1.0, 0, 0]), np.array(1.0))
    np.testing.assert_allclose(
        kinematics.angular_velocities(rotations.multiply(turn, start), 0.02), np.tile(rate, (20, 1)), atol=1e-9
    )


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_derivatives_of_very_short_clips(frames: int) -> None:
    assert not kinematics.velocities(np.ones((frames, 2, 3)), 0.1).any()
    still = rotations.identity((frames, 2), np.zeros(0))
    turned = kinematics.angular_velocities(still, 0.1)
    assert turned.shape == (frames, 2, 3)
    assert not turned.any()


@pytest.mark.parametrize(("poses", "roots"), [((), ()), ((5,), (5,)), ((5,), ()), ((), (5,)), ((4, 1), (1, 3))])
def test_the_compiled_placing_matches_the_reference(
    poses: tuple[int, ...], roots: tuple[int, ...], rng: np.random.Generator
) -> None:
    """Poses in the world, with a root for each, one for all, or several for one pose."""
    turned, positions = (x.astype(np.float32) for x in pose(rng, *poses, 6))
    places = rng.normal(size=(*roots, 3)).astype(np.float32)
    turns = rotations.normalize(rng.normal(size=(*roots, 4))).astype(np.float32)
    found = kinematics.place(turned, positions, places, turns)
    exact = kinematics.place_reference(*(x.astype(np.float64) for x in (turned, positions, places, turns)))
    for ours, theirs in zip(found, exact, strict=True):
        assert ours.dtype == np.float32 and ours.shape == theirs.shape
        assert ours.shape[:-2] == np.broadcast_shapes(poses, roots)
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("parents", [[-1, 2, 0], [-1, 0, 2], [-1, -2, 0], [-1, 0], [[-1, 0, 1]]])
def test_parents_that_do_not_fit_are_refused(parents: list[int], rng: np.random.Generator) -> None:
    """One after its child, one that is its own, one that does not exist, and too few of them."""
    local, moved = (x.astype(np.float32) for x in pose(rng, 2, 3))
    with pytest.raises(ValueError, match="each parent before its children"):
        kinematics.forward(local, moved, parents)
    with pytest.raises(ValueError, match="rotations of 3 joints need as many translations"):
        kinematics.forward(local, moved[:, :2], [-1, 0, 1])


def test_double_precision_stays(rng: np.random.Generator) -> None:
    """The compiled kernels are for float32; float64 arrays, empty ones too, keep theirs."""
    local, moved = pose(rng, 2, 8)
    turns, places = rotations.normalize(rng.normal(size=(2, 4))), rng.normal(size=(2, 3))
    for found in (kinematics.forward(local, moved, PARENTS), kinematics.place(local, moved, places, turns)):
        assert [part.dtype for part in found] == [np.float64] * 2
    assert kinematics.place(local[:0], moved[:0], places[:0], turns[:0])[0].shape == (0, 8, 4)
    np.testing.assert_allclose(
        kinematics.place(local, moved, places, turns)[1],
        kinematics.place_reference(local, moved, places, turns)[1],
        atol=1e-12,
    )


@pytest.mark.parametrize(("places", "turns"), [((5,), ()), ((), (5,)), ((2, 5), (5,))])
def test_roots_broadcast_with_each_other(
    places: tuple[int, ...], turns: tuple[int, ...], rng: np.random.Generator
) -> None:
    """Several places with one heading, one place with several headings."""
    local, moved = (x.astype(np.float32) for x in pose(rng, 6))
    there = rng.normal(size=(*places, 3)).astype(np.float32)
    turned = rotations.normalize(rng.normal(size=(*turns, 4))).astype(np.float32)
    found, exact = (
        kinematics.place(local, moved, there, turned),
        kinematics.place_reference(local, moved, there, turned),
    )
    assert found[1].shape == exact[1].shape
    np.testing.assert_allclose(found[1], exact[1], atol=1e-5)
    np.testing.assert_allclose(found[0], np.broadcast_to(exact[0], found[0].shape), atol=1e-5)
