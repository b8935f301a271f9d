import time
from itertools import pairwise

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.errors import ControlError, SkeletonError
from kinema.mocap.procedural import GAITS, STYLES, Segment, Style, generate, humanoid


@pytest.mark.parametrize("side", ["left", "right"])
def test_standing_feet_do_not_slide_and_keep_their_height(mix, side, toe_speeds):
    speed, path = toe_speeds(mix, side)
    contact = mix.labels[f"contact.{side}"]
    rest = mix.skeleton.rest_pose.global_positions[mix.skeleton.roles.leg(side).toe, 1]
    assert 0.3 < contact.mean() < 0.8
    assert speed[contact].max() < 0.01
    assert speed[contact].mean() < 0.001
    np.testing.assert_allclose(path[contact, 1], rest, atol=2e-4)


@pytest.mark.parametrize("side", ["left", "right"])
def test_contact_labels_agree_with_measured_contacts(mix, side, toe_speeds):
    speed, path = toe_speeds(mix, side)
    measured = (speed < 0.15) & (path[:, 1] < 0.05)
    assert (measured == mix.labels[f"contact.{side}"]).mean() > 0.93


def test_nothing_goes_into_the_ground(mix):
    pose = mix[:]
    turned, positions = pose.global_rotations, pose.global_positions
    skeleton = mix.skeleton
    tips = positions[:, skeleton.tip_joints] + rotations.rotate(
        turned[:, skeleton.tip_joints], np.broadcast_to(skeleton.tip_offsets, (mix.frames, *skeleton.tip_offsets.shape))
    )
    assert positions[..., 1].min() > -0.002
    assert tips[..., 1].min() > -0.002


def test_bones_keep_their_lengths(mix):
    positions = mix[:].global_positions
    parents = mix.skeleton.parents
    lengths = np.linalg.norm(positions[:, 1:] - positions[:, parents[1:]], axis=-1)
    np.testing.assert_allclose(lengths, np.broadcast_to(mix.skeleton.bone_lengths[1:], lengths.shape), atol=3e-5)


@pytest.mark.parametrize("side", ["left", "right"])
def test_knees_bend_forward_and_elbows_too(mix, side):
    positions = mix[:].global_positions.astype(float)
    roles = mix.skeleton.roles
    leg = roles.leg(side)
    hip, knee, ankle = (positions[:, joint] for joint in (leg.upper, leg.lower, leg.foot))
    line = (ankle - hip) / np.linalg.norm(ankle - hip, axis=-1, keepdims=True)
    bend = knee - hip - np.sum((knee - hip) * line, -1, keepdims=True) * line
    size = np.linalg.norm(bend, axis=-1)
    assert size.min() > 0.01  # never locked straight
    ahead = np.cross(_right_of(mix), line)  # forward, at right angles to the leg
    assert (np.sum(bend * ahead, -1) / size).min() > 0.5
    arm = next(arm for arm in roles.arms if arm.side == side)
    shoulder, elbow, hand = (positions[:, joint] for joint in (arm.upper, arm.lower, arm.hand))
    normal = np.cross(elbow - shoulder, hand - elbow)
    chest = mix[:].global_rotations[:, roles.spine[-1]].astype(float)
    assert (rotations.inverse_rotate(chest, normal)[:, 0] < 1e-4).all()  # the forearm turns up about the chest's -X


def _right_of(motion):
    hips = motion[:].global_rotations[:, motion.skeleton.roles.hips].astype(float)
    return rotations.rotate(hips, np.broadcast_to([-1.0, 0, 0], (motion.frames, 3)))


