"""Clips in place get the root motion of their standing feet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Motion
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints
from kinema.mocap.in_place import CYCLED, find_treadmill, move_with_feet, repeat_cycle

Crawler = Callable[..., Motion]


@pytest.mark.parametrize("pairs", [2, 3, 4])
@pytest.mark.parametrize("speed", [0.8, 1.6])
def test_the_root_moves_as_fast_as_feet_run_backward(crawler: Crawler, pairs: int, speed: float) -> None:
    motion = crawler(pairs, speed=speed)
    moved = move_with_feet(motion)
    hips = moved[:].global_positions[:, moved.skeleton.roles.hips]
    assert (hips[-1, 2] - hips[0, 2]) / ((moved.frames - 1) / moved.fps) == pytest.approx(speed, rel=0.05)
    assert np.abs(hips[:, 0]).max() < 1e-3
    assert moved.seconds >= CYCLED
    assert "in place: its root moves with its standing feet" in moved.warnings[-1]


@pytest.mark.parametrize("pairs", [2, 4])
def test_feet_in_contact_stand(crawler: Crawler, pairs: int) -> None:
    moved = move_with_feet(crawler(pairs, speed=1.2))
    joints = contact_joints(moved.skeleton)
    feet = moved[:].global_positions[:, joints]
    standing = np.stack([moved.labels[f"contact.{moved.skeleton.names[joint]}"] for joint in joints], axis=1)
    speed = np.linalg.norm(np.diff(feet, axis=0), axis=-1) * moved.fps
    held = (standing[1:] & standing[:-1])[3:-3]
    assert 0.35 < standing.mean() < 0.75
    assert np.median(speed[3:-3][held]) < 0.05


def test_bodies_that_stand_or_travel_are_left_alone(crawler: Crawler) -> None:
    walking = move_with_feet(crawler(2, speed=1.2))
    assert find_treadmill(walking) is None
    standing = crawler(2, speed=0.0)
    assert move_with_feet(standing) is standing


def test_a_cycle_is_repeated_without_a_jolt(crawler: Crawler) -> None:
    cycle = crawler(2, speed=1.0, cycles=1)
    positions = repeat_cycle(cycle)[:].global_positions
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1).max(axis=-1)
    own = np.linalg.norm(np.diff(cycle[:].global_positions, axis=0), axis=-1).max()
    assert len(positions) > cycle.frames
    assert steps.max() < 1.3 * own
    half = cycle.cut(stop=cycle.frames // 2)
    assert repeat_cycle(half) is half


def test_a_database_moves_clips_or_keeps_them(crawler: Crawler) -> None:
    motion = crawler(3, speed=1.0)
    moved = MotionDatabase.from_motions([motion], mirror=False)
    kept = MotionDatabase.from_motions([motion], mirror=False, in_place="keep")
    assert moved.root_positions[-1, 2] > 0.9 * moved.seconds
    assert np.ptp(kept.root_positions[:, 2]) < 0.05
    assert "in place" in moved.clips[0].warnings[0]


@pytest.mark.parametrize(
    ("file", "moving", "still"),
    [
        ("quaternius/Horse.glb", {"Gallop": 6.0, "Walk": 1.5}, ("Idle", "Eating")),
        ("mesh2motion/spider-animations.glb", {"Walk": 0.7}, ("Idle",)),
    ],
)
def test_real_cycles_travel(data_dir: Path, file: str, moving: dict[str, float], still: tuple[str, ...]) -> None:
    motions = {m.name.split("|")[-1]: m for m in kinema.load(data_dir / "any_topology" / file).motions}
    for name, least in moving.items():
        database = MotionDatabase.from_motions([motions[name]], mirror=False)
        assert database.root_positions[-1, 2] / database.seconds > least
        assert (np.asarray(database.contacts).mean(axis=0) > 0.1).all()
    for name in still:
        assert find_treadmill(motions[name]) is None
