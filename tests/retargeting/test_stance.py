"""How bodies stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.pose import Pose
from kinema.retargeting import retarget
from kinema.retargeting.stance import (
    _legs_hang,
    _measured,
    _rolled,
    _rough_axes,
    _soles,
    across,
    body_up,
    find_stance,
    mean_rotation,
    sampled,
    standing_axes,
    with_detached,
)

X, Y, Z = np.eye(3, dtype=np.float32)


def test_a_person_at_rest_stands_along_the_worlds_axes(biped: Skeleton) -> None:
    stance = find_stance(biped)
    assert not stance.measured
    assert np.allclose(rotations.to_matrix(stance.axes), np.eye(3), atol=1e-3)


def test_a_person_lying_in_the_file_still_stands(biped: Skeleton) -> None:
    """Z up, as some programs write: the axes turn with the body."""
    lying = rotations.from_axis_angle(np.array([1, 0, 0], np.float32), np.float32(np.pi / 2))
    turned = biped.rest_rotations.copy()
    turned[0] = rotations.multiply(lying, turned[0])
    other = Skeleton.create(biped.names, biped.parents, biped.rest_translations, turned)
    axes = standing_axes(other.rest_pose)
    assert axes is not None
    assert np.allclose(rotations.rotate(axes, np.array([0, 1, 0], np.float32)), [0, 0, 1], atol=1e-3)


def test_legs_beside_the_spine_are_no_stance(biped: Skeleton) -> None:
    flat = np.linalg.norm(biped.rest_translations, axis=-1, keepdims=True) * np.array([1, 0, 0], np.float32)
    none = Skeleton.create(biped.names, biped.parents, flat)
    assert standing_axes(none.rest_pose) is None


def test_the_mean_of_rotations_heeds_no_signs(rng: np.random.Generator) -> None:
    middle = rotations.normalize(rng.standard_normal((5, 4))).astype(np.float32)
    near = rotations.exp(0.2 * rng.standard_normal((400, 5, 3))).astype(np.float32)
    spread = np.concatenate([rotations.multiply(middle, near), rotations.multiply(middle, rotations.inverse(near))])
    spread *= rng.choice([-1, 1], (800, 5, 1)).astype(np.float32)
    assert rotations.angle(rotations.relative(mean_rotation(spread), middle)).max() < 1e-2


@pytest.mark.parametrize("name", ["LeftLeg", "LeftForeArm"])
def test_hinges_are_measured_where_limbs_bend(walk: Motion, name: str) -> None:
    from kinema.retargeting.stance import _hinges

    upper = walk.skeleton.index({"LeftLeg": "LeftUpLeg", "LeftForeArm": "LeftArm"}[name])
    hinges, bends = _hinges(walk.skeleton, walk[:])
    assert upper in bends and upper in hinges
    if name == "LeftLeg":  # knees bend about the left-right axis, the shin going back
        axis = rotations.rotate(walk.skeleton.rest_pose.global_rotations[upper], hinges[upper])
        assert axis[0] > 0.9


def with_legs_apart(skeleton: Skeleton, angle: float, level: bool) -> Skeleton:
    """The skeleton with a rest pose whose legs are apart, with level soles or with straight ankles."""
    turns = skeleton.rest_rotations.copy()
    for leg, sign in zip(skeleton.roles.legs, (1.0, -1.0), strict=True):
        roll = rotations.from_axis_angle(np.array([0, 0, 1], np.float32), np.float32(sign * angle))
        turns[leg.upper] = rotations.multiply(roll, turns[leg.upper])
        if level:
            turns[leg.foot] = rotations.multiply(rotations.inverse(roll), turns[leg.foot])
    return replace(skeleton, rest_rotations=turns)


@pytest.mark.parametrize("level", [True, False], ids=["level soles", "straight ankles"])
def test_feet_are_flat_whatever_the_soles_of_a_rest_pose_with_legs_apart(walk: Motion, level: bool) -> None:
    """Only feet that stand in motion tell level soles from straight ankles."""
    other = with_legs_apart(walk.skeleton, np.radians(20.0), level)
    assert [leg.side for leg in other.roles.legs] == ["left", "right"]
    assert other.rest_pose.global_positions[other.roles.legs[0].foot, 0] > 0.3
    moved = Motion.create(other, walk.local_rotations, walk.local_translations, walk.translated, walk.fps)
    assert not find_stance(other, [moved]).measured
    found = retarget(moved, walk.skeleton, contacts=False).motion[:]
    feet = [joint for leg in walk.skeleton.roles.legs for joint in (leg.foot, leg.toe)]
    off = rotations.angle(rotations.relative(found.global_rotations[:, feet], walk[:].global_rotations[:, feet]))
    assert np.degrees(np.median(off)) < (1.0 if level else 6.0)  # this person's shins lean a little over their soles


def posed(skeleton: Skeleton, **turns: tuple[np.ndarray, float]) -> Pose:
    """The rest pose with joints turned about axes of their parents, by angles in degrees."""
    local = skeleton.rest_rotations.copy()
    for name, (axis, degrees) in turns.items():
        turn = rotations.from_axis_angle(axis, np.float32(np.radians(degrees)))
        local[skeleton.index(name)] = rotations.multiply(turn, local[skeleton.index(name)])
    return Pose(skeleton, local)


def spread(skeleton: Skeleton, degrees: float) -> Pose:
    """Legs spread sideways by an angle each."""
    return posed(skeleton, LeftUpLeg=(Z, degrees), RightUpLeg=(Z, -degrees))


def test_a_body_stands_with_legs_that_hang_and_arms_that_are_not_raised(biped: Skeleton) -> None:
    """Legs a little apart are fine, far apart or one of them raised are not; nor are arms above the head."""
    assert standing_axes(spread(biped, 30)) is not None and standing_axes(spread(biped, 55)) is None
    assert standing_axes(posed(biped, LeftUpLeg=(X, -50))) is not None, "one leg is stepping"
    assert standing_axes(posed(biped, LeftUpLeg=(X, -80))) is None
    arms = {down: posed(biped, LeftArm=(Z, -down), RightArm=(Z, down)) for down in (80, -20, -60)}
    assert standing_axes(arms[80]) is not None and standing_axes(arms[-20]) is not None
    assert standing_axes(arms[-60]) is None
    assert standing_axes(posed(biped, RightArm=(Z, -60))) is None, "one arm is raised"
    crossed = posed(biped, LeftShoulder=(Y, 180), RightShoulder=(Y, 180))
    assert standing_axes(crossed) is None, "the left arm is on the right"


def test_axes_are_those_of_the_body_however_it_is_turned(biped: Skeleton) -> None:
    """Near an axis of the file, up is that axis; a body that leans far has an up direction of its own."""
    for axis, degrees in ((Y, 130), (Z, 90), (X, -90)):
        axes = standing_axes(posed(biped, Hips=(axis, degrees)))
        assert axes is not None
        turn = rotations.from_axis_angle(axis, np.float32(np.radians(degrees)))
        np.testing.assert_allclose(np.abs((axes * turn).sum()), 1, atol=1e-4)
    leaning = standing_axes(posed(biped, Hips=(X, 20)))
    assert leaning is not None
    np.testing.assert_allclose(rotations.rotate(leaning, Y), Y, atol=1e-5)
    slanted = standing_axes(posed(biped, Hips=(X, 45)))
    assert slanted is not None
    np.testing.assert_allclose(rotations.rotate(slanted, Y), [0, np.cos(np.pi / 4), np.sin(np.pi / 4)], atol=0.02)


def crawler(reach: float, pairs: int = 4) -> Skeleton:
    """A body on many legs, each of two bones, whose feet are a metre lower and so far to the side."""
    names, parents, places = ["Hips", "Spine", "Head"], [-1, 0, 1], [[0, 1, -0.5], [0, 1, 0], [0, 1, 0.6]]
    for index in range(pairs):
        for side, x in (("L", 1.0), ("R", -1.0)):
            z = 0.4 - 0.3 * index
            for name, parent, place in (
                (f"Leg{index}Upper_{side}", 0, [0.1 * x, 1, z]),
                (f"Leg{index}Lower_{side}", None, [(0.1 + 0.5 * reach) * x, 0.7, z]),
                (f"Leg{index}Foot_{side}", None, [(0.1 + reach) * x, 0.0, z]),
            ):
                parents.append(len(names) - 1 if parent is None else parent)
                names.append(name)
                places.append(place)
    at = np.array(places)
    offsets = at - np.where(np.array(parents)[:, None] < 0, 0, at[np.maximum(parents, 0)])
    return Skeleton.create(names, parents, offsets)


def test_legs_of_bodies_with_many_legs_may_spread() -> None:
    for reach, hangs in ((1.0, True), (2.4, True), (4.0, False)):
        body = crawler(reach)
        assert body.roles.plan == "many-legged"
        assert _legs_hang(body.rest_pose, Y) == hangs
    np.testing.assert_array_equal(body_up(body.rest_pose), Y)


def test_soles_are_up_where_the_feet_stand(walk: Motion, rebased) -> None:
    """Measured in frames of feet and toes that mean nothing by themselves."""
    other = rebased(walk.skeleton, 8)
    from kinema.retargeting import retarget

    moved = retarget(walk, other, contacts=False).motion
    stood = other.rest_pose.global_rotations
    found = _soles(other, [moved])
    names = {other.names[joint] for joint in found}
    assert names == {"LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"}
    for joint, up in found.items():
        assert rotations.rotate(stood[joint], up) @ Y > 0.97
        assert np.linalg.norm(up) == pytest.approx(1.0, abs=1e-4)


def test_frames_are_taken_evenly_from_all_motions(walk: Motion) -> None:
    some = sampled([walk, walk.cut(0, 10)])
    assert len(some) == walk.frames + 10
    many = sampled([walk] * 1000)
    assert len(many) == 1000, "one of each"
    np.testing.assert_allclose(many.local_rotations[0], walk.local_rotations[0], atol=1e-6)
    half = sampled([walk] * 12)  # 125 of each
    assert len(half) == 12 * 125
    np.testing.assert_allclose(half.local_rotations[124], walk.local_rotations[-1], atol=1e-6)


def test_a_measured_body_stands_upright_in_the_middle_of_what_it_does(walk: Motion, laid_out) -> None:
    """The file's rest pose shows nothing; somebody may carry their head low for a while, but stands in most frames."""
    captured = laid_out(walk)
    stood = find_stance(captured.skeleton, [captured])
    assert stood.measured and len(stood.hinges) == 8
    np.testing.assert_allclose(stood.axes, [1, 0, 0, 0], atol=1e-6)
    rest, roles = stood.pose, captured.skeleton.roles
    assert body_up(rest) @ Y > 0.99 and across(rest) @ X > 0.99
    for leg in roles.legs:
        thigh = rest.global_positions[leg.lower] - rest.global_positions[leg.upper]
        assert rotations.normalize_vector(thigh) @ -Y > 0.9
    bowed = captured.local_rotations.copy()
    bowed[10:40, 0] = rotations.multiply(rotations.exp(np.float32([1.2, 0, 0])), bowed[10:40, 0])
    other = find_stance(captured.skeleton, [captured.replace(local_rotations=bowed)])
    turned = rotations.angle(rotations.relative(stood.rotations, other.rotations))
    assert turned[[roles.hips, *roles.spine]].max() < 0.05, "frames that are not upright do not count"


