"""One person among several."""

from __future__ import annotations

import numpy as np

from kinema.keypoints.tracking import main_person


def somebody(x: float, size: float) -> np.ndarray:
    return np.column_stack([x + size * np.linspace(0, 0.3, 18), size * np.linspace(0, 1, 18), np.full(18, 0.9)])


def test_the_largest_is_followed_through_any_order_and_gaps(rng: np.random.Generator) -> None:
    pictures, truth = [], []
    for number in range(40):
        people = [(1, somebody(100 + 3 * number, 200)), (0, somebody(400 - 4 * number, 90)), (0, somebody(600, 120))]
        people = people if number not in (10, 11) else people[1:]
        order = rng.permutation(len(people))
        pictures.append([people[at][1] for at in order])
        truth.append(next((place for place, at in enumerate(order) if people[at][0]), -1))
    assert main_person(pictures) == truth


def test_whoever_is_only_there_for_a_moment_is_not_taken() -> None:
    brief = [[somebody(0, 50), somebody(500, 300)] if number < 3 else [somebody(0, 50)] for number in range(30)]
    assert main_person(brief) == [0] * 30


def test_empty_pictures_and_people_without_points() -> None:
    assert main_person([[], [np.zeros((18, 3))], []]) == [-1, -1, -1]
