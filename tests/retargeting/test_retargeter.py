"""A pair of skeletons: identity, round trips, other frames, poses, sizes; feet, smoothness."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from kinema import Motion, Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.formats import Asset
from kinema.retargeting import Retargeter, onto, retarget
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.limbs import legs_of
from kinema.retargeting.mapping import Match
from kinema.retargeting.retargeter import LEVER, LOPSIDED, _lopsided, _paired, _support


def apart(a: Motion, b: Motion) -> float:
    """Largest distance between joints of equal name, metres."""
    return float(np.abs(a[:].global_positions - b[:].global_positions).max())


def test_the_same_rig_gives_the_same_motion(walk: Motion) -> None:
    result = retarget(walk, walk.skeleton, contacts=False).motion
    turned = rotations.angle(rotations.relative(walk.local_rotations, result.local_rotations))
    assert turned.max() < 2e-3  # float32 noise of an angle near zero
    assert apart(walk, result) < 1e-4
    assert (result.fps, result.name) == (walk.fps, walk.name)
    assert set(result.labels) == set(walk.labels)


@pytest.mark.parametrize("seed", [1, 2])
def test_joint_frames_do_not_matter(walk: Motion, small: Skeleton, rebased, seed: int) -> None:
    plain = retarget(walk, small).motion
    other = retarget(walk, rebased(small, seed)).motion
    assert apart(plain, other) < 1e-3


def test_frames_of_the_source_do_not_matter(walk: Motion, small: Skeleton, rebased) -> None:
    there = retarget(walk, rebased(walk.skeleton, 3), contacts=False).motion
    assert apart(there, walk) < 1e-4
    assert apart(retarget(there, small, contacts=False).motion, retarget(walk, small, contacts=False).motion) < 1e-3


def test_a_rest_pose_that_faces_away_does_not_matter(walk: Motion, small: Skeleton, facing_away) -> None:
    assert apart(retarget(walk, small).motion, retarget(walk, facing_away(small)).motion) < 1e-3


def test_a_root_on_the_floor_does_not_matter(walk: Motion, small: Skeleton, on_floor_root) -> None:
    other = on_floor_root(small)
    assert other.names[other.roles.hips] == small.names[small.roles.hips]
    plain, found = retarget(walk, small).motion[:], retarget(walk, other).motion[:]
    assert np.abs(plain.global_positions - found.global_positions[:, 1:]).max() < 1e-3


def test_there_and_back_again(walk: Motion, rig: Skeleton) -> None:
    there = retarget(walk, rig, contacts=False).motion
    back = retarget(there, walk.skeleton, contacts=False).motion
    assert apart(walk, back) < 2e-3


def test_bones_point_as_in_the_source_whatever_the_rest_pose(walk: Motion, rig: Skeleton) -> None:
    report = retarget(walk, rig, contacts=False).report
    assert report.direction_error_deg is not None and report.direction_error_deg < 0.1
    assert report.direction_error_p95_deg is not None and report.direction_error_p95_deg < 0.2


def test_hips_and_travel_have_the_size_of_the_target(walk: Motion, small: Skeleton) -> None:
    setup = Retargeter(walk.skeleton, small)
    result = setup(walk, contacts=False).motion
    hips = small.roles.hips
    before, after = walk[:].global_positions[:, walk.skeleton.roles.hips], result[:].global_positions[:, hips]
    assert np.allclose(np.ptp(after, axis=0)[[0, 2]], setup.scale * np.ptp(before, axis=0)[[0, 2]], atol=0.02)
    assert abs(after[:, 1].mean() / (setup.scale * before[:, 1].mean()) - 1) < 0.05


def with_longer_spine(skeleton: Skeleton, factor: float) -> Skeleton:
    """The skeleton with another length of the bone from the hips to the spine."""
    moved = skeleton.rest_translations.copy()
    moved[skeleton.roles.spine[0]] *= factor
    return replace(skeleton, rest_translations=moved)


def trembling(motion: Motion, rng: np.random.Generator) -> Motion:
    """The motion with hips that jitter about the lower end of the spine: spine, arms and head move as before."""
    skeleton = motion.skeleton
    hips, spine = skeleton.roles.hips, skeleton.roles.spine[0]
    pose, local = motion[:], motion.local_rotations.copy()
    jitter = rotations.exp(np.radians(2.0) * rng.standard_normal((motion.frames, 3))).astype(np.float32)
    turned = rotations.multiply(pose.global_rotations[:, hips], jitter)
    for child in skeleton.children[hips]:
        local[:, child] = rotations.relative(turned, pose.global_rotations[:, child])
    local[:, hips] = turned
    moved = pose.local_translations.copy()
    moved[:, hips] = pose.global_positions[:, spine] - rotations.rotate(turned, skeleton.rest_translations[spine])
    return Motion.create(skeleton, local, moved[:, [hips]], [hips], motion.fps)


def test_a_longer_spine_amplifies_no_noise_of_the_hips(walk: Motion, rng: np.random.Generator) -> None:
    """Noise of hips and spine that cancels in the source is shared by the whole trunk where bones differ."""
    target, noisy = with_longer_spine(walk.skeleton, 3.0), trembling(walk, rng)
    head, hips = target.roles.head, target.roles.hips
    assert head is not None
    calm, found = (retarget(each, target, contacts=False).motion[:].global_positions for each in (walk, noisy))
    tremor = found - calm
    source_tremor = noisy[:].global_positions - walk[:].global_positions
    assert np.abs(source_tremor[:, head]).max() < 1e-4
    carried = 2.0 * source_tremor[:, hips].std()  # as far as the head trembles with hips on the path of the source's
    assert tremor[:, head].std() < 0.75 * carried
    slow = gaussian_filter1d(tremor, 0.1 * walk.fps, axis=0)
    assert np.abs(slow[:, head]).max() < 0.02


def test_fast_differences_are_shared_by_hips_and_trunk_alike(walk: Motion, rng: np.random.Generator) -> None:
    """How far the joints are off the source's, in their mean, changes only as slowly as it did without sharing."""
    noisy, target = trembling(walk, rng), with_longer_spine(walk.skeleton, 3.0)
    setup, here = Retargeter(walk.skeleton, target), noisy[:]
    hips = setup.hips(here, setup.contacts(here, walk.fps), walk.fps)
    found = setup(noisy, contacts=False).motion[:].global_positions
    theirs, ours, sizes = setup.trunk
    ways = sizes[:, None] * (here.global_positions[:, theirs] - here.global_positions[:, [setup.source.roles.hips]])
    wanted = hips[:, None] + np.insert(ways, 0, 0.0, axis=1)
    off = (found[:, [target.roles.hips, *ours]] - wanted).mean(axis=1)
    shift = found[:, target.roles.hips] - hips
    assert shift.std() > 1e-3
    np.testing.assert_allclose(off, gaussian_filter1d(off - shift, LEVER * walk.fps, axis=0, mode="nearest"), atol=1e-5)


