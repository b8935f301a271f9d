from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import rotations
from kinema.generation.encoding import encode_rig
from kinema.generation.rig import MOST_JOINTS, AnyRig
from kinema.mocap.creatures import make_creature
from kinema.skeleton import Skeleton


def test_it_stands_on_the_ground_over_the_origin(dog: AnyRig) -> None:
    assert dog.rest_positions[:, 1].min() >= -1e-6
    np.testing.assert_allclose(dog.rest_positions[0, [0, 2]], 0, atol=1e-6)
    assert dog.parents[0] == -1
    assert (dog.parents[1:] < np.arange(1, dog.count)).all()


def test_its_diameter_is_two(dog: AnyRig) -> None:
    skeleton = dog.skeleton
    points = np.concatenate([skeleton.rest_pose.global_positions, skeleton.tip_positions(skeleton.rest_pose)])
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1).max()
    assert apart / dog.unit == pytest.approx(2, rel=1e-5)


def test_forward_kinematics_at_rest_is_the_rest_pose(dog: AnyRig) -> None:
    still = np.tile(np.asarray([1, 0, 0, 0], np.float32), (dog.count, 1))
    turns, positions = dog.forward(still, dog.rest_positions[0])
    np.testing.assert_allclose(positions, dog.rest_positions, atol=1e-6)
    np.testing.assert_allclose(turns, still, atol=1e-6)


def test_rolled_bones_change_nothing() -> None:
    plain = make_creature("cat").skeleton
    rng = np.random.default_rng(3)
    turns = rotations.normalize(rng.standard_normal((plain.joint_count, 4))).astype(np.float32)
    above = np.where((plain.parents >= 0)[:, None], turns[plain.parents], np.asarray([1, 0, 0, 0], np.float32))
    rolled = Skeleton.create(
        plain.names,
        plain.parents,
        rotations.inverse_rotate(above, plain.rest_translations),
        rotations.relative(above, rotations.multiply(plain.rest_rotations, turns)),
        zip(
            plain.tip_joints.tolist(), rotations.inverse_rotate(turns[plain.tip_joints], plain.tip_offsets), strict=True
        ),
    )
    one, other = AnyRig.of(plain), AnyRig.of(rolled.with_roles(plain.roles))
    np.testing.assert_allclose(one.rest_positions, other.rest_positions, atol=1e-5)
    np.testing.assert_array_equal(one.parents, other.parents)


def test_what_hangs_above_the_hips_is_left_out_and_the_rest_hangs_on_them() -> None:
    names = ["root", "hips", "spine", "head", "leg_l", "foot_l", "leg_r", "foot_r", "prop"]
    parents = [-1, 0, 1, 2, 1, 4, 1, 6, 0]
    offsets = [[0, 0, 0], [0, 1, 0], [0, 0.4, 0], [0, 0.4, 0], [0.1, 0, 0], [0, -0.9, 0], [-0.1, 0, 0], [0, -0.9, 0],
               [0.5, 0, 0]]  # fmt: skip
    rig = AnyRig.of(Skeleton.create(names, parents, offsets))
    assert rig.skeleton.names[rig.joints[0]] == "hips"
    assert "root" not in [names[joint] for joint in rig.joints]
    assert rig.parents[[names[joint] for joint in rig.joints].index("prop")] == 0
    assert rig.followed[0] == -1


def test_small_branches_of_a_huge_rig_follow_the_joint_above() -> None:
    names, parents, offsets = ["hips"], [-1], [[0.0, 1.0, 0.0]]
    for chain in range(40):
        for link in range(25):
            names.append(f"c{chain}_{link}")
            parents.append(0 if link == 0 else len(names) - 2)
            offsets.append([0.01 * (chain % 5), 0.0, 0.02 * (chain + 1)])
    rig = AnyRig.of(Skeleton.create(names, parents, offsets))
    assert rig.count == MOST_JOINTS
    assert (rig.followed >= 0).all()
    assert rig.followed[names.index("c39_0")] > 0  # the longest branch is animated
    first = names.index("c0_24")
    assert rig.joints[rig.followed[first]] != first


