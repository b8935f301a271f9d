"""Feet that stay where they came down."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from kinema import Skeleton, kinematics, rotations
from kinema.control import footfall_kernels
from kinema.control.foot_lock import FootLock
from kinema.control.leg_reach import sole_ends
from kinema.control.presets import foot_lock
from kinema.errors import SkeletonError
from kinema.mocap.database import MotionDatabase
from kinema.mocap.legs import find_legs
from kinema.mocap.procedural import Segment, generate
from kinema.pose import Pose
from kinema.terrain import VOID, Plane

DT = 1 / 120
HEIGHT = 0.02


def lock_of(skeleton: Skeleton, size: float = 1.0) -> FootLock:
    toes = np.asarray([leg.toe for leg in skeleton.roles.legs], np.int32)
    heights, hinges = size * np.float32([HEIGHT, HEIGHT]), np.float32([[1, 0, 0], [1, 0, 0]])
    return FootLock(skeleton, find_legs(skeleton, toes), heights, hinges, size=size)


def plans(contacts: np.ndarray):
    """Plans of which only the contacts `[n, C]` matter."""
    return lambda seconds: SimpleNamespace(pose=SimpleNamespace(contacts=contacts))


def crouching(skeleton: Skeleton, size: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Local rotations `[J, 4]` with bent knees and flat feet, and translations `[J, 3]`: toes in stance."""
    local = np.tile(np.float32([1, 0, 0, 0]), (skeleton.joint_count, 1))
    for leg in skeleton.roles.legs:
        for joint, angle in ((leg.upper, -0.5), (leg.lower, 1.0), (leg.foot, -0.5)):
            local[joint] = rotations.exp(np.float32([angle, 0, 0]))
    moved = skeleton.rest_translations.copy()
    _, positions = kinematics.forward(local, moved, skeleton.parents.tolist())
    moved[0, 1] += size * HEIGHT - positions[skeleton.roles.legs[0].toe or 0, 1]
    return local, moved


def slide(skeleton: Skeleton, down: np.ndarray, speed: float = 0.3, rise: np.ndarray | None = None, size: float = 1.0):
    """Toes in the pose and locked `[F, C, 3]`, and which are held `[F, C]`, of a crouching figure that glides.

    Args:
        down: contacts `[F]` of both feet. rise: metres `[F]` by which the hips are raised.
    """
    lock = lock_of(skeleton, size)
    local, moved = crouching(skeleton, size)
    own, held, locked = [], [], []
    for frame, contact in enumerate(down):
        translations = moved.copy()
        translations[0, 1] += 0 if rise is None else rise[frame]
        pose = Pose(
            skeleton,
            local[None],
            translations[None],
            root_positions=np.float32([[0, 0, speed * DT * frame]]),
            root_rotations=np.float32([[1, 0, 0, 0]]),
            contacts=np.full((1, 2), contact, np.float32),
        )
        coming = down[min(frame + round(lock.lead / DT), len(down) - 1)]
        lock.ahead = plans(np.full((1, 2), coming, np.float32))
        result = lock.apply(pose, Plane(), DT)
        own.append(pose.global_positions[0, lock.legs[:, 3]])
        held.append(result.global_positions[0, lock.legs[:, 3]])
        locked.append(lock.locked[0])
        np.testing.assert_array_equal(pose.local_rotations[0], local)
    return np.array(own), np.array(held), np.array(locked)


def speeds(toes: np.ndarray) -> np.ndarray:
    return np.linalg.norm(np.diff(toes, axis=0), axis=-1) / DT


def test_a_sliding_foot_in_contact_is_held(biped):
    down = np.zeros(96)
    down[30:] = 1
    own, held, locked = slide(biped, down)
    assert speeds(own).min() > 0.29
    assert locked[30:].all() and not locked[:26].any()
    assert speeds(held)[55:].max() < 0.01
    assert np.abs(held[70:, :, 1] - HEIGHT).max() < 0.0025
    assert np.abs(held[:20] - own[:20]).max() < 3e-3  # lifted a little, since it slides


