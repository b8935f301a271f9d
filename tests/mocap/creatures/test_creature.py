import numpy as np
import pytest

from kinema.errors import ControlError
from kinema.mocap.creatures import CREATURES, PLANS, make_creature


def test_there_are_many_plans_and_every_preset_has_one():
    assert len(PLANS) >= 14
    assert {plan for plan, _ in CREATURES.values()} == set(PLANS)


@pytest.mark.parametrize("name", CREATURES)
def test_presets_are_symmetric_and_stand_on_the_ground(name):
    body = make_creature(name)
    places = body.skeleton.rest_pose.global_positions
    mirrored = places * [-1, 1, 1]
    apart = np.linalg.norm(places[:, None] - mirrored[None], axis=-1).min(axis=1)
    assert apart.max() < 1e-5
    assert places[:, 1].min() >= 0
    for leg in body.anatomy.legs:
        assert places[leg.joints[-1], 1] < 0.08 * places[:, 1].max() + 0.02


@pytest.mark.parametrize("plan", PLANS)
def test_seeds_vary_size_joints_names_and_rest_rotations(plan):
    bodies = [make_creature(plan, seed) for seed in range(12)]
    sizes = [np.ptp(body.skeleton.rest_pose.global_positions, axis=0).max() for body in bodies]
    assert max(sizes) / min(sizes) > 2
    assert len({body.skeleton.joint_count for body in bodies}) > 2
    assert len({body.skeleton.names[-1] for body in bodies}) > 3
    assert any(np.abs(body.skeleton.rest_rotations[:, 0]).min() < 0.99 for body in bodies)


@pytest.mark.parametrize("plan", PLANS)
def test_left_and_right_limbs_mirror_each_other(plan):
    body = make_creature(plan, 5)
    places = body.skeleton.rest_pose.global_positions
    limbs = [*body.anatomy.legs, *body.anatomy.arms, *body.anatomy.wings, *body.anatomy.fins]
    for limb in limbs:
        other = next(
            o for o in limbs if o.order == limb.order and o.side == -limb.side and len(o.joints) == len(limb.joints)
        )
        assert len(limb.joints) == len(other.joints)
    for left, right in zip(body.anatomy.legs[::2], body.anatomy.legs[1::2], strict=True):
        assert left.side == 1 and right.side == -1 and left.order == right.order
        np.testing.assert_allclose(
            places[list(left.joints)], places[list(right.joints)] * [-1, 1, 1], atol=1e-4 * np.abs(places).max()
        )


def test_unknown_names_are_listed():
    with pytest.raises(ControlError, match="there are: person"):
        make_creature("unicorn")
    with pytest.raises(ControlError, match="non-negative"):
        make_creature("dog", -1)
