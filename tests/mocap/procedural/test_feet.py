import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.procedural import STYLES
from kinema.mocap.procedural.feet import track_foot
from kinema.mocap.procedural.plan import Steps
from kinema.mocap.procedural.stance import find_stance


@pytest.fixture(params=[(0.45, 0.0), (1.2, 1.0), (-0.3, 0.0)], ids=["walk", "run", "backward"])
def steps(request):
    speed, running = request.param
    count = 6
    strike = np.concatenate([[-0.5], 1.0 + np.arange(count - 1)])
    along = np.sign(speed) * np.arange(count) * 1.2
    return Steps(
        lift=strike - 0.4,
        strike=strike,
        position=np.stack([np.full(count, 0.1), along], -1),
        yaw=np.zeros(count),
        speed=np.full(count, speed),
        running=np.full(count, running),
        hop=np.zeros(count, bool),
        detour=np.zeros((count, 2)),
    )


@pytest.fixture
def tracked(steps, person):
    stance = find_stance(person)
    times = np.arange(0, 600) / 100
    return times, stance.feet[0], track_foot(times, steps, stance.feet[0], stance.leg, STYLES["neutral"])


def test_the_ball_is_pinned_exactly_while_in_contact(tracked, steps):
    times, foot, track = tracked
    for k in range(steps.strike.size):
        until = steps.lift[k + 1] if k + 1 < steps.strike.size else times[-1]
        stands = track.contact & (times > steps.strike[k]) & (times < until)
        assert stands.sum() > 20
        planted = np.broadcast_to(steps.position[k], (stands.sum(), 2))
        np.testing.assert_allclose(track.ball[stands][:, [0, 2]], planted, atol=1e-12)
        np.testing.assert_allclose(track.ball[stands, 1], foot.ball_height, atol=1e-12)


def test_the_heel_stays_put_while_the_foot_rolls_over_it(tracked, steps):
    _, foot, track = tracked
    heel = track.ball + rotations.rotate(track.foot_turn, np.broadcast_to(foot.heel, track.ball.shape))
    up = rotations.rotate(track.foot_turn, np.broadcast_to([0.0, 0, 1], track.ball.shape))[:, 1]
    rolling = (track.weight > 0) & (up > 1e-6)
    if steps.speed[0] > 0 and steps.running[0] == 0:
        assert rolling.sum() > 20
    np.testing.assert_allclose(heel[rolling, 1], 0, atol=1e-9)
    assert heel[:, 1].min() > -1e-9


def test_nothing_goes_below_the_ground(tracked):
    _, foot, track = tracked
    toe = track.ball + rotations.rotate(track.toe_turn, np.broadcast_to([0, 0, foot.toe_length], track.ball.shape))
    assert track.ball[:, 1].min() >= foot.ball_height - 1e-9
    assert toe[:, 1].min() >= foot.ball_height - 1e-3
    assert track.ankle[:, 1].min() > foot.ball_height


def test_motion_is_smooth_to_the_second_derivative(steps, person):
    """Halving the time step must shrink the largest jump of acceleration: it would stay if there were a kink."""
    stance = find_stance(person)
    jumps = []
    for rate in (400, 1600):
        times = np.arange(0, 6 * rate) / rate
        track = track_foot(times, steps, stance.feet[0], stance.leg, STYLES["neutral"])
        acceleration = np.diff(track.ball, n=2, axis=0) * rate**2
        jumps.append(np.abs(np.diff(acceleration, axis=0)).max())
    assert jumps[1] < 0.5 * jumps[0]


def test_the_foot_clears_the_ground_in_the_middle_of_the_swing(tracked, steps):
    times, foot, track = tracked
    middle = np.isclose(times[:, None], 0.5 * (steps.lift + steps.strike)[None, 1:], atol=0.006).any(axis=1)
    assert (track.ball[middle, 1] > foot.ball_height + 0.02).all()
