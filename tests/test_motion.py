"""Motions: checks, slicing, sampling, resampling, joining, labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.motion import catmull_rom


def make(skeleton: Skeleton, frames: int, fps: float = 30.0, **extra: Any) -> Motion:
    """A smooth motion: every joint sways, the hips travel and the head slides."""
    time = np.arange(frames)[:, None, None] / fps
    sway = np.sin(2 * time + np.arange(skeleton.joint_count)[:, None]) * np.array([0.3, 0.2, -0.4])
    moved = np.broadcast_to(skeleton.rest_translations, (frames, skeleton.joint_count, 3)).copy()
    moved[:, 0] += time[:, 0] * [0.5, 0, 1]
    moved[:, 4, 1] += 0.01 * np.sin(time[:, 0, 0] + 1)
    return Motion.create(skeleton, rotations.exp(sway), moved, fps=fps, **extra)


@pytest.fixture
def walk(biped: Skeleton) -> Motion:
    frames = np.arange(31)
    labels = {
        "contact.left": frames % 10 < 5,
        "phase": (frames / 20 % 1).astype(np.float32),
        "speed": frames.astype(np.float32),
        "gait": np.eye(3, dtype=np.float32)[frames % 3],
    }
    return make(biped, 31, name="walk", labels=labels, tags=("walk", "left"), warnings=("one",))


def test_only_moving_joints_are_stored(walk: Motion, biped: Skeleton) -> None:
    assert walk.translated.tolist() == [0, 4]
    assert walk.local_translations.shape == (31, 2, 3)
    assert (walk.frames, walk.seconds) == (31, pytest.approx(31 / 30))
    full = walk[:].local_translations
    np.testing.assert_array_equal(full[:, [0, 4]], walk.local_translations)
    np.testing.assert_array_equal(full[:, 7], np.tile(biped.rest_translations[7], (31, 1)))
    assert walk.nbytes == 31 * 21 * 16 + 31 * 2 * 12
    assert walk.local_rotations.dtype == walk.local_translations.dtype == np.float32


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"local_rotations": np.ones((3, 20, 4))}, r"must have shape \[frames, 21, 4\]"),
        ({"local_translations": np.ones((3, 20, 3))}, "local_translations must have shape"),
        ({"local_translations": np.ones((3, 2, 3)), "translated": [4, 0]}, "ascending"),
        ({"local_translations": np.ones((3, 1, 3)), "translated": [21]}, "ascending"),
        ({"local_translations": np.ones((3, 1, 3)), "translated": [-1]}, "ascending"),
        ({"local_rotations": np.full((3, 21, 4), np.nan)}, "not finite"),
        ({"local_translations": np.full((3, 21, 3), np.inf)}, "not finite"),
        ({"fps": 0.0}, "must be 0.001 to 100000"),
        ({"fps": float("nan")}, "must be 0.001 to 100000"),
        ({"labels": {"phase": np.zeros(2)}}, "'phase' has 2 values for 3 frames"),
    ],
)
def test_what_does_not_fit_is_refused(biped: Skeleton, change: dict[str, Any], words: str) -> None:
    good: dict[str, Any] = {"local_rotations": np.tile([1.0, 0, 0, 0], (3, 21, 1))}
    with pytest.raises(SkeletonError, match=words):
        Motion.create(biped, **{**good, **change})


@pytest.mark.parametrize("frames", [0, 1, 2])
def test_very_short_clips(biped: Skeleton, frames: int) -> None:
    clip = make(biped, frames, labels={"phase": np.zeros(frames)})
    assert clip[:].global_positions.shape == clip.velocities().shape == (frames, 21, 3)
    assert clip.mirror().frames == clip.resample(60).frames - max(frames - 1, 0) == frames
    assert [x.shape for x in clip.root_frame()] == [(frames, 3), (frames, 4)]
    assert Motion.concatenate([clip, clip]).frames == 2 * frames
    if frames:
        assert clip.sample([0.0, 9.0], "cubic").frames == 2
    else:
        with pytest.raises(SkeletonError, match="no frames"):
            clip.sample([0.0])


def test_slicing_cuts_labels_too_and_shares_memory(walk: Motion) -> None:
    part = walk.cut(5, 9)
    assert part.frames == 4 and part.fps == 30 and part.tags == walk.tags
    assert np.shares_memory(part.local_rotations, walk.local_rotations)
    np.testing.assert_array_equal(part.labels["speed"], [5, 6, 7, 8])
    np.testing.assert_array_equal(part[:].global_positions, walk[slice(5, 9)].global_positions)
    np.testing.assert_array_equal(walk[np.array([8, 5])].global_positions, walk[:].global_positions[[8, 5]])


def test_frames_of_a_motion_are_poses(walk: Motion) -> None:
    assert walk[3].shape == () and walk[2:5].shape == (3,) and walk[[4, 1]].shape == (2,)
    np.testing.assert_array_equal(walk[3].global_positions, walk[:].global_positions[3])
    np.testing.assert_array_equal(walk[3].local_translations, walk[:].local_translations[3])


@pytest.mark.parametrize("method", ["slerp", "cubic"])
def test_sampling_at_frames_gives_the_frames(walk: Motion, method: Any) -> None:
    same = walk.sample(np.arange(31) / 30, method)
    np.testing.assert_allclose(same[:].global_positions, walk[:].global_positions, atol=2e-6)
    clamped = walk.sample([-1.0, 99.0], method)
    np.testing.assert_allclose(clamped[:].global_positions, walk[:].global_positions[[0, -1]], atol=2e-6)
    assert walk.sample([], method).frames == 0


def test_sampling_between_frames(walk: Motion) -> None:
    middle = walk.sample([4.25 / 30])
    expected = rotations.slerp(walk.local_rotations[4], walk.local_rotations[5], 0.25)
    np.testing.assert_allclose(middle.local_rotations[0], expected, atol=1e-6)
    share = 0.75 * walk.local_translations[4] + 0.25 * walk.local_translations[5]
    np.testing.assert_allclose(middle.local_translations[0], share, atol=1e-6)
    assert middle.labels["speed"][0] == pytest.approx(4.25)
    np.testing.assert_allclose(middle.labels["gait"][0], 0.75 * np.eye(3)[1] + 0.25 * np.eye(3)[2], atol=1e-6)
    assert middle.labels["contact.left"].dtype == bool
    assert walk.sample([19.4 / 30]).labels["phase"][0] == pytest.approx(0.95)  # nearest: a phase wraps
    assert bool(walk.sample([4.4 / 30]).labels["contact.left"][0])
    assert not bool(walk.sample([4.6 / 30]).labels["contact.left"][0])


@pytest.mark.parametrize("times", [[[0.0]], [float("nan")]])
def test_times_that_are_no_times_are_refused(walk: Motion, times: Any) -> None:
    with pytest.raises(SkeletonError, match="seconds"):
        walk.sample(times)


def test_cubic_is_nearer_to_a_smooth_motion_than_slerp_and_takes_the_short_way(biped: Skeleton) -> None:
    coarse, fine = make(biped, 20, fps=10), make(biped, 58, fps=30)
    flipped = coarse.replace(local_rotations=coarse.local_rotations * np.where(np.arange(20) % 2, -1, 1)[:, None, None])
    errors = {}
    for method in ("slerp", "cubic"):
        positions = flipped.resample(30, method)[:].global_positions
        assert len(positions) == 58
        errors[method] = np.abs(positions - fine[:].global_positions)[3:-3].max()
    assert errors["cubic"] < 0.4 * errors["slerp"] < 0.4 * 0.02


def test_resampling_makes_no_more_frames_than_a_bound(walk: Motion) -> None:
    slow = walk.replace(fps=0.001)
    assert slow.resample(1.0).frames == 30_001
    with pytest.raises(SkeletonError, match=r"lasts 31000 s: 3000001 frames at 100 a second are more than 1000000"):
        slow.resample(100.0)


@pytest.mark.parametrize(("fps", "count"), [(60, 61), (30, 31), (15, 16), (10, 11), (29.97, 30), (120, 121)])
def test_resample_keeps_start_and_duration(walk: Motion, fps: float, count: int) -> None:
    again = walk.resample(fps)
    assert (again.frames, again.fps) == (count, fps)
    assert abs((again.frames - 1) / fps - 1.0) < 1 / fps
    np.testing.assert_allclose(again[:].global_positions[0], walk[:].global_positions[0], atol=1e-6)
    with pytest.raises(SkeletonError, match=r"rate must be 0\.001 to 100000"):
        walk.resample(-1.0)


def test_down_and_up_again(walk: Motion) -> None:
    back = walk.resample(120, "cubic").resample(30, "cubic")
    np.testing.assert_allclose(back[:].global_positions, walk[:].global_positions, atol=1e-5)


def test_concatenate(walk: Motion, biped: Skeleton) -> None:
    still = Motion.create(
        biped, walk.local_rotations[:2], fps=30, labels={"speed": np.zeros(2)}, warnings=("one", "two")
    )
    both = Motion.concatenate([still, walk])
    assert both.frames == 33 and list(both.labels) == ["speed"]
    assert both.translated.tolist() == [0, 4]
    assert both.warnings == ("one", "two")
    expected = np.concatenate([still[:].global_positions, walk[:].global_positions])
    np.testing.assert_allclose(both[:].global_positions, expected, atol=1e-6)


def test_concatenate_refuses_what_does_not_match(walk: Motion, biped: Skeleton) -> None:
    lone = make(Skeleton.create(list("abcde"), np.arange(5) - 1, np.zeros((5, 3))), 3)
    taller = Skeleton.create(biped.names, biped.parents, 1.1 * biped.rest_translations)
    for other in (walk.replace(fps=60.0), lone, make(taller, 3)):
        with pytest.raises(SkeletonError, match="cannot follow 'walk'"):
            Motion.concatenate([walk, other])
    with pytest.raises(SkeletonError, match="nothing"):
        Motion.concatenate([])


def test_velocities_are_metres_per_second(biped: Skeleton) -> None:
    moved = np.broadcast_to(biped.rest_translations, (5, 21, 3)).copy()
    moved[:, 0, 2] += np.arange(5) * 0.02
    clip = Motion.create(biped, np.tile([1.0, 0, 0, 0], (5, 21, 1)), moved, fps=50)
    np.testing.assert_allclose(clip.velocities(), np.tile([0, 0, 1.0], (5, 21, 1)), atol=1e-4)


def test_catmull_rom_is_a_partition_of_unity_that_keeps_lines() -> None:
    t = np.linspace(0, 1, 21)
    weights = catmull_rom(t)
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
    np.testing.assert_allclose(weights @ [-1, 0, 1, 2], t, atol=1e-6)
    np.testing.assert_allclose(weights @ [1, 0, 1, 4], t**2, atol=1e-6)  # exact for parabolas
    np.testing.assert_allclose(weights[[0, -1]], [[0, 1, 0, 0], [0, 0, 1, 0]], atol=1e-6)