def test_contact_from_the_start_is_held_too(biped):
    _, held, locked = slide(biped, np.ones(60))
    assert locked.all()
    assert speeds(held)[30:].max() < 0.01


def test_feet_left_behind_step_one_after_the_other(biped):
    own, held, locked = slide(biped, np.ones(600), speed=0.4)
    steps = [np.flatnonzero(~locked[1:, foot] & locked[:-1, foot]) for foot in (0, 1)]
    assert min(map(len, steps)) >= 3
    assert steps[0][0] * DT == pytest.approx(lock_of(biped).radius / 0.4, abs=0.15)
    assert locked.any(axis=1).all(), "one foot stands while the other one steps"
    assert np.linalg.norm(held - own, axis=-1)[..., None].max() < 0.6
    speed, height = speeds(held), held[1:, :, 1] - HEIGHT
    assert speed.max() < 8.0  # a jump to the new place would be 48
    assert np.median(height[speed > 1.0]) > 0.025, "they are lifted"
    assert speed[locked[1:] & locked[:-1]].mean() < 0.1


def test_a_foot_out_of_reach_lets_go(biped):
    rise = np.clip((np.arange(240) - 120) * DT, 0, None) * 0.8
    _, held, locked = slide(biped, np.ones(240), speed=0.0, rise=rise)
    assert locked[:120].all()
    assert not locked[-1].any()
    # The heel is lifted first: the toe stays down a little longer than the leg alone reaches.
    assert locked[125].all()
    assert np.isfinite(held).all()
    assert held[-1, 0, 1] > 0.05


def test_a_released_foot_does_not_jump(biped):
    down = np.ones(200)
    down[90:] = 0
    own, held, locked = slide(biped, down)
    assert locked[80:88].all() and not locked[90:].any()
    assert np.linalg.norm(own[89] - held[89], axis=-1).min() > 0.1
    velocity = np.diff(held, axis=0) / DT
    # It catches up with 20 cm: at once, that would be 25 m/s.
    assert np.linalg.norm(np.diff(velocity[80:], axis=0), axis=-1).max() < 0.15
    assert np.linalg.norm(own[-1] - held[-1], axis=-1).max() < 0.02


def test_no_toe_sinks_into_the_ground(biped):
    sunk = np.linspace(0, -0.08, 100)
    own, held, _ = slide(biped, np.zeros(100), rise=sunk)
    assert own[..., 1].min() < -0.05
    assert held[..., 1].min() > HEIGHT - 0.003


def test_feet_in_the_air_stay_where_they_are_while_the_hips_sink(biped):
    """The plan of each foot is that of the pose as it came in, whatever the hips do for the other foot."""
    lock = lock_of(biped)
    lock.reset(2)
    lock.hips.depth[:] = [0.0, 0.05]
    local, moved = crouching(biped)
    pose = Pose(biped, np.stack([local] * 2), np.stack([moved] * 2), contacts=np.zeros((2, 2), np.float32))
    lock.hips.halflife = 1e6  # they stay down
    result = lock.apply(pose, Plane(), DT)
    hips = result.global_positions[:, 0] - pose.global_positions[:, 0]
    np.testing.assert_allclose(hips, [[0, 0, 0], [0, -0.05, 0]], atol=1e-6)
    toes = lock.legs[:, 3]
    np.testing.assert_allclose(result.global_positions[:, toes], pose.global_positions[:, toes], atol=1e-3)


