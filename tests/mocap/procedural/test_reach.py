import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.mocap.procedural.feet import FootTrack
from kinema.mocap.procedural.reach import REACH, hip_drop, raise_heels
from kinema.mocap.procedural.script import Segment, plan_path
from kinema.mocap.procedural.stance import find_stance


@pytest.fixture
def walk(person):
    """A path straight ahead, and both feet flat on the ground at x = 0, where the body is after two seconds."""
    stance = find_stance(person)
    path = plan_path([Segment("walk", 4.0, 1.0)], 60.0, stance.leg, 20.0, 0.0)
    count = path.times.size
    one, zero = np.tile([1.0, 0, 0, 0], (count, 1)), np.zeros(count)
    tracks = []
    for foot in stance.feet:
        ball = np.tile([foot.hip[0] - foot.ankle[0], foot.ball_height, 2.0 - foot.ankle[2]], (count, 1))
        tracks.append(FootTrack(ball, ball + foot.ankle, one, one, zero, zero == 0, zero + 1, zero))
    hips = np.stack([path.position[:, 0], np.full(count, stance.hips_height), path.position[:, 1]], -1)
    return path, stance, hips, one, tuple(tracks)


def lengths(stance, hips, pelvis, tracks):
    """Length of each leg over its own, `[2, N]`."""
    found = []
    for foot, track in zip(stance.feet, tracks, strict=True):
        hip = hips + rotations.rotate(pelvis, np.broadcast_to(foot.hip, hips.shape))
        found.append(np.linalg.norm(track.ankle - hip, axis=-1) / (foot.thigh + foot.shin))
    return np.asarray(found)


def heel_angles(tracks):
    return np.stack([rotations.angle(track.foot_turn) for track in tracks])


def test_heels_rise_behind_the_body_and_only_there(walk):
    path, stance, hips, pelvis, tracks = walk
    raised = raise_heels(path, hips, pelvis, tracks, stance)
    angles = heel_angles(raised)
    gone = path.position[:, 1] - 2.0
    assert angles[:, gone < -0.1].max() < 1e-3
    assert angles[:, (gone > 0.25) & (gone < 0.4)].min() > 0.1
    for before, after in zip(tracks, raised, strict=True):
        np.testing.assert_array_equal(before.ball, after.ball)
        assert (after.ankle[:, 1] - before.ankle[:, 1]).min() > -1e-12


def test_a_heel_rises_no_more_than_the_leg_needs(walk):
    path, stance, hips, pelvis, tracks = walk
    low = hips - [0, 0.2, 0]
    near = np.abs(path.position[:, 1] - 2.0) < 0.3
    assert heel_angles(raise_heels(path, low, pelvis, tracks, stance))[:, near].max() < 1e-9


def test_hips_go_down_until_both_legs_reach(walk):
    path, stance, hips, pelvis, tracks = walk
    near = np.abs(path.position[:, 1] - 2.0) < 0.4
    assert lengths(stance, hips, pelvis, tracks)[:, near].max() > 1.05
    hips = hips - hip_drop(hips, pelvis, tracks, stance, path.fps)[:, None] * [0, 1, 0]
    assert lengths(stance, hips, pelvis, tracks)[:, near].max() < REACH + 1e-4


def test_raised_heels_spare_the_hips(walk):
    path, stance, hips, pelvis, tracks = walk
    raised = raise_heels(path, hips, pelvis, tracks, stance)
    behind = (path.position[:, 1] > 2.2) & (path.position[:, 1] < 2.35)
    flat, high = (hip_drop(hips, pelvis, feet, stance, path.fps)[behind].max() for feet in (tracks, raised))
    assert high < 0.3 * flat


def test_a_foot_without_toes_stays_flat(walk, person):
    path, _, hips, pelvis, tracks = walk
    keep = [joint for joint, name in enumerate(person.names) if "Toe" not in name]
    parents = [keep.index(int(parent)) if (parent := person.parents[joint]) >= 0 else -1 for joint in keep]
    bare = find_stance(
        Skeleton.create([person.names[joint] for joint in keep], parents, person.rest_translations[keep])
    )
    assert heel_angles(raise_heels(path, hips, pelvis, tracks, bare)).max() == 0