def test_where_nobody_is_upright_the_trunk_is_straight(walk: Motion, laid_out) -> None:
    """Of somebody who lies on the back all the time, in a file whose rest pose shows nothing."""
    captured = laid_out(walk)
    local = captured.local_rotations.copy()
    back = rotations.from_axis_angle(X, np.float32(-np.pi / 2))
    local[:, 0] = rotations.multiply(back, local[:, 0])
    stood = find_stance(captured.skeleton, [captured.replace(local_rotations=local)])
    assert stood.measured and body_up(stood.pose) @ Y > 0.999 and across(stood.pose) @ X > 0.95
    trunk = [captured.skeleton.roles.hips, *captured.skeleton.roles.spine]
    line = rotations.normalize_vector(np.diff(stood.positions[trunk], axis=0))
    assert (line @ Y).min() > 0.999


@pytest.mark.parametrize("carried_by", [0, -1], ids=["below the root", "a root of its own"])
def test_a_joint_that_hangs_on_nothing_keeps_its_place_on_what_carries_it(walk: Motion, carried_by: int) -> None:
    """A bag that swings with the left hand: it is there in the standing pose too, and never follows itself."""
    skeleton = walk.skeleton
    hand = skeleton.roles.arms[0].hand
    names = ["Root", *skeleton.names, "Bag"]
    parents = [-1, *(np.where(skeleton.parents < 0, 0, skeleton.parents + 1)).tolist(), carried_by]
    offsets = np.concatenate([np.zeros((1, 3)), skeleton.rest_translations, [[5.0, 5.0, 5.0]]])
    body = Skeleton.create(names, parents, offsets)
    seen = walk[::4]
    bag = seen.global_positions[:, hand] + rotations.rotate(seen.global_rotations[:, hand], np.float32([0, -0.3, 0]))
    moved = np.zeros((len(seen), body.joint_count, 3), np.float32)
    moved[:] = body.rest_translations
    aside = rotations.exp(np.float32([0.2, 0.7, -0.4]))
    body = replace(body, rest_rotations=np.concatenate([aside[None], body.rest_rotations[1:]]))
    moved[:, 1], moved[:, -1] = seen.local_translations[:, 0], bag
    if carried_by == 0:  # the root is turned and elsewhere
        moved[:, 0] = [3.0, 0.0, -1.0]
    moved[:, [1, -1] if carried_by == 0 else [1]] -= moved[:, :1]
    local = rotations.identity((len(seen), body.joint_count), seen.local_rotations)
    local[:, 1:-1] = seen.local_rotations
    found = with_detached(body.rest_pose, Pose(body, local, moved))
    held = found.global_positions[-1] - found.global_positions[hand + 1]
    turned = rotations.inverse_rotate(found.global_rotations[hand + 1], held)
    np.testing.assert_allclose(turned, [0, -0.3, 0], atol=1e-3)