@pytest.mark.parametrize(
    ("kind", "speed"),
    [
        ("walk", 0.6),
        ("walk", 1.4),
        ("jog", 2.5),
        ("run", 3.8),
        ("sprint", 5.3),
        ("backward", 0.9),
        ("strafe", 0.8),
        ("crouch", 0.8),
    ],
)
def test_commanded_speed_is_reached(kind, speed):
    motion = generate(script=[Segment("idle", 1.0), Segment(kind, 8.0, speed)])
    hips = motion[:].global_positions[:, 0].astype(float)
    travelled = np.linalg.norm(hips[-1, [0, 2]] - hips[-241, [0, 2]]) / 4.0
    assert travelled == pytest.approx(speed, rel=0.05)
    assert motion.labels["speed"][-1] == pytest.approx(speed, rel=0.01)


def test_arms_swing_against_the_legs():
    motion = generate(script=[Segment("walk", 6.0)])
    positions = motion[:].global_positions.astype(float)
    roles = motion.skeleton.roles
    feet = positions[:, roles.leg("left").foot, 2] - positions[:, roles.leg("right").foot, 2]
    hands = positions[:, roles.arms[0].hand, 2] - positions[:, roles.arms[1].hand, 2]
    assert np.corrcoef(feet, hands)[0, 1] < -0.9


def test_hips_are_high_over_the_leg_in_a_walk_and_low_in_a_run():
    for kind, sign in (("walk", 1), ("run", -1)):
        motion = generate(script=[Segment(kind, 6.0)])
        height = motion[:].global_positions[:, 0, 1]
        standing = motion.labels["contact.left"] & ~motion.labels["contact.right"]
        ahead = motion[:].global_positions[:, [motion.skeleton.roles.leg("left").foot], 2][:, 0]
        under = standing & (np.abs(ahead - motion[:].global_positions[:, 0, 2]) < 0.08)
        assert sign * (height[under].mean() - height.mean()) > 0.005


def flexions(motion):
    """Bend of both knees, degrees `[F, 2]`."""
    positions = motion[:].global_positions.astype(float)
    bends = []
    for leg in motion.skeleton.roles.legs:
        thigh = positions[:, leg.lower] - positions[:, leg.upper]
        shin = positions[:, leg.foot] - positions[:, leg.lower]
        cosine = np.sum(thigh * shin, -1) / np.linalg.norm(thigh, axis=-1) / np.linalg.norm(shin, axis=-1)
        bends.append(np.degrees(np.arccos(np.clip(cosine, -1, 1))))
    return np.stack(bends, axis=-1)


