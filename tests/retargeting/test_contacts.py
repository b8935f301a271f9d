"""Feet that stand."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.pose import Pose
from kinema.retargeting import Retargeter
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.contacts import (
    FOLDED,
    LIFT,
    LegContacts,
    _raise,
    _sink,
    bend_direction,
    corrections,
    lift,
    plant,
    pull,
    settle,
)
from kinema.retargeting.limbs import legs_of


def test_a_standing_point_is_held_and_let_go_smoothly() -> None:
    fps, frames = 60.0, 120
    t = np.arange(frames) / fps
    points = np.stack([0.3 * t, 0.02 * np.sin(9 * t) + 0.05, 0.1 * t * t], axis=-1).astype(np.float32)
    stands = (np.arange(frames) > 40) & (np.arange(frames) < 70)
    moved = points + corrections(points, LegContacts(0.0, stands, np.zeros(frames, np.float32)), 0.04, fps)
    assert np.ptp(moved[stands], axis=0).max() < 1e-6
    assert np.allclose(moved[stands][:, 1], 0.04)
    assert np.allclose(moved[[0, -1]], points[[0, -1]], atol=1e-6)
    speed = np.linalg.norm(np.diff(moved, axis=0), axis=-1) * fps
    assert np.abs(np.diff(speed)).max() < 0.15  # m/s from frame to frame: no jump where the contact begins or ends


@pytest.mark.parametrize("first", [True, False])
def test_corrections_know_no_direction_of_time(rng: np.random.Generator, first: bool) -> None:
    """Contacts near each other and far apart, one of them at the end of the motion."""
    frames = 300
    points = np.cumsum(0.01 * rng.standard_normal((frames, 3)), axis=0).astype(np.float32)
    heights = (0.02 * np.sin(np.arange(frames) / 9)).astype(np.float32)
    stands = np.zeros(frames, bool)
    for begin, end in ((0 if first else 4, 20), (45, 60), (170, 181), (220, 221)):
        stands[begin:end] = True
    there = corrections(points, LegContacts(0.0, stands, heights), 0.04, 60.0)
    back = corrections(points[::-1], LegContacts(0.0, stands[::-1], heights[::-1]), 0.04, 60.0)
    np.testing.assert_allclose(back[::-1], there, atol=1e-5)
    assert not there[100:140].any() and there[30].any() and there[140:170].any()


def test_a_foot_stands_as_high_as_the_sources_over_its_ground() -> None:
    """On a step of 10 cm, or lower than its ground, where the target's foot stays on its own."""
    stands = np.ones(9, bool)
    for height, expected in ((0.1, 0.14), (-0.1, 0.04)):
        contacts = LegContacts(0.0, stands, np.full(9, height, np.float32))
        out = corrections(np.zeros((9, 3), np.float32), contacts, 0.04, 60.0)
        np.testing.assert_allclose(out, np.tile([0, expected, 0], (9, 1)), atol=1e-6)
    one = corrections(np.ones((1, 3), np.float32), LegContacts(0.0, stands[:1], np.zeros(1, np.float32)), 0.04, 60.0)
    np.testing.assert_allclose(one, [[0, -0.96, 0]], atol=1e-6)


def test_between_near_contacts_the_correction_passes_over() -> None:
    points = np.zeros((60, 3), np.float32)
    points[:, 0] = np.linspace(0, 1, 60)
    stands = np.ones(60, bool)
    stands[25:35] = False
    change = corrections(points, LegContacts(0.0, stands, np.zeros(60, np.float32)), 0.0, 60.0)
    assert np.abs(np.diff(change[:, 0])).max() < 0.25
    assert np.isfinite(change).all()


def test_what_is_needed_is_given_smoothly(rng: np.random.Generator) -> None:
    needed = np.maximum(rng.standard_normal(300), 0).astype(np.float32) * 0.02
    given = settle(needed, 60.0)
    assert (given >= needed - 1e-6).all()
    assert np.abs(np.diff(given, n=2)).max() < np.abs(np.diff(needed, n=2)).max() / 5