def test_feet_that_stand_stay_within_a_millimetre(walk: Motion, rig: Skeleton) -> None:
    setup = Retargeter(walk.skeleton, rig)
    result = setup(walk)
    for leg, state in zip(setup.legs, setup.contacts(walk[:], walk.fps), strict=True):
        path = leg.target.path(result.motion[:])
        change = np.diff(np.concatenate([[0], state.stands, [0]]).astype(int))
        spans = list(zip(np.flatnonzero(change == 1), np.flatnonzero(change == -1), strict=True))
        assert spans
        for begin, end in spans:
            assert np.ptp(path[begin:end], axis=0).max() < 1e-3


def test_heights_of_feet_are_over_their_ground(walk: Motion, small: Skeleton) -> None:
    """Half a metre higher up they are the same, in the size of the target."""
    setup = Retargeter(walk.skeleton, small)
    upstairs = walk.replace(local_translations=walk.local_translations + np.float32([0, 0.5, 0]))
    plain, raised = (setup.contacts(motion[:], walk.fps) for motion in (walk, upstairs))
    for here, there, leg in zip(plain, raised, setup.legs, strict=True):
        assert there.ground == pytest.approx(here.ground + 0.5, abs=1e-4)
        np.testing.assert_allclose(there.heights, here.heights, atol=1e-4)
        toe = leg.source.path(walk[:])[:, 1]
        np.testing.assert_allclose(np.ptp(there.heights), setup.scale * np.ptp(toe), rtol=1e-3)