@pytest.mark.parametrize("fps", [30, 60])
def test_walking_is_left_nearly_as_it_is(fps):
    walk = generate(script=[Segment("idle", 1.0), Segment("walk", 6.0)], fps=60.0)
    database = MotionDatabase.from_motions([walk], fps=fps, mirror=False)
    lock, skeleton = foot_lock(database), database.skeleton
    parents, ahead = skeleton.parents.tolist(), round(foot_lock(database).lead * fps)
    before, after, held = [], [], []
    for frame in range(database.frames - ahead):
        pose = database.pose([frame])
        coming = np.asarray(database.contacts[frame + ahead], np.float32)[None]
        lock.ahead = plans(coming)
        result = lock.apply(pose, Plane(), 1 / fps)
        before.append(pose.global_positions[0])
        after.append(result.global_positions[0])
        held.append(lock.locked[0])
    moved, held = np.linalg.norm(np.array(after) - np.array(before), axis=-1), np.array(held)
    np.testing.assert_array_equal(held, database.contacts[: len(held)] > 0)
    assert moved[:, lock.legs[:, 3]].max() < 0.01
    legs = {joint for leg in skeleton.roles.legs for joint in (leg.lower, leg.foot, leg.toe)}
    assert moved[:, [joint for joint in range(len(parents)) if joint not in legs]].max() < 0.005, "hips hardly sink"
    toes = np.array(after)[:, lock.legs[:, 3]]
    speed = np.linalg.norm(np.diff(toes, axis=0), axis=-1) * fps
    assert speed[held[1:] & held[:-1]].mean() < 0.01


def test_reset_lets_go(biped):
    lock = lock_of(biped)
    local, moved = crouching(biped)
    pose = Pose(biped, local[None], moved[None], contacts=np.ones((1, 2), np.float32))
    lock.apply(pose, Plane(), DT)
    assert lock.locked.all()
    lock.reset(3)
    assert lock.locked.shape == (3, 2) and not lock.locked.any()


def test_it_needs_legs():
    snake = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    with pytest.raises(SkeletonError, match="does not end a leg"):
        find_legs(snake, np.int32([1]))


@pytest.mark.parametrize("size", [0.4, 2.5])
def test_bodies_of_all_sizes_are_held_alike(biped, size):
    """Feet that stand, are left behind, step, come off the ground and sink: at any size the same in that size."""
    down = np.ones(420)
    down[300:] = 0
    rise = np.zeros(420)
    rise[260:300], rise[380:] = 0.05, -0.06
    plain = slide(biped, down, 0.39, rise)
    other = replace(biped, rest_translations=size * biped.rest_translations)
    scaled = slide(other, down, 0.39 * size, size * rise, size)
    # A step may begin a frame earlier or later, and a heel is lifted over the same centimetre at any size.
    apart = np.linalg.norm(scaled[1] - size * plain[1], axis=-1)
    assert np.quantile(apart, 0.9) < 6e-3 * size and apart.max() < 0.05 * size
    assert (scaled[2] != plain[2]).mean() < 0.02


def test_a_foot_out_of_reach_steps_though_it_is_near_its_plan(biped):
    """Hips that rise take the foot off the ground as soon as the leg and the lifted heel are too short."""
    lock = lock_of(biped)
    full = sum(float(biped.bone_lengths[joint]) for joint in lock.legs[0, 1:3])
    local, moved = crouching(biped)
    heights = np.linspace(0, 0.35, 240)
    locked = slide(biped, np.ones(240), speed=0.0, rise=heights)[2]
    hips = kinematics.forward(local, moved, biped.parents.tolist())[1][lock.legs[0, 0], 1] + heights
    foot = 0.8 * float(biped.bone_lengths[lock.legs[0, 3]])
    gone = hips[~locked[:, 0]].min()
    assert full < gone < full + foot + HEIGHT + 0.05


def many_feet(skeleton: Skeleton, feet: int, characters: int, size: float = 1.0) -> FootLock:
    """A foot lock of characters with this many feet: those of a person over and over again."""
    two = lock_of(skeleton, size)
    rows = np.arange(feet) % 2
    lock = FootLock(skeleton, two.legs[rows], two.heights[rows], two.hinges[rows], size=size)
    lock.reset(characters)
    return lock


