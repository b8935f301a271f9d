"""Readings of single limbs: a chain down the y axis with given bone lengths."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Skeleton
from kinema.roles.segments import read_limb, translate
from kinema.roles.tree import look


def chain(lengths: list[float]):
    moves = np.zeros((len(lengths) + 1, 3))
    moves[1:, 1] = -np.asarray(lengths)
    count = len(moves)
    return look(Skeleton.create([f"j{n}" for n in range(count)], np.arange(count) - 1, moves))


def read(lengths: list[float], kind: str, said: dict[int, dict[str, float]] | None = None, apart: float = 1.0):
    tree = chain(lengths)
    names = [(said or {}).get(place, {}) for place in range(len(lengths) + 1)]
    return dict(read_limb(tree, list(range(len(lengths) + 1)), kind, names, apart).joints)


def test_legs_by_proportion() -> None:
    assert read([0.4, 0.42, 0.14], "leg") == {"thigh": 0, "shin": 1, "foot": 2, "toe": 3}
    assert read([0.4, 0.42], "leg") == {"thigh": 0, "shin": 1, "foot": 2}
    assert read([0.1, 0.4, 0.42, 0.14], "leg", apart=0.0) == {"thigh": 1, "shin": 2, "foot": 3, "toe": 4}
    assert read([0.25, 0.15, 0.26, 0.16, 0.14], "leg") == {"thigh": 0, "shin": 2, "foot": 4, "toe": 5}  # twist joints


def test_arms_by_proportion() -> None:
    assert read([0.14, 0.28, 0.25], "arm", apart=0.1) == {"upper_arm": 1, "forearm": 2, "hand": 3}
    assert read([0.28, 0.25], "arm") == {"upper_arm": 0, "forearm": 1, "hand": 2}


@pytest.mark.parametrize("upper", [0, 1])
def test_names_decide_where_shape_is_unsure(upper: int) -> None:
    said = {upper: {"thigh": 1.0}, upper + 1: {"shin": 1.0}, upper + 2: {"foot": 1.0}}
    joints = read([0.3, 0.3, 0.3, 0.3], "leg", said)
    assert (joints["thigh"], joints["shin"], joints["foot"]) == (upper, upper + 1, upper + 2)


def test_a_weak_word_yields_to_a_telling_one() -> None:
    hip = {"hips": 1.0, "thigh": 0.8}  # LeftHip above LeftKnee, and above LeftUpLeg
    knee, ankle = {"shin": 1.0, "forearm": 0.2}, {"foot": 1.0}
    assert read([0.4, 0.4], "leg", {0: hip, 1: knee, 2: ankle})["thigh"] == 0
    assert read([0.1, 0.4, 0.4], "leg", {0: hip, 1: {"thigh": 1.0}, 2: knee, 3: ankle})["thigh"] == 1


def test_front_legs_have_the_parts_of_arms() -> None:
    assert translate({"thigh": 1.0, "upper_arm": 0.2}, "front_leg") == {"upper_arm": 1.0}
    assert translate({"forearm": 0.5}, "leg") == {"shin": 0.5}


def test_the_elbow_of_a_front_leg_points_to_the_hind_legs() -> None:
    places = np.array([[0, 0.6, 0.3], [0, 0.45, 0.37], [0, 0.3, 0.26], [0, 0.1, 0.29]])
    tree = look(Skeleton.create("abcd", [-1, 0, 1, 2], np.diff(places, axis=0, prepend=0)))
    up, back = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, -1.0])
    found = read_limb(tree, range(4), "front_leg", [{}] * 4, 0.2, up, back)
    assert found.joints == {"upper_arm": 1, "forearm": 2, "hand": 3}
    assert read_limb(tree, range(4), "front_leg", [{}] * 4, 0.2, up).joints["upper_arm"] == 0