def test_contacts_cost_no_smoothness_and_the_feet_stay_out_of_the_ground(walk: Motion, rig: Skeleton) -> None:
    report = retarget(walk, rig).report
    assert report.jerk_ratio is not None and report.jerk_ratio <= 1.1
    assert report.skate_after_cm_s is not None and report.skate_before_cm_s is not None
    assert report.skate_after_cm_s <= report.skate_before_cm_s
    assert report.penetration_after_percent == 0.0


def test_one_set_up_serves_many_motions(walk: Motion, small: Skeleton) -> None:
    setup = Retargeter(walk.skeleton, small)
    assert apart(setup(walk.cut(0, 60)).motion, retarget(walk.cut(0, 60), small).motion) < 1e-6


def test_a_rest_pose_nobody_stands_in_is_replaced_by_what_the_motion_shows(
    walk: Motion, small: Skeleton, laid_out
) -> None:
    captured = laid_out(walk)
    flat = captured.skeleton
    assert np.allclose(captured[:].global_positions, walk[:].global_positions, atol=1e-4)
    report = retarget(captured, small, contacts=False).report
    assert report.direction_error_deg is not None and report.direction_error_deg < 0.1
    assert any("was measured in motion" in line for line in report.warnings)
    with pytest.raises(SkeletonError, match="not a standing pose"):
        Retargeter(walk.skeleton, flat)
    with pytest.raises(SkeletonError, match="not a standing pose"):
        Retargeter(flat, small)


def test_motions_without_frames_show_nothing(walk: Motion, small: Skeleton, laid_out) -> None:
    captured = laid_out(walk)
    setup = Retargeter(captured.skeleton, small, motions=[captured.cut(0, 0), captured])
    alone = Retargeter(captured.skeleton, small, motions=[captured])
    assert apart(setup(captured).motion, alone(captured).motion) < 1e-6


def test_twist_joints_of_a_rest_pose_nobody_stands_in_do_not_jump(walk: Motion, rig: Skeleton, laid_out) -> None:
    """Thighs that are half a turn away from the rest pose, where their twist against it is undefined."""
    captured = laid_out(retarget(walk, rig, contacts=False).motion)
    target = Asset("", "gltf", captured.skeleton, (captured,))
    moved = Retargeter(walk.skeleton, target)(walk, contacts=False).motion
    turns = [rotations.angle(rotations.relative(m.local_rotations[:-1], m.local_rotations[1:])) for m in (walk, moved)]
    assert "twist" in moved.skeleton.roles.parts
    assert turns[1].max() < 1.1 * turns[0].max()


def test_what_does_not_fit_is_said(walk: Motion, small: Skeleton) -> None:
    setup = Retargeter(small, walk.skeleton)
    with pytest.raises(SkeletonError, match="no frames"):
        setup(Motion.create(small, np.zeros((0, small.joint_count, 4))))
    stick = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    with pytest.raises(SkeletonError, match="different joints"):
        setup(Motion.create(stick, rotations.identity((3, 2), small.rest_rotations)))
    still = Motion.create(small, rotations.identity((3, small.joint_count), small.rest_rotations))
    with pytest.raises(SkeletonError, match=r"stands has shape \[2\].* and 3 frames need"):
        setup(still, stands=np.zeros(2, np.bool_))
    with pytest.raises(SkeletonError, match="the target has 1 joint: a mesh without a rig"):
        Retargeter(walk.skeleton, Skeleton.create(["a"], [-1], [[0, 0, 0]]))
    marks = Skeleton.create([*"abcdef"], [-1] * 6, np.arange(18.0).reshape(6, 3) ** 0.5)
    with pytest.raises(SkeletonError, match="nothing but the hips"):
        Retargeter(walk.skeleton, marks)


def test_the_targets_file_keeps_its_character(walk: Motion, small: Skeleton) -> None:
    from kinema.character import Character

    file = Asset("person.glb", "gltf", small, (), Character("person", small))
    moved = onto(file, [retarget(walk, file).motion])
    assert moved.character is file.character and moved.motions[0].skeleton.same_topology(small)


