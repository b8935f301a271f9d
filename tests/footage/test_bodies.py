"""Bodies have the measures that were asked for, stand on the ground, and wear their colours where they belong."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.footage.bodies import dress, mannequin, proportioned
from kinema.footage.looks import BodyShape, Garment, Look

SKIN, TOP, BELOW, SHOES, HAIR = (0.9, 0.7, 0.6), (0.9, 0.1, 0.1), (0.1, 0.1, 0.9), (0.1, 0.8, 0.1), (0.2, 0.1, 0.0)


USUAL = BodyShape()


def look(proportions: BodyShape = USUAL, sleeves: float = 1.0) -> Look:
    top, below = Garment(TOP, SKIN, length=sleeves), Garment(BELOW, SKIN)
    return Look(proportions, SKIN, "short", HAIR, top, below, SHOES)


@pytest.mark.parametrize(
    "shape", [BodyShape(), BodyShape(1.5), BodyShape(1.9, legs=1.1), BodyShape(head=1.2, trunk=0.9)]
)
def test_a_body_is_as_tall_as_asked_and_stands_on_the_ground(shape: BodyShape) -> None:
    skeleton = proportioned(shape)
    lowest = float(skeleton.rest_pose.global_positions[:, 1].min())
    assert 0.0 < lowest < 0.06
    body = dress(look(shape))
    heights = body.skin(skeleton.rest_pose)[0][:, 1]
    assert heights.max() == pytest.approx(shape.height, abs=0.05)
    assert abs(heights.min()) < 0.03


def test_measures_change_what_they_name_and_nothing_else() -> None:
    usual, long_arms = proportioned(BodyShape()), proportioned(BodyShape(arms=1.1))
    arm, leg = (usual.names.index(name) for name in ("LeftForeArm", "LeftLeg"))
    assert long_arms.bone_lengths[arm] == pytest.approx(1.1 * usual.bone_lengths[arm], rel=1e-5)
    assert long_arms.bone_lengths[leg] == pytest.approx(usual.bone_lengths[leg], rel=1e-5)


def test_girth_makes_the_trunk_thicker_and_not_taller() -> None:
    base = mannequin()
    slim, stout = (dress(look(BodyShape(girth=girth))).meshes[0].positions for girth in (1.0, 1.3))
    waist = base.of("torso") & (np.abs(base.places[:, 1]) < 0.05)
    assert np.ptp(stout[waist, 2]) > 1.15 * np.ptp(slim[waist, 2])
    assert np.ptp(stout[:, 1]) == pytest.approx(np.ptp(slim[:, 1]), abs=0.02)


def test_the_usual_body_is_the_mannequin_itself() -> None:
    height = float(mannequin().mesh.positions[:, 1].max())
    body = dress(look(BodyShape(height)))
    np.testing.assert_allclose(body.meshes[0].positions, mannequin().mesh.positions, atol=0.01)


def test_clothes_are_where_they_belong() -> None:
    base, colours = mannequin(), dress(look(sleeves=0.0)).meshes[0].colors
    assert colours is not None
    worn = np.power(colours[:, :3], 1 / 2.2)

    def share(part: str, colour: tuple[float, float, float]) -> float:
        return float((np.abs(worn[base.of(part)] - colour) < 0.02).all(axis=1).mean())

    assert share("torso", TOP) > 0.99 and share("foot", SHOES) > 0.99 and share("shin", BELOW) > 0.99
    assert share("forearm", SKIN) > 0.99 and share("hand", SKIN) > 0.99
    assert 0.2 < share("head", HAIR) < 0.8


def test_left_and_right_fold_with_the_skeleton() -> None:
    body = dress(look(BodyShape(legs=0.9, arms=1.1)))
    mesh = body.meshes[0]
    assert mesh.inverse_bind is not None
    rest = body.skin(body.skeleton.rest_pose)[0]
    assert np.isfinite(rest).all() and np.ptp(rest[:, 0]) > 1.4  # the arms of the rest pose are stretched out
