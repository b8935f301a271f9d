import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema import rotations
from kinema.ik import reach, two_bone, two_bone_positions
from kinema.ik.two_bone import bend_forward, two_bone_reference


def chains(rng, *batch):
    """Random rotations of root and mid, and random root, mid, end, target and pole, float64."""
    turned = rotations.normalize(rng.standard_normal((2, *batch, 4)))
    return (*turned, *rng.standard_normal((5, *batch, 3)))


def solved(root_rotations, mid_rotations, root, mid, end, new_root, new_mid):
    """Forward kinematics of the chain after the solve: mid and end positions."""
    first = rotations.inverse_rotate(root_rotations, mid - root)
    second = rotations.inverse_rotate(mid_rotations, end - mid)
    new_mid_position = root + rotations.rotate(new_root, first)
    return new_mid_position, new_mid_position + rotations.rotate(new_mid, second)


@pytest.mark.parametrize("with_pole", [True, False])
def test_end_meets_reachable_target_and_points_at_others(rng, with_pole):
    q0, q1, a, b, c, t, pole = chains(rng, 7, 500)
    new = two_bone_reference(q0, q1, a, b, c, t, pole if with_pole else None)
    _, end = solved(q0, q1, a, b, c, *new)
    upper, lower = np.linalg.norm(b - a, axis=-1), np.linalg.norm(c - b, axis=-1)
    distance = np.linalg.norm(t - a, axis=-1)
    inside = (distance < upper + lower) & (distance > np.abs(upper - lower))
    assert 0.2 < inside.mean() < 1
    np.testing.assert_allclose(end[inside], t[inside], atol=2e-5)
    towards = np.sum((end - a) * (t - a), -1) / (np.linalg.norm(end - a, axis=-1) * distance)
    assert towards.min() > 1 - 1e-6
    np.testing.assert_allclose(
        np.linalg.norm(end - a, axis=-1)[distance > upper + lower], (upper + lower)[distance > upper + lower], rtol=1e-4
    )


def test_mid_joint_bends_to_the_pole(rng):
    q0, q1, a, b, c, t, pole = chains(rng, 400)
    mid, end = solved(q0, q1, a, b, c, *two_bone(q0, q1, a, b, c, t, pole))
    line = (end - a) / np.linalg.norm(end - a, axis=-1, keepdims=True)
    bend = mid - a - np.sum((mid - a) * line, -1, keepdims=True) * line
    bent = np.linalg.norm(bend, axis=-1) > 1e-3
    assert (np.sum(bend * pole, -1)[bent] > 0).all()
    across = np.cross(pole, line)
    assert np.abs(np.sum(bend * across, -1)).max() < 1e-5  # in the plane of pole and target


def test_without_pole_a_solved_chain_stays_as_it_is(rng):
    q0, q1, a, b, c, _, _ = chains(rng, 300)
    new_root, new_mid = two_bone(q0, q1, a, b, c, c)
    assert rotations.angle(rotations.relative(q0, new_root)).max() < 1e-4
    assert rotations.angle(rotations.relative(q1, new_mid)).max() < 1e-4


def test_keeps_the_knee_plane_when_the_target_moves_in_it():
    one = np.array([1.0, 0, 0, 0])
    root, knee, ankle = np.array([0.0, 1, 0]), np.array([0.0, 0.55, 0.1]), np.array([0.0, 0.1, 0])
    new = two_bone(one, one, root, knee, ankle, np.array([0.0, 0.4, 0.2]))
    mid, end = solved(one, one, root, knee, ankle, *new)
    assert abs(mid[0]) < 1e-9 and mid[2] > 0.2  # still in x = 0, knee forward
    np.testing.assert_allclose(end, [0, 0.4, 0.2], atol=1e-9)


DEGENERATE = {
    "straight chain": ([0, 1, 0], [0, 0.5, 0], [0, 0, 0], [0, 0.3, 0]),
    "folded chain": ([0, 1, 0], [0, 0.5, 0], [0, 1, 0], [0, 0.3, 0]),
    "target on root": ([0, 1, 0], [0, 0.5, 0.1], [0, 0, 0], [0, 1, 0]),
    "target behind": ([0, 1, 0], [0, 0.5, 0], [0, 0, 0], [0, 2, 0]),
    "far target": ([0, 1, 0], [0, 0.5, 0], [0, 0, 0], [0, -1e6, 0]),
    "no upper bone": ([0, 1, 0], [0, 1, 0], [0, 0.5, 0], [0.3, 0.8, 0]),
    "no lower bone": ([0, 1, 0], [0, 0.5, 0], [0, 0.5, 0], [0.3, 0.8, 0]),
    "all in one point": ([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]),
    "no bones": ([0, 0, 0], [0, 0, 0], [0, 0, 0], [0.3, 0.8, 0.1]),
}


