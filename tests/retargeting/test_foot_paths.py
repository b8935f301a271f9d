"""Legs of a different build."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.pose import Pose
from kinema.retargeting import Retargeter
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.foot_paths import FootPath, _smoothstep, standing_tops
from kinema.retargeting.limbs import legs_of

SIDES = (("L", 1.0), ("R", -1.0))


def animal(size: float, hock: float, neck: float = 0.5) -> Skeleton:
    """An animal on four legs, hind legs of three bones bent by `hock` metres, front legs nearly straight."""
    names = ["Hips", "Spine", "Spine1", "Neck", "Head", "Tail", "Tail1"]
    parents = [-1, 0, 1, 2, 3, 0, 5]
    places = [
        [0, 1.0, -0.5],
        [0, 1.0, -0.1],
        [0, 1.0, 0.3],
        [0, 1.1, 0.5],
        [0, 1.1 + neck, 0.8],
        [0, 1.0, -0.6],
        [0, 0.9, -0.9],
    ]
    for side, x in SIDES:
        for names_of, trunk, points in (
            (("Thigh", "Shin", "Foot", "Toe"), 0, [[0.9, -0.5], [0.6, -0.5 + hock], [0.3, -0.5 - hock], [0.0, -0.45]]),
            (("Arm", "ForeArm", "Hand", "Paw"), 2, [[0.9, 0.4], [0.55, 0.36], [0.12, 0.42], [0.0, 0.46]]),
        ):
            for index, (name, (y, z)) in enumerate(zip(names_of, points, strict=True)):
                parents.append(trunk if index == 0 else len(names) - 1)
                names.append(f"{name}.{side}")
                places.append([0.15 * x, y, z])
    at = size * np.array(places)
    offsets = at - np.where(np.array(parents)[:, None] < 0, 0, at[np.maximum(parents, 0)])
    return Skeleton.create(names, parents, offsets.tolist())


def trot(skeleton: Skeleton, seconds: float = 2.0, fps: float = 60.0) -> Motion:
    """Steps on the spot: diagonal legs swing and bend together, the trunk stays where it is."""
    t = np.arange(round(seconds * fps)) / fps
    local = np.tile(skeleton.rest_rotations, (len(t), 1, 1))
    x = np.array([1, 0, 0], np.float32)
    for side, sign in SIDES:
        for upper, lower, phase in (("Thigh", "Shin", 0.0), ("Arm", "ForeArm", np.pi)):
            wave = 2 * np.pi * t + phase + (np.pi if sign < 0 else 0.0)
            for name, angle in ((upper, 0.3 * np.sin(wave)), (lower, 0.3 * np.maximum(np.cos(wave), 0))):
                turn = rotations.from_axis_angle(x, angle.astype(np.float32))
                joint = skeleton.index(f"{name}.{side}")
                local[:, joint] = rotations.multiply(local[:, joint], turn)
    hips = np.tile(skeleton.rest_translations[:1], (len(t), 1, 1))
    return Motion.create(skeleton, local.astype(np.float32), hips, [0], fps, "trot")


@pytest.fixture(scope="module")
def pair() -> tuple[Retargeter, Motion]:
    motion = trot(animal(0.6, 0.1))
    return Retargeter(motion.skeleton, animal(1.7, 0.22, neck=0.9)), motion


def test_feet_go_the_sources_way_in_the_targets_size(pair: tuple[Retargeter, Motion]) -> None:
    setup, motion = pair
    assert setup.target.roles.plan == "quadruped" and all(leg.path for leg in setup.legs) and len(setup.legs) == 4
    result = setup(motion, contacts=False).motion
    for leg in setup.legs:
        paths = leg.source.path(motion[:]) * setup.scale, leg.target.path(result[:])
        moves = [path - path.mean(axis=0) for path in paths]
        assert np.linalg.norm(moves[0] - moves[1], axis=-1).max() < 0.12 * leg.target.top
        for axis in (1, 2):
            assert np.corrcoef(moves[0][:, axis], moves[1][:, axis])[0, 1] > 0.95


def test_standing_feet_stand_and_no_bone_changes_its_length(pair: tuple[Retargeter, Motion]) -> None:
    setup, motion = pair
    result = setup(motion)
    placed = result.motion[:].global_positions
    for joint, parent in enumerate(setup.target.parents.tolist()):
        if parent >= 0:
            lengths = np.linalg.norm(placed[:, joint] - placed[:, parent], axis=-1)
            assert np.ptp(lengths) < 1e-4
    report = result.report
    assert report.jerk_ratio is not None and report.jerk_ratio < 1.3
    if report.skate_before_legs_s is not None:
        assert report.skate_after_legs_s is not None and report.skate_after_legs_s <= report.skate_before_legs_s


def test_knees_bend_where_they_bend_at_rest(pair: tuple[Retargeter, Motion]) -> None:
    setup, motion = pair
    pose = setup(motion).motion[:]
    for leg in (pair.target for pair in setup.legs):
        hip, knee, end = pose.global_positions[:, leg.upper], pose.global_positions[:, leg.lower], leg.ends(pose)
        line = rotations.normalize_vector(end - hip)
        out = knee - hip - np.sum((knee - hip) * line, axis=-1, keepdims=True) * line
        assert (out[:, 2] * (1 if "front" not in leg.chain else -1) > 0).mean() > 0.95


def test_sizes_do_not_matter_if_both_have_them(pair: tuple[Retargeter, Motion], scaled) -> None:
    setup, motion = pair
    plain = setup(motion).motion[:].global_positions
    for factor in (0.2, 4.0):
        other = Retargeter(scaled(motion, factor).skeleton, animal(1.7 * factor, 0.22, neck=0.9))
        result = other(scaled(motion, factor)).motion[:].global_positions
        np.testing.assert_allclose(result, factor * plain, atol=2e-3 * factor)


def test_the_way_it_goes_does_not_matter(pair: tuple[Retargeter, Motion], elsewhere) -> None:
    setup, motion = pair
    plain, other = (setup(m).motion[:].global_positions for m in (motion, elsewhere(motion)))
    turn, shift = rotations.from_yaw(np.float32(2.2)), setup.scale * np.array([3.0, 0.0, -2.0], np.float32)
    np.testing.assert_allclose(other, rotations.rotate(turn, plain) + shift, atol=3e-3)


def test_left_and_right_are_alike(pair: tuple[Retargeter, Motion]) -> None:
    setup, motion = pair
    plain, other = setup(motion).motion.mirror(), setup(motion.mirror()).motion
    np.testing.assert_allclose(other[:].global_positions, plain[:].global_positions, atol=3e-3)


@pytest.mark.parametrize("size", [0.3, 3.0])
@pytest.mark.parametrize(("off", "alike"), [(0.008, True), (0.02, False)])
def test_bones_a_little_different_are_of_the_same_build_at_any_size(size: float, off: float, alike: bool) -> None:
    """Hocks that stand back by so much of a leg of 0.9 m or so."""
    setup = Retargeter(animal(1.0, 0.1), animal(size, 0.1 + off))
    assert all(leg.path is None for leg in setup.legs) == alike


def test_legs_of_the_same_build_turn_as_they_are(pair: tuple[Retargeter, Motion]) -> None:
    motion = pair[1]
    setup = Retargeter(motion.skeleton, motion.skeleton)
    assert not any(leg.path for leg in setup.legs)
    result = setup(motion, contacts=False).motion
    apart = result[:].global_positions - motion[:].global_positions
    assert np.abs(apart - apart[0, 0]).max() < 1e-3  # but for where the ground is


def test_a_third_bone_follows_the_first_where_the_source_has_none_like_it(biped: Skeleton) -> None:
    """An animal's hind leg under a person is a pantograph; animals among each other rotate it as the source does."""
    person, dog = Anatomy.of(biped), Anatomy.of(animal(0.6, 0.1))
    theirs, ours = legs_of(person)["left_leg"], legs_of(dog)["left_leg"]
    assert theirs.end is not None and ours.end is not None and theirs.straight and not ours.straight
    assert FootPath.of((person, dog), (theirs, ours), 0.6).pantograph
    assert not FootPath.of((dog, dog), (ours, ours), 1.0).pantograph
    two_boned = dataclasses.replace(ours, end=None)
    assert FootPath.of((dog, dog), (two_boned, ours), 1.0).pantograph
    assert not FootPath.of((person, dog), (theirs, two_boned), 0.6).pantograph
    assert not FootPath.of((dog, dog), (two_boned, ours), 1.0).alike
    assert FootPath.of((dog, dog), (ours, ours), 1.0).alike


