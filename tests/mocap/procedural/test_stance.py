import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.errors import SkeletonError
from kinema.mocap.procedural import generate, humanoid
from kinema.mocap.procedural.script import Segment
from kinema.mocap.procedural.stance import find_stance


def test_measures_of_the_default_person(person):
    stance = find_stance(person)
    assert stance.leg == pytest.approx(0.825, abs=2e-3)
    assert 0.9 < stance.hips_height < 0.945  # a little lower than at rest: knees are not locked
    left, right = stance.feet
    assert (left.sign, right.sign) == (1.0, -1.0)
    assert left.ball_height == pytest.approx(0.02, abs=1e-6)
    np.testing.assert_allclose(left.ankle * [-1, 1, 1], right.ankle, atol=1e-6)
    assert left.heel[2] < left.ankle[2] < 0 and left.heel[1] == pytest.approx(-left.ball_height)


def test_joint_axes_and_heading_do_not_matter(person, reoriented):
    plain, odd = find_stance(person), find_stance(reoriented(person))
    np.testing.assert_allclose(odd.positions, plain.positions, atol=1e-6)
    assert odd.hips_height == pytest.approx(plain.hips_height, abs=1e-6)
    turned = rotations.rotate(rotations.from_yaw(np.asarray(2.0)), person.rest_translations.astype(float))
    back = find_stance(Skeleton.create(person.names, person.parents, turned, tips=()))
    np.testing.assert_allclose(back.positions, plain.positions, atol=1e-6)


def test_ground_is_found_below_a_skeleton_that_rests_with_hips_at_the_origin(person):
    moved = person.rest_translations.copy()
    moved[0] = 0
    low = find_stance(Skeleton.create(person.names, person.parents, moved))
    assert low.feet[0].ball_height == pytest.approx(0.02 * low.leg, abs=1e-5)


def lined_up(person: Skeleton) -> Skeleton:
    """The person with every bone along +X at rest, as some capture systems write it; hips and shoulders to the side."""
    lengths = person.bone_lengths
    offsets = np.zeros((person.joint_count, 3))
    for joint, name in enumerate(person.names):
        offsets[joint, 0] = lengths[joint]
        if name.endswith(("UpLeg", "Shoulder")):
            offsets[joint] = [0.02, 0, lengths[joint] * (-1 if name.startswith("Left") else 1)]
    offsets[0] = 0
    return Skeleton.create(person.names, person.parents, offsets)


def test_a_rest_pose_with_all_bones_in_a_line_walks_upright(person):
    motion = generate(lined_up(person), [Segment("walk", 4.0)])
    positions = motion[:].global_positions[60:]
    roles = motion.skeleton.roles
    leg = roles.leg("left")
    assert (positions[:, roles.head, 1] - positions[:, roles.hips, 1]).min() > 0.3
    assert (positions[:, roles.hips, 1] - positions[:, leg.foot, 1]).min() > 0.4
    assert (positions[:, leg.toe, 1] < 0.3).all() and positions[..., 1].min() > -0.01
    assert positions[-1, 0, 2] - positions[0, 0, 2] > 3.0


def test_refuses_what_cannot_walk(person):
    with pytest.raises(SkeletonError, match="leg"):
        find_stance(Skeleton.create(["a", "b"], [-1, 0], np.ones((2, 3))))
    short = person.rest_translations.copy()
    short[person.index("LeftLeg")] = 0
    with pytest.raises(SkeletonError, match="left leg"):
        find_stance(Skeleton.create(person.names, person.parents, short))
    together = person.rest_translations.copy()
    together[person.index("LeftUpLeg")] = together[person.index("RightUpLeg")] = [0, -0.04, 0]
    with pytest.raises(SkeletonError, match="same point"):
        find_stance(Skeleton.create(person.names, person.parents, together))


def test_scale(person):
    assert find_stance(humanoid(3.5)).hips_height == pytest.approx(2 * find_stance(person).hips_height, rel=1e-6)
