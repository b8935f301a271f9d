"""The centre of mass: shares of the parts of a person, and bodies without roles."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton, rotations
from kinema.ik.masses import SHARES, mass_centre, mass_centres, mass_shares
from kinema.mocap.procedural import humanoid
from kinema.pose import Pose


def test_a_persons_parts_weigh_what_was_measured() -> None:
    person = humanoid()
    shares, parts = mass_shares(person), np.array(person.roles.parts)
    assert shares.sum() == pytest.approx(1) and (shares >= 0).all()
    for part in ("thigh", "head", "forearm"):
        assert shares[parts == part].sum() == pytest.approx(SHARES[part], rel=0.01)
    np.testing.assert_allclose(shares, shares[person.mirror_map], atol=1e-6)
    centre = mass_centre(person.rest_pose)
    assert abs(centre[0]) < 1e-6
    assert 0.5 < centre[1] / person.height < 0.65, "a person's is a little above the hips"


def test_bones_have_their_mass_in_the_middle() -> None:
    body = Skeleton.create([*"ab"], [-1, 0], [[0, 0, 0], [2, 0, 0]], tips=[(1, (0, 0, 2))])
    np.testing.assert_allclose(mass_shares(body), [0.5, 0.5])
    np.testing.assert_allclose(mass_centres(body), [[1, 0, 0], [0, 0, 1]])
    np.testing.assert_allclose(mass_centre(body.rest_pose), [1.5, 0, 0.5])
    np.testing.assert_allclose(mass_centre(body.rest_pose, np.array([0.0, 1.0])), [2, 0, 1])
    assert mass_shares(Skeleton.create(["a"], [-1], [[0, 0, 0]])) == pytest.approx(1)


def test_the_centre_moves_with_the_body(rng: np.random.Generator) -> None:
    person = humanoid()
    turned = rotations.normalize(rng.normal(size=(3, 2, person.joint_count, 4)))
    turn, shift = rotations.normalize(rng.normal(size=(3, 2, 4))), rng.normal(size=(3, 2, 3))
    plain = mass_centre(Pose(person, turned))
    moved = mass_centre(Pose(person, turned, root_positions=shift, root_rotations=turn))
    np.testing.assert_allclose(moved, rotations.rotate(turn, plain) + shift, atol=1e-9)