def test_how_high_a_leg_stands_is_measured_unless_it_kneels() -> None:
    """The median height over the foot in frames in which it stands; half of what the body shows is too little."""
    motion = trot(animal(0.6, 0.1))
    legs = list(legs_of(Anatomy.of(motion.skeleton)).values())
    tops = standing_tops([motion], legs)
    assert set(tops) == {leg.chain for leg in legs}
    for leg in legs:
        assert tops[leg.chain] == pytest.approx(leg.top, rel=0.1)
    share = {leg.chain: tops[leg.chain] / leg.top for leg in legs}
    for factor, kept in ((1.9, True), (2.3, False)):  # legs that are said to be so much higher
        high = [dataclasses.replace(leg, top=factor * share[leg.chain] * leg.top) for leg in legs]
        assert bool(standing_tops([motion], high)) == kept
    for factor, kept in ((3.5, True), (4.6, False)):  # or so much longer
        long = [dataclasses.replace(leg, top=0.0, length=factor * tops[leg.chain]) for leg in legs]
        found = standing_tops([motion], [dataclasses.replace(leg, top=1e-3) for leg in long])
        assert bool(found) == kept
    assert standing_tops([motion.cut(0, 0)], legs) == {}


def test_where_no_foot_stands_the_lowest_frames_show_how_high_a_leg_stands(scaled) -> None:
    """Somebody who runs on the spot high above, at any size: not the frames in which the foot is up."""
    motion = trot(animal(0.6, 0.1))
    t = np.arange(motion.frames) / motion.fps
    moved = motion.local_translations.copy()
    moved[:, 0, 0] += 30 * t  # never slow
    moving = motion.replace(local_translations=moved.astype(np.float32))
    legs = list(legs_of(Anatomy.of(motion.skeleton)).values())
    tops = standing_tops([moving], legs)
    low = motion[:]
    for leg in legs:
        heights = leg.path(low)[:, 1]
        lowest = heights <= np.quantile(heights, 0.1)
        expected = np.median((low.global_positions[:, leg.upper, 1] - heights)[lowest])
        assert tops[leg.chain] == pytest.approx(float(expected), rel=1e-3)
    for factor in (0.1, 8.0):
        larger = scaled(motion, factor)
        others = list(legs_of(Anatomy.of(larger.skeleton)).values())
        before, after = standing_tops([motion], legs), standing_tops([larger], others)
        assert after == pytest.approx({name: factor * top for name, top in before.items()}, rel=1e-2)


