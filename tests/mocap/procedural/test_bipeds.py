import numpy as np
import pytest

from kinema.errors import SkeletonError
from kinema.mocap.procedural import humanoid


@pytest.mark.parametrize("arms_down", [0.0, 0.8, 1.5])
def test_a_person_stands_on_the_ground_with_all_roles(arms_down):
    person = humanoid(1.75, arms_down)
    roles = person.roles
    assert roles.is_biped and len(roles.arms) == 2 and roles.head is not None and len(roles.spine) >= 3
    assert all(leg.toe is not None for leg in roles.legs)
    assert person.height == pytest.approx(1.74, abs=0.02)
    positions = person.rest_pose.global_positions
    assert 0 < positions[:, 1].min() < 0.03
    mirrored = positions[person.mirror_map] * [-1, 1, 1]
    np.testing.assert_allclose(mirrored, positions, atol=1e-6)
    assert positions[roles.leg("left").upper, 0] > 0  # left is +X


def test_height_scales_everything():
    np.testing.assert_allclose(humanoid(3.5).rest_translations, 2 * humanoid(1.75).rest_translations, rtol=1e-6)


def test_arms_hang_by_their_angle():
    person = humanoid(arms_down=np.pi / 2)
    positions = person.rest_pose.global_positions
    arm = person.roles.arms[0]
    down = positions[arm.hand] - positions[arm.upper]
    np.testing.assert_allclose(down[[0, 2]], 0, atol=1e-6)
    assert down[1] < -0.4


@pytest.mark.parametrize("height", [0.0, -1.0, float("nan")])
def test_impossible_heights_are_refused(height):
    with pytest.raises(SkeletonError, match="height"):
        humanoid(height)
