"""Mirroring on rigs whose frames differ in how left and right relate."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.mirroring import (
    MirrorImage,
    corrections,
    mirror_motion,
    mirror_pose,
    partners,
    reflect_rotation,
    reflect_vector,
)


def identity_pose(skeleton: Skeleton) -> np.ndarray:
    return np.tile(np.float32([1, 0, 0, 0]), (skeleton.joint_count, 1))


def reoriented(skeleton: Skeleton, frames: np.ndarray) -> Skeleton:
    """The same person in the same pose, with joint frames `[J, 4]` (global, in the rest pose)."""
    positions = skeleton.rest_pose.global_positions
    parents = skeleton.parents
    above = np.where(parents[:, None] < 0, np.float32([1, 0, 0, 0]), frames[np.maximum(parents, 0)])
    offsets = np.where(parents[:, None] < 0, positions, positions - positions[np.maximum(parents, 0)])
    return Skeleton.create(
        skeleton.names, parents, rotations.inverse_rotate(above, offsets), rotations.relative(above, frames)
    )


def along_x(skeleton: Skeleton) -> Skeleton:
    """Every bone along its joint's +X and an identity "rest pose", as some motion capture systems write: the rest pose
    is a heap that says nothing about sides."""
    aligned = reoriented(skeleton, np.stack([bone_frame(skeleton, joint) for joint in range(skeleton.joint_count)]))
    return Skeleton.create(aligned.names, aligned.parents, aligned.rest_translations)


def bone_frame(skeleton: Skeleton, joint: int) -> np.ndarray:
    children = skeleton.children[joint]
    bone = skeleton.rest_translations[children[0]] if children else np.float32([1, 0, 0])
    return rotations.between(np.float32([1, 0, 0]), bone)


def mirrored_frames(skeleton: Skeleton, rng: np.random.Generator) -> np.ndarray:
    """Arbitrary frames on the left and in the middle; on the right what a mirroring tool makes of them."""
    frames = rotations.normalize(rng.normal(size=(skeleton.joint_count, 4))).astype(np.float32)
    for joint, other in enumerate(skeleton.mirror_map):
        if skeleton.names[joint].startswith("Right"):
            frames[joint] = reflect_rotation(frames[other])
    return frames


def person(skeleton: Skeleton, kind: str, rng: np.random.Generator) -> Skeleton:
    if kind == "world frames":
        return skeleton
    if kind == "mirrored frames":
        return reoriented(skeleton, mirrored_frames(skeleton, rng))
    if kind == "unrelated frames":
        return reoriented(skeleton, rotations.normalize(rng.normal(size=(skeleton.joint_count, 4))).astype(np.float32))
    return along_x(skeleton)


KINDS = ("world frames", "mirrored frames", "unrelated frames", "bones along X")


def dance(skeleton: Skeleton, rng: np.random.Generator, frames: int = 20) -> Motion:
    turn = rotations.exp(rng.normal(size=(frames, skeleton.joint_count, 3)) * 0.7).astype(np.float32)
    moved = np.broadcast_to(skeleton.rest_translations, (frames, skeleton.joint_count, 3)).copy()
    moved[:, 0] += rng.normal(size=(frames, 3))
    labels = {
        "contact.left": np.arange(frames) % 2 == 0,
        "contact.right": np.arange(frames) % 3 == 0,
        "phase": np.linspace(0, 0.99, frames),
        "speed": np.ones(frames),
    }
    local = rotations.multiply(skeleton.rest_rotations, turn)
    return Motion.create(skeleton, local, moved, labels=labels, tags=("dance", "left"), name="d")


@pytest.mark.parametrize("kind", KINDS)
def test_positions_are_those_of_the_partner_in_the_mirror(biped: Skeleton, kind: str, rng: np.random.Generator) -> None:
    skeleton = person(biped, kind, rng)
    motion = dance(skeleton, rng)
    positions = motion.mirror()[:].global_positions
    expected = reflect_vector(motion[:].global_positions[:, skeleton.mirror_map])
    np.testing.assert_allclose(positions, expected, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_mirroring_twice_gives_the_motion_back(biped: Skeleton, kind: str, rng: np.random.Generator) -> None:
    motion = dance(person(biped, kind, rng), rng)
    twice = motion.mirror().mirror()
    apart = rotations.angle(rotations.relative(twice.local_rotations, motion.local_rotations))
    assert apart.max() < 2e-3
    np.testing.assert_allclose(twice[:].local_translations, motion[:].local_translations, atol=1e-4)
    assert twice.tags == motion.tags
    for label, values in motion.labels.items():
        np.testing.assert_allclose(twice.labels[label], values, atol=1e-6)


@pytest.mark.parametrize("kind", ["world frames", "mirrored frames", "unrelated frames"])
def test_the_rest_pose_of_a_symmetric_person_is_its_own_mirror(
    biped: Skeleton, kind: str, rng: np.random.Generator
) -> None:
    skeleton = person(biped, kind, rng)
    mirrored = mirror_pose(skeleton.rest_pose)
    assert rotations.angle(rotations.relative(mirrored.local_rotations, skeleton.rest_rotations)).max() < 2e-3
    np.testing.assert_allclose(mirrored.local_translations, skeleton.rest_translations, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_compiled_mirror_is_that_in_numpy(biped: Skeleton, kind: str, rng: np.random.Generator) -> None:
    skeleton = person(biped, kind, rng)
    image = MirrorImage.create(skeleton, None)
    local = dance(skeleton, rng).local_rotations
    for batch in (local, local[0], local.reshape(4, 5, -1, 4)):
        np.testing.assert_allclose(image.rotations(batch), image.rotations_reference(batch), atol=1e-6)


@pytest.mark.parametrize("kind", ["world frames", "mirrored frames", "unrelated frames"])
def test_what_hangs_on_one_side_does_not_tilt_the_body(biped: Skeleton, kind: str, rng: np.random.Generator) -> None:
    bare = person(biped, kind, rng)
    frames = bare.rest_pose.global_rotations[0]
    offset = rotations.inverse_rotate(frames, np.array([0.2, 0.1, -0.05], np.float32))
    armed = Skeleton.create(
        [*bare.names, "sword", "left ribbon", "right ribbon"],
        [*bare.parents, 0, 0, 0],
        [*bare.rest_translations, offset, offset * 1.2, offset * 1.5],
        [*bare.rest_rotations, *[[1, 0, 0, 0]] * 3],
    )
    np.testing.assert_allclose(corrections(armed)[: bare.joint_count], corrections(bare), atol=1e-5)


def test_the_root_frame_is_mirrored_with_the_body(biped: Skeleton, rng: np.random.Generator) -> None:
    motion = dance(biped, rng)
    heading = rotations.from_yaw(np.float32([0.7]))[0]
    placed = motion[:].replace(root_positions=np.float32([1, 0, 2]), root_rotations=heading)
    mirrored = mirror_pose(placed)
    expected = reflect_vector(placed.global_positions[:, biped.mirror_map])
    np.testing.assert_allclose(mirrored.global_positions, expected, atol=1e-3)


def test_a_raised_left_arm_becomes_a_raised_right_arm(biped: Skeleton) -> None:
    local = identity_pose(biped)[None].copy()
    local[0, biped.index("LeftArm")] = rotations.exp(np.float32([0, 0, 1]))
    raised = Motion.create(biped, local).mirror()
    positions = raised[:].global_positions[0]
    assert positions[biped.index("RightHand"), 1] > 1.7 > 1.5 > positions[biped.index("LeftHand"), 1]
    np.testing.assert_allclose(
        raised.local_rotations[0, biped.index("RightArm")], rotations.exp(np.float32([0, 0, -1])), atol=1e-6
    )


def test_labels_and_tags_change_sides(biped: Skeleton, rng: np.random.Generator) -> None:
    motion = dance(biped, rng)
    mirrored = motion.mirror()
    np.testing.assert_array_equal(mirrored.labels["contact.right"], motion.labels["contact.left"])
    np.testing.assert_array_equal(mirrored.labels["contact.left"], motion.labels["contact.right"])
    np.testing.assert_allclose(np.abs(mirrored.labels["phase"] - motion.labels["phase"]), 0.5)
    np.testing.assert_array_equal(mirrored.labels["speed"], motion.labels["speed"])
    assert mirrored.tags == ("dance", "right") and mirrored.name == "d"


def test_faces_change_sides(biped: Skeleton) -> None:
    names = {
        "expression.blinkLeft": "expression.blinkRight",
        "expression.lookRight": "expression.lookLeft",
        "morph.eyeSquint_L": "morph.eyeSquint_R",
        "morph.mouthLeftUp": "morph.mouthRightUp",
        "morph.bright": "morph.bright",
        "expression.happy": "expression.happy",
        "morph.left eye": "morph.right eye",
    }
    values = {name: np.full(2, number, np.float32) for number, name in enumerate([*names, "gaze.yaw", "gaze.pitch"])}
    mirrored = Motion.create(biped, np.tile(biped.rest_rotations, (2, 1, 1)), labels=values).mirror()
    for name, other in names.items():
        np.testing.assert_array_equal(mirrored.labels[other], values[name])
    np.testing.assert_array_equal(mirrored.labels["gaze.yaw"], -values["gaze.yaw"])
    np.testing.assert_array_equal(mirrored.labels["gaze.pitch"], values["gaze.pitch"])


def test_translated_joints_move_to_the_other_side(biped: Skeleton) -> None:
    moved = np.broadcast_to(biped.rest_translations, (2, 21, 3)).copy()
    left, right = biped.index("LeftHand"), biped.index("RightHand")
    moved[1, left] += np.float32([0.1, 0.2, 0.3])
    mirrored = Motion.create(biped, np.stack([identity_pose(biped)] * 2), moved).mirror()
    expected = moved[1, left] * [-1, 1, 1]
    np.testing.assert_allclose(mirrored[:].local_translations[1, right], expected, atol=1e-5)
    np.testing.assert_allclose(mirrored[:].local_translations[1, left], biped.rest_translations[left], atol=1e-5)


def test_partners_must_hang_on_partners() -> None:
    skeleton = Skeleton.create(
        ["Hips", "Spine", "LeftArm", "RightArm", "LeftHand", "RightHand"], [-1, 0, 0, 1, 2, 3], np.ones((6, 3))
    )
    assert skeleton.mirror_map.tolist() == [0, 1, 3, 2, 5, 4]
    assert partners(skeleton).tolist() == [0, 1, 2, 3, 4, 5]


def test_corrections_are_unit_and_leaves_do_not_matter(biped: Skeleton) -> None:
    np.testing.assert_allclose(np.abs(corrections(biped)), identity_pose(biped), atol=1e-6)
    lone = Skeleton.create(["only"], [-1], [[0, 1, 0]])
    np.testing.assert_allclose(corrections(lone), [[1, 0, 0, 0]], atol=1e-6)


def test_one_odd_bone_does_not_spoil_a_symmetric_rig(biped: Skeleton, rng: np.random.Generator) -> None:
    """A sword in one hand, and the middle of the body has frames that only the rest pose explains."""
    frames = mirrored_frames(biped, rng)
    held = reoriented(biped, frames)
    hand = held.index("RightHand")
    armed = Skeleton.create(
        [*held.names, "Sword"],
        [*held.parents, hand],
        [*held.rest_translations, [0.2, 0.9, 0.1]],
        [*held.rest_rotations, [1, 0, 0, 0]],
    )
    motion = dance(armed, rng)
    positions = motion.mirror()[:].global_positions[:, :-1]
    np.testing.assert_allclose(
        positions, reflect_vector(motion[:].global_positions[:, armed.mirror_map])[:, :-1], atol=1e-4
    )
    np.testing.assert_allclose(corrections(armed)[:-1], corrections(held), atol=1e-5)


def test_several_roots_and_no_frames() -> None:
    skeleton = Skeleton.create(
        ["Left_A", "Right_A", "Left_B", "Right_B"], [-1, -1, 0, 1], [[1, 0, 0], [-1, 0, 0], [1, 2, 3], [-1, 2, 3]]
    )
    empty = Motion.create(skeleton, np.zeros((0, 4, 4))).mirror()
    assert empty.frames == 0
    turn = rotations.exp(np.random.default_rng(0).normal(size=(5, 4, 3))).astype(np.float32)
    motion = Motion.create(skeleton, turn)
    expected = reflect_vector(motion[:].global_positions[:, [1, 0, 3, 2]])
    np.testing.assert_allclose(motion.mirror()[:].global_positions, expected, atol=1e-5)


def test_a_rest_pose_that_is_not_quite_symmetric(biped: Skeleton, rng: np.random.Generator) -> None:
    """One bone leans by a few degrees; frames stay those of the rest pose, turned by no more than that."""
    frames = mirrored_frames(biped, rng)
    exact = reoriented(biped, frames)
    offsets = exact.rest_translations.copy()
    hand = exact.index("LeftHand")
    lean = rotations.exp(np.float32([0.05, 0.02, -0.04]))
    offsets[hand] = rotations.rotate(lean, offsets[hand])
    leaning = Skeleton.create(exact.names, exact.parents, offsets, exact.rest_rotations)
    motion = dance(leaning, rng)
    expected = reflect_vector(motion[:].global_positions[:, leaning.mirror_map])
    np.testing.assert_allclose(motion.mirror()[:].global_positions, expected, atol=1e-4)
    twice = motion.mirror().mirror()
    assert rotations.angle(rotations.relative(twice.local_rotations, motion.local_rotations)).max() < 2e-3
    turned = rotations.angle(rotations.relative(corrections(exact), corrections(leaning)))
    assert turned.max() < 0.075 and (turned > 1e-3).sum() == 2  # both forearms


def test_another_mirror_map_is_taken_and_twice_is_nothing(biped, rng):
    pairs = np.arange(biped.joint_count, dtype=np.int32)  # nothing changes places
    turned = rotations.normalize(rng.normal(size=(5, biped.joint_count, 4)).astype(np.float32))
    motion = Motion.create(biped, turned, fps=30.0)
    image = mirror_motion(motion, pairs)
    assert np.abs(image.local_rotations - motion.mirror().local_rotations).max() > 0.1
    again = mirror_motion(image, pairs)
    assert rotations.angle(rotations.relative(again.local_rotations, turned)).max() < 1e-2
    legs = biped.indices(["LeftUpLeg", "RightUpLeg"])
    swapped = biped.mirror_map.copy()
    swapped[legs] = legs
    assert partners(biped, swapped)[legs].tolist() == legs.tolist()
    assert partners(biped)[legs].tolist() == legs[::-1].tolist()
