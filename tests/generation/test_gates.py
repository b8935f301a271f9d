"""Gates: bounds as data, and what they say of rows."""

import pytest

from kinema.generation.gates import GATES, judge


def rows(**figures):
    return [
        {"name": "model", "group": "seen", **figures},
        {"name": "half against half", "group": "seen", "coverage": 0.9},
    ]


def verdict(figure, size="S", **figures):
    return next(each for each in judge(rows(**figures), size) if each.figure == figure)


def test_bounds_are_kept_from_both_sides():
    assert verdict("nearest_ratio", nearest_ratio=1.0).passed is True
    assert verdict("nearest_ratio", nearest_ratio=0.5).passed is False
    assert verdict("nearest_ratio", nearest_ratio=2.0).passed is False


def test_coverage_is_compared_with_that_of_halves():
    assert verdict("coverage", coverage=0.55).low == pytest.approx(0.54)
    assert verdict("coverage", coverage=0.55).passed is True
    assert verdict("coverage", coverage=0.53).passed is False
    assert verdict("coverage", "M", coverage=0.7).passed is False


def test_what_was_not_measured_is_not_judged():
    assert verdict("skate_ratio").passed is None
    assert verdict("skate_ratio", skate_ratio=None).passed is None
    assert verdict("skate_ratio", skate_ratio=float("inf")).passed is False
    assert verdict("skate_ratio", skate_ratio=float("nan")).passed is False


def test_a_gpu_has_to_do_better():
    for figure in ("agreement_percent", "skate_ratio", "jerk_ratio"):
        small, large = (next(gate for gate in GATES[size] if gate.figure == figure) for size in ("S", "M"))
        assert large.high < small.high


def test_every_group_is_judged():
    both = [*rows(float_percent=0.5), {"name": "model", "group": "held out", "float_percent": 5.0}]
    found = {each.group: each.passed for each in judge(both, "S") if each.figure == "float_percent"}
    assert found == {"seen": True, "held out": False}