def test_steps_are_smooth() -> None:
    x = np.linspace(-1, 2, 301)
    up, down = _smoothstep(x, 0.25, 0.75), _smoothstep(x, 0.75, 0.25)
    assert up[0] == 0 and up[-1] == 1 and (np.diff(up) >= 0).all()
    np.testing.assert_allclose(up + down, 1, atol=1e-6)
    assert up[np.argmin(np.abs(x - 0.5))] == pytest.approx(0.5, abs=0.02)
    assert np.abs(np.diff(up, n=2)).max() < 3e-3, "no kinks"


def at_rest(skeleton: Skeleton) -> Motion:
    local = np.tile(skeleton.rest_rotations, (30, 1, 1))
    return Motion.create(skeleton, local, np.tile(skeleton.rest_translations[:1], (30, 1, 1)), [0], 30.0, "rest")


@pytest.mark.parametrize("size", [0.5, 1.7])
def test_a_body_at_rest_makes_another_one_stand_as_it_rests(size: float, biped: Skeleton) -> None:
    """Animals of different build, and a person: feet where they stand at rest, legs bent as at rest."""
    target = animal(size, 0.22, neck=0.9)
    for source in (animal(0.6, 0.1), biped):
        setup = Retargeter(source, target)
        found = setup(at_rest(source)).motion[:]
        for leg in setup.legs:
            assert leg.path is not None
            rest = target.rest_pose
            own = leg.target.path(found)[0] - found.global_positions[0, 0]
            expected = leg.target.path(rest) - rest.global_positions[0]
            if source is not biped or "front" not in leg.target.chain:
                assert np.abs(own - expected).max() < 0.08 * leg.target.top
            height = leg.target.path(found)[:, 1]
            assert np.abs(height - leg.clearance).max() < 0.02 * leg.target.top
            knee = found.global_positions[0, leg.target.lower] - found.global_positions[0, leg.target.upper]
            stood = rest.global_positions[leg.target.lower] - rest.global_positions[leg.target.upper]
            if source is not biped:
                assert rotations.normalize_vector(knee) @ rotations.normalize_vector(stood) > 0.97