def test_the_back_of_a_body_on_four_legs_is_its_up_direction(dog: Skeleton) -> None:
    """However it is turned, for one pose and for several."""
    assert dog.roles.plan == "quadruped"
    np.testing.assert_allclose(body_up(dog.rest_pose), Y, atol=1e-5)
    np.testing.assert_allclose(across(dog.rest_pose), X, atol=1e-5)
    turns = rotations.exp(np.float32([[0, 0, 0], [0.5, 0, 0], [0, 0.8, 0.3]]))
    local = np.tile(dog.rest_rotations, (3, 1, 1))
    local[:, 0] = turns
    np.testing.assert_allclose(body_up(Pose(dog, local)), rotations.rotate(turns, Y), atol=1e-5)
    np.testing.assert_allclose(across(Pose(dog, local)), rotations.rotate(turns, X), atol=1e-5)
    axes = standing_axes(dog.rest_pose)
    assert axes is not None
    np.testing.assert_allclose(axes, [1, 0, 0, 0], atol=1e-5)


def test_bodies_without_legs_are_in_the_axes_of_the_world() -> None:
    """A snake as it is; a body with wings only as these are spread, if they are level."""
    snake = Skeleton.create(["Hips", "Spine", "Spine1", "Head"], [-1, 0, 1, 2], [[0, 0.1, 0], *[[0.2, 0.1, 0.2]] * 3])
    axes = standing_axes(snake.rest_pose)
    assert axes is not None
    np.testing.assert_allclose(axes, [1, 0, 0, 0], atol=1e-6)


