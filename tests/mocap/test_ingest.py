"""One motion made ready for a database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, load_motion, rotations
from kinema.errors import DatabaseError
from kinema.mocap.ingest import at_rate, ingest, words_of
from kinema.mocap.jumps import split_at_jumps
from kinema.mocap.procedural import Segment, generate
from kinema.mocap.root import root_layout


def assert_same_globals(clip, motion: Motion, joints: list[int], tolerance: float = 1e-5) -> None:
    pose, true = clip.pose, motion[:]
    assert np.abs(pose.global_positions - true.global_positions)[:, joints].max() < tolerance
    assert rotations.angle(rotations.relative(pose.global_rotations, true.global_rotations))[:, joints].max() < 2e-3
    fixed = np.setdiff1d(np.arange(clip.info.skeleton.joint_count), clip.info.translated)
    assert (pose.local_translations[:, fixed] == clip.info.skeleton.rest_translations[fixed]).all()


def test_world_is_unchanged(sway: Callable[..., Motion], biped: Skeleton) -> None:
    motion = sway()
    clip, image = ingest(motion)
    assert_same_globals(clip, motion, list(range(biped.joint_count)))
    assert_same_globals(image, motion.mirror(), list(range(biped.joint_count)))
    assert clip.info.translated.tolist() == [0]


def under_two_joints(motion: Motion, rng: np.random.Generator) -> Motion:
    """The motion with two joints above the hips that move about, and a prop that hangs on one of them."""
    old = motion.skeleton
    names = ["Reference", "Mover", *old.names, "Prop"]
    parents = [-1, 0, *np.where(old.parents < 0, 1, old.parents + 2).tolist(), 1]
    rest = np.concatenate([[[0.3, 0, 0], [0, 0.1, 0]], old.rest_translations, [[0, 0.5, 1]]])
    skeleton = Skeleton.create(names, parents, rest)
    angle = rng.normal(0, 0.3, (motion.frames, 2, 3)).cumsum(axis=0).astype(np.float32) * 0.02
    prop = np.tile(np.float32([1, 0, 0, 0]), (motion.frames, 1, 1))
    local = np.concatenate([rotations.exp(angle), motion.local_rotations, prop], axis=1)
    moved = np.concatenate([angle, motion.local_translations], axis=1)
    return Motion.create(skeleton, local, moved, [0, 1, 2], motion.fps, motion.name)


def test_joints_above_the_hips_follow_the_root_frame(sway: Callable[..., Motion], rng: np.random.Generator) -> None:
    motion = under_two_joints(sway(), rng)
    (clip,) = ingest(motion, mirror=False)
    assert_same_globals(clip, motion, list(range(2, motion.skeleton.joint_count)))
    for joint in (0, 1):
        assert np.allclose(clip.pose.global_positions[:, joint], clip.pose.root_positions, atol=1e-6)
        assert np.allclose(clip.pose.global_rotations[:, joint], clip.pose.root_rotations, atol=1e-6)
    assert clip.info.translated.tolist() == [2, motion.skeleton.joint_count - 1]
    again = root_layout(clip.info.skeleton)
    assert np.array_equal(again.skeleton.rest_translations, clip.info.skeleton.rest_translations)


def test_root_frames_stand_on_the_ground_and_turn_about_the_vertical(sway: Callable[..., Motion]) -> None:
    for clip in ingest(sway()):
        assert (clip.pose.root_positions[:, 1] == 0).all()
        assert np.abs(clip.pose.root_rotations[:, [1, 3]]).max() < 1e-6


def test_the_mirror_image_swaps_contacts_and_words(sway: Callable[..., Motion]) -> None:
    motion = generate(script=[Segment("walk", 3.0, curve=0.4)], fps=30, name="walk_left")
    clip, image = ingest(motion)
    assert (clip.pose.contacts[:, 0] != clip.pose.contacts[:, 1]).mean() > 0.1
    assert np.array_equal(image.pose.contacts, clip.pose.contacts[:, ::-1])
    assert {"walk", "left"} <= set(clip.info.tags) and "right" not in clip.info.tags
    assert "right" in image.info.tags and "left" not in image.info.tags
    assert (clip.info.mirrored, image.info.mirrored) == (False, True)
    assert np.allclose(image.pose.root_positions, clip.pose.root_positions * [-1, 1, 1])
    headings = [rotations.yaw(one.pose.root_rotations) for one in (clip, image)]
    assert np.allclose(headings[0], -headings[1], atol=1e-5)


def test_known_contacts_are_taken_over() -> None:
    motion = generate(script=[Segment("walk", 3.0)], fps=60)
    (clip,) = ingest(motion, fps=30, mirror=False)
    assert np.array_equal(clip.pose.contacts[:, 0], motion.labels["contact.left"][::2])


@pytest.mark.parametrize("kind", ["walk", "run", "backward"])
def test_detected_contacts_agree_with_exact_ones(kind: str) -> None:
    motion = generate(script=[Segment("idle"), Segment(kind, 6.0)], fps=60)
    (clip,) = ingest(motion.replace(labels={}), fps=60, mirror=False)
    exact = np.stack([motion.labels["contact.left"], motion.labels["contact.right"]], axis=1)
    assert (clip.pose.contacts == exact).mean() > 0.9


def test_a_calibration_pose_before_the_take_is_dropped(sway: Callable[..., Motion], biped: Skeleton) -> None:
    motion = sway()
    local, moved = motion.local_rotations.copy(), motion.local_translations.copy()
    local[0], moved[0] = [1, 0, 0, 0], moved[0] + [0, 0, -2.6]
    clips = ingest(motion.replace(local_rotations=local, local_translations=moved), mirror=False)
    assert [clip.info.frames for clip in clips] == [motion.frames - 1]
    assert "1 frames in short pieces dropped" in " ".join(clips[0].info.warnings)
    assert_same_globals(clips[0], motion.cut(1), list(range(biped.joint_count)))


def test_a_calibration_pose_without_a_jump_is_dropped(sway: Callable[..., Motion]) -> None:
    motion = sway()
    local = motion.local_rotations.copy()
    local[:3] = [1, 0, 0, 0]
    local[:3, 0] = rotations.from_yaw(rotations.yaw(motion.local_rotations[:3, 0]) + np.float32(1.0))
    (clip,) = ingest(motion.replace(local_rotations=local), mirror=False)
    assert clip.info.frames == motion.frames - 3


def test_animation_in_held_poses_is_not_cut(sway: Callable[..., Motion]) -> None:
    motion = sway(seconds=3.0)
    held = motion.local_rotations[(np.arange(motion.frames) // 15) * 15]
    held[:, 0] = rotations.from_yaw((np.arange(motion.frames) // 15).astype(np.float32))
    assert len(split_at_jumps(motion.replace(local_rotations=held))[0]) == 1


def test_a_teleport_in_the_middle_gives_two_clips(sway: Callable[..., Motion]) -> None:
    motion = sway(seconds=3.0)
    moved = motion.local_translations.copy()
    moved[40:] += 5.0
    clips = ingest(motion.replace(local_translations=moved), mirror=False)
    assert [(clip.info.name, clip.info.frames) for clip in clips] == [("walk_left.1", 40), ("walk_left.2", 51)]


def test_a_fast_run_is_not_cut(sway: Callable[..., Motion]) -> None:
    motion = sway(fps=120.0)
    moved = motion.local_translations.copy()
    moved[:, :, 2] = 10.0 * np.arange(motion.frames)[:, None] / 120.0
    pieces, warnings = split_at_jumps(motion.replace(local_translations=moved))
    assert len(pieces) == 1 and not warnings


def test_too_short(sway: Callable[..., Motion]) -> None:
    for motion in (sway().cut(0, 1), sway().cut(0, 10)):
        with pytest.raises(DatabaseError, match="walk_left"):
            ingest(motion)


def test_rates(sway: Callable[..., Motion]) -> None:
    fast = sway(fps=120.0)
    assert np.array_equal(at_rate(fast, 30.0).local_rotations, fast.local_rotations[::4])
    rounded = fast.replace(fps=1 / 0.008333)
    assert np.array_equal(at_rate(rounded, 30.0).local_rotations, fast.local_rotations[::4])
    slow = sway(fps=30.0)
    doubled = at_rate(slow, 60.0)
    truth = sway(fps=60.0)
    assert doubled.frames == truth.frames and doubled.fps == 60.0
    error = np.abs(doubled[:].global_positions - truth[:].global_positions)
    assert error[2:-2].max() < 5e-4 and error.max() < 1e-2  # the ends have no neighbour to take the slope from
    assert at_rate(sway(fps=50.0), 30.0).frames == 61


def test_repeated_bone_lengths_become_the_rest_pose(sway: Callable[..., Motion], biped: Skeleton) -> None:
    motion = sway()
    every = motion[:].local_translations
    every[:, 3] *= 1.2
    (clip,) = ingest(Motion.create(biped, motion.local_rotations, every), mirror=False)
    assert clip.info.translated.tolist() == [0]
    assert np.allclose(clip.info.skeleton.rest_translations[3], 1.2 * biped.rest_translations[3])


def test_a_skeleton_without_legs_is_accepted_and_said(sway: Callable[..., Motion]) -> None:
    snake = Skeleton.create([f"s{i}" for i in range(6)], [-1, 0, 1, 2, 3, 4], [[0, 0.1, 0], *[[0, 0, 0.2]] * 5])
    (clip,) = ingest(sway(skeleton=snake), mirror=False)
    assert "no pair of legs" in clip.info.warnings[-1]
    assert np.isfinite(clip.pose.root_rotations).all()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dataset-1_walk-turn-left_active_001", ("dataset", "walk", "turn", "left", "active")),
        ("WalkLeft02b", ("walk", "left")),
        ("127_29", ()),
        ("RUN", ("run",)),
        ("", ()),
    ],
)
def test_words(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


def test_real_takes_lose_their_t_pose(data_dir: Path) -> None:
    folder = data_dir / "human_mocap" / "cmu_iclone_bvh"
    for name in ("007_03", "007_12", "003_02"):
        motion = load_motion(folder / f"{name}.bvh")
        (clip,) = ingest(motion, fps=motion.fps, mirror=False)
        assert motion.frames - 25 <= clip.info.frames < motion.frames, name
    for name in ("003_01", "005_01"):
        motion = load_motion(folder / f"{name}.bvh")
        assert ingest(motion, fps=motion.fps, mirror=False)[0].info.frames == motion.frames, name
