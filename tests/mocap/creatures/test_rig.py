import numpy as np
import pytest

from kinema import rotations
from kinema.mocap.creatures.names import SCHEMES, JointKey
from kinema.mocap.creatures.rig import ROLLS, RigDraft


@pytest.fixture
def draft():
    rig = RigDraft()
    hips = rig.add(JointKey("hips"), -1, [0.0, 1.0, 0.0])
    rig.chain("tail", ["tail"] * 2, hips, [[0, 1, -0.2], [0, 0.9, -0.4], [0, 0.8, -0.7]])
    rig.pair("leg", ["thigh", "foot"], hips, [[0.2, 0.9, 0], [0.25, 0.1, 0.05], [0.25, 0, 0.2]])
    return rig


def test_pairs_mirror_and_chains_are_groups(draft):
    np.testing.assert_allclose(draft.places[3] * [-1, 1, 1], draft.places[5])
    assert draft.groups == [("tail", 0, 0, (1, 2)), ("leg", 1, 0, (3, 4)), ("leg", -1, 0, (5, 6))]
    assert [joint for joint, _ in draft.tips] == [2, 4, 6]
    assert draft.parents == [-1, 0, 1, 0, 3, 0, 5]


@pytest.mark.parametrize("roll", ROLLS)
def test_places_and_tips_do_not_depend_on_rest_rotations(draft, roll):
    skeleton = draft.skeleton(2.0, SCHEMES[0], roll, np.random.default_rng(3))
    pose = skeleton.rest_pose
    np.testing.assert_allclose(pose.global_positions, 2 * np.asarray(draft.places), atol=1e-5)
    ends = rotations.rotate(pose.global_rotations[skeleton.tip_joints], skeleton.tip_offsets)
    ends = ends + pose.global_positions[skeleton.tip_joints]
    np.testing.assert_allclose(ends, 2 * np.asarray([end for _, end in draft.tips]), atol=1e-5)


def test_bones_lie_along_their_own_axis(draft):
    skeleton = draft.skeleton(1.0, SCHEMES[0], "along", np.random.default_rng(3))
    for joint, child in ((3, 4), (1, 2)):
        offset = skeleton.rest_translations[child]
        assert offset[1] == pytest.approx(np.linalg.norm(offset), rel=1e-4), joint
    assert np.abs(skeleton.rest_rotations[1:, 0]).min() < 0.99
