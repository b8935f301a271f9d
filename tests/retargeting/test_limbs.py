"""Legs and the points that touch the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.mocap.ground import HIGHEST_CLEARANCE
from kinema.pose import Pose
from kinema.retargeting.alignment import align
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.limbs import clearances, common_ground, legs_of, set_global_rotations
from kinema.retargeting.stance import StandingPose
from kinema.roles.model import BodyPlan


def test_legs_have_their_lengths_and_stand_on_their_toes(biped: Skeleton) -> None:
    body = Anatomy.of(biped)
    stance, found = body.standing, legs_of(body)
    assert set(found) == {"left_leg", "right_leg"} and not body.detached and not body.ends
    leg = found["left_leg"]
    assert biped.names[leg.touch] == "LeftToeBase" and leg.end is not None and biped.names[leg.end] == "LeftFoot"
    assert leg.length == pytest.approx(float(biped.bone_lengths[[leg.lower, leg.end]].sum()), abs=1e-5)
    assert leg.top == pytest.approx(leg.length + leg.rise) and leg.straight
    assert leg.at_foot().touch == leg.end and leg.at_foot().rise == 0.0
    heights = clearances(stance, found)
    assert heights["left_leg"] == pytest.approx(float(stance.positions[leg.touch, 1]), abs=1e-5)
    assert clearances(stance, found, soles=-0.02)["left_leg"] == pytest.approx(heights["left_leg"] + 0.02, abs=1e-5)


def test_a_foot_that_never_stands_takes_the_ground_of_the_others() -> None:
    t = np.arange(120, dtype=np.float32) / 60
    stands = np.stack([0 * t, 0.02 + 0 * t, 0 * t], axis=-1)[:, None]
    hops = np.stack([3 * t, 1.5 + 0.3 * np.sin(6 * t), 0 * t], axis=-1)[:, None]
    near = stands + np.array([0, 0.03, 0], np.float32)
    assert common_ground([stands, hops], 60.0, [1.0, 1.0]) == pytest.approx([0.02, 0.02], abs=1e-3)
    assert common_ground([stands, near], 60.0, [1.0, 1.0]) == pytest.approx([0.02, 0.05], abs=1e-3)
    assert common_ground([], 60.0, []) == []


def pegs(biped: Skeleton, tip: bool = False) -> Skeleton:
    """The person with legs that end in their shins, with a tip or without anything below."""
    feet = {j for leg in biped.roles.legs for j in range(biped.joint_count) if leg.foot in (j, *biped.ancestors(j))}
    kept = [joint for joint in range(biped.joint_count) if joint not in feet]
    names, offsets = [biped.names[j] for j in kept], [biped.rest_translations[j] for j in kept]
    parents = [-1 if biped.parents[j] < 0 else kept.index(int(biped.parents[j])) for j in kept]
    shins = [names.index(f"{side}Leg") for side in ("Left", "Right")]
    tips = [(joint, (0.0, -0.4, 0.05)) for joint in shins] if tip else []
    return Skeleton.create(names, parents, offsets, tips=tips)


@pytest.mark.parametrize("factor", [0.1, 5.0])
def test_legs_grow_with_the_body(biped: Skeleton, factor: float) -> None:
    larger = Skeleton.create(
        biped.names,
        biped.parents,
        factor * biped.rest_translations,
        tips=list(zip(biped.tip_joints.tolist(), factor * biped.tip_offsets, strict=True)),
    )
    own, body = Anatomy.of(biped), Anatomy.of(larger)
    before, after = legs_of(own), legs_of(body)
    for name, leg in before.items():
        other = after[name]
        for kind in ("rise", "length", "top"):
            assert getattr(other, kind) == pytest.approx(factor * getattr(leg, kind), rel=1e-4)
        np.testing.assert_allclose(other.to_end, factor * leg.to_end, atol=1e-5 * factor)
        np.testing.assert_allclose(other.front, leg.front, atol=1e-5)
        assert (other.upper, other.lower, other.end, other.touch) == (leg.upper, leg.lower, leg.end, leg.touch)
    heights = clearances(own.standing, before)
    for name, height in clearances(body.standing, after).items():
        assert height == pytest.approx(factor * heights[name], rel=1e-3)


def test_a_peg_ends_at_its_tip_or_on_the_ground(biped: Skeleton) -> None:
    leg = legs_of(Anatomy.of(pegs(biped, tip=True)))["left_leg"]
    assert leg.end is None and not leg.on_toe and leg.at_foot() is leg
    np.testing.assert_allclose([leg.to_end, leg.to_touch], [[0, -0.4, 0.05]] * 2, atol=1e-5)
    assert leg.length == pytest.approx(np.hypot(0.41, 0.005) + np.hypot(0.4, 0.05), abs=1e-5)
    bare = pegs(biped)
    anatomy = Anatomy.of(bare)
    leg = legs_of(anatomy, soles=0.07)["left_leg"]
    shin = bare.rest_pose.global_positions[leg.lower]
    np.testing.assert_allclose(leg.path(bare.rest_pose), [shin[0], 0.07, shin[2]], atol=1e-5)
    assert leg.rise == pytest.approx(0.0, abs=1e-6)


def test_straight_legs_bend_to_the_front_and_bent_ones_as_they_are(biped: Skeleton) -> None:
    offsets = biped.rest_translations.copy()
    for name, z in (("Leg", -0.2), ("Foot", 0.2)):
        for side in ("Left", "Right"):
            offsets[biped.index(f"{side}{name}"), 2] = z  # knees to the back, as those of a bird
    bird = Skeleton.create(biped.names, biped.parents, offsets)
    for body, ahead in ((biped, 1.0), (bird, -1.0)):
        leg = legs_of(Anatomy.of(body))["left_leg"]
        front = rotations.rotate(body.rest_pose.global_rotations[leg.upper], leg.front)
        assert ahead * front[2] > 0.9 and np.linalg.norm(leg.front) == pytest.approx(1.0, abs=1e-5)
    assert legs_of(Anatomy.of(bird))["left_leg"].straight == (abs(0.2 / 0.41) < np.tan(np.radians(21)))


def test_clearances_are_those_of_an_adult_at_most(biped: Skeleton) -> None:
    """A body that hovers, or is sunk, stands as high as one can; below a mesh three times as much is possible."""
    own = Anatomy.of(biped)
    found = legs_of(own)
    length = float(np.mean([leg.length for leg in found.values()]))
    most = HIGHEST_CLEARANCE * length
    for rise in (0.5, -0.5):
        offsets = biped.rest_translations.copy()
        offsets[0, 1] += rise
        tips = list(zip(biped.tip_joints.tolist(), biped.tip_offsets, strict=True))
        other = Anatomy.of(Skeleton.create(biped.names, biped.parents, offsets, tips=tips))
        legs = legs_of(other)
        heights = clearances(other.standing, legs)
        assert all(0 < height <= most + 1e-6 for height in heights.values())
        lowest = min(float(leg.path(other.standing.pose)[1]) for leg in legs.values())
        for soles, expected in ((lowest - 0.02, 0.02), (lowest + 0.1, 0.0), (lowest - 9.0, 3 * most)):
            for height in clearances(other.standing, legs, soles).values():
                assert height == pytest.approx(expected, abs=1e-4)
    assert clearances(own.standing, {}) == {}


def test_global_rotations_are_written_through_what_lies_between(rng: np.random.Generator) -> None:
    """A limb with a joint between its two: that one turns rigidly with the upper; a root is its own."""
    body = Skeleton.create([*"abcde"], [-1, 0, 1, 2, 3], rng.normal(size=(5, 3)))
    local = rotations.normalize(rng.normal(size=(3, 5, 4))).astype(np.float32)
    pose = Pose(body, local.copy())
    new = {joint: rotations.normalize(rng.normal(size=(3, 4))).astype(np.float32) for joint in (0, 1, 3)}
    set_global_rotations(local, pose, new)
    found = Pose(body, local)
    for joint, wanted in new.items():
        assert rotations.angle(rotations.relative(found.global_rotations[:, joint], wanted)).max() < 2e-3
    np.testing.assert_array_equal(local[:, [2, 4]], pose.local_rotations[:, [2, 4]])


@pytest.mark.parametrize("shift", [0.0, 5.0, -5.0])
@pytest.mark.parametrize("size", [1.0, 0.4])
def test_the_ground_is_where_feet_stand_and_not_where_one_dips(shift: float, size: float) -> None:
    """One foot stands 6 cm over the lowest point that it passes fast, the other one never stands; wherever the file
    has its ground, and at any size. Of feet that are slow only at the top of a jump the lowest points count."""
    t = np.arange(240, dtype=np.float32) / 60
    dips = (t % 2) < 0.3
    stands = np.stack([np.where(dips, 20 * t, 0.0), np.where(dips, 0.0, 0.06), 0 * t], axis=-1)[:, None]
    hops = np.stack([3 * t, 1.5 + 0.3 * np.sin(6 * t), 0 * t], axis=-1)[:, None]
    up = np.float32([0, shift, 0])
    found = common_ground([size * stands + up, size * hops + up], 60.0, [size, size])
    assert found == pytest.approx([0.06 * size + shift] * 2, abs=0.01 * size)
    top = np.stack([np.where(dips, 20 * t, 0.0), np.where(dips, 0.0, 0.5), 0 * t], axis=-1)[:, None]
    found = common_ground([size * top + up] * 2, 60.0, [size, size])
    assert found == pytest.approx([shift] * 2, abs=0.01 * size)


@pytest.mark.parametrize(("pitch", "roll"), [(0.0, 0.0), (0.5, 0.0), (0.3, 0.4)])
def test_a_straight_leg_rises_as_much_as_its_foot_is_high_on_a_flat_sole(
    biped: Skeleton, pitch: float, roll: float
) -> None:
    """However the foot is turned in the rest pose, as soles that were measured in motion show it."""
    local, turn = biped.rest_rotations.copy(), rotations.exp(np.float32([pitch, 0.0, roll]))
    feet = [biped.index(f"{side}Foot") for side in ("Left", "Right")]
    local[feet] = turn
    other = replace(biped, rest_rotations=local)
    axes = rotations.identity((), np.zeros(1, np.float32))
    up = np.float32([0, 1, 0])
    soles = {joint: up for foot in feet for joint in (foot, foot + 1)}
    body = Anatomy.of(other)
    standing = StandingPose(other.rest_pose, axes, soles=soles)
    body = replace(body, standing=standing, alignment=align(other, standing))
    leg = legs_of(body)["left_leg"]
    assert leg.straight and leg.on_toe
    assert leg.rise == pytest.approx(0.06, abs=1e-5)
    assert leg.top == pytest.approx(leg.length + 0.06, abs=1e-5)


@pytest.mark.parametrize(("back", "shows"), [(0.012, False), (0.022, True)])
def test_a_bent_leg_bends_as_at_rest_if_its_bend_shows(biped: Skeleton, back: float, shows: bool) -> None:
    """Knees that stand back by 2 % of the leg or more; otherwise to the front."""
    offsets = biped.rest_translations.copy()
    for side in ("Left", "Right"):
        offsets[biped.index(f"{side}Leg")] = [0, -0.4, -back]
        offsets[biped.index(f"{side}Foot")] = [0, -0.4, back]
    other = Skeleton.create(biped.names, biped.parents, offsets)
    body = Anatomy.of(other)
    crooked = replace(body, alignment=replace(body.alignment, straight=frozenset()))
    leg = legs_of(crooked)["left_leg"]
    assert not leg.straight and leg.front[2] * (-1 if shows else 1) > 0.99


@pytest.mark.parametrize(("height", "foot"), [(0.09, True), (0.11, False)])
def test_a_last_joint_high_above_the_ground_is_no_foot(biped: Skeleton, height: float, foot: bool) -> None:
    """Higher than 12 % of twice the thigh of 41 cm: then the leg stands at the end of its last bone."""
    tips = [(biped.index(f"{side}ToeBase"), (0.0, -0.05, 0.02)) for side in ("Left", "Right")]
    offsets = biped.rest_translations.copy()
    for side in ("Left", "Right"):
        offsets[biped.index(f"{side}Leg"), :] = [0, -0.41, 0]
    other = Skeleton.create(biped.names, biped.parents, offsets, tips=tips)
    body = Anatomy.of(other)
    crooked = replace(body, alignment=replace(body.alignment, straight=frozenset()))
    toe = float(body.standing.positions[other.index("LeftToeBase"), 1])
    leg = legs_of(crooked, soles=toe - height)["left_leg"]
    np.testing.assert_allclose(leg.to_touch, [0, 0, 0] if foot else [0, -0.05, 0.02], atol=1e-6)


@pytest.mark.parametrize(("plan", "least"), [("quadruped", 0.3), ("many-legged", 0.001)])
def test_legs_are_at_least_so_high_for_their_length(biped: Skeleton, plan: BodyPlan, least: float) -> None:
    """Bent legs that end on a ground up to their tops: 30 % of their bones, or a thousandth of a spider's."""
    body = pegs(biped)
    body = body.with_roles(replace(body.roles, plan=plan))
    anatomy = Anatomy.of(body)
    crooked = replace(anatomy, alignment=replace(anatomy.alignment, straight=frozenset()))
    upper = legs_of(crooked)["left_leg"].upper
    hip = float(crooked.standing.positions[upper, 1])
    for share in (0.0, 0.9, 1.1):
        ground = hip - share * least * 0.8
        leg = legs_of(crooked, soles=ground)["left_leg"]
        assert leg.top == pytest.approx(max(hip - ground, least * leg.length), abs=1e-6)