@pytest.mark.parametrize("seed", [1, 2])
def test_joint_frames_of_animals_do_not_matter(
    pair: tuple[Retargeter, Motion], rebased, biped: Skeleton, seed: int
) -> None:
    """Neither those of the target nor those of the source; also where the last bone is parallel to the first."""
    setup, motion = pair
    person = at_rest(biped)
    for source, plain in ((motion, setup), (person, Retargeter(biped, setup.target))):
        expected = plain(source, contacts=False).motion[:].global_positions
        other = Retargeter(source.skeleton, rebased(setup.target, seed))
        np.testing.assert_allclose(other(source, contacts=False).motion[:].global_positions, expected, atol=3e-3)
    other = rebased(motion.skeleton, seed + 10)
    same = Retargeter(motion.skeleton, other)(motion, contacts=False).motion
    found = Retargeter(other, setup.target)(same, contacts=False).motion[:].global_positions
    expected = setup(motion, contacts=False).motion[:].global_positions
    np.testing.assert_allclose(found, expected, atol=0.02)


def test_a_low_foot_is_as_high_as_the_sources_and_a_high_one_where_the_body_has_it(
    pair: tuple[Retargeter, Motion],
) -> None:
    """Below 15 % of the leg it is the height in the contacts; above half of the leg it is that of the scaled path."""
    setup, motion = pair
    leg = setup.legs[0]
    assert leg.path is not None
    source = motion[:]
    states = setup.contacts(source, motion.fps)
    target = setup.pose(setup.local_rotations(source.global_rotations), setup.hips(source, states))

    def goal(height: float) -> np.ndarray:
        heights = np.full(len(source), height * leg.target.top, np.float32)
        state = dataclasses.replace(states[0], heights=heights)
        return leg.path.goal(source, target, state, leg.clearance, setup.scale, motion.fps)  # type: ignore[union-attr]

    for low in (0.0, 0.1, 0.15):
        np.testing.assert_allclose(goal(low)[:, 1], leg.clearance + low * leg.target.top, atol=1e-5)
    np.testing.assert_array_equal(goal(0.5), goal(2.0))
    np.testing.assert_array_equal(goal(0.1)[:, [0, 2]], goal(2.0)[:, [0, 2]])
    half = goal(0.325)[:, 1]
    np.testing.assert_allclose(half, 0.5 * (goal(2.0)[:, 1] + leg.clearance + 0.325 * leg.target.top), atol=1e-4)


def test_a_detached_foot_is_flat_on_the_ground_and_turns_with_its_leg_in_the_air(
    pair: tuple[Retargeter, Motion],
) -> None:
    setup = pair[0]
    leg = setup.legs[0]
    assert leg.path is not None
    tilt = rotations.exp(np.float32([0.5, 0.0, 0.2]))
    local = np.tile(setup.target.rest_rotations, (5, 1, 1))
    yaw = rotations.from_yaw(np.float32(0.7))
    local[:, 0] = rotations.multiply(yaw, tilt)
    pose = Pose(setup.target, local)
    rigid = rotations.exp(np.float32([[0.9, 0.1, -0.3]] * 5))
    stood = rotations.exp(np.float32([0.2, 0.3, 0.4]))
    heights = np.float32([0.0, 0.02, 0.11, 0.2, 0.5]) * leg.target.top
    found = leg.path.foot_rotations(pose, rigid, stood, heights)
    turn = rotations.multiply(yaw, tilt)
    level = rotations.multiply(
        rotations.between(rotations.rotate(turn, np.float32([0, 1, 0])), np.float32([0, 1, 0])), turn
    )
    flat = rotations.multiply(level, stood)
    np.testing.assert_allclose(np.abs((found[:2] * flat).sum(-1)), 1, atol=1e-5)
    np.testing.assert_allclose(np.abs((found[3:] * rigid[3:]).sum(-1)), 1, atol=1e-5)
    way = rotations.angle(rotations.relative(flat, rigid[2]))
    assert rotations.angle(rotations.relative(flat, found[2])) == pytest.approx(float(way) / 2, rel=1e-3)