@pytest.mark.parametrize("case", DEGENERATE)
@pytest.mark.parametrize("pole", [None, [0, 0, 1], [0, 1, 0], [0, 0, 0]])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_degenerate_chains_are_finite_and_keep_lengths(case, pole, dtype):
    a, b, c, t = (np.array(v, dtype) for v in DEGENERATE[case])
    one = np.array([1, 0, 0, 0], dtype)
    new = two_bone(one, one, a, b, c, t, None if pole is None else np.array(pole, dtype))
    for q in new:
        assert np.isfinite(q).all()
        assert abs(np.linalg.norm(q) - 1) < 1e-5
    if case == "straight chain":
        _, end = solved(one, one, a, b, c, *new)
        np.testing.assert_allclose(end, t, atol=1e-5)


def test_empty_batch():
    nothing = [np.zeros((0, 4), np.float32)] * 2 + [np.zeros((0, 3), np.float32)] * 4
    root, mid = two_bone(*nothing)
    assert root.shape == mid.shape == (0, 4)


def test_broadcasts_over_leading_dimensions(rng):
    q0, q1, a, b, c, t, _ = (x.astype(np.float32) for x in chains(rng, 3, 5))
    together = two_bone(q0, q1, a, b, c, t[0])
    alone = two_bone(q0[2, 4], q1[2, 4], a[2, 4], b[2, 4], c[2, 4], t[0, 4])
    np.testing.assert_array_equal(together[0][2, 4], alone[0])
    np.testing.assert_array_equal(together[1][2, 4], alone[1])


@given(st.floats(0, 5), st.floats(0.05, 2), st.floats(0.05, 2), st.floats(0, 0.3))
def test_reach_stays_in_the_ring_and_grows_with_distance(distance, upper, lower, softness):
    pair = reach(np.array([distance, distance + 0.01]), np.array(upper), np.array(lower), softness)
    assert abs(upper - lower) - 1e-12 <= pair[0] <= upper + lower + 1e-12
    assert pair[1] >= pair[0] - 1e-12


def test_soft_reach_never_straightens_and_leaves_near_targets_alone():
    distances = np.array([0.5, 0.9, 1.0, 1.2])
    got = reach(distances, np.array(0.5), np.array(0.5), 0.1)
    np.testing.assert_allclose(got[:2], distances[:2])
    assert (got[2:] < 1.0).all()
    assert np.allclose(reach(np.array([0.9 + 1e-6]), np.array(0.5), np.array(0.5), 0.1), 0.9 + 1e-6, atol=1e-9)


def test_positions_agree_with_rotations(rng):
    q0, q1, a, b, c, t, pole = chains(rng, 200)
    mid, end = solved(q0, q1, a, b, c, *two_bone(q0, q1, a, b, c, t, pole, softness=0.05))
    upper, lower = np.linalg.norm(b - a, axis=-1)[:, None], np.linalg.norm(c - b, axis=-1)[:, None]
    knee, foot = two_bone_positions(a, t, upper, lower, pole, softness=0.05)
    np.testing.assert_allclose(knee, mid, atol=2e-5)
    np.testing.assert_allclose(foot, end, atol=2e-5)


@pytest.mark.parametrize("softness", [0.0, 0.1])
def test_softness_is_asked_for(rng, softness):
    """Unless it is said, limits are hard: what is in reach is met."""
    a, pole = rng.standard_normal((2, 50, 3))
    target = a + 0.95 * rotations.normalize_vector(rng.standard_normal((50, 3)))
    half, options = np.full((50, 1), 0.5), {"softness": softness} if softness else {}
    _, end = two_bone_positions(a, target, half, half, pole, **options)
    off = np.linalg.norm(end - target, axis=-1)
    assert (off < 1e-9).all() if not softness else (off > 0.01).all()


def test_torch_is_the_same_and_differentiable(rng):
    torch = pytest.importorskip("torch")
    arrays = chains(rng, 20)
    expected = two_bone_reference(*arrays)
    tensors = [torch.tensor(array) for array in arrays[:6]]
    got = two_bone(*tensors)
    reference = two_bone_reference(*arrays[:6])
    np.testing.assert_allclose(got[0].numpy(), reference[0], atol=1e-12)
    assert expected[0].shape == reference[0].shape
    pole = torch.tensor(arrays[6])
    target = (tensors[2] + 0.5 * (tensors[4] - tensors[2])).clone().requires_grad_()

    def end_of(target):
        new = two_bone(*tensors[:5], target, pole)
        return torch.cat([new[0][..., 1:] ** 2, new[1][..., 1:] ** 2])

    assert torch.autograd.gradcheck(end_of, (target,), atol=1e-4)
    straight = torch.tensor([[0.0, 1, 0], [0, 0.5, 0], [0, 0, 0]], dtype=torch.float64)
    far = torch.tensor([0.0, -3.0, 0.0], dtype=torch.float64, requires_grad=True)
    one = torch.tensor([1.0, 0, 0, 0], dtype=torch.float64)
    sum(q.sum() for q in two_bone(one, one, *straight, far)).backward()
    assert torch.isfinite(far.grad).all()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000))
