import numpy as np

from kinema import rotations
from kinema.mocap.procedural import Segment, generate
from kinema.mocap.procedural.body import BodyTrack
from kinema.mocap.procedural.feet import FootTrack
from kinema.mocap.procedural.pose import pose_skeleton
from kinema.mocap.procedural.stance import find_stance


def standing(stance, frames=20, low=0.05):
    one = np.tile([1.0, 0, 0, 0], (frames, 1))
    zero = np.zeros((frames, 2))
    hips = np.tile([0, stance.hips_height - low, 0], (frames, 1))
    body = BodyTrack(hips, one, one, one, zero, zero + 0.3, zero + 0.1)
    tracks = []
    for foot in stance.feet:
        ball = np.tile([foot.hip[0] - foot.ankle[0], foot.ball_height, -foot.ankle[2]], (frames, 1))
        none = np.zeros(frames)
        tracks.append(FootTrack(ball, ball + foot.ankle, one, one, none, none > -1, none + 1, none))
    return body, tuple(tracks)


def test_feet_are_where_they_were_planned_and_arms_hang(person):
    stance = find_stance(person)
    body, tracks = standing(stance)
    positions = pose_skeleton(stance, body, tracks, 60.0).global_positions
    for foot, track in zip(stance.feet, tracks, strict=True):
        np.testing.assert_allclose(positions[:, foot.leg.foot], track.ankle, atol=1e-5)
        np.testing.assert_allclose(positions[:, foot.leg.toe], track.ball, atol=1e-5)
        assert (positions[:, foot.leg.lower, 2] > positions[:, foot.leg.upper, 2] + 0.05).all()  # the knee is in front
    for arm in stance.roles.arms:
        assert (positions[:, arm.hand, 1] < positions[:, arm.lower, 1]).all()
        assert (positions[:, arm.hand, 2] > positions[:, arm.upper, 2]).all()
        outward = positions[:, arm.lower, 0] - positions[:, arm.upper, 0]
        assert (outward > 0).all() if arm.side == "left" else (outward < 0).all()


def test_hips_and_legs_on_a_root_on_the_floor_stay_together(person, on_floor_root):
    other = on_floor_root(person)
    assert other.names[other.roles.hips] == person.names[person.roles.hips]
    script = (Segment("walk", 2.0), Segment("turn", 1.0, turn=1.0))
    plain, found = (generate(one, script, seed=1)[:].global_positions for one in (person, other))
    np.testing.assert_allclose(plain, found[:, 1:], atol=1e-4)


def test_spine_goes_evenly_from_pelvis_to_thorax(person):
    stance = find_stance(person)
    body, tracks = standing(stance, 2)
    leaning = rotations.from_axis_angle(np.tile([1.0, 0, 0], (2, 1)), np.full(2, 0.6))
    bent = BodyTrack(body.hips, body.pelvis, leaning, leaning, body.arm_swing, body.elbow, body.spread)
    pose = pose_skeleton(stance, bent, tracks, 60.0)
    spine = stance.roles.spine
    angles = [rotations.angle(pose.global_rotations[0, joint].astype(float)) for joint in spine]
    np.testing.assert_allclose(angles, 0.6 * np.arange(1, len(spine) + 1) / len(spine), atol=1e-5)


def test_rotations_are_continuous(mix):
    steps = np.sum(mix.local_rotations[1:] * mix.local_rotations[:-1], axis=-1)
    assert steps.min() > 0.93
