"""Which side is left, and where the body faces."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, rotations
from kinema.roles.digits import FINGERS
from kinema.roles.limb_parts import name_limbs
from kinema.roles.recognise import begin
from kinema.roles.sides import find_facing

from .rigs import Rows, bird, build, dog, person, role_of, turned


def from_one_point() -> Rows:
    """A person whose legs begin with a joint at the hips and whose shoulders lie on each other, as in CMU's files."""
    rows: Rows = []
    for name, parent, at in person():
        side = name.partition("_")[0]
        if name.endswith("_thigh"):
            rows.append((f"{side}_hips", "hips", (0, 1, 0)))
            rows.append((name, f"{side}_hips", at))
        elif name.endswith("_shoulder"):
            rows.append((name, parent, (0, 1.44, 0)))
        else:
            rows.append((name, parent, at))
    return rows


def without_front() -> Rows:
    """A person that is the same in front and behind: no toes, no bend, no thumbs."""
    return [
        (name, above, (at[0], at[1], 0.0))
        for name, above, at in person()
        if role_of(name).partition("_")[2] not in ("toe", *FINGERS)
    ]


@pytest.mark.parametrize("rows", [person(), from_one_point()], ids=["person", "limbs from one point"])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_left_is_left_without_names(rows: Rows, mirrored: bool, seed: int) -> None:
    skeleton, truth = build(rows, seed=seed, mirrored=mirrored)
    for joint, role in enumerate(truth):
        side, _, part = role.partition("_")
        if part in ("shin", "foot", "forearm", "hand"):
            assert skeleton.roles.role(joint) == f"{side}_{part}"


@pytest.mark.parametrize("rows", [person(), dog(), bird()], ids=["person", "dog", "bird"])
@pytest.mark.parametrize("angle", [0.0, 90.0, 180.0, -60.0])
def test_the_body_faces_where_toes_head_and_tail_say(rows: Rows, angle: float) -> None:
    rotation = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.radians(angle))
    draft = begin(build(turned(rows, rotation))[0])
    name_limbs(draft)
    facing = find_facing(draft)
    forward = rotations.rotate(rotation, np.array([0.0, 0.0, 1.0]))
    assert facing.forward @ forward > 0.99 and facing.sure > 0.8
    assert np.allclose(facing.left, np.cross(facing.up, facing.forward), atol=1e-6)


def test_names_tell_where_the_shape_does_not() -> None:
    for mirrored in (False, True):
        rows = [(name, above, (-at[0], *at[1:]) if mirrored else at) for name, above, at in without_front()]
        facing = find_facing(begin(build(rows, names=True)[0]))
        assert facing.forward[2] == pytest.approx(-1 if mirrored else 1) and facing.sure == 1
    assert find_facing(begin(build(without_front())[0])).sure < 0.3, "nothing tells"


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_body_without_a_front_faces_where_it_goes(way: float) -> None:
    skeleton, truth = build(without_front())
    moves = np.tile(skeleton.rest_translations, (40, 1, 1))
    moves[:, truth.index("root"), 2] = way * np.linspace(0, 4, 40)
    turns = np.tile(skeleton.rest_rotations, (40, 1, 1))
    motion = Motion.create(skeleton, turns, moves, fps=30)
    facing = find_facing(begin(skeleton, motion))
    assert facing.forward[2] == pytest.approx(way) and facing.sure > 0.5
