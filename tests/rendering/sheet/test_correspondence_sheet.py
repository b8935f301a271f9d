from __future__ import annotations

import numpy as np

from kinema.generation.correspondence import correspond_joints
from kinema.generation.moments import correspond_moments
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import Act, make_creature, perform
from kinema.rendering.sheet.correspondence_sheet import draw_correspondence, joint_colors, project


def test_joints_that_are_the_same_have_the_same_colour() -> None:
    joints = correspond_joints(*(AnyRig.of(make_creature(name).skeleton) for name in ("person", "trex")))
    first, second = joint_colors(joints)
    assert all(
        color == first[other] for color, other in zip(second, joints.first_of.tolist(), strict=True) if other >= 0
    )
    alone = {color for color, other in zip(second, joints.first_of.tolist(), strict=True) if other < 0}
    assert len(alone) == 1 and not alone & set(first)


def test_a_picture_shows_both_bodies_and_moments() -> None:
    bodies = [make_creature(name) for name in ("wolf", "horse")]
    joints = correspond_joints(*(AnyRig.of(body.skeleton) for body in bodies))
    rest = draw_correspondence(joints, ("wolf", "horse"))
    one, two = motions = tuple(perform(body, [Act("walk", 2.0)]) for body in bodies)
    moving = draw_correspondence(joints, ("wolf", "horse"), (one, two), correspond_moments(joints, *motions))
    assert moving.height > rest.height and moving.width == rest.width
    pixels = np.asarray(moving)[rest.height :]
    assert ((pixels.max(axis=-1).astype(int) - pixels.min(axis=-1)) > 80).any(axis=(0, 1))


def test_up_is_up_and_ahead_is_to_the_right() -> None:
    origin, up, ahead = project(np.asarray([[0.0, 0, 0], [0, 1, 0], [0, 0, 1]]), (-0.75, 0.35, 0.55))
    assert up[1] < origin[1] and ahead[0] > origin[0]