@pytest.mark.parametrize(("speed", "swing"), [(0.6, (44, 60)), (1.0, (50, 66)), (1.4, (55, 72))])
def test_knees_are_nearly_straight_in_stance_and_bend_in_the_swing(speed, swing):
    motion = generate(script=[Segment("walk", 8.0, speed)])
    bends = flexions(motion)[:, 0]
    contact = motion.labels["contact.left"]
    starts = np.flatnonzero(np.diff(contact.astype(int)) == 1)[1:-1]
    for begin, end in pairwise(starts):
        stance = bends[begin:end][contact[begin:end]]
        assert 4 < stance.min() < 9
        assert 12 < stance[: len(stance) // 3].max() < 28  # under the load of the strike
        assert swing[0] < bends[begin:end].max() < swing[1]


@pytest.mark.parametrize(
    ("direction", "speed", "least", "most"),
    [(0.0, 0.3, 0.3, 1.2), (0.0, 1.4, 3.0, 5.0), (0.0, 3.0, 4.0, 9.0), (1.0, 1.0, 1.0, 4.0), (0.5, 1.0, 0.5, 3.0)],
)
def test_hips_rise_and_fall_as_much_as_those_of_people(direction, speed, least, most):
    motion = generate(script=[Segment("walk", 8.0, speed, direction=direction * np.pi)])
    height = 100 * motion[:].global_positions[120:-120, 0, 1]
    assert least < np.ptp(height) < most


@pytest.mark.parametrize("speed", [0.3, 1.0, 1.4, 2.0])
def test_a_swinging_foot_passes_low_over_the_ground(speed):
    motion = generate(script=[Segment("walk", 8.0, speed)])
    toe = motion.skeleton.roles.leg("left").toe
    path = motion[:].global_positions[:, toe].astype(float)
    fast = np.gradient(path[:, 2]) * motion.fps > 2.2 * speed
    lowest = path[fast, 1].min() - path[:, 1].min()
    assert 0.02 < lowest < 0.06


@pytest.mark.parametrize("eighth", range(-3, 5))
@pytest.mark.parametrize("speed", [0.3, 0.5, 1.0])
def test_the_feet_pass_without_touching(eighth, speed):
    motion = generate(script=[Segment("walk", 6.0, speed, direction=eighth * np.pi / 4)])
    soles = [_sole(motion, leg) for leg in motion.skeleton.roles.legs]
    apart = np.linalg.norm(soles[0][:, None, 90:] - soles[1][None, :, 90:], axis=-1)
    assert apart.min() > 0.05


def _sole(motion, leg):
    """Points `[K, F, 3]` along the middle of a sole from the heel to the tip of the toes."""
    pose = motion[:]
    positions, turned = pose.global_positions.astype(float), pose.global_rotations.astype(float)
    tip = motion.skeleton.tip_positions(pose)[:, motion.skeleton.tip_joints.tolist().index(leg.toe)]
    heel = positions[:, leg.foot] + rotations.rotate(
        turned[:, leg.foot], np.broadcast_to([0.0, -0.07, -0.04], (motion.frames, 3))
    )
    ball = positions[:, leg.toe]
    share = np.linspace(0, 1, 7)[:, None, None]
    return np.concatenate([heel + share * (ball - heel), ball + share * (tip - ball)])


def test_somebody_who_stands_sways_and_keeps_the_feet_still():
    motion = generate(script=[Segment("idle", 20.0)])
    positions = motion[:].global_positions.astype(float)
    sway = positions[:, 0, [0, 2]] - positions[:, 0, [0, 2]].mean(axis=0)
    assert 0.004 < np.linalg.norm(sway, axis=-1).max() < 0.02
    for leg in motion.skeleton.roles.legs:
        assert np.ptp(positions[:, [leg.foot, leg.toe]], axis=0).max() < 1e-4
    assert flexions(motion).min() > 3 and np.median(flexions(motion)) < 15


def test_phase_is_zero_at_left_strikes_and_half_at_right_ones():
    motion = generate(script=[Segment("walk", 8.0)])
    phase = motion.labels["phase"].astype(float)
    for side, expected in (("left", 0.0), ("right", 0.5)):
        contact = motion.labels[f"contact.{side}"].astype(int)
        planted = np.flatnonzero(np.diff(contact) == 1)
        late = (phase[planted] - expected + 0.5) % 1 - 0.5
        assert planted.size > 5 and (late > -0.01).all() and (late < 0.16).all()  # the ball lands after the heel
    assert ((np.diff(phase) % 1) < 0.05).all()


def test_gait_label_and_tags(mix):
    names = {GAITS[value] for value in np.unique(mix.labels["gait"])}
    assert {"idle", "walk", "run", "jump", "crouch"} <= names
    assert names | {"neutral"} == set(mix.tags)
    assert {label: values.dtype.kind for label, values in mix.labels.items()} == {
        "contact.left": "b",
        "contact.right": "b",
        "phase": "f",
        "speed": "f",
        "gait": "i",
    }


def test_same_seed_same_bytes_and_other_seed_other_steps(person):
    script = [Segment("idle", 1.0), Segment("walk", 3.0)]
    one, two, other = (generate(person, script, seed=seed) for seed in (5, 5, 6))
    assert one.local_rotations.tobytes() == two.local_rotations.tobytes()
    assert one.local_translations.tobytes() == two.local_translations.tobytes()
    assert all(one.labels[label].tobytes() == two.labels[label].tobytes() for label in one.labels)
    assert one.local_rotations.tobytes() != other.local_rotations.tobytes()


@pytest.mark.parametrize("build", ["T", "A", "fixture"])
def test_joint_axes_do_not_matter(build, biped, reoriented, script):
    skeleton = {"T": humanoid(), "A": humanoid(arms_down=0.8), "fixture": biped}[build]
    plain = generate(skeleton, script[:6], seed=1)
    odd = generate(reoriented(skeleton), script[:6], seed=1)
    np.testing.assert_allclose(odd[:].global_positions, plain[:].global_positions, atol=2e-4)


def test_rest_pose_of_the_arms_does_not_matter(person, script):
    t_pose = generate(person, script[:4], seed=1)[:].global_positions
    a_pose = generate(humanoid(arms_down=0.8), script[:4], seed=1)[:].global_positions
    np.testing.assert_allclose(a_pose, t_pose, atol=2e-3)


def test_a_character_that_rests_facing_elsewhere_still_starts_along_z(person):
    quarter = rotations.from_yaw(np.asarray(1.2))
    turned = rotations.rotate(quarter, person.rest_translations.astype(float))
    sideways = Skeleton.create(person.names, person.parents, turned)
    path = generate(sideways, [Segment("walk", 3.0)])[:].global_positions[:, 0]
    assert path[-1, 2] > 3.0 and abs(path[-1, 0]) < 0.2


def test_hips_below_other_joints(person, script):
    above = Skeleton.create(
        ("Scene", "Root", *person.names),
        [-1, 0, *np.where(person.parents < 0, 1, person.parents + 2)],
        np.concatenate(
            [
                [[0.5, 0.2, 0.0], [0.1, -0.2, 0.3]],
                person.rest_translations - [[0.6, 0, 0.3]] * 1 * (person.parents < 0)[:, None],
            ]
        ),
        np.concatenate([[[0.5, 0.5, 0.5, 0.5], [0.5, -0.5, -0.5, -0.5]], np.tile([1.0, 0, 0, 0], (22, 1))]),
    )
    plain = generate(person, script[:3])[:].global_positions
    below = generate(above, script[:3])[:].global_positions[:, 2:]
    assert np.ptp((below - plain)[:, 1:].reshape(-1, 3), axis=0).max() < 0.05


@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_dynamic_similarity(scale):
    """Equal Froude numbers: steps scale with the legs, times with the square root."""

    def step_length(height, speed):
        motion = generate(humanoid(height), [Segment("walk", 12.0, speed)])
        toe = motion.skeleton.roles.leg("left").toe
        contact = motion.labels["contact.left"].astype(int)
        planted = np.flatnonzero(np.diff(contact) == 1)[1:-1] + 3
        return np.diff(motion[:].global_positions[planted, toe, 2]).mean(), np.diff(planted).mean() / 60

    length, seconds = step_length(1.75, 1.3)
    scaled_length, scaled_seconds = step_length(1.75 * scale, 1.3 * np.sqrt(scale))
    assert scaled_length == pytest.approx(scale * length, rel=0.03)
    assert scaled_seconds == pytest.approx(np.sqrt(scale) * seconds, rel=0.03)


def test_movement_is_as_smooth_as_capture():
    motion = generate(script=[Segment("walk", 6.0), Segment("run", 4.0, 3.5), Segment("walk", 6.0, turn=1.5)])
    jerk = np.linalg.norm(np.diff(motion[:].global_positions.astype(float), n=3, axis=0), axis=-1) * 60**3
    assert jerk.mean() < 330
    hips = jerk[:, 0]
    assert hips.max() < 3000


def test_jump_rises_as_asked_and_falls_freely():
    motion = generate(script=[Segment("idle", 1.0), Segment("jump", 2.5, height=0.3), Segment("idle", 1.0)])
    height = motion[:].global_positions[:, 0, 1].astype(float)
    assert height.max() - height[0] == pytest.approx(0.3, abs=0.06)
    top = int(height.argmax())
    fall = np.gradient(np.gradient(height, 1 / 60), 1 / 60)[top - 5 : top + 6]
    np.testing.assert_allclose(fall, -9.81, atol=0.3)
    assert not motion.labels["contact.left"][top] and not motion.labels["contact.right"][top]


@pytest.mark.parametrize("style", STYLES)
def test_styles_stand_firm_and_move_differently(style, person, toe_speeds):
    script = [Segment("idle", 1.0), Segment("walk", 5.0, 1.0), Segment("run", 3.0)]
    motion = generate(person, script, style=style)
    for side in ("left", "right"):
        assert toe_speeds(motion, side)[0][motion.labels[f"contact.{side}"]].max() < 0.01
    assert style in motion.tags
    if style != "neutral":
        plain = generate(person, script)[:].global_positions
        assert np.abs(motion[:].global_positions - plain).max() > 0.03


def test_two_minutes_take_less_than_a_few_seconds(person):
    generate(person, [Segment("walk", 2.0)])
    start = time.process_time()
    generate(person, [Segment("walk", 30.0), Segment("run", 30.0), Segment("idle", 30.0), Segment("jog", 30.0)])
    assert time.process_time() - start < 3.0


def test_a_skeleton_without_legs_is_refused():
    snake = Skeleton.create(["root", "a", "b"], [-1, 0, 1], np.ones((3, 3)))
    with pytest.raises(SkeletonError, match="leg") as error:
        generate(snake)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("arguments", [{"script": []}, {"fps": 0}, {"fps": float("nan")}, {"style": "sneaky"}])
def test_bad_arguments_are_refused(arguments):
    with pytest.raises(ControlError):
        generate(**arguments)


def test_legs_without_toes_and_body_without_arms(person, script):
    keep = [
        j
        for j, name in enumerate(person.names)
        if "Toe" not in name and "Arm" not in name and "Hand" not in name and "Shoulder" not in name
    ]
    bare = Skeleton.create(
        [person.names[j] for j in keep],
        [keep.index(int(p)) if (p := person.parents[j]) >= 0 else -1 for j in keep],
        person.rest_translations[keep],
    )
    motion = generate(bare, script[:5])
    for leg in bare.roles.legs:
        path = motion[:].global_positions[:, leg.foot].astype(float)
        speed = np.linalg.norm(np.gradient(path, 1 / 60, axis=0), axis=-1)
        contact = motion.labels[f"contact.{leg.side}"]
        assert contact.mean() > 0.1 and speed[contact].max() < 0.02


@pytest.mark.parametrize("kind", ["idle", "crouch"])
def test_a_foot_may_keep_its_only_print(kind):
    for seed in range(3):
        motion = generate(script=[Segment(kind, 1.45, curve=0.2848)], style="stealth", seed=182 + seed)
        assert motion.frames == 87
    assert generate(script=[Segment("walk", 1.0)], style=Style(max_speed=0.0)).frames == 60


def test_a_creeping_body_stays_up():
    motion = generate(script=[Segment("walk", 10.0, speed=0.1)])
    assert motion[:].global_positions[:, motion.skeleton.roles.hips, 1].min() > 0.85


def test_the_toes_of_a_leg_that_is_smoothed_longer_stay_above_the_ground():
    script = [Segment("idle", 1.0), Segment("jog", 2.5, direction=-1.75), Segment("walk", 2.0, turn=2.0)]
    motion = generate(humanoid(0.35), script, "injured", seed=1)
    world = motion[:]
    turned, positions = world.global_rotations, world.global_positions
    skeleton = motion.skeleton
    offsets = np.broadcast_to(skeleton.tip_offsets, (motion.frames, *skeleton.tip_offsets.shape))
    tips = positions[:, skeleton.tip_joints] + rotations.rotate(turned[:, skeleton.tip_joints], offsets)
    assert tips[..., 1].min() > -0.0005


def test_a_negative_seed_is_refused():
    with pytest.raises(ControlError, match="seed"):
        generate(seed=-1)