def still(skeleton: Skeleton, frames: int = 6) -> Motion:
    """A skeleton at rest."""
    roots = np.flatnonzero(skeleton.parents < 0)
    moved = np.tile(skeleton.rest_translations[roots], (frames, 1, 1))
    return Motion.create(skeleton, np.tile(skeleton.rest_rotations, (frames, 1, 1)), moved, roots, 30.0)


@pytest.mark.parametrize("factor", [0.25, 3.0])
def test_sizes_do_not_matter_if_both_have_them(walk: Motion, rig: Skeleton, scaled, factor: float) -> None:
    larger = scaled(still(rig), factor).skeleton
    plain, other = retarget(walk, rig), retarget(scaled(walk, factor), larger)
    np.testing.assert_allclose(
        other.motion[:].global_positions, factor * plain.motion[:].global_positions, atol=2e-3 * factor
    )
    one, two = plain.report, other.report
    assert two.skate_before_cm_s == pytest.approx(factor * one.skate_before_cm_s, rel=1e-2)  # type: ignore[operator]
    assert two.skate_before_legs_s == pytest.approx(one.skate_before_legs_s, rel=1e-2)
    assert two.position_error_limbs == pytest.approx(one.position_error_limbs, abs=1e-3)
    assert two.jerk_ratio == pytest.approx(one.jerk_ratio, rel=1e-2)


def test_the_size_of_the_source_does_not_matter(walk: Motion, small: Skeleton, scaled) -> None:
    plain, other = retarget(walk, small).motion, retarget(scaled(walk, 2.5), small).motion
    assert apart(plain, other) < 2e-3


def test_the_way_it_goes_does_not_matter(walk: Motion, rig: Skeleton, elsewhere) -> None:
    """Elsewhere in another direction, the target does the same there."""
    setup = Retargeter(walk.skeleton, rig)
    plain, other = setup(walk).motion[:].global_positions, setup(elsewhere(walk)).motion[:].global_positions
    # The walk itself fits its place: `elsewhere` turns about the origin.
    turn, shift = rotations.from_yaw(np.float32(2.2)), setup.scale * np.array([3.0, 0.0, -2.0], np.float32)
    np.testing.assert_allclose(other, rotations.rotate(turn, plain) + shift, atol=2e-3)


def test_left_and_right_are_alike(walk: Motion, rig: Skeleton) -> None:
    """The mirror image of a motion becomes the mirror image of the result."""
    setup = Retargeter(walk.skeleton, rig)
    assert apart(setup(walk.mirror()).motion, setup(walk).motion.mirror()) < 3e-3


def test_the_closed_form_knows_no_direction_of_time(walk: Motion, rig: Skeleton) -> None:
    """Played backwards, a motion becomes the result played backwards."""
    setup = Retargeter(walk.skeleton, rig)
    backwards = walk.replace(
        local_rotations=walk.local_rotations[::-1].copy(), local_translations=walk.local_translations[::-1].copy()
    )
    plain, other = (setup(motion, contacts=False).motion[:].global_positions for motion in (walk, backwards))
    # Which frames are contacts depends on the direction, and a little of the height of the ground with them.
    np.testing.assert_allclose(other[::-1], plain, atol=2e-3)


def snake(size: float, joints: int = 6) -> Skeleton:
    """A body without legs that rears up."""
    names = ["Hips", *(f"Spine{index}" for index in range(joints - 2)), "Head"]
    offsets = np.tile([0.0, 0.15 * size, 0.1 * size], (joints, 1))
    offsets[0] = [0.0, 0.1 * size, 0.0]
    return Skeleton.create(names, np.arange(joints) - 1, offsets, tips=[(joints - 1, (0.0, 0.0, 0.2 * size))])