def tired(lock, toes, wanted):
    """Feet of a foot lock that step."""
    radius = lock.size * lock.radius
    return footfall_kernels.tired(lock._standing, lock.locked, lock._short > 0, wanted, toes, lock._anchor, radius)


@pytest.mark.parametrize("size", [1.0, 0.5])
def test_a_foot_steps_that_is_out_of_reach_or_far_from_its_plan_and_half_of_the_others_hold(biped, size):
    """Of four feet that should stand two others must be locked; the first of several steps, out of reach at once."""
    lock = many_feet(biped, 4, 6, size)
    far, near = size * (lock.radius + 0.01), size * (lock.radius - 0.01)
    away = np.full((6, 4), near, np.float32)
    away[:5, 1] = away[:5, 2] = far
    toes = np.zeros((6, 4, 3), np.float32)
    lock._anchor[..., 0], lock._anchor[..., 2], lock._anchor[..., 1] = 0.6 * away, -0.8 * away, 9.0
    lock._standing[:] = True
    lock.locked[:] = [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]
    lock._short[3, 3] = 0.01
    lock._standing[4, 1] = False
    wanted = np.ones((6, 4), bool)
    steps = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]]
    np.testing.assert_array_equal(tired(lock, toes, wanted), np.array(steps, bool))
    wanted[1, 2:] = False  # two feet should stand: one is enough
    assert tired(lock, toes, wanted)[1].tolist() == [False, True, False, False]
    wanted[0] = lock.locked[0] = lock._standing[0] = [False, True, False, False]
    assert not tired(lock, toes, wanted)[0].any(), "nobody else stands"


@pytest.mark.parametrize("size", [1.0, 0.5])
def test_feet_come_down_where_the_trajectory_will_have_them_in_mid_stance(biped, size):
    """In 0.25 s and half of a stance of 0.4 s, further than the plan goes by itself; by a step at most, and level."""
    lock = lock_of(biped, size)
    lock.reset(3)
    yaw = rotations.from_yaw(np.float32([0.0, np.pi / 2, 0.0]))
    pose = Pose(
        biped, np.tile(biped.rest_rotations, (3, 1, 1)), root_positions=np.zeros((3, 3), np.float32), root_rotations=yaw
    )
    moment = SimpleNamespace(root_velocities=np.float32([[0, 0.5, 1], [0, 0, 1], [0, 0, 1]]))
    ways = np.float32([[0.1, 0, 0.5], [0.5, 0, 0], [0, 0, 9]])
    asked = []
    lock.trajectory = SimpleNamespace(travel=lambda time: asked.append(time) or ways)  # type: ignore[assignment]
    found = lock._slip(pose, moment)  # type: ignore[arg-type]
    assert asked == [pytest.approx(0.45)]
    expected = np.array([[0.1, 0, 0.05], [0.05, 0, 0], [0, 0, size * lock.radius]])
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-6)
    lock.trajectory = None
    assert not lock._slip(pose, moment).any()  # type: ignore[arg-type]


def test_only_feet_that_will_soon_land_and_are_not_held_take_aim(biped):
    """They are moved by as much as the characters will be off their plans; others stay where their plan has them."""
    lock, toes = lock_of(biped), np.ones((1, 2, 3), np.float32)
    way = np.float32([0.1, 0.0, -0.05])
    pose = Pose(biped, np.tile(biped.rest_rotations, (1, 1, 1)))
    lock.trajectory = SimpleNamespace(travel=lambda time: way[None])  # type: ignore[assignment]
    still = np.zeros((1, 3), np.float32)
    for landing, held, aims in (
        ([1, 0], [0, 0], [1, 0]),
        ([1, 1], [0, 1], [1, 0]),
        ([0, 0], [1, 0], [0, 0]),
        ([1, 1], [1, 1], [0, 0]),
    ):
        lock.reset(1)
        lock._held[:] = held
        moment = SimpleNamespace(pose=SimpleNamespace(contacts=np.float32([landing])), root_velocities=still)
        lock.ahead = lambda seconds, moment=moment: moment
        for _ in range(600):
            aimed = lock._aim(pose, toes, Plane(), DT)
        np.testing.assert_allclose(aimed[0] - 1, np.array(aims)[:, None] * way, atol=1e-4)