def test_a_turned_world_gives_the_turned_answer(seed):
    rng = np.random.default_rng(seed)
    q0, q1, a, b, c, t, pole = chains(rng)
    world = rotations.normalize(rng.standard_normal(4))
    plain = two_bone(q0, q1, a, b, c, t, pole)
    moved = [rotations.rotate(world, x) for x in (a, b, c, t, pole)]
    turned = two_bone(rotations.multiply(world, q0), rotations.multiply(world, q1), *moved)
    for p, q in zip(plain, turned, strict=True):
        assert rotations.angle(rotations.relative(rotations.multiply(world, p), q)) < 1e-5


@pytest.mark.parametrize("batch", [(), (5,)])
@pytest.mark.parametrize("cut", range(6))
def test_compiled_code_is_not_given_arrays_that_are_too_short(rng, batch, cut):
    arrays = [array.astype(np.float32) for array in chains(rng, *batch)[:6]]
    arrays[cut] = np.ascontiguousarray(arrays[cut][..., :2])
    with pytest.raises(ValueError, match=r"two_bone needs two rotations"):
        two_bone(*arrays)


ONE = np.array([1.0, 0, 0, 0])
FORWARD = np.array([0.0, 0.0, 1.0])


def leg(flexion: float, sideways: float = 0.0):
    """Joint positions of a leg whose knee is flexed by an angle, and bent sideways by another, radians."""
    shin = rotations.multiply(rotations.exp(np.array([flexion, 0, 0])), rotations.exp(np.array([0, 0, sideways])))
    knee = np.array([0.0, 0.55, 0.0])
    return np.array([0.0, 1.0, 0.0]), knee, knee + rotations.rotate(shin, np.array([0.0, -0.45, 0.0])), shin


def thigh_and_shin(flexion: float, sideways: float, target, pole=FORWARD):
    hip, knee, ankle, shin = leg(flexion, sideways)
    return two_bone(ONE, shin, hip, knee, ankle, np.asarray(target), pole)


def turn(p, q) -> float:
    return float(rotations.angle(rotations.relative(p, q)))


@given(st.floats(-0.25, 0.25), st.floats(-0.2, 0.2), st.floats(0.4, 0.88), st.floats(-0.3, 0.3), st.floats(-0.1, 0.1))
def test_the_thigh_does_not_jump_when_the_knee_passes_straight(flexion, sideways, length, ahead, aside):
    target = np.array([0.0, 1.0, 0.0]) + length * rotations.normalize_vector(np.array([aside, -1.0, ahead]))
    step = np.deg2rad(0.012)
    before = thigh_and_shin(flexion - step / 2, sideways, target)
    after = thigh_and_shin(flexion + step / 2, sideways, target)
    # The shin also turns by the step itself; both may twist a little faster than the knee is flexed, never jump.
    assert turn(before[0], after[0]) < 12 * step
    assert turn(before[1], after[1]) < 14 * step


@pytest.mark.parametrize("degrees", [0.0, 0.001, 0.006, 0.1, 1.0, 5.0, 15.0])
def test_a_hyperextended_knee_turns_the_thigh_as_little_as_a_flexed_one(degrees):
    """The same target reached from a knee a little before and a little behind straight."""
    target = np.array([0.0, 0.15, 0.1])
    flexed = thigh_and_shin(np.deg2rad(degrees), 0.0, target)
    beyond = thigh_and_shin(-np.deg2rad(degrees), 0.0, target)
    assert turn(flexed[0], beyond[0]) < 1e-6  # the thigh itself was the same
    assert turn(ONE, beyond[0]) < np.deg2rad(40)
    assert turn(flexed[1], beyond[1]) == pytest.approx(0.0, abs=1e-6)


@given(st.floats(-3.1, 3.1), st.floats(-0.5, 0.5), st.floats(0.05, 1.4), st.floats(-1, 1), st.floats(-1, 1))
def test_any_bend_reaches_exactly_and_keeps_lengths(flexion, sideways, length, ahead, aside):
    hip, knee, ankle, shin = leg(flexion, sideways)
    target = hip + length * rotations.normalize_vector(np.array([aside, -1.0, ahead]))
    new_knee, end = solved(ONE, shin, hip, knee, ankle, *two_bone(ONE, shin, hip, knee, ankle, target, FORWARD))
    assert np.linalg.norm(new_knee - hip) == pytest.approx(0.45, abs=1e-9)
    assert np.linalg.norm(end - new_knee) == pytest.approx(0.45, abs=1e-9)
    reached = min(length, 0.9)
    np.testing.assert_allclose(end, hip + (target - hip) * reached / length, atol=2e-5)


