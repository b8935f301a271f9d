from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.errors import SkeletonError
from kinema.formats import load_motion, save
from kinema.generation.channels import (
    CHANNELS,
    CONTACT,
    FPS,
    PLACE,
    TRAVEL,
    TURN,
    UPRIGHT_6D,
    decode,
    encode,
    ground_path,
    stated_positions,
)
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import make_creature
from kinema.motion import Motion


def test_a_turning_clip_comes_back_through_rotations_and_through_positions(dog: AnyRig, turning: Motion) -> None:
    channels, start = encode(dog, turning)
    path, heading = ground_path(channels, dog, start)
    assert abs(heading[-1] - heading[0]) > 1.5
    back = decode(dog, channels, start)[:].global_positions[:, dog.joints]
    np.testing.assert_allclose(back, turning[:].global_positions[:, dog.joints], atol=1e-4 * dog.unit)
    flat = np.stack([path[:, 0], np.zeros(len(path)), path[:, 1]], axis=-1)[:, None]
    placed = rotations.rotate_yaw(heading[:, None], stated_positions(dog, channels)) + flat
    np.testing.assert_allclose(placed * dog.unit, back, atol=2e-4 * dog.unit)


def test_rotations_come_back_on_every_joint(dog: AnyRig, turning: Motion) -> None:
    channels, start = encode(dog, turning)
    back = decode(dog, channels, start)
    apart = rotations.angle(rotations.relative(back.local_rotations, turning.local_rotations))
    assert float(apart.max()) < 2e-3


def test_contacts_are_those_of_the_labels(dog: AnyRig, turning: Motion) -> None:
    channels, _ = encode(dog, turning)
    names = {dog.skeleton.names[joint] for joint in dog.joints[np.flatnonzero(channels[..., CONTACT].any(axis=(0, 2)))]}
    assert names == {label.removeprefix("contact.") for label in turning.labels if label.startswith("contact.")}
    assert decode(dog, channels).labels.keys() == {f"contact.{name}" for name in names}


def test_the_size_and_place_of_a_body_do_not_matter(turning: Motion) -> None:
    skeleton = turning.skeleton
    large = AnyRig.of(
        type(skeleton).create(
            skeleton.names,
            skeleton.parents,
            3 * skeleton.rest_translations,
            skeleton.rest_rotations,
            zip(skeleton.tip_joints.tolist(), 3 * skeleton.tip_offsets, strict=True),
        )
    )
    moved = 3 * turning.local_translations + np.asarray([5, 0, -7], np.float32)
    other = turning.replace(skeleton=large.skeleton, local_translations=moved)
    one, _ = encode(AnyRig.of(skeleton), turning)
    two, start = encode(large, other)
    np.testing.assert_allclose(one, two, atol=2e-4)
    assert start.x == pytest.approx(5, abs=0.2)


@pytest.mark.parametrize("rate", [60.0, 24.0])
def test_other_rates_are_resampled_and_last_as_long(dog: AnyRig, turning: Motion, rate: float) -> None:
    channels, _ = encode(dog, turning.resample(rate))
    assert len(channels) == pytest.approx(turning.seconds * FPS, abs=2)


def test_the_rate_of_a_result_is_the_rate_of_its_file(dog: AnyRig, turning: Motion, tmp_path) -> None:
    channels, start = encode(dog, turning)
    result = decode(dog, channels, start).resample(24.0)
    save(result, tmp_path / "out.bvh")
    read = load_motion(tmp_path / "out.bvh")
    assert read.fps == pytest.approx(24.0, rel=1e-4)
    assert read.seconds == pytest.approx(turning.seconds, abs=0.1)


def test_any_numbers_are_a_motion_with_bones_of_fixed_length(spider: AnyRig) -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 1, (20, spider.count, CHANNELS)).astype(np.float32)
    places = decode(spider, noise)[:].global_positions[:, spider.joints]
    lengths = np.linalg.norm(places[:, 1:] - places[:, spider.parents[1:]], axis=-1)
    wanted = np.linalg.norm(spider.offsets[1:], axis=-1) * spider.unit
    np.testing.assert_allclose(lengths, np.tile(wanted, (20, 1)), atol=1e-4 * spider.unit)


def test_a_still_rest_pose_is_zero(dog: AnyRig) -> None:
    skeleton = dog.skeleton
    still = Motion.create(
        skeleton,
        np.tile(skeleton.rest_rotations, (30, 1, 1)),
        np.tile(skeleton.rest_translations[:1], (30, 1, 1)),
        [0],
        fps=30,
    )
    channels, _ = encode(dog, still)
    assert np.abs(channels[..., TURN]).max() < 1e-5
    assert np.abs(channels[:, 0, TRAVEL]).max() < 1e-5
    assert np.abs(channels[..., PLACE]).max() < 1e-5
    assert UPRIGHT_6D.sum() == 2


def test_a_motion_of_another_skeleton_is_refused(spider: AnyRig, turning: Motion) -> None:
    with pytest.raises(SkeletonError, match="another skeleton"):
        encode(spider, turning)
    with pytest.raises(SkeletonError, match="no frames"):
        encode(AnyRig.of(turning.skeleton), turning.cut(0, 0))


def test_feet_that_hang_elsewhere_stay_on_their_legs() -> None:
    plain = make_creature("dog").skeleton
    rig = AnyRig.of(plain)
    x = np.random.default_rng(1).normal(0, 0.2, (5, rig.count, CHANNELS)).astype(np.float32)
    assert np.isfinite(decode(rig, x)[:].global_positions).all()


@pytest.mark.parametrize("tilt", [0.0, -0.5 * np.pi])
def test_a_reference_below_the_body_goes_and_turns_along_with_it(dog: AnyRig, turning: Motion, tilt: float) -> None:
    """Files have one that stands on its side, too. What hangs on it and on the body would be torn apart."""
    plain = dog.skeleton
    turn = rotations.from_axis_angle(np.asarray([1.0, 0.0, 0.0]), np.asarray(tilt)).astype(np.float32)
    places, turns = plain.rest_translations.copy(), plain.rest_rotations.copy()
    places[0] = rotations.inverse_rotate(turn, places[0])
    turns[0] = rotations.relative(turn, turns[0])
    tips = [(joint + 1, offset) for joint, offset in zip(plain.tip_joints.tolist(), plain.tip_offsets, strict=True)]
    rig = AnyRig.of(
        type(plain).create(
            ["root", *plain.names],
            [-1, *(plain.parents + 1)],
            np.concatenate([np.zeros((1, 3)), places]),
            np.concatenate([turn[None], turns]),
            tips,
        )
    )
    assert rig.skeleton.names[rig.joints[0]] == plain.names[dog.joints[0]]
    channels, start = encode(dog, turning)
    made, wanted = decode(rig, channels, start)[:], decode(dog, channels, start)[:].global_positions
    np.testing.assert_allclose(made.global_positions[:, 1:], wanted, atol=1e-4)
    away = np.linalg.norm(made.global_positions[:, 0] - wanted[:, 0], axis=-1)
    np.testing.assert_allclose(away, np.linalg.norm(plain.rest_translations[0]), rtol=0.1)
    up = rotations.rotate(made.global_rotations[:, 0], rotations.inverse_rotate(turn, np.asarray([0.0, 1.0, 0.0])))
    np.testing.assert_allclose(up[:, 1], 1.0, atol=1e-5)
    assert rotations.angle(rotations.relative(*made.global_rotations[[0, -1], 0])) > 1.5