class Floor(Plane):
    """Ground that is open beyond x = 1, and as high as a number before."""

    def __init__(self, height: float) -> None:
        object.__setattr__(self, "level", height)

    def height(self, points):
        return np.where(points[..., 0] > 1, VOID, self.level).astype(np.float32)


def test_feet_travel_at_the_height_of_the_ground_less_what_their_plan_lifts_them(biped):
    """New characters are at once at the height of their ground; a foot that its plan lifts anyway climbs less."""
    lock = lock_of(biped)
    lock.reset(4)
    pose = Pose(biped, np.tile(biped.rest_rotations, (4, 1, 1)), root_positions=np.float32([[0, 0.1, 0]] * 4))
    toes = np.zeros((4, 2, 3), np.float32)
    toes[..., 1] = 0.5
    lifted = np.float32([[0.0, 0.08], [0.18, 0.5], [0.0, 0.3], [0.0, 0.0]])
    for height, climbs in ((0.4, [[0.3, 0.3], [0.2, 0.0], [0.3, 0.08], [0.3, 0.3]]), (-0.2, np.full((4, 2), -0.3))):
        lock._new[:] = True
        raised = lock._raised(toes, lifted, pose, Floor(height), DT)
        np.testing.assert_allclose(raised[..., 1] - 0.5, climbs, atol=1e-5)
    toes[:, 0, 0] = 5.0
    np.testing.assert_allclose(lock._floor(toes, Floor(0.7)), [[-0.2, 0.7]] * 4, atol=1e-5)


@pytest.mark.parametrize("adapted", [False, True])
def test_plans_that_follow_the_ground_are_left_at_its_height(biped, adapted):
    """Both feet stand a step above the root, in contact: plans as on level ground would have them in the air there."""
    lock = replace(lock_of(biped), adapted=adapted)
    local, moved = crouching(biped)
    moved[0, 1] += 0.2
    pose = Pose(
        biped,
        local[None],
        moved[None],
        root_positions=np.zeros((1, 3), np.float32),
        root_rotations=np.float32([[1, 0, 0, 0]]),
        contacts=np.ones((1, 2), np.float32),
    )
    lock.ahead = plans(np.ones((1, 2), np.float32))
    for _ in range(60):
        result = lock.apply(pose, Floor(0.2), DT)
    assert lock.locked.all() == adapted
    if adapted:
        np.testing.assert_allclose(result.global_positions, pose.global_positions, atol=0.01)


@pytest.mark.parametrize("height", [-0.2, 0.3])
def test_feet_of_adapted_plans_are_not_raised_or_lowered_again(biped, height):
    lock = replace(lock_of(biped), adapted=True)
    pose = Pose(biped, biped.rest_rotations[None], root_positions=np.zeros((1, 3), np.float32))
    toes = np.full((1, 2, 3), 0.4, np.float32)
    assert lock._raised(toes, np.zeros((1, 2), np.float32), pose, Floor(height), DT) is toes
    np.testing.assert_allclose(lock.rise.height, height, atol=1e-5)


