"""Ground calibration."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.mocap.contacts import detect, leg_length
from kinema.mocap.ground import USUAL_TOE, clearance, contact_doubts, stance_height, standing_of
from kinema.mocap.procedural import Segment, generate


def walking(rng: np.random.Generator, floor: float) -> np.ndarray:
    """Two feet `[F, 2, 3]` taking turns, on a floor, with a millimetre of noise."""
    steps = np.arange(300)[:, None] / 30.0 + np.array([0.0, 0.5])
    swing = np.clip(2 * (steps % 1.0) - 1, 0, 1)
    z = np.floor(steps) + swing
    y = floor + 0.12 * np.sin(np.pi * swing) ** 2
    points = np.stack([np.zeros_like(z), y, z], axis=-1)
    return (points + rng.normal(0, 0.001, points.shape)).astype(np.float32)


@pytest.mark.parametrize("floor", [-1.05, 0.0, 0.042, 2.0])
def test_floor_is_found(rng: np.random.Generator, floor: float) -> None:
    assert stance_height(walking(rng, floor), 30.0) == pytest.approx(floor, abs=0.005)


def test_calibration_follows_a_vertical_offset(rng: np.random.Generator) -> None:
    points = walking(rng, 0.0)
    lifted = points + np.float32([0, 0.75, 0])
    first, second = stance_height(points, 30.0), stance_height(lifted, 30.0)
    assert second - first == pytest.approx(0.75, abs=1e-5)
    assert np.array_equal(detect(points, 30.0, first), detect(lifted, 30.0, second))


def test_one_bad_frame_does_not_lower_the_ground(rng: np.random.Generator) -> None:
    points = walking(rng, 0.0)
    points[100, 0, 1] = -0.5
    assert stance_height(points, 30.0) == pytest.approx(0.0, abs=0.005)


def test_a_foot_that_never_rests_still_has_a_floor() -> None:
    points = np.zeros((30, 1, 3), np.float32)
    points[:, 0, 2] = np.arange(30)
    points[:, 0, 1] = np.linspace(0.1, 0.4, 30)
    assert stance_height(points, 30.0) == pytest.approx(0.1, abs=0.01)


def test_clearance_is_the_median_where_it_can_be_a_sole(biped: Skeleton) -> None:
    assert clearance([0.04, 0.05, -1.0], biped, 0.8) == pytest.approx(0.04)


@pytest.mark.parametrize("heights", [[-1.0, -1.1, 0.05], [0.9, 0.9]])
def test_clearance_of_files_with_the_floor_elsewhere(biped: Skeleton, heights: list[float]) -> None:
    leg = leg_length(biped)
    assert clearance(heights, biped, leg) == pytest.approx(USUAL_TOE * leg)


def test_a_clip_in_the_air_has_no_contact_and_says_so(biped: Skeleton) -> None:
    motion = generate(biped, [Segment("walk", 2.0)], fps=30).replace(labels={})
    standing, _ = standing_of(motion, motion[:])
    assert standing.any() and contact_doubts(biped, standing) == []
    moved = motion.local_translations.copy()
    moved[:, 0, 0] += np.linspace(0, 12, motion.frames)  # too fast for any foot to stand
    gliding = motion.replace(local_translations=moved)
    standing, _ = standing_of(gliding, gliding[:])
    (line,) = contact_doubts(biped, standing)
    assert "no foot touches the ground" in line
    assert contact_doubts(biped, standing[:2]) == []
    labels = {f"contact.{side}": np.ones(motion.frames, bool) for side in ("left", "right")}
    assert standing_of(gliding.replace(labels=labels), gliding[:])[0].all()
