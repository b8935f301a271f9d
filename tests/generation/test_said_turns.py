from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from kinema import Skeleton
from kinema.generation.channels import FPS
from kinema.generation.generator import Generator
from kinema.generation.measures import travelled
from kinema.generation.rig import AnyRig
from kinema.generation.said_turns import rate, said_angle, with_turns
from kinema.generation.takes import Takes
from kinema.generation.wishes import Wish
from kinema.mocap.creatures import make_creature

QUARTER = 0.5 * np.pi


@pytest.mark.parametrize(
    ("wish", "angle"),
    [
        (Wish("turns left"), QUARTER),
        (Wish("turns to the right", "turn"), -QUARTER),
        (Wish("turns around"), 2 * QUARTER),
        (Wish("trots in a curve to the right", "run"), -QUARTER),
        (Wish("", "turn"), QUARTER),
        (Wish("turns"), QUARTER),
        (Wish("walks"), None),
        (Wish("", "walk"), None),
        (Wish("looks left"), None),
        (Wish("walks sideways to the left"), None),
        (Wish("attacks to the left", "attack"), None),
    ],
)
def test_words_say_how_far(wish: Wish, angle: float | None) -> None:
    assert said_angle(wish) == (None if angle is None else pytest.approx(angle))


def test_a_turn_in_numbers_is_left_as_it_is(dog: AnyRig) -> None:
    wishes = [Wish("turns left", turn=-0.1), Wish("walks"), Wish("turns left", turn=0.0)]
    assert with_turns(wishes, dog, [2.0] * 3) == wishes


def test_it_takes_as_long_as_the_wish_and_no_body_turns_faster_than_it_can(dog: AnyRig) -> None:
    (slow,) = with_turns([Wish("turns left")], dog, [6.0])
    assert slow.turn == pytest.approx(QUARTER / 6.0)
    (whole,) = with_turns([Wish("turns right")], dog, [2.0])
    assert whole.turn == pytest.approx(-QUARTER / 2.0)
    whale = AnyRig.of(make_creature("whale").skeleton)
    assert 0.5 <= rate(2 * QUARTER, whale, 1.0) < QUARTER, "a whale has no time for half a turn"


def test_a_body_of_which_nothing_is_known_turns_by_what_is_said() -> None:
    stump = AnyRig.of(Skeleton.create(["a", "b"], [-1, 0], [[0, 1, 0], [0, 0.5, 0]]))
    assert rate(2 * QUARTER, stump, 0.5) == pytest.approx(4 * QUARTER)


def test_what_is_said_is_done_in_its_part_of_a_clip(generator: Generator, dog: AnyRig) -> None:
    made = generator.sample(dog, 192, [Wish("walks", "walk"), Wish("turns right", "turn")])[0]
    _, rates = travelled(Takes(dog, np.stack(np.split(made, 2))))
    turned = rates * 96 / FPS
    assert turned[1] == pytest.approx(-QUARTER, rel=0.3) and abs(turned[0]) < 0.4 * QUARTER