def test_at_a_low_rate_a_need_concerns_the_frames_beside_it_only() -> None:
    needed = np.zeros(9, np.float32)
    needed[4] = 0.1
    given = settle(needed, 2.0)
    assert given[4] >= 0.1 - 1e-6 and given[2] > 0 and not given[[0, 1, 7, 8]].any()
    np.testing.assert_allclose(given, given[::-1], atol=1e-7)


def test_feet_in_the_ground_are_lifted_unless_they_stand() -> None:
    depths = np.zeros(100, np.float32)
    depths[40:60] = 0.03
    stands = np.arange(100) < 20
    up = lift(depths, stands, 60.0)
    assert (up[45:55] > 0.029).all() and not up[:20].any()
    assert not lift(np.full(100, -0.1, np.float32), stands, 60.0).any()


def test_hips_stay_within_reach_of_the_feet_that_stand(walk: Motion) -> None:
    """A body that travels a metre and back while both feet stand: it leans over them as far as its legs reach."""
    skeleton = walk.skeleton
    setup = Retargeter(skeleton, skeleton)
    frames, fps = 120, 60.0
    away = np.sin(np.linspace(0, np.pi, frames)) ** 4
    hips = skeleton.rest_pose.global_positions[skeleton.roles.hips] + away[:, None] * np.array([0, 0, 1.0])
    pose = setup.pose(np.tile(skeleton.rest_rotations, (frames, 1, 1)), hips.astype(np.float32))
    states = [LegContacts(0.0, np.ones(frames, bool), np.zeros(frames, np.float32)) for _ in setup.legs]
    local, moves = plant(pose, setup.legs, states, fps)
    planted = setup.pose(local, hips.astype(np.float32) + moves)
    for leg in setup.legs:
        assert np.ptp(leg.target.path(planted), axis=0).max() < 2e-3
    assert moves[60, 2] < -0.1 and np.abs(moves[[0, -1]][:, [0, 2]]).max() < 0.01
    assert np.linalg.norm(np.diff(hips + moves, n=2, axis=0), axis=-1).max() < 0.01


def test_hips_that_reach_are_not_pulled() -> None:
    lines = np.tile(np.array([[[0.1, -0.8, 0.0]], [[-0.1, -0.8, 0.0]]], np.float32), (1, 200, 1))
    reaches = np.full((2, 200), 0.82, np.float32)
    assert not pull(lines, reaches, 60.0).any()
    lines[0, 90:110, 0] = 0.5
    moves = pull(lines, reaches, 60.0)
    assert (np.linalg.norm(lines - moves, axis=-1) < 0.821).all()
    assert moves[90:110, 0].min() > 0.05 and np.abs(moves[[0, -1]]).max() < 1e-3
    free = np.where([[True], [False]], np.float32(np.inf), reaches)
    assert not pull(lines, free, 60.0).any(), "a foot in the air pulls nobody"


def test_knees_never_bend_against_their_hinge() -> None:
    """A leg that swings through straight: its knee stays in front, and moves smoothly."""
    t = np.linspace(-1, 1, 101, dtype=np.float32)[:, None]
    knee = np.concatenate([0.01 + 0 * t, -0.5 + 0 * t, 0.1 * t], axis=1)
    end = np.broadcast_to(np.array([0, -1, 0], np.float32), knee.shape)
    front = np.broadcast_to(np.array([0, 0, 1], np.float32), knee.shape)
    bend = bend_direction(knee, end, front, 1.0)
    assert (bend[:, 2] > 0).all() and np.abs(bend[:, 1]).max() < 1e-6
    directions = bend / np.linalg.norm(bend, axis=-1, keepdims=True)
    assert (directions[1:] * directions[:-1]).sum(-1).min() > 0.999
    assert directions[-1] @ np.array([0.1, 0, 1]) > 0.99


def test_a_folded_leg_bends_to_its_own_side() -> None:
    """The front of a thigh lies along the line of a folded leg; which way it bends does not depend on its tilt."""
    flexion, lean = np.radians(np.arange(5.0, 165.0, 5.0)), np.radians(8.0)
    knee = np.tile(np.array([0.0, -0.5, 0.0], np.float32), (len(flexion), 1))
    shin = 0.5 * np.stack([np.sin(flexion) * np.sin(lean), -np.cos(flexion), -np.sin(flexion) * np.cos(lean)], axis=-1)
    end = knee + shin.astype(np.float32)
    for tilt in (-0.3, 0.0, 0.3):  # of the front, which is rarely at a right angle to the thigh
        front = np.tile(np.array([0.0, np.sin(tilt), np.cos(tilt)], np.float32), (len(flexion), 1))
        bend = bend_direction(knee, end, front, 1.0)
        line = end / np.linalg.norm(end, axis=-1, keepdims=True)
        own = knee - (knee * line).sum(axis=-1, keepdims=True) * line
        cosines = (bend * own).sum(axis=-1) / np.linalg.norm(bend, axis=-1) / np.linalg.norm(own, axis=-1)
        assert cosines.min() > 0.94


