import numpy as np
import pytest

from kinema import rotations
from kinema.ik import two_bone
from kinema.ik.kernels import between
from kinema.ik.two_bone import two_bone_reference


@pytest.mark.parametrize("softness", [0.0, 0.05])
@pytest.mark.parametrize("with_pole", [True, False])
@pytest.mark.parametrize("batch", [(), (1,), (4, 500)])
def test_kernel_equals_reference(rng, softness, with_pole, batch):
    turned = rotations.normalize(rng.standard_normal((2, *batch, 4)))
    arrays = [x.astype(np.float32) for x in (*turned, *rng.standard_normal((4, *batch, 3)))]
    pole = rng.standard_normal((*batch, 3)).astype(np.float32) if with_pole else None
    fast = two_bone(*arrays, pole, softness)
    plain = two_bone_reference(*(x.astype(np.float64) for x in arrays), pole, softness)
    for a, b in zip(fast, plain, strict=True):
        assert a.dtype == np.float32 and a.shape == (*batch, 4)
        assert rotations.angle(rotations.relative(a.astype(np.float64), b)).max() < 2e-5


@pytest.mark.parametrize("pole", [None, [0.0, 0.0, 1.0]])
def test_kernel_equals_reference_on_a_straight_leg(pole):
    one = np.float32([1, 0, 0, 0])
    points = [np.float32(p) for p in ([0, 1, 0], [0, 0.5, 0], [0, 0, 0], [0.1, 0.2, 0.1])]
    given = None if pole is None else np.float32(pole)
    fast = two_bone(one, one, *points, given)
    plain = two_bone_reference(*(x.astype(np.float64) for x in (one, one, *points)), given)
    for a, b in zip(fast, plain, strict=True):
        assert rotations.angle(rotations.relative(a.astype(np.float64), b)) < 1e-5


@pytest.mark.bench
def test_speed(rng):
    import time

    turned = rotations.normalize(rng.standard_normal((2, 100_000, 4)))
    arrays = [x.astype(np.float32) for x in (*turned, *rng.standard_normal((4, 100_000, 3)))]
    one = [array[0] for array in arrays]
    two_bone(*arrays), two_bone(*one)
    start = time.process_time()
    two_bone(*arrays)
    assert 100_000 / (time.process_time() - start) > 1e6
    start = time.process_time()
    for _ in range(5000):
        two_bone(*one)
    assert 5000 / (time.process_time() - start) > 1e5


def test_kernel_equals_reference_where_a_bent_leg_turns_right_round():
    """The target is exactly opposite to where the foot is."""
    one = np.float32([1, 0, 0, 0])
    points = [np.float32(p) for p in ([0, 0, 0], [0, -0.5, 0.25], [0, -1, 0], [0, 1, 0])]
    fast = two_bone(one, one, *points)
    plain = two_bone_reference(*(x.astype(np.float64) for x in (one, one, *points)))
    for a, b in zip(fast, plain, strict=True):
        assert rotations.angle(rotations.relative(a.astype(np.float64), b)) < 1e-5


@pytest.mark.parametrize("with_pole", [True, False])
def test_kernel_equals_reference_where_any_leg_turns_right_round(rng, with_pole):
    """Bent to any side, in any frame; also with a pole."""
    for _ in range(10):
        turned = rotations.normalize(rng.standard_normal((2, 4))).astype(np.float32)
        knee = rng.standard_normal(3).astype(np.float32)
        points = [np.float32([0, 0, 0]), knee, np.float32([0, -1, 0]), np.float32([0, 1, 0])]
        pole = rng.standard_normal(3).astype(np.float32) if with_pole else None
        fast = two_bone(*turned, *points, pole)
        plain = two_bone_reference(*(x.astype(np.float64) for x in (*turned, *points)), pole)
        for a, b in zip(fast, plain, strict=True):
            assert rotations.angle(rotations.relative(a.astype(np.float64), b)) < 1e-5


@pytest.mark.parametrize("away", [0.0, 1e-12, 1e-7, 1e-5, 1e-3, 0.1, 1.0])
def test_the_shortest_rotation_is_exact_also_near_opposite_directions(rng, away):
    for _ in range(50):
        a = rotations.normalize_vector(rng.normal(size=3))
        b = rotations.normalize_vector(-a + away * rng.normal(size=3))
        turn = np.array(between(tuple(a), tuple(b)))
        np.testing.assert_allclose(rotations.rotate(turn, a), b, atol=2e-6)
        assert np.linalg.norm(turn) == pytest.approx(1)
