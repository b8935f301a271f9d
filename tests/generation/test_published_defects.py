"""Faults of published programs for motion of any skeleton, one test each: none of them is ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import kinema
from kinema.generation import compatibility, task
from kinema.generation.batch import to_batch
from kinema.generation.channels import CHANNELS, FPS, decode, encode, ground_path, stated_positions
from kinema.generation.collection import MotionCollection
from kinema.generation.generator import Generator
from kinema.generation.likeness import coverage, frame_features, still_windows
from kinema.generation.model import AnySkeletonModel
from kinema.generation.rig import AnyRig
from kinema.generation.rig_truth import RigTruth
from kinema.generation.takes import Takes, mean_pose
from kinema.generation.windows import RigWindow, WindowSource
from kinema.learn.networks.joint_patches import EncodedBodies
from kinema.motion import Motion
from kinema.rotations import rotate_yaw


def windows_of(windows: WindowSource, seed: int = 3, length: int = 6) -> list[RigWindow]:
    """One of each rig: their numbers of joints differ."""
    clips = [next(clip for clip in windows.clips if clip.rig == rig) for rig in range(3)]
    return [windows.window(clip, length, np.random.default_rng(seed)) for clip in clips]


def cleaned(model: AnySkeletonModel, windows: list[RigWindow]) -> torch.Tensor:
    batch = to_batch(windows)
    time = torch.full((len(windows), batch.channels.shape[1] // model.patch), 0.4)
    condition = model.condition(batch.asked, batch.texts, batch.sentences, batch.stretch)
    with torch.no_grad():
        on = model.network.encode(batch.bodies)
        return model.clean(batch.channels, batch.known, batch.known_root, batch.path, time, condition, on)


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_masks_of_padding_fit_their_samples(model: AnySkeletonModel, windows: WindowSource, order: tuple) -> None:
    drawn = windows_of(windows)
    mixed = cleaned(model, [drawn[number] for number in order])
    for place, number in enumerate(order):
        alone = cleaned(model, [drawn[number]])[0]
        assert float(alone.std()) > 1e-3
        np.testing.assert_allclose(mixed[place][:, : alone.shape[1]], alone, atol=2e-5)


def test_each_sample_has_its_own_place_in_time(
    model: AnySkeletonModel, windows: WindowSource, generator: Generator, dog: AnyRig
) -> None:
    """Neither what others were cut from, nor how far into a clip a window lies, changes what is made of it."""
    first, second, _ = windows_of(windows)
    other = windows_of(windows, seed=8)[0]
    assert not np.array_equal(first.channels, other.channels)
    np.testing.assert_allclose(cleaned(model, [first, second])[1], cleaned(model, [other, second])[1], atol=2e-5)
    on = generator.encode(dog)
    x = torch.randn(1, 40 * model.patch, dog.count, CHANNELS, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        early, late = (unasked(model, each, on)[:, -model.patch :] for each in (x[:, 4 * model.patch :], x))
    assert float(early.std()) > 1e-3
    np.testing.assert_allclose(early, late, atol=1e-4)


def unasked(model: AnySkeletonModel, x: torch.Tensor, on: EncodedBodies) -> torch.Tensor:
    patches = x.shape[1] // model.patch
    zeros = torch.zeros(1, x.shape[1], x.shape[2])
    condition = torch.zeros(1, patches, model.network.shape.conditions)
    path = torch.zeros(1, patches, model.network.shape.path_channels)
    return model.clean(x, zeros, zeros[..., 0], path, torch.full((1, patches), 0.4), condition, on)


def test_an_edit_uses_its_input_and_keeps_it_bit_for_bit(generator: Generator, turning: Motion) -> None:
    def edit(source: Motion) -> Motion:
        return kinema.edit(source, between=(1.0, 2.0), steps=2, model=generator)[0]

    pose = turning[:]
    bent = pose.local_rotations.copy()
    bent[:20, 3] = bent[0, 3]
    other = Motion.create(turning.skeleton, bent, pose.local_translations, fps=turning.fps)
    made, again = edit(turning), edit(other)
    for before, after in ((turning, made), (other, again)):
        for part in (slice(0, 30), slice(60, None)):
            np.testing.assert_array_equal(after[:].local_rotations[part], before[:].local_rotations[part])
            np.testing.assert_array_equal(after[:].local_translations[part], before[:].local_translations[part])
    assert np.abs(made[:].local_rotations[31:59] - again[:].local_rotations[31:59]).max() > 1e-4


def test_joints_that_are_not_edited_stay_bit_for_bit(generator: Generator, turning: Motion) -> None:
    made = kinema.edit(turning, joints=["head"], steps=2, model=generator)[0]
    skeleton = turning.skeleton
    stay = ~skeleton.below([skeleton.index("head")])
    np.testing.assert_array_equal(made[:].local_rotations[:, stay], turning[:].local_rotations[:, stay])
    assert np.abs(made[:].local_rotations[:, ~stay] - turning[:].local_rotations[:, ~stay]).max() > 1e-3


def test_a_turning_clip_is_the_same_by_rotations_and_by_positions(dog: AnyRig, turning: Motion) -> None:
    channels, start = encode(dog, turning)
    path, heading = ground_path(channels, dog, start)
    assert np.ptp(heading) > np.pi / 2
    stated = rotate_yaw(heading[:, None], stated_positions(dog, channels))
    stated[..., [0, 2]] += path[:, None] - stated[:, :1, [0, 2]]
    drawn = decode(dog, channels, start)[:].global_positions[:, dog.joints] / dog.unit
    assert np.abs(drawn - stated).max() < 1e-4
    truth = turning.resample(FPS)[:].global_positions[:, dog.joints] / dog.unit
    assert np.abs(drawn - truth).max() < 1e-4


def test_drawing_changes_neither_scales_nor_what_is_known_of_rigs(
    model: AnySkeletonModel, collection: MotionCollection, windows: WindowSource
) -> None:
    def state() -> list[np.ndarray]:
        rigs = [collection.rig(number) for number in range(3)]
        clips = [collection.channels(clip) for clip in windows.clips]
        own = [array for rig in rigs for array in (rig.rest_positions, rig.parents, rig.offsets)]
        seen = [
            array for each in drawn for array in (each.encoding.joints, each.encoding.hops, each.encoding.relations)
        ]
        return [array.copy() for array in (*own, *clips, *seen, model.scales.value.numpy())]

    drawn = [windows.window(clip, 6, np.random.default_rng(0), plain=True) for clip in windows.clips[::3]]
    before, rng = state(), np.random.default_rng(1)
    for _ in range(120):
        to_batch(windows.draw(8, rng))
    for one, other in zip(before, state(), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0])
@pytest.mark.parametrize("suffix", [".bvh", ".glb"])
def test_exports_have_the_rate_and_the_duration_of_their_source(
    generator: Generator, turning: Motion, tmp_path: Path, fps: float, suffix: str
) -> None:
    source = turning.resample(fps)
    edited = kinema.edit(source, between=(1.0, 2.0), steps=1, model=generator)[0]
    made = kinema.generate(source, "walks", seconds=2.0, fps=fps, steps=1, model=generator)[0]
    for motion, seconds in ((edited, source.seconds), (made, 2.0)):
        kinema.save(motion, tmp_path / f"x{suffix}")
        written = kinema.load_motion(tmp_path / f"x{suffix}")
        assert written.fps == pytest.approx(fps, rel=1e-4)
        assert written.seconds == pytest.approx(seconds, abs=1.5 / min(fps, FPS))
    if suffix == ".bvh":
        kinema.save(made, tmp_path / "x.bvh")
        line = next(row for row in (tmp_path / "x.bvh").read_text().splitlines() if row.startswith("Frame Time"))
        assert float(line.split(":")[1]) == pytest.approx(1.0 / fps, rel=1e-4)


def test_the_number_of_steps_is_the_number_of_steps(generator: Generator, dog: AnyRig) -> None:
    made = []
    for steps in (1, 3):
        heard: list[int] = []
        given = {"seconds": 1.0, "steps": steps, "model": generator}
        made.append(kinema.generate(dog.skeleton, "walks", **given, progress=lambda done, _, h=heard: h.append(done)))
        assert heard == list(range(1, steps + 1))
    assert np.abs(made[0][0][:].local_rotations - made[1][0][:].local_rotations).max() > 1e-4


def test_averaged_weights_are_kept_and_are_others(
    collection: MotionCollection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task, "_HELD", 2)
    options = {"batch": 2, "steps": 3, "device": "cpu"}
    for name, ema in (("plain", 0.0), ("mean", 0.9)):
        kinema.train("any-skeleton", collection.path, tmp_path / name, options={"size": "XS"}, ema=ema, **options)
    plain, mean = (Generator.load(tmp_path / name).model.state_dict() for name in ("plain", "mean"))
    assert max(float((plain[name] - mean[name]).abs().max()) for name in plain) > 1e-6


def test_a_frozen_pose_covers_all_by_the_published_figure_and_nothing_by_ours(walks: RigTruth) -> None:
    frozen = np.repeat(mean_pose(walks.channels, 60)[None], 6, axis=0)
    published = compatibility.compatibility(walks.rig, walks.channels, frozen)
    assert published["coverage"] > 0.95
    truth, made = walks.takes, Takes(walks.rig, frozen)
    ours = coverage(list(frame_features(truth)), list(still_windows(truth)), list(frame_features(made)))
    assert ours is not None and ours < 0.05
    whole = coverage(list(frame_features(truth)), list(still_windows(truth)), list(frame_features(truth)))
    assert whole == 1.0