def test_feet_land_where_they_coast_to_and_steps_where_their_plan_is(biped):
    """For half of the lead and of the half-life with the speed that they have; at the height of the ground."""
    lock = lock_of(biped)
    lock.reset(3)
    lock._new[:] = False
    lock._outputs[:, 0, :, 2], lock._outputs[:, 1, :, 2] = 0.5, 0.5 - 2.0 * DT  # 2 m/s
    lock._outputs[:, 2, :, 2] = 0.5 - 4.0 * DT
    lock._held[2] = lock._standing[2] = True
    lock._short[2, 1] = 0.01
    toes = np.zeros((3, 2, 3), np.float32)
    toes[..., 0], toes[..., 1] = 0.3, 7.0
    wanted = np.array([[True, False], [False, False], [True, True]])
    pose = Pose(biped, np.tile(biped.rest_rotations, (3, 1, 1)))
    before = lock._anchor.copy()
    lock._switch(pose, toes, wanted, Plane(), DT)
    coasted = 0.5 + 2.0 * 0.5 * (lock.lead + lock.halflife)
    np.testing.assert_allclose(lock._anchor[0, 0], [0, HEIGHT, coasted], atol=1e-5)
    np.testing.assert_allclose(lock._anchor[2, 1], [0.3, HEIGHT, 0], atol=1e-6)
    for row in ((0, 1), (1, 0), (1, 1), (2, 0)):
        np.testing.assert_array_equal(lock._anchor[row], before[row])
    assert lock._held.tolist() == [[True, False], [False, False], [True, True]]
    assert lock._stepping.tolist() == [[False, False], [False, False], [False, True]]
    lock._switch(pose, toes, ~wanted, Plane(), DT)
    assert lock._held.tolist() == [[False, True], [True, True], [False, False]]
    assert not lock._stepping[:2].any()


def test_hips_sink_for_all_roots_alike(biped):
    lock = lock_of(biped)
    lock.reset(2)
    pose = Pose(biped, np.tile(biped.rest_rotations, (2, 1, 1)), np.tile(biped.rest_translations, (2, 1, 1)))
    assert lock._lowered(pose) is pose
    lock.hips.depth[:] = [0.0, 0.07]
    lowered = pose.global_positions - lock._lowered(pose).global_positions
    np.testing.assert_allclose(lowered[0], 0, atol=1e-6)
    np.testing.assert_allclose(lowered[1], np.tile([0, 0.07, 0], (biped.joint_count, 1)), atol=1e-6)
    np.testing.assert_allclose(lock._drop(), [[[0, 0, 0]], [[0, 0.07, 0]]], atol=1e-6)


def test_toes_are_bent_out_of_the_ground_and_straighten_smoothly(biped):
    """A stiff foot is pitched over its ball, then leaves the ground at once."""
    lock = lock_of(biped)
    local, moved = crouching(biped)
    flat = Pose(biped, local[None], moved[None], contacts=np.ones((1, 2), np.float32))
    lock.ends = sole_ends(flat, lock.legs, lock.heights)
    toes = lock.legs[:, 3]
    local = local.copy()
    local[lock.legs[:, 2]] = rotations.multiply(local[lock.legs[:, 2]], rotations.exp(np.float32([0.7, 0, 0])))
    moved = moved.copy()
    pitched = Pose(biped, local[None], moved[None]).global_positions[0, toes[0], 1]
    moved[0, 1] += HEIGHT - pitched
    tips, bends = [], []
    for frame in range(60):
        translations = moved.copy()
        translations[0, 1] += 0.3 * (frame >= 30)
        pose = Pose(biped, local[None], translations[None], contacts=np.full((1, 2), frame < 30, np.float32))
        made = lock.apply(pose, Plane(), DT)
        away = rotations.rotate(made.global_rotations[:, toes], lock.ends[:, 1, 0])
        tips.append((made.global_positions[:, toes] + away)[0, :, 1].min())
        turn = rotations.relative(pose.local_rotations[:, toes], made.local_rotations[:, toes])
        bends.append(rotations.angle(turn).max())
    assert min(tips[8:]) > -0.006
    assert min(bends[8:30]) > 0.3 and bends[-1] < 0.1 * bends[29]
    assert np.abs(np.diff(bends[8:])).max() < 0.2 * bends[29]  # the whole way in one frame without easing