def test_a_trunk_leans_on_a_trunk_that_lies_alike_and_is_levelled_on_others(biped: Skeleton, dog: Skeleton) -> None:
    """Someone who leans forward all the time: a body on four legs does not put its head down for it."""
    bent = dog.rest_translations.copy()
    for side in "LR":
        bent[dog.indices([f"Shin.{side}", f"ForeArm.{side}"])] += np.float32([0, -0.1, 0.12])
        bent[dog.indices([f"Foot.{side}", f"Hand.{side}"])] += np.float32([0, 0.1, -0.1])
    other = replace(dog, rest_translations=bent)
    assert dog.roles.plan == other.roles.plan == "quadruped"
    lean = np.float32([0.35, 0, 0])
    for source, target, leans in ((dog, other, True), (biped, dog, False), (dog, biped, False)):
        upright = still(source)
        local = upright.local_rotations.copy()
        local[:, source.roles.hips] = rotations.exp(lean)
        leaning, setup = upright.replace(local_rotations=local), Retargeter(source, target)
        assert all(leg.path for leg in setup.legs)
        trunk = [target.roles.hips, *target.roles.spine]
        found = setup(leaning, contacts=False).motion[:].global_rotations[:, trunk]
        tilts = rotations.relative(target.rest_pose.global_rotations[trunk], found)
        np.testing.assert_allclose(rotations.log(tilts), np.broadcast_to(lean * leans, (6, len(trunk), 3)), atol=1e-3)


def test_bodies_without_legs_travel_in_the_size_of_the_target() -> None:
    source, target = snake(1.0), snake(2.0)
    wave = 0.5 * np.sin(np.linspace(0, 6, 60)[:, None] + np.arange(6))
    local = rotations.from_yaw(wave.astype(np.float32))
    moved = np.zeros((60, 1, 3), np.float32)
    moved[:, 0] = np.linspace([0, 0.1, 0], [0.3, 0.4, 2.0], 60)
    motion = Motion.create(source, local, moved, [0], 30.0, "crawl")
    setup = Retargeter(source, target)
    assert not setup.legs and setup.scale == pytest.approx(target.height / source.height)
    result = setup(motion)
    expected = setup.scale * motion[:].global_positions
    hips = result.motion[:].global_positions[:, 0]
    np.testing.assert_allclose(hips, expected[:, 0], atol=1e-5)
    shape = result.motion[:].global_positions - hips[:, None]
    np.testing.assert_allclose(shape, 2.0 * (motion[:].global_positions - moved), atol=1e-3)
    assert result.report.skate_after_cm_s is None and result.report.sole_depth_after_cm is None


@pytest.mark.parametrize("height", [0.0, 0.4, -0.3])
def test_a_body_at_rest_stands_on_the_targets_ground(walk: Motion, small: Skeleton, height: float) -> None:
    """Wherever the source has its ground: feet at their clearance, hips as high above them as at rest."""
    skeleton, frames = walk.skeleton, 40
    local = np.tile(skeleton.rest_rotations, (frames, 1, 1))
    places = np.tile(skeleton.rest_translations[:1] + np.float32([0.3, height, -0.2]), (frames, 1, 1))
    setup = Retargeter(skeleton, small)
    found = setup(Motion.create(skeleton, local, places, [0], 30.0, "rest"), contacts=False).motion[:]
    rest = small.rest_pose
    for leg in setup.legs:
        np.testing.assert_allclose(leg.target.path(found)[:, 1], leg.clearance, atol=2e-3)
    expected = rest.global_positions[0, 1] - min(float(leg.target.path(rest)[1]) - leg.clearance for leg in setup.legs)
    np.testing.assert_allclose(found.global_positions[:, 0, 1], expected, atol=5e-3)
    np.testing.assert_allclose(
        found.global_positions[:, 0, [0, 2]], [[0.3 * setup.scale, -0.2 * setup.scale]] * frames, atol=0.02
    )


def test_toes_touch_the_ground_if_both_have_some_or_a_leg_is_bent(biped: Skeleton) -> None:
    leg = legs_of(Anatomy.of(biped))["left_leg"]
    assert leg.on_toe and leg.straight
    matched = Match((), {"left_leg": "left_leg", "right_leg": "left_leg"}, (), ())

    def pair(source, target):
        ((a, b),) = _paired({"left_leg": source}, {"left_leg": target}, matched)
        return a.on_toe, b.on_toe

    bent = replace(leg, straight=False)
    assert pair(leg, leg) == (True, True)
    assert pair(leg.at_foot(), leg) == pair(leg, leg.at_foot()) == (False, False)
    assert pair(leg.at_foot(), bent) == (False, True) and pair(bent, leg.at_foot()) == (True, False)
    assert _paired({"left_leg": leg}, {"tail": leg}, matched) == []
    assert len(_paired({"left_leg": leg}, {"left_leg": leg, "right_leg": leg}, matched)) == 2


