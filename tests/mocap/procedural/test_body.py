import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.procedural import STYLES, Style
from kinema.mocap.procedural.body import BodyTrack, compose_body, turn
from kinema.mocap.procedural.feet import track_foot
from kinema.mocap.procedural.gait import plan_gait
from kinema.mocap.procedural.plan import plan_steps
from kinema.mocap.procedural.script import Segment, plan_path
from kinema.mocap.procedural.stance import find_stance


def composed(person, script, style=STYLES["neutral"]):
    stance = find_stance(person)
    path = plan_path(script, 60.0, stance.leg, 20.0, 2.0)
    rng = np.random.default_rng(0)
    gait = plan_gait(path, stance, style, right_first=True)
    steps = plan_steps(path, gait, stance, style, rng)
    left, right = (
        track_foot(path.times, s, foot, stance.leg, style) for s, foot in zip(steps, stance.feet, strict=True)
    )
    body, tracks = compose_body(path, gait, (left, right), stance, style, rng)
    return path, tracks, stance, body


def pitch_of(turned):
    up = rotations.rotate(turned, np.broadcast_to([0.0, 1, 0], (turned.shape[0], 3)))
    forward = rotations.rotate(turned, np.broadcast_to([0.0, 0, 1], (turned.shape[0], 3)))
    return np.arcsin(np.clip(-forward[:, 1], -1, 1)), up


def test_turn_is_heading_then_lean():
    leaning = turn(np.zeros(1), np.full(1, 0.3), np.zeros(1))
    np.testing.assert_allclose(rotations.rotate(leaning, np.array([[0.0, 1, 0]]))[0], [0, np.cos(0.3), np.sin(0.3)])
    rolling = turn(np.zeros(1), np.zeros(1), np.full(1, 0.3))
    assert rotations.rotate(rolling, np.array([[1.0, 0, 0]]))[0, 1] > 0  # positive roll lifts the left side


def test_hips_let_both_legs_reach_while_they_stand(person):
    script = [Segment("idle", 1.0), Segment("run", 3.0), Segment("idle", 2.0), Segment("walk", 3.0, turn=3.0)]
    path, tracks, stance, body = composed(person, script)
    inside = (path.times > 0) & (path.times < 8)
    for foot, track in zip(stance.feet, tracks, strict=True):
        hip = body.hips + rotations.rotate(body.pelvis, np.broadcast_to(foot.hip, body.hips.shape))
        distance = np.linalg.norm(track.ankle - hip, axis=-1)[inside & (track.weight > 0)]
        assert distance.max() < 0.9992 * (foot.thigh + foot.shin)
    assert body.hips[inside, 1].min() > 0.7 * stance.hips_height


def test_trunk_leans_into_acceleration_and_curves(person):
    path, _, _, body = composed(person, [Segment("idle", 1.0), Segment("run", 4.0), Segment("run", 4.0, curve=1.0)])
    pitch, up = pitch_of(body.thorax)
    starting, steady = np.argmin(np.abs(path.times - 1.6)), np.argmin(np.abs(path.times - 4.0))
    assert pitch[starting] > pitch[steady] > pitch[np.argmin(np.abs(path.times - 0.2))]
    side = np.stack([np.cos(path.facing), np.zeros_like(path.facing), -np.sin(path.facing)], -1)
    curving = (path.times > 6.5) & (path.times < 8.5)
    assert np.sum(up * side, -1)[curving].mean() > 0.1  # a curve to the left leans to the left


def test_shoulders_turn_against_the_hips(person):
    path, _, _, body = composed(person, [Segment("walk", 6.0)])
    middle = (path.times > 1) & (path.times < 5)
    hips, shoulders = rotations.yaw(body.pelvis)[middle], rotations.yaw(body.thorax)[middle]
    assert np.corrcoef(hips, shoulders)[0, 1] < -0.9
    assert np.ptp(rotations.yaw(body.head)[middle]) < 0.3 * np.ptp(shoulders)


def test_the_head_looks_into_a_turn_before_the_body_turns(person):
    path, _, _, body = composed(person, [Segment("walk", 2.0), Segment("walk", 3.0, turn=1.5)])
    early = np.argmin(np.abs(path.times - 2.1))
    assert rotations.yaw(body.head)[early] > rotations.yaw(body.pelvis)[early] + 0.1


@pytest.mark.parametrize(
    ("change", "measure", "sign"),
    [
        ({"trunk_pitch": 0.3}, lambda body: pitch_of(body.thorax)[0].mean(), 1),
        ({"head_pitch": 0.3}, lambda body: pitch_of(body.head)[0].mean(), 1),
        ({"arm_swing": 0.2}, lambda body: np.ptp(body.arm_swing), -1),
        ({"elbow": 0.5}, lambda body: body.elbow.mean(), 1),
        ({"arm_spread": 0.2}, lambda body: body.spread.mean(), 1),
        ({"crouch": 0.1}, lambda body: body.hips[:, 1].mean(), -1),
        ({"bounce": 2.0}, lambda body: body.hips[:, 1].std(), 1),
        ({"sway": 2.0}, lambda body: body.hips[:, 0].std(), 1),
        ({"twist": 2.0}, lambda body: rotations.yaw(body.thorax).std(), 1),
    ],
)
def test_each_style_number_does_what_it_says(person, change, measure, sign):
    script = [Segment("walk", 5.0)]
    bodies = []
    for style in (Style(), Style(**change)):
        path, _, _, body = composed(person, script, style)
        inside = (path.times > 1) & (path.times < 4)
        bodies.append(BodyTrack(*(getattr(body, field)[inside] for field in BodyTrack.__dataclass_fields__)))
    plain, changed = bodies
    assert sign * (measure(changed) - measure(plain)) > 1e-3
