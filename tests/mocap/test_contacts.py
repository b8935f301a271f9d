"""Contact detection against movements whose contacts are known by construction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinema import Skeleton
from kinema.mocap.contacts import (
    REFERENCE_LEG,
    Thresholds,
    contact_joints,
    contact_points,
    detect,
    drop_short,
    hysteresis,
    leg_length,
    point_speeds,
    runs,
    swing_time,
)
from kinema.mocap.creatures import make_creature
from kinema.mocap.legs import find_legs


def stepping(fps: float, stride: float, period: float, duty: float, lift: float):
    """A point `[F, 1, 3]` that stands for `duty` of each `period` and is lifted and carried in between."""
    time = np.arange(round(6.45 * period * fps)) / fps
    cycle, phase = np.divmod(time / period, 1.0)
    swing = np.clip((phase - duty) / (1 - duty), 0, 1)
    z = stride * (cycle + swing - np.sin(2 * np.pi * swing) / (2 * np.pi))
    y = lift * np.sin(np.pi * swing) ** 2
    return np.stack([np.zeros_like(z), y, z], axis=-1)[:, None].astype(np.float32), phase[:, None] <= duty


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize(("stride", "period", "duty"), [(1.4, 1.0, 0.6), (2.6, 0.7, 0.3), (0.5, 1.4, 0.7)])
def test_steps_are_found(fps: float, stride: float, period: float, duty: float) -> None:
    points, stands = stepping(fps, stride, period, duty, lift=0.12)
    found = detect(points, fps, stance_height=0.0)
    edges = np.diff(found[:, 0].astype(int))
    true_edges = np.diff(stands[:, 0].astype(int))
    assert (edges == 1).sum() == (true_edges == 1).sum()
    # A foot that leaves or lands slowly stands a little longer than its swing says.
    assert (found != stands).mean() < 0.12
    assert found[stands].all()


def test_noise_does_not_break_a_stance(rng: np.random.Generator) -> None:
    points, _ = stepping(60.0, 1.4, 1.0, 0.6, 0.12)
    clean = detect(points, 60.0, 0.0)
    noisy = detect(points + rng.normal(0, 0.0008, points.shape).astype(np.float32), 60.0, 0.0)
    assert np.diff(noisy.astype(int), axis=0).clip(0).sum() == np.diff(clean.astype(int), axis=0).clip(0).sum()
    assert (noisy != clean).mean() < 0.03


def test_a_slow_foot_in_the_air_does_not_stand() -> None:
    points = np.zeros((60, 1, 3), np.float32)
    points[:, 0, 1] = 0.2
    assert not detect(points, 30.0, 0.0).any()
    assert detect(points, 30.0, 0.2).all()


def test_a_low_foot_that_slides_does_not_stand() -> None:
    points = np.zeros((60, 1, 3), np.float32)
    points[:, 0, 2] = np.arange(60) / 30.0
    assert not detect(points, 30.0, 0.0).any()


def test_contacts_do_not_depend_on_size_with_froude_time() -> None:
    points, _ = stepping(60.0, 1.4, 1.0, 0.6, 0.12)
    large = detect(3.0 * points, 60.0, 0.0, scale=3.0)
    assert np.array_equal(large, detect(points, 60.0, 0.0))


@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_heights_and_speeds_are_those_of_the_size(scale: float) -> None:
    """Just below and above what starts and ends a contact, for a body of another size."""
    limits = Thresholds()

    def stands(height: float, speed: float) -> bool:
        points = np.zeros((30, 1, 3), np.float32)
        points[:, 0, 1] = 0.02 + scale * height
        points[:, 0, 2] = scale * speed * np.arange(30) / 30.0
        return bool(detect(points, 30.0, 0.02, scale=scale).any())

    assert stands(0.98 * limits.height_on, 0.0) and not stands(1.02 * limits.height_on, 0.0)
    assert stands(0.0, 0.98 * limits.speed_on) and not stands(0.0, 1.02 * limits.speed_on)


@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_a_contact_ends_above_a_height_of_the_size(scale: float) -> None:
    limits = Thresholds(speed_on=1e3, speed_off=1e3)
    for share, expected in ((0.98, 30), (1.02, 10)):
        points = np.zeros((30, 1, 3), np.float32)
        points[10:, 0, 1] = share * scale * limits.height_off
        assert detect(points, 30.0, 0.0, scale=scale, thresholds=limits).sum() == expected


def test_point_speeds_keep_the_ends_of_a_stance_slow() -> None:
    points = np.zeros((7, 1, 3), np.float32)
    points[:, 0, 2] = [0, 1, 2, 2, 2, 3, 4]
    assert point_speeds(points, 10.0)[:, 0].tolist() == [10, 10, 0, 0, 0, 10, 10]
    assert point_speeds(points[:1], 10.0).tolist() == [[0.0]]


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_hysteresis_is_the_plain_loop(rows: list[tuple[bool, bool]]) -> None:
    start = np.array([a for a, _ in rows], bool).reshape(-1, 1)
    stop = np.array([b for _, b in rows], bool).reshape(-1, 1)
    state, expected = False, []
    for on, off in rows:
        state = False if off else True if on else state
        expected.append([state])
    assert hysteresis(start, stop).tolist() == expected


def test_drop_short_keeps_what_the_clip_border_cut() -> None:
    state = np.array([1, 0, 1, 0, 1, 1, 1, 0, 1], bool)[:, None]
    assert drop_short(state, 2)[:, 0].astype(int).tolist() == [1, 0, 0, 0, 1, 1, 1, 0, 1]


def test_a_run_of_exactly_that_many_frames_is_not_short() -> None:
    state = np.array([0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1], bool)[:, None]
    assert drop_short(state, 3)[:, 0].astype(int).tolist() == [0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1]
    assert drop_short(state, 4)[:, 0].astype(int).tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]


def test_runs_are_found_at_both_ends() -> None:
    assert runs(np.array([1, 1, 0, 1, 0, 0, 1], bool)) == [(0, 2), (3, 4), (6, 7)]
    assert runs(np.ones(3, bool)) == [(0, 3)]
    assert runs(np.zeros(3, bool)) == runs(np.zeros(0, bool)) == []


def test_joints_and_legs(biped: Skeleton) -> None:
    assert [biped.names[joint] for joint in contact_joints(biped)] == ["LeftToeBase", "RightToeBase"]
    assert leg_length(biped) == pytest.approx(0.81, abs=0.005)


def test_a_rig_without_legs_stands_on_its_lowest_leaves() -> None:
    table = Skeleton.create(["top", "a", "b", "lamp"], [-1, 0, 0, 0], [[0, 1, 0], [1, -1, 0], [-1, -1, 0], [0, 1, 0]])
    assert contact_joints(table).tolist() == [1, 2]
    assert leg_length(table) == pytest.approx(1.0)
    assert leg_length(Skeleton.create(["point"], [-1], [[0, 0, 0]])) == REFERENCE_LEG


def test_contact_points_are_sides_or_joints(biped):
    assert contact_points(biped) == ("left", "right")
    offsets = [[0, 1, 0], [0.5, -1, 0], [-0.5, -1, 0], [0, -1, 0.5]]
    tripod = Skeleton.create(["top", "a", "b", "c"], [-1, 0, 0, 0], offsets)
    assert contact_points(tripod) == ("a", "b", "c")


@pytest.mark.parametrize(("name", "feet"), [("horse", 4), ("bear", 4), ("ant", 6), ("crab", 8), ("centipede", 18)])
def test_each_leg_has_one_contact_joint_and_it_is_the_one_that_stands(name: str, feet: int) -> None:
    creature = make_creature(name)
    found = contact_joints(creature.skeleton).tolist()
    assert found == sorted(leg.joints[-1] for leg in creature.anatomy.legs) and len(found) == feet
    legs = find_legs(creature.skeleton, np.asarray(found))
    for leg, (upper, _, _, toe) in zip(found, legs.tolist(), strict=True):
        assert toe == leg and upper in creature.skeleton.ancestors(toe)


def test_toes_beside_each_other_are_one_contact_and_mirror_partners() -> None:
    cow = make_creature("cow").skeleton
    low = contact_joints(cow).tolist()
    toes = {joint: [cow.names[joint] + end for end in ("_a", "_b")] for joint in low}
    names = [*cow.names, *(name for pair in toes.values() for name in pair)]
    parents = [*cow.parents.tolist(), *(joint for joint in low for _ in range(2))]
    sides = np.where(cow.rest_pose.global_positions[low, 0] > 0, 0.01, -0.01)
    ends = [[float(side * sign), 0.0, 0.02] for side in sides for sign in (1, -1)]
    split = Skeleton.create(names, parents, [*cow.rest_translations.tolist(), *ends])
    chosen = contact_joints(split).tolist()
    assert len(chosen) == 4 and {int(split.parents[joint]) for joint in chosen} == set(low)
    assert {int(split.roles.partners[joint]) for joint in chosen} == set(chosen)


def test_the_time_of_steps_is_that_of_feet_off_the_ground() -> None:
    contacts = np.ones((100, 2), np.uint8)
    contacts[20:26, 0] = contacts[50:56, 0] = contacts[30:42, 1] = contacts[95:, 1] = 0
    assert swing_time([contacts], 60.0) == pytest.approx(0.1)
    assert swing_time([np.ones((50, 2))], 60.0) is None