@pytest.mark.parametrize(("degrees", "stands"), [(0, True), (60, True), (71, True), (74, False), (100, False)])
def test_a_rest_pose_with_legs_roughly_down_is_upright_in_the_world(
    biped: Skeleton, degrees: float, stands: bool
) -> None:
    """Thighs raised to the front by an angle: until their cosine is 0.3. Facing another way, so does the body."""
    yaw = rotations.from_yaw(np.float32(0.6))
    sitting = posed(biped, LeftUpLeg=(X, -degrees), RightUpLeg=(X, -degrees), Hips=(Y, float(np.degrees(0.6))))
    offsets = biped.rest_translations.copy()
    for side in ("Left", "Right"):
        offsets[biped.index(f"{side}Leg")], offsets[biped.index(f"{side}Foot")] = [0, -0.41, 0], [0, -0.4, 0]
    rest = replace(biped, rest_rotations=sitting.local_rotations, rest_translations=offsets).rest_pose
    found = _rough_axes(rest)
    assert (found is not None) == stands
    if found is not None:
        np.testing.assert_allclose(np.abs(found @ yaw), 1, atol=1e-5)


def test_a_rest_pose_that_shows_nothing_needs_a_motion(biped: Skeleton) -> None:
    """All bones along one axis; legs that are only roughly down will do."""
    sitting = replace(biped, rest_rotations=posed(biped, LeftUpLeg=(X, -60), RightUpLeg=(X, -60)).local_rotations)
    stood = find_stance(sitting)
    assert not stood.measured
    np.testing.assert_allclose(stood.axes, [1, 0, 0, 0], atol=1e-5)
    lengths = np.linalg.norm(biped.rest_translations, axis=-1, keepdims=True)
    for axis in (X, Y):
        with pytest.raises(SkeletonError, match="the rest pose is not a standing pose"):
            find_stance(Skeleton.create(biped.names, biped.parents, lengths * axis))
    sideways = replace(biped, rest_rotations=posed(biped, Hips=(Z, 90), LeftUpLeg=(Z, -60)).local_rotations)
    assert _rough_axes(sideways.rest_pose) is None, "one side is up"