@pytest.mark.parametrize("degrees", [30, 60, 90, 120])
def test_a_bent_chain_is_twisted_to_a_far_pole(degrees):
    """An elbow that is led around keeps its hinge: the plane of the chain turns with the pole, not the bend alone."""
    hip, knee, ankle, shin = leg(1.2)
    pole = np.array([np.sin(np.deg2rad(degrees)), 0.0, np.cos(np.deg2rad(degrees))])
    upper, lower = two_bone(ONE, shin, hip, knee, ankle, ankle, pole)
    hinge = np.array([1.0, 0, 0])
    line = rotations.normalize_vector(ankle - hip)
    normal = rotations.normalize_vector(np.cross(pole, line))
    least = np.cos(np.deg2rad(22)) if degrees < 100 else 0.0
    assert rotations.rotate(upper, hinge) @ normal > least
    assert rotations.rotate(rotations.multiply(lower, rotations.inverse(shin)), hinge) @ normal > least


@given(st.floats(-2, 2), st.floats(-2, 2), st.floats(0.01, 0.5))
def test_a_bend_is_brought_to_the_front_without_a_jump(ahead, aside, least):
    def forward(ahead):
        return bend_forward(np.array([aside, 0.0, ahead]), FORWARD, least)

    bend = forward(ahead)
    assert bend[2] > 0
    if ahead > 20 * least:
        np.testing.assert_allclose(bend, [aside, 0, ahead], atol=0.06 * least)
    step = 1e-4 * least
    assert np.linalg.norm(forward(ahead + step) - bend) < step * (1.5 + 3 * abs(aside) / least)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("with_pole", [True, False])
def test_reachable_targets_are_met_to_a_hundredth_of_a_millimetre(rng, dtype, with_pole):
    """Limbs of a person's size, from nearly folded to nearly stretched."""
    count = 20_000
    q0, q1 = rotations.normalize(rng.standard_normal((2, count, 4))).astype(dtype)
    upper, lower = rng.uniform(0.2, 0.5, (2, count, 1))
    a = rng.standard_normal((count, 3))
    b = a + upper * rotations.normalize_vector(rng.standard_normal((count, 3)))
    c = b + lower * rotations.normalize_vector(rng.standard_normal((count, 3)))
    distance = np.abs(upper - lower) + rng.uniform(0.001, 0.999, (count, 1)) * (upper + lower - np.abs(upper - lower))
    t = a + distance * rotations.normalize_vector(rng.standard_normal((count, 3)))
    a, b, c, t = (x.astype(dtype) for x in (a, b, c, t))
    pole = rng.standard_normal((count, 3)).astype(dtype) if with_pole else None
    new = two_bone(q0, q1, a, b, c, t, pole)
    _, end = solved(*(x.astype(np.float64) for x in (q0, q1, a, b, c, *new)))
    assert np.linalg.norm(end - t, axis=-1).max() < 1e-5


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_bend_stays_within_its_limits(rng, dtype):
    """Targets anywhere: the knee neither stretches nor folds beyond its limits, and reaches what they allow."""
    q0, q1, a, b, c, t, pole = (x.astype(dtype) for x in chains(rng, 2000))
    bends = (0.4, 2.0)
    new = two_bone(q0, q1, a, b, c, t, pole, bends=bends)
    mid, end = solved(*(x.astype(np.float64) for x in (q0, q1, a, b, c, *new)))
    first, second = rotations.normalize_vector(mid - a), rotations.normalize_vector(end - mid)
    bend = np.arccos(np.clip((first * second).sum(-1), -1, 1))
    assert bends[0] - 1e-4 < bend.min() < bends[0] + 1e-2
    assert bends[1] - 1e-2 < bend.max() < bends[1] + 1e-4
    inside = (bend > bends[0] + 1e-3) & (bend < bends[1] - 1e-3)
    assert inside.mean() > 0.2
    assert np.linalg.norm(end - t, axis=-1)[inside].max() < 2e-5
    knee, foot = two_bone_positions(
        *(x.astype(np.float64) for x in (a, t)),
        np.linalg.norm(b - a, axis=-1)[:, None],
        np.linalg.norm(c - b, axis=-1)[:, None],
        pole.astype(np.float64),
        bends=bends,
    )
    np.testing.assert_allclose(foot, end, atol=1e-4)
    np.testing.assert_allclose(knee, mid, atol=1e-3)
