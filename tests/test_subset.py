"""Parts of skeletons: what is kept moves as it did on the whole skeleton."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations, save
from kinema.errors import SkeletonError
from kinema.formats import load, load_motions
from kinema.skeleton import Hinge
from kinema.subset import Subset, body_joints, chosen, subset

O3DE = "locomotion_o3de_fbx.zip"


def random_skeleton(rng: np.random.Generator, joints: int) -> Skeleton:
    """Any tree or trees, with tips, hints and hinges."""
    parents = [-1, *(int(rng.integers(-1 if rng.random() < 0.1 else 0, joint)) for joint in range(1, joints))]
    return Skeleton.create(
        [f"joint {number}" for number in range(joints)],
        parents,
        rng.normal(size=(joints, 3)) * 0.3,
        rotations.normalize(rng.normal(size=(joints, 4))),
        [(joint, rng.normal(size=3)) for joint in range(0, joints, 3)],
        {f"joint {joints - 1}": "head"},
        [Hinge(joint, (0.0, 1.0, 0.0)) for joint in range(1, joints, 4)],
    )


def random_motion(rng: np.random.Generator, skeleton: Skeleton, frames: int = 6) -> Motion:
    """All joints rotate; about a third, roots among them, move."""
    local = rotations.normalize(rng.normal(size=(frames, skeleton.joint_count, 4))).astype(np.float32)
    moving = np.flatnonzero((rng.random(skeleton.joint_count) < 0.3) | (skeleton.parents < 0)).astype(np.int32)
    moved = rng.normal(size=(frames, len(moving), 3)).astype(np.float32)
    labels = {"contact.left": np.arange(frames) % 2 == 0}
    return Motion.create(skeleton, local, moved, moving, 30.0, "any", labels, ("tag",), ("warning",))


def apart(first: Motion, second: Motion, joints: np.ndarray) -> tuple[float, float]:
    """The largest distance in metres and angle in radians between `first` and joints of `second`."""
    one, other = first[:], second[:]
    turns = rotations.relative(one.global_rotations, other.global_rotations[:, joints]).astype(np.float64)
    angles = 2 * np.arctan2(np.linalg.norm(turns[..., 1:], axis=-1), np.abs(turns[..., 0]))
    distances = np.linalg.norm(one.global_positions - other.global_positions[:, joints], axis=-1)
    return float(distances.max()), float(angles.max())


@pytest.mark.parametrize("seed", range(40))
def test_any_part_of_any_tree_moves_as_the_whole(seed: int) -> None:
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, int(rng.integers(1, 40)))
    motion = random_motion(rng, skeleton)
    kept = np.flatnonzero(rng.random(skeleton.joint_count) < rng.uniform(0.1, 0.9))
    kept = kept if kept.size else np.array([skeleton.joint_count - 1])
    part = Subset.create(skeleton, rng.permutation(kept))
    small = part.motion(motion)
    assert small.skeleton.names == tuple(skeleton.names[joint] for joint in kept)
    distance, angle = apart(small, motion, kept)
    assert distance < 1e-5 and angle < 1e-5
    rest, whole = small.skeleton.rest_pose, skeleton.rest_pose
    np.testing.assert_allclose(rest.global_positions, whole.global_positions[kept], atol=1e-5)
    above = [[a for a in skeleton.ancestors(joint) if a in kept] for joint in kept.tolist()]
    expected = [int(np.flatnonzero(kept == joints[0])[0]) if joints else -1 for joints in above]
    assert small.skeleton.parents.tolist() == expected
    assert (small.labels, small.tags, small.warnings, small.fps) == (
        motion.labels,
        motion.tags,
        motion.warnings,
        motion.fps,
    )
    Motion.create(small.skeleton, small.local_rotations, small.local_translations, small.translated)


@pytest.mark.parametrize("seed", range(5))
def test_a_part_of_a_part_is_a_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    motion = random_motion(rng, random_skeleton(rng, 30))
    first = Subset.create(motion.skeleton, range(0, 30, 2))
    small = first.motion(motion)
    twice = Subset.create(small.skeleton, range(0, 15, 2)).motion(small)
    distance, angle = apart(twice, motion, np.arange(0, 30, 4))
    assert distance < 1e-5 and angle < 1e-5


def test_a_bone_over_a_joint_that_is_left_out_is_translated_only_if_that_moves() -> None:
    skeleton = Skeleton.create(["hips", "twist", "knee"], [-1, 0, 1], [[0, 1, 0], [0, -0.2, 0], [0, -0.3, 0]])
    turning = rotations.exp(np.linspace(0, 1, 15, dtype=np.float32).reshape(5, 1, 3).repeat(3, axis=1))
    still = turning.copy()
    still[:, 1] = [1, 0, 0, 0]
    for local, translated in ((turning, [1]), (still, [])):
        small = Subset.create(skeleton, [0, 2]).motion(Motion.create(skeleton, local))
        assert small.translated.tolist() == translated
        np.testing.assert_allclose(small.skeleton.rest_translations[1], [0, -0.5, 0], atol=1e-7)


def test_tips_hints_and_hinges_go_with_their_joints() -> None:
    skeleton = Skeleton.create(
        ["a", "b", "c", "d"],
        [-1, 0, 1, 1],
        np.ones((4, 3)),
        tips=[(1, [1, 0, 0]), (2, [2, 0, 0]), (3, [3, 0, 0])],
        hints={"b": "hips", "d": "head"},
        hinges=[Hinge(1, (1.0, 0.0, 0.0)), Hinge(3, (0.0, 1.0, 0.0))],
    )
    without_b, without_c = (Subset.create(skeleton, kept).skeleton for kept in ([0, 2, 3], [0, 1, 3]))
    assert without_b.tip_joints.tolist() == [1, 2] and without_b.tip_offsets[:, 0].tolist() == [2, 3]
    assert without_b.hints == {"d": "head"} and without_b.hinges == ()  # b turned d about other axes, too
    assert without_c.hints == {"b": "hips", "d": "head"}
    assert [(hinge.joint, hinge.axis) for hinge in without_c.hinges] == [(1, (1.0, 0.0, 0.0)), (2, (0.0, 1.0, 0.0))]


def test_a_mirror_map_of_what_is_left() -> None:
    skeleton = Skeleton.create(["a", "left", "right", "other left", "other right"], [-1, 0, 0, 0, 0], np.ones((5, 3)))
    part = Subset.create(skeleton, [1, 2, 3])
    assert part.pairs(np.array([0, 2, 1, 4, 3], np.int32)).tolist() == [1, 0, 2]


def test_wrong_joints_are_refused(biped: Skeleton) -> None:
    for joints in ([], [-1], [biped.joint_count]):
        with pytest.raises(SkeletonError, match="cannot keep"):
            Subset.create(biped, joints)
    with pytest.raises(SkeletonError, match="no joint is named 'Tentacle'"):
        subset(biped, ("Hips", "Tentacle"))


def with_extras(biped: Skeleton) -> Skeleton:
    """The biped with a root, fingers, twist bones, a jaw, a prop, a helper and ends."""
    extras = {
        "LeftHandIndex1": "LeftHand",
        "LeftHandIndex2": "LeftHandIndex1",
        "RightHandIndex1": "RightHand",
        "RightHandIndex2": "RightHandIndex1",
        "LeftForeArmTwist": "LeftForeArm",
        "RightForeArmTwist": "RightForeArm",
        "Jaw": "Head",
        "Sword": "RightHand",
        "LeftFoot_IK": "Hips",
        "HeadTop_End": "Head",
    }
    names = ["Reference", *biped.names, *extras]
    parents = [-1, *(biped.parents + 1), *(names.index(above) for above in extras.values())]
    places = np.concatenate([np.zeros((1, 3)), biped.rest_translations, np.tile([0.02, 0.05, 0.01], (len(extras), 1))])
    return Skeleton.create(names, parents, places)


def test_the_body_is_the_trunk_the_head_and_the_limbs(biped: Skeleton) -> None:
    skeleton = with_extras(biped)
    kept = [skeleton.names[joint] for joint in body_joints(skeleton)]
    assert set(kept) == {"Reference", *biped.names}
    part = subset(skeleton, "body")
    assert part is not None and part.skeleton.roles.is_biped
    assert subset(part.skeleton, "body") is None and subset(skeleton, "all") is None


def test_feet_that_hang_on_the_root_are_of_the_body(biped: Skeleton) -> None:
    names = ["Root", *(name for name in biped.names if "Toe" not in name)]
    joints = [biped.index(name) for name in names[1:]]
    above = [biped.names[biped.parents[joint]] if biped.parents[joint] >= 0 else "Root" for joint in joints]
    above = ["Root" if "Foot" in name else parent for name, parent in zip(names[1:], above, strict=True)]
    places = {name: biped.rest_pose.global_positions[joint] for name, joint in zip(names[1:], joints, strict=True)}
    places["Root"] = np.zeros(3, np.float32)
    offsets = [places[name] - places[parent] for name, parent in zip(names[1:], above, strict=True)]
    parents = [-1, *(names.index(parent) for parent in above), names.index("Head")]
    skeleton = Skeleton.create([*names, "Jaw"], parents, [np.zeros(3), *offsets, [0, -0.02, 0.05]])
    chained = [skeleton.names[joint] for chain in skeleton.roles.chains for joint in chain.joints]
    assert len(skeleton.roles.legs) == 2 and "LeftFoot" not in chained
    part = subset(skeleton, "body")
    assert part is not None and set(part.skeleton.names) == set(names)


def test_without_limbs_there_is_no_body() -> None:
    with pytest.raises(SkeletonError, match="no body was recognised"):
        body_joints(Skeleton.create(["a", "b"], [-1, 0], np.ones((2, 3))))


def test_a_choice_of_joints(tmp_path: Path) -> None:
    assert chosen("all") == "all" and chosen("body") == "body"
    assert chosen(["a", "b", "a"]) == ("a", "b")
    text, listed = tmp_path / "joints.txt", tmp_path / "joints.json"
    text.write_text("Hips \n\n  Left Foot\n")
    listed.write_text(json.dumps(["Hips", "Left Foot"]))
    assert chosen(text) == chosen(str(listed)) == ("Hips", "Left Foot")


@pytest.mark.parametrize("content", ["", '{"a": 1}', "[1, 2]", "[", "[[]]"])
def test_a_file_that_is_no_list_of_joints_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "joints.json"
    path.write_text(content)
    with pytest.raises(SkeletonError, match="joints"):
        chosen(path)
    with pytest.raises(SkeletonError, match=r"missing.*all, body"):
        chosen(tmp_path / "missing")


def test_a_motion_is_reduced_by_name(biped: Skeleton, rng: np.random.Generator) -> None:
    motion = random_motion(rng, biped)
    names = ("LeftHand", "RightFoot", "Head")
    small = motion.reduced(names)
    assert set(small.skeleton.names) == set(names) and (small.skeleton.parents == -1).all()
    distance, angle = apart(small, motion, biped.indices(small.skeleton.names))
    assert distance < 1e-5 and angle < 1e-5
    assert motion.reduced("all") is motion


@pytest.mark.parametrize("suffix", [".fbx", ".glb", ".npz"])
def test_motions_alone_keep_their_labels_and_some_joints(
    biped: Skeleton, rng: np.random.Generator, tmp_path: Path, suffix: str
) -> None:
    other_root = Skeleton.create(
        ["Prop", *biped.names],
        [-1, *np.where(biped.parents < 0, -1, biped.parents + 1)],
        [[1, 0, 0], *biped.rest_translations],
    )
    motion = random_motion(rng, other_root, 12)
    save(motion, tmp_path / f"take{suffix}")
    asset = load_motions(tmp_path / f"take{suffix}", ("LeftFoot", "Head"))
    (small,) = asset.motions
    assert asset.character is None and asset.skeleton is small.skeleton
    assert set(small.skeleton.names) == {"LeftFoot", "Head"}
    np.testing.assert_array_equal(small.labels["contact.left"], motion.labels["contact.left"])
    distance, angle = apart(small, motion, other_root.indices(small.skeleton.names))
    assert distance < 1e-4 and angle < 1e-3


@pytest.mark.parametrize("take", ["Walk1", "Jumps1", "TurnOnSpot1"])
@pytest.mark.parametrize("joints", ["body", ("C_head_JNT", "R_toe_JNT", "L_index_03_JNT")])
def test_a_real_take_read_on_some_joints_is_the_whole_take(data_dir: Path, take: str, joints: str) -> None:
    path = data_dir / O3DE / f"{take}.fbx"
    (whole,), (small,) = load(path).motions, load_motions(path, joints).motions
    assert (small.frames, small.fps, small.name, small.warnings) == (
        whole.frames,
        whole.fps,
        whole.name,
        whole.warnings,
    )
    assert small.skeleton.joint_count < 30
    distance, angle = apart(small, whole, whole.skeleton.indices(small.skeleton.names))
    assert distance < 1e-4 and angle < np.radians(0.01)


def test_legs_and_arms_of_a_real_body_are_found_again(data_dir: Path) -> None:
    path = data_dir / O3DE / "Walk1.fbx"
    whole, small = (load_motions(path, joints).motions[0].skeleton for joints in ("all", "body"))

    def named(skeleton: Skeleton) -> list[str]:
        chains = [chain for chain in skeleton.roles.chains if chain.kind in ("spine", "leg", "arm", "neck", "head")]
        return sorted(f"{chain.name}: {[skeleton.names[joint] for joint in chain.joints]}" for chain in chains)

    assert named(small) == named(whole) and small.joint_count == 25
