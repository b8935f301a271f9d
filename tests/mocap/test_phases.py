"""Phases: closed forms, the filters of scipy, bodies with any number of feet, and labels made by hand."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Motion, Skeleton, mirroring
from kinema.mocap import MotionDatabase
from kinema.mocap.contacts import contact_joints
from kinema.mocap.labels import foot_positions
from kinema.mocap.phases import BAND, alternating_sides, analytic, find_phases, phase_steps, to_cycles
from kinema.mocap.procedural import Segment, generate

FPS = 30.0
Crawler = Callable[..., Motion]


def stepping(rate: float, frames: int = 300, fps: float = FPS, size: float = 1.0) -> np.ndarray:
    """Two feet whose speeds are 1 +- cosine, in turns, at `rate` cycles per second; `[F, 2, 3]`."""
    t = np.arange(frames) / fps
    turns = 2 * np.pi * rate * t
    along = size * np.stack([t + np.sin(turns) / (2 * np.pi * rate), t - np.sin(turns) / (2 * np.pi * rate)], axis=1)
    return np.stack([along * 0, along * 0, along], axis=-1).astype(np.float32)


@pytest.mark.parametrize("rate", [0.8, 1.2, 1.8])
def test_a_cosine_has_the_phase_of_the_cosine(rate: float) -> None:
    found = find_phases(stepping(rate), FPS, (0, 1))
    inner = slice(30, -30)
    expected = to_cycles(2 * np.pi * rate * np.arange(300) / FPS)
    off = (found.gait - expected + 0.5)[inner] % 1.0 - 0.5
    assert np.abs(off).max() < 0.02
    assert found.gait.min() >= 0.0 and found.gait.max() < 1.0
    assert found.confidence[inner].min() > 0.9
    np.testing.assert_allclose(phase_steps(found.gait)[inner].mean(), rate / FPS, rtol=5e-3)
    # A limb swings at 1 m/s; the other one is half a cycle away.
    np.testing.assert_allclose(np.linalg.norm(found.limbs[inner], axis=-1), 1.0, atol=0.1)
    np.testing.assert_allclose(found.limbs[inner, 0], -found.limbs[inner, 1], atol=1e-3)
    angle = np.arctan2(found.limbs[inner, 0, 0], found.limbs[inner, 0, 1])
    np.testing.assert_allclose(to_cycles(angle), found.gait[inner], atol=1e-3)


def test_it_is_the_filter_of_scipy_and_its_hilbert_transform(rng: np.random.Generator) -> None:
    signal = pytest.importorskip("scipy.signal")
    values, fps = rng.normal(size=(4000, 3)) * np.hanning(4000)[:, None], 240.0  # without edges
    sections = signal.butter(3, BAND, "band", fs=fps, output="sos")
    expected = signal.hilbert(signal.sosfiltfilt(sections, values, axis=0), axis=0)
    inside, outside = analytic(values, fps, BAND)
    np.testing.assert_allclose(inside, expected, atol=0.01 * np.abs(expected).max())
    np.testing.assert_allclose((inside + outside).real, values - values.mean(axis=0), atol=1e-9)


def test_swapped_feet_are_half_a_cycle_later(rng: np.random.Generator) -> None:
    positions = np.cumsum(rng.normal(size=(90, 2, 3)), axis=0)
    one, other = find_phases(positions, FPS, (0, 1)), find_phases(positions[:, ::-1], FPS, (0, 1))
    np.testing.assert_allclose((other.gait - one.gait) % 1.0, 0.5, atol=1e-5)
    np.testing.assert_array_equal(other.limbs, one.limbs[:, ::-1])
    np.testing.assert_array_equal(other.confidence, one.confidence)


@pytest.mark.parametrize("frames", [1, 2, 3, 10])
def test_clips_shorter_than_a_cycle_have_finite_phases(frames: int, rng: np.random.Generator) -> None:
    found = find_phases(rng.normal(size=(frames, 4, 3)), FPS, (0, 1))
    assert found.gait.shape == found.confidence.shape == (frames,) and found.limbs.shape == (frames, 4, 2)
    assert all(np.isfinite(part).all() for part in found)
    if frames == 1:
        assert not found.limbs.any() and not found.confidence.any()


def test_nobody_who_stands_has_a_phase() -> None:
    found = find_phases(np.zeros((60, 2, 3), np.float32), FPS, (0, 1))
    assert not found.confidence.any() and not found.limbs.any() and not found.gait.any()
    shifting = 0.01 * stepping(1.0)  # feet that are moved by centimetres
    assert find_phases(shifting, FPS, (0, 1)).confidence.max() < 0.01


def test_movement_that_does_not_alternate_in_the_band_is_not_trusted(rng: np.random.Generator) -> None:
    hopping = stepping(1.5)[:, [0, 0]]  # both feet together
    assert find_phases(hopping, FPS, (0, 1)).confidence.max() < 0.01
    shaking = stepping(12.0)
    assert find_phases(shaking, FPS, (0, 1)).confidence[30:-30].max() < 0.1
    assert find_phases(hopping, FPS, None).limbs.any() and not find_phases(hopping, FPS, None).confidence.any()


def test_small_bodies_step_faster() -> None:
    """A body of a quarter of the size steps at twice the rate, at half the speed."""
    child = stepping(3.0, size=0.25)
    found = find_phases(child, FPS, (0, 1), size=0.25)
    adult = find_phases(stepping(1.5, fps=FPS / 2), FPS / 2, (0, 1))
    np.testing.assert_allclose(np.abs(phase_steps(found.gait) - phase_steps(adult.gait)).max(), 0.0, atol=1e-4)
    np.testing.assert_allclose(found.limbs, adult.limbs, atol=1e-3)


@pytest.mark.parametrize("pairs", [2, 3, 4])
def test_the_sides_of_bodies_with_many_legs_are_one_pair(crawler: Crawler, pairs: int) -> None:
    motion = crawler(pairs)
    skeleton, joints = motion.skeleton, contact_joints(motion.skeleton)
    sides = alternating_sides(skeleton, joints)
    assert sides is not None
    left, right = joints[list(sides)]
    assert mirroring.partners(skeleton)[left] == right and skeleton.roles.sides[left] == "left"


def test_a_chain_has_no_sides() -> None:
    chain = Skeleton.create(["a", "b", "c"], [-1, 0, 1], [(0, 1, 0), (0, 0.5, 0.5), (0, 0, 0.5)])
    assert alternating_sides(chain, contact_joints(chain)) is None


def test_the_gait_of_a_fox_is_that_of_its_hind_legs(data_dir: Path) -> None:
    found = kinema.load(data_dir / "any_topology/mesh2motion/fox-animations.glb").motions
    skeleton = found[0].skeleton
    joints = contact_joints(skeleton)
    sides = alternating_sides(skeleton, joints)
    assert sides is not None
    assert [skeleton.names[joints[side]] for side in sides] == ["Back_Leg_Tip_L", "Back_Leg_Tip_R"]


def test_mirror_images_are_half_a_cycle_away() -> None:
    walk = generate(script=[Segment("walk", 4.0)], fps=30)
    database = MotionDatabase.from_motions([walk])
    take, image = (find_phases(foot_positions(database)[c.start : c.stop], 30.0, (0, 1)) for c in database.clips)
    sure = take.confidence > 0.5
    assert sure.mean() > 0.6
    off = ((image.gait - take.gait)[sure] % 1.0) - 0.5
    assert np.abs(off).max() < 1e-3
    np.testing.assert_allclose(image.limbs, take.limbs[:, ::-1], atol=1e-2)


def test_a_walk_goes_on_by_one_cycle_every_two_steps() -> None:
    """The footfalls of generated motion are exact: a cycle of the phase lies between two landings of one foot."""
    walk = generate(script=[Segment("walk", 10.0)], fps=60)
    database = MotionDatabase.from_motions([walk], fps=60, mirror=False)
    phase, standing = database.labels["phase"], database.contacts[:] > 0
    for foot, at in ((0, 0.25), (1, 0.75)):
        lands = np.flatnonzero(standing[1:, foot] & ~standing[:-1, foot]) + 1
        lands = lands[(lands > 90) & (lands < len(phase) - 90)]
        assert len(lands) >= 4
        # Each foot lands in the quarter after its fastest moment, always in the same phase.
        assert np.abs((phase[lands] - at + 0.5) % 1.0 - 0.5).max() < 0.12
        turned = [phase_steps(phase[a : b + 1]).sum() for a, b in itertools.pairwise(lands)]
        np.testing.assert_allclose(turned, 1.0, atol=0.06)


@pytest.mark.parametrize("fps", [30, 60, 120])
def test_phases_agree_with_labels_made_by_hand(data_dir: Path, fps: int) -> None:
    """Phase-locking value with the hand-made phase of a captured take, where its author labelled cycles."""
    take = data_dir / "human_mocap/pfnn_nc/LocomotionFlat04_000.bvh"
    if not take.is_file():
        pytest.skip(f"no take with phases labelled by hand at {take}")
    hand = np.loadtxt(take.with_suffix(".phase"))
    labelled = np.gradient(np.unwrap(2 * np.pi * hand)) > 0  # before the first and after the last strike it rests at 0
    database = MotionDatabase.from_motions([kinema.load_motion(take)], fps=fps, mirror=False)
    step = 120 // fps
    hand, labelled = hand[::step][: database.frames], labelled[::step][: database.frames]
    assert len(hand) == database.frames and labelled.mean() > 0.8
    turns = 2j * np.pi * (database.labels["phase"] - hand)[labelled]
    locking = np.exp(turns).mean()
    print(f"{fps} fps: phase-locking value {abs(locking):.3f}, offset {np.angle(locking) / (2 * np.pi):+.3f} cycles")
    assert abs(locking) >= 0.89
    assert (phase_steps(database.labels["phase"])[labelled[1:]] < 0).mean() < 0.02