def planted(setup: Retargeter, pose: Pose, states: list[LegContacts]) -> tuple[Pose, np.ndarray]:
    """Poses after the contact pass, and how far their hips sink."""
    local, moves = plant(pose, setup.legs, states, 60.0)
    moved = pose.local_translations.copy()
    moved[:, 0] += moves
    return pose.replace(local_rotations=local, local_translations=moved), -moves[:, 1]


def resting(setup: Retargeter, frames: int = 40, rise: np.ndarray | float = 0.0) -> Pose:
    """The target at rest, raised."""
    skeleton = setup.target
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1))
    moved[:, 0, 1] += np.float32(rise)
    return Pose(skeleton, np.tile(skeleton.rest_rotations, (frames, 1, 1)), moved)


@pytest.mark.parametrize("rise", [0.05, -0.04])
def test_a_body_that_hovers_or_is_sunk_is_put_on_the_ground(walk: Motion, small: Skeleton, rise: float) -> None:
    """With its legs as they are."""
    setup = Retargeter(walk.skeleton, small)
    stands = [LegContacts(0.0, np.ones(40, bool), np.zeros(40, np.float32)) for _ in setup.legs]
    lift = {leg.target.chain: leg.clearance - float(leg.target.path(small.rest_pose)[1]) for leg in setup.legs}
    pose, sinks = planted(setup, resting(setup, rise=rise + np.mean(list(lift.values()))), stands)
    np.testing.assert_allclose(sinks, rise, atol=2e-3)
    for leg in setup.legs:
        np.testing.assert_allclose(leg.target.path(pose)[:, 1], leg.clearance, atol=1e-3)
        assert np.abs(pose.local_rotations[:, leg.target.lower] - small.rest_rotations[leg.target.lower]).max() < 0.05


@pytest.mark.parametrize("rise", [0.08, 0.5])
def test_hips_sink_where_they_are_too_high_for_feet_that_stand(walk: Motion, small: Skeleton, rise: float) -> None:
    """For a while: they begin to sink before that, and the feet stay."""
    setup = Retargeter(walk.skeleton, small)
    frames, legs = 160, [leg.target for leg in setup.legs]
    states = [LegContacts(0.0, np.ones(frames, bool), np.zeros(frames, np.float32)) for _ in setup.legs]
    jump = np.where((np.arange(frames) > 70) & (np.arange(frames) < 90), rise, 0.0)
    found, sinks = planted(setup, resting(setup, frames, jump), states)
    assert sinks[80] - sinks[0] == pytest.approx(rise, abs=0.01)
    assert np.abs(np.diff(sinks, n=2)).max() < 0.1 * rise and sinks[66] > sinks[0] + 0.01
    assert sinks[20] == pytest.approx(sinks[0], abs=1e-4) and sinks[140] == pytest.approx(sinks[0], abs=1e-4)
    for leg, pair in zip(legs, setup.legs, strict=True):
        far = np.linalg.norm(leg.ends(found) - found.global_positions[:, leg.upper], axis=-1)
        assert far.max() <= leg.length * 1.0001
        np.testing.assert_allclose(leg.path(found)[:, 1], pair.clearance, atol=2e-3)