def test_hind_legs_carry_the_hips_and_all_legs_give_the_scale(biped: Skeleton) -> None:
    leg = legs_of(Anatomy.of(biped))["left_leg"]
    short, front = replace(leg, length=0.5, top=0.7), replace(leg, chain="left_front_leg", length=0.5, top=0.1)
    source, target = replace(leg, length=1.0, top=2.0), replace(leg, length=1.0, top=1.0)
    assert _support([(source, short), (source, front), (source, short)], biped, biped) == ([0, 2], pytest.approx(0.5))
    assert _support([(source, front)], biped, biped) == ([0], pytest.approx(0.5))
    bent = replace(short, straight=False)
    assert _support([(source, bent), (target, front)], biped, biped) == ([0], pytest.approx(0.8 / 3))
    twice = Skeleton.create(biped.names, biped.parents, 2 * biped.rest_translations)
    assert _support([], biped, twice) == ([], pytest.approx(twice.height / biped.height))


def test_hind_legs_of_different_height_are_lopsided(biped: Skeleton) -> None:
    leg = legs_of(Anatomy.of(biped))["left_leg"]
    for factor, expected in ((LOPSIDED - 0.01, False), (LOPSIDED + 0.01, True)):
        assert _lopsided([leg, replace(leg, top=factor * leg.top)]) == expected
    assert not _lopsided([leg, replace(leg, chain="left_front_leg", top=9.0)])
    assert not _lopsided([])


def test_the_parts_of_the_trunk_have_sizes_of_their_own(walk: Motion, small: Skeleton) -> None:
    """The tops of the legs that of the legs; spine, neck and head that from the hips to the last of them."""
    stretched = small.rest_translations.copy()
    spine = [joint for joint in small.roles.spine if joint != small.roles.hips]
    stretched[spine] *= 1.5
    setup = Retargeter(walk.skeleton, replace(small, rest_translations=stretched))
    theirs, ours, sizes = setup.trunk
    legs = len(setup.tops)
    assert legs == 2 and len(theirs) == len(ours) == len(sizes) > 4
    np.testing.assert_allclose(sizes[:legs], setup.scale, rtol=1e-6)
    last = setup.source.rest_pose.global_positions, setup.target.rest_pose.global_positions
    spans = [
        np.linalg.norm(place[joint] - place[body.roles.hips])
        for place, joint, body in zip(last, (theirs[-1], ours[-1]), (setup.source, setup.target), strict=True)
    ]
    np.testing.assert_allclose(sizes[legs:], spans[1] / spans[0], rtol=1e-5)
    assert setup.target.roles.hips not in ours


def test_feet_are_lifted_to_the_targets_ground(walk: Motion, small: Skeleton) -> None:
    """Straight legs by the height of their ankles; others by that of their tops, less what the body stands lower: as
    much as the leg that needs it most."""
    setup = Retargeter(walk.skeleton, small)
    first, second = setup.legs
    straight = first.clearance + first.target.rise - setup.scale * (0.2 + first.source.rise)
    assert setup.lift(0, 0.2) == pytest.approx(straight)
    bent = [
        replace(leg, target=replace(leg.target, straight=False), path=SimpleNamespace(lowered=lowered))  # type: ignore[arg-type]
        for leg, lowered in ((first, 0.03), (second, 0.05))
    ]
    setup.legs = bent
    for index, leg in enumerate(bent):
        wanted = leg.clearance + leg.target.top - 0.05 - setup.scale * (0.2 + leg.source.top)
        assert setup.lift(index, 0.2) == pytest.approx(wanted)
    setup.legs = [replace(leg, path=None) for leg in bent]
    assert setup.lift(1, 0.0) == pytest.approx(second.clearance + second.target.top - setup.scale * second.source.top)