def test_a_measured_body_stands_at_the_origin(walk: Motion, laid_out) -> None:
    captured = laid_out(walk)
    stood = find_stance(captured.skeleton, [captured])
    np.testing.assert_array_equal(stood.positions[0], [0, 0, 0])
    lengths = np.linalg.norm(stood.pose.local_translations, axis=-1)
    np.testing.assert_allclose(lengths[1:], captured.skeleton.bone_lengths[1:], atol=1e-6)


@pytest.mark.parametrize("raised", [0.0, 60.0])
@pytest.mark.parametrize("toes", [True, False])
@pytest.mark.parametrize("level", [True, False])
def test_feet_that_stand_tell_level_soles_from_straight_ankles(
    biped: Skeleton, level: bool, toes: bool, raised: float
) -> None:
    """Legs 20 degrees apart at rest, and someone who stands with hanging legs and flat feet, or with raised heels."""
    kept = [j for j, name in enumerate(biped.names) if toes or not name.endswith("ToeBase")]
    parents = [-1 if biped.parents[j] < 0 else kept.index(int(biped.parents[j])) for j in kept]
    offsets = biped.rest_translations[kept].copy()
    plain = Skeleton.create([biped.names[j] for j in kept], parents, offsets)
    for leg in plain.roles.legs:
        offsets[[leg.lower, leg.foot]] = [0, -0.4, 0]
    other = with_legs_apart(replace(plain, rest_translations=offsets), np.radians(20.0), level)
    local = np.tile(other.rest_rotations, (40, 1, 1))
    for leg in other.roles.legs:
        local[:, leg.upper] = [1, 0, 0, 0]
        # Ankles that are rolled at rest are straight: the feet of hanging legs are level.
        local[:, leg.foot] = rotations.from_axis_angle(X, np.float32(np.radians(raised)))
    standing = Motion.create(other, local, np.tile(offsets[:1], (40, 1, 1)), [0], 30.0, "stands")
    found = _rolled(other.rest_pose, np.float32([1, 0, 0, 0]), [standing])
    if level:
        assert found == {}
        return
    feet = {joint for leg in other.roles.legs for joint in ((leg.foot, leg.toe) if toes else (leg.foot,))}
    assert set(found) == feet
    for up in found.values():
        assert up @ Y > 0.998, "the line to the toes slopes"
    for leg, angle in zip(other.roles.legs, np.radians([20.0, -20.0]), strict=True):
        sole = rotations.rotate(other.rest_pose.global_rotations[leg.foot], found[leg.foot])
        np.testing.assert_allclose(sole @ [np.cos(angle), np.sin(angle), 0], 0, atol=0.01)
        np.testing.assert_allclose(sole @ [-np.sin(angle), np.cos(angle), 0], 1, atol=0.002)
    assert _rolled(other.rest_pose, np.float32([1, 0, 0, 0]), []) == {}


