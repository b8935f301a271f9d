"""Units and axes."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import rotations
from kinema.formats import units
from kinema.skeleton import Skeleton


@pytest.mark.parametrize(
    ("unit", "metres"),
    [("m", 1), ("dm", 0.1), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254), ("cmu", 0.0564444), (2.5, 2.5)],
)
def test_metres_per(unit: str | float, metres: float) -> None:
    assert units.metres_per(unit) == pytest.approx(metres, rel=1e-5)


@pytest.mark.parametrize("unit", ["feet", "auto", 0.0, -1.0, float("nan"), float("inf")])
def test_wrong_units_list_the_right_ones(unit: str | float) -> None:
    with pytest.raises(units.UnitError, match="use m, dm, cm, mm, in, cmu, or a positive number"):
        units.metres_per(unit)


@pytest.mark.parametrize(
    ("chain", "unit"),
    [(0, "m"), (1.1, "m"), (8, "m"), (8.1, "cmu"), (19.7, "cmu"), (40, "cmu"), (41, "cm"), (120, "cm")],
)
def test_guess(chain: float, unit: str) -> None:
    assert units.guess_unit(chain) == unit


@pytest.mark.parametrize(
    ("guess", "leg", "unit"),
    [
        ("m", 0.83, "m"),
        ("cmu", 14.6, "cmu"),
        ("cm", 82, "cm"),  # possible as they are
        ("cmu", 8.2, "dm"),
        ("cm", 32.5, "in"),
        ("m", 7.5, "dm"),
        ("cm", 55, "cm"),
        ("cmu", 21.7, "cmu"),
        ("cm", 45, "cm"),
        ("m", 0.2, "m"),
        ("cm", 0, "cm"),  # nothing fits better
    ],
)
def test_the_leg_of_a_person_tells_units_apart(guess: str, leg: float, unit: str) -> None:
    assert units.unit_of_person(guess, leg) == unit


@pytest.mark.parametrize(
    ("unit", "chain", "doubtful"),
    [("m", 1.1, False), ("m", 7, True), ("cmu", 14, True), ("cmu", 19.7, False), ("cm", 53, True), ("cm", 560, False)],
)
def test_only_odd_sizes_are_looked_at_twice(unit: str, chain: float, doubtful: bool) -> None:
    assert units.is_doubtful(unit, chain) == doubtful


def test_up() -> None:
    assert units.check_up("z") == "z"
    with pytest.raises(units.UnitError, match="use auto, y, z"):
        units.check_up("x")


def test_z_up_is_a_turn_about_x(rng: np.random.Generator) -> None:
    turn = rotations.from_axis_angle(np.array([1.0, 0, 0]), np.array(-np.pi / 2))
    v = rng.normal(size=(50, 3))
    q = rotations.normalize(rng.normal(size=(50, 4)))
    np.testing.assert_allclose(units.vectors_from_z_up(v), rotations.rotate(turn, v), atol=1e-12)
    np.testing.assert_allclose(units.vectors_from_z_up(np.array([0.0, 0, 1])), [0, 1, 0])
    expected = rotations.multiply(rotations.multiply(turn, q), rotations.inverse(turn))
    np.testing.assert_allclose(units.rotations_from_z_up(q), expected, atol=1e-12)


def test_the_leg_of_a_person_is_measured_from_hip_to_ankle(biped) -> None:
    assert units.leg_of_person(biped) == pytest.approx(0.81, abs=0.02)
    tail = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    assert units.leg_of_person(tail) == 0


@pytest.mark.parametrize(
    ("leg", "factor"),
    [
        (0, None),
        (0.8, None),
        (2.5, None),
        (0.1, None),
        (80, 0.01),
        (0.008, 100),
        (15, 0.0254 / 0.45),
        (500, None),
    ],
)
def test_only_impossible_people_are_a_mistake(leg: float, factor: float | None) -> None:
    found = units.mistaken_scale(leg)
    assert (found and found[0]) == (factor and pytest.approx(factor))