def test_one_joint_and_bones_without_length_are_rigs() -> None:
    one = AnyRig.of(Skeleton.create(["only"], [-1], [[0, 0, 0]]))
    assert (one.count, one.unit) == (1, 1.0)
    flat = AnyRig.of(Skeleton.create(["a", "b", "c"], [-1, 0, 1], np.zeros((3, 3))))
    assert np.isfinite(flat.rest_positions).all()


def test_a_chain_is_all_body() -> None:
    """However it stands, and if all its joints are in one place."""
    for step in ((0.0, 0.1, 0.0), (0.0, 0.0, 0.1), (0.0, 0.0, 0.0)):
        offsets = np.asarray([(0.0, 1.0, 0.0), *[step] * 4], np.float32)
        rig = AnyRig.of(Skeleton.create([f"j{number}" for number in range(5)], np.arange(5) - 1, offsets))
        assert rig.joints.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("count", [1, 200, 1000])
def test_rigs_of_any_number_of_joints(count: int) -> None:
    rng = np.random.default_rng(0)
    parents = [-1, *[int(rng.integers(max(0, joint - 12), joint)) for joint in range(1, count)]]
    rig = AnyRig.of(Skeleton.create([f"b{n}" for n in range(count)], parents, rng.normal(size=(count, 3))))
    assert rig.count == min(count, MOST_JOINTS)
    assert np.isfinite(encode_rig(rig).joints).all()


def game_rig() -> Skeleton:
    """A body with feet and targets of constraints beside it, as game packs have them."""
    names = ["root", "hips", "spine", "head", "thigh_l", "shin_l", "thigh_r", "shin_r", "foot_l", "foot_r", "pole_l",
             "pole_r"]  # fmt: skip
    parents = [-1, 0, 1, 2, 1, 4, 1, 6, 0, 0, 0, 0]
    offsets = [[0, 0, 0], [0, 1, 0], [0, 0.4, 0], [0, 0.4, 0], [0.1, 0, 0], [0, -0.45, 0.02], [-0.1, 0, 0],
               [0, -0.45, 0.02], [0.1, 0.08, 0], [-0.1, 0.08, 0], [0.1, 0.5, 4.0], [-0.1, 0.5, 4.0]]  # fmt: skip
    return Skeleton.create(names, parents, offsets)


def test_feet_beside_the_body_hang_on_their_legs_and_targets_are_left_out() -> None:
    skeleton = game_rig()
    rig = AnyRig.of(skeleton)
    names = [skeleton.names[joint] for joint in rig.joints]
    assert names[0] == "hips"
    assert names[rig.parents[names.index("foot_l")]] == "shin_l"
    assert not {"root", "pole_l", "pole_r"} & set(names)
    assert rig.unit < 1.2


@pytest.mark.parametrize(
    ("file", "root", "feet"),
    [
        ("quaternius/Cow.glb", "Back", {"IKFrontLeg.L": "FrontLowerLeg.L", "IKBackLeg.R": "BackLowerLeg.R"}),
        ("quaternius/Spider.glb", "Body", {"FrontFoot.L": "FrontLeg3.L", "BackFoot.R": "BackLeg3.R"}),
        ("quaternius/Wasp.glb", "Thorax", {}),
        ("threejs/Monster.glb", "node_3", {}),
    ],
)
def test_real_animals_hang_on_their_hips(data_dir: Path, file: str, root: str, feet: dict[str, str]) -> None:
    skeleton = kinema.load_motion(data_dir / "any_topology" / file, 0).skeleton
    rig = AnyRig.of(skeleton)
    names = [skeleton.names[joint] for joint in rig.joints]
    assert names[0] == root
    assert {foot: names[rig.parents[names.index(foot)]] for foot in feet} == feet
    assert not [name for name in names if name.startswith("PoleTarget")]