def test_hips_rise_for_a_leg_that_cannot_fold_so_far(walk: Motion, small: Skeleton) -> None:
    """A long thigh over a short shin: its foot cannot come near the hip."""
    offsets = small.rest_translations.copy()
    for leg in small.roles.legs:
        offsets[leg.lower] *= 1.4
        offsets[leg.foot] *= 0.6
    setup = Retargeter(walk.skeleton, Skeleton.create(small.names, small.parents, offsets))
    limb = setup.legs[0].target
    thigh = float(np.linalg.norm(offsets[limb.lower]))
    least = abs(2 * thigh - limb.length)
    assert least > 0.1
    frames = 180
    states = [LegContacts(0.0, np.ones(frames, bool), np.zeros(frames, np.float32)) for _ in setup.legs]
    squat = np.sin(np.linspace(0, np.pi, frames)) ** 2
    low = -(limb.length - 0.5 * least) * squat  # at last nearer to the heels than the bones allow
    found, sinks = planted(setup, resting(setup, frames, low), states)
    assert sinks[90] < -0.5 * least and abs(sinks[0]) < 0.01
    heights = [leg.target.path(found)[:, 1] - leg.clearance for leg in setup.legs]
    assert np.abs(np.array(heights)).max() < 0.02


def test_a_foot_is_lifted_by_its_depth_the_farther_it_is_from_standing() -> None:
    """Ten centimetres deep all the time: along a smooth step from nothing at the contact to all after `LIFT`."""
    fps, frames = 100.0, 60
    stands = np.arange(frames) < 10
    up = lift(np.full(frames, 0.1, np.float32), stands, fps)
    share = np.clip((np.arange(frames) - 9) / (LIFT * fps), 0, 1)
    reached = np.arange(frames) >= 9 + 2 * LIFT * fps
    np.testing.assert_allclose(up[reached], 0.1, atol=1e-6)
    assert not up[stands].any() and (np.diff(up) >= -1e-6).all()
    assert (up <= 0.1 * share**2 * (3 - 2 * share) + 1e-6).all()
    np.testing.assert_allclose(lift(np.full(frames, 0.1, np.float32), np.zeros(frames, bool), fps), 0.1, atol=1e-6)


def test_a_foot_above_the_ground_is_not_lifted_and_not_pushed_down() -> None:
    """One that is deep for a moment is lifted by that much then, and by nothing a second away."""
    depths = np.full(300, -0.5, np.float32)
    depths[150] = 0.04
    up = lift(depths, np.zeros(300, bool), 60.0)
    assert up[150] == pytest.approx(0.04, abs=1e-6) and up.max() == pytest.approx(0.04, abs=1e-6)
    assert not up[:120].any() and not up[180:].any() and up.min() == 0


def test_how_far_hips_rise_leaves_a_little_more_than_bones_allow(biped: Skeleton) -> None:
    """Of a thigh of 50 cm and a shin of 30 cm: 20 cm and a tenth of it must stay between the ends."""
    offsets = biped.rest_translations.copy()
    for side in ("Left", "Right"):
        offsets[biped.index(f"{side}Leg")], offsets[biped.index(f"{side}Foot")] = [0, -0.5, 0], [0, -0.3, 0]
    body = Skeleton.create(biped.names, biped.parents, offsets)
    leg = legs_of(Anatomy.of(body))["left_leg"]
    assert leg.length == pytest.approx(0.8)
    pose = Pose(body, np.tile(body.rest_rotations, (4, 1, 1)))
    least = FOLDED * 0.2
    line = np.float32([[0, -0.05, 0], [0.1, -0.05, 0.1], [0, -0.3, 0], [0.5, -0.05, 0]])
    aside = np.sqrt(least**2 - 0.02)
    np.testing.assert_allclose(_raise(pose, leg, line), [least - 0.05, aside - 0.05, 0, 0], atol=1e-6)


def test_hips_sink_for_a_leg_that_is_too_short(biped: Skeleton) -> None:
    """Until it reaches, by a quarter of the leg at most; a foot that is too far to the side does not count."""
    leg = legs_of(Anatomy.of(biped))["left_leg"]
    reach = np.full(6, 0.8, np.float32)
    line = np.float32([[0, -0.85, 0], [0.3, -0.8, 0.1], [0, -0.79, 0], [0.9, -0.1, 0], [0.7, -0.9, 0], [0, -0.8, 0.5]])
    wanted = [0.05, 0.8 - np.sqrt(0.64 - 0.1), 0, 0, 0.25 * leg.length, 0.8 - np.sqrt(0.64 - 0.25)]
    np.testing.assert_allclose(_sink(leg, line, reach), wanted, atol=1e-5)