@pytest.mark.parametrize(("upright", "raised"), [(5, False), (7, True)])
def test_a_few_upright_frames_do_not_show_how_a_body_stands(walk: Motion, laid_out, upright: int, raised: bool) -> None:
    """Of 200 frames, in most of which somebody lies on the back with straight legs; upright, the thighs are raised."""
    skeleton = walk.skeleton
    local = np.tile(skeleton.rest_rotations, (200, 1, 1))
    local[:, 0] = rotations.from_axis_angle(X, np.float32(-np.pi / 2))
    local[50 : 50 + upright, 0] = [1, 0, 0, 0]
    for leg in skeleton.roles.legs:
        local[50 : 50 + upright, leg.upper] = rotations.from_axis_angle(X, np.float32(-1.0))
    motion = Motion.create(skeleton, local, np.tile(skeleton.rest_translations[:1], (200, 1, 1)), [0], 30.0, "lies")
    captured = laid_out(motion)
    stood = find_stance(captured.skeleton, [captured])
    leg = captured.skeleton.roles.legs[0]
    thigh = rotations.normalize_vector(stood.positions[leg.lower] - stood.positions[leg.upper])
    assert thigh @ -Y == pytest.approx(np.cos(1.0) if raised else 1.0, abs=0.02)


@pytest.mark.parametrize(
    ("degrees", "people", "animals"), [(8, True, True), (12, False, True), (22, False, True), (28, False, False)]
)
def test_animals_may_sway_more_than_people_while_they_stand(
    biped: Skeleton, dog: Skeleton, degrees: float, people: bool, animals: bool
) -> None:
    """A body that leans in all frames: upright ones stand as they lean, of others the trunk is straight."""
    for skeleton, upright in ((biped, people), (dog, animals)):
        local = np.tile(skeleton.rest_rotations, (40, 1, 1))
        local[:, 0] = rotations.from_axis_angle(X, np.float32(np.radians(degrees)))
        motion = Motion.create(skeleton, local, np.tile(skeleton.rest_translations[:1], (40, 1, 1)), [0], 30.0, "leans")
        lean = np.degrees(np.arccos(np.clip(body_up(_measured(skeleton, [motion]).pose) @ Y, -1, 1)))
        assert lean == pytest.approx(degrees if upright else 0.0, abs=1.0)
