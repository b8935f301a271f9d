from __future__ import annotations

import pytest

from kinema.instructions.learned.faithful import forgets, invents, leaves_out
from kinema.instructions.learned.notation import END
from kinema.instructions.learned.tokens import tokens_of

WAVES = ("do wave", "side left", "seconds", "#3", "times", "#2", END)


@pytest.mark.parametrize(
    "said, symbols, whole",
    [
        ("wave the left hand twice for 3 seconds", WAVES, True),
        ("wave the left hand twice for 4 seconds", WAVES, False),
        ("wave the right hand twice for 3 seconds", WAVES, False),
        ("wave 3 degrees left", WAVES, False),
        ("walk 3 metres", ("go walk", "seconds", "#3", END), False),
        ("1. wave left 2. wave left", WAVES, True),
        ("1 bow 2 yawn 3 nod", ("do bow", "then", "do yawn", "then", "do nod", END), True),
        ("bow 2 times", ("do bow", END), False),
        ("walk to the 2nd tree", ("go walk", "place to", "<", "number 2", "=tree", ">", END), True),
        ("open the gray box", ("handle open", "<", "=box", ">", END), False),
        ("open the gray box", ("handle open", "<", "colour grey", "=box", ">", END), True),
        ("open the gray box", ("handle open", "<", "=gray", "=box", ">", END), True),
        ("walk to box 12", ("go walk", "place to", "<", "=box", ">", END), False),
        ("wave both hands", ("do wave", END), False),
        ("wave both hands", ("do wave", "side both", END), True),
        ("wave in a wide shot", ("do wave", "with", "camera", "view above", END), False),
        ("walk through the wide gate", ("go walk", "place through", "<", "quality", "=wide", "=gate", ">", END), True),
        ("wave at the camera", ("do wave", END), False),
        ("wave at the camera", ("do wave", "place at", "<", "=camera", ">", END), True),
    ],
)
def test_what_a_sentence_says_must_be_in_what_is_read(said: str, symbols: tuple[str, ...], whole: bool) -> None:
    assert leaves_out(tokens_of(said), symbols) is not whole


def test_what_is_named_again_is_meant_again() -> None:
    said = tokens_of("take the cup to the bench and sit on the bench")
    sit = ("handle carry", "<", "=cup", ">", "place to", "<", "=bench", ">", "then", "do sit", "place on", "<")
    assert not forgets(said, (*sit, "=bench", ">", END)) and forgets(said, (*sit, "=cup", ">", END))


@pytest.mark.parametrize(
    "said, symbols, invented",
    [
        ("turn right", ("do turn", "side right", END), False),
        ("turn right", ("do turn", "degrees", "#90", "side right", END), True),
        ("make a quarter turn to the right", ("do turn", "degrees", "#90", "side right", END), False),
        ("film the walk", ("go walk", "with", "camera", "view above", END), True),
        ("a walk, bird's eye view", ("go walk", "with", "camera", "view above", END), False),
    ],
)
def test_no_angle_and_no_view_is_made_up(said: str, symbols: tuple[str, ...], invented: bool) -> None:
    assert invents(tokens_of(said), symbols) is invented
